import type { Page, Rows } from "../../actions/contract/view.ts";
import type { KindName } from "../../domain/kind-names.ts";
import { type AnyObject, ownerOf } from "../../domain/objects.ts";
import type { LogEntry } from "../log/log.ts";
import { type ChangesOf, layEntriesOverAll, sortKeyOfId } from "../log/overlay.ts";
import { idKey, objectOf } from "../table/items.ts";
import { kindPrefix, objectSortKey, objectsPartition } from "../table/keys.ts";
import type { ViewContext } from "./view-context.ts";

/** Objects of a kind, in the model or of one owner, in the order of their keys; objects of a removed owner are skipped. */
export async function listObjects(
  context: ViewContext,
  kind: KindName,
  owner?: string,
  page: Page = {},
): Promise<Rows<AnyObject>> {
  const { table, partition, reads, entriesFor, changesOf } = context;
  const prefix = kindPrefix(kind, owner);
  reads.scan(prefix);
  const entries = await entriesFor(page.lookBack ?? false);
  const limit = page.limit ?? Number.POSITIVE_INFINITY;
  const read = new Map<string, AnyObject>();
  const start = page.after === undefined ? undefined : prefix + page.after;
  const lives = createLiving(context);
  let after = start;
  let sorted: readonly AnyObject[] = [];
  do {
    const got = await table.query({
      pk: objectsPartition(partition.model, partition.generation),
      prefix,
      ...(after !== undefined && { after }),
      // One row more than asked for tells whether there is a next page.
      ...(page.limit !== undefined && { limit: page.limit + 1 }),
    });
    for (const item of got.items) read.set(item.sk, objectOf(item));
    after = got.more;
    sorted = await lives(inRange(await laidOver(read, entries, changesOf), prefix, start, after));
    // Rows that the newest commits removed do not count.
  } while (after !== undefined && sorted.length <= limit);
  const items = sorted.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(sorted.length > limit && last && { next: objectSortKey(last).slice(prefix.length) }) };
}

/** A filter for objects whose owner is live; the owner they were listed by needs no check. Each owner is looked up once. */
function createLiving({ table, partition, reads, recent }: ViewContext) {
  const known = new Map<string, boolean>();
  const ask = async (owners: readonly string[]): Promise<void> => {
    const unsaid: string[] = [];
    for (const owner of owners) {
      reads.restsOnId(owner);
      const said = sortKeyOfId(owner, recent());
      known.set(owner, said !== undefined && said !== "gone");
      if (said === undefined) unsaid.push(owner);
    }
    for (const { sk } of await table.batchGet(unsaid.map((id) => idKey(partition, id)))) known.set(sk, true);
  };
  return async (objects: readonly AnyObject[]): Promise<readonly AnyObject[]> => {
    const ownerHere = (object: AnyObject) => (object.kind === "attribute" ? undefined : ownerOf(object));
    const owners = new Set(objects.flatMap((object) => ownerHere(object) ?? []));
    await ask([...owners].filter((owner) => !known.has(owner)));
    return objects.filter((object) => known.get(ownerHere(object) ?? "") ?? true);
  };
}

/** A copy of the objects read, with the newest log entries applied. */
async function laidOver(
  read: ReadonlyMap<string, AnyObject>,
  entries: readonly LogEntry[],
  changesOf: ChangesOf,
): Promise<Map<string, AnyObject>> {
  const objects = new Map(read);
  await layEntriesOverAll(objects, entries, changesOf);
  return objects;
}

/** The objects between two sort keys, in their order; keys after `end` were not read yet. */
function inRange(
  objects: ReadonlyMap<string, AnyObject>,
  prefix: string,
  start: string | undefined,
  end: string | undefined,
): AnyObject[] {
  const inside = ([sk]: [string, AnyObject]): boolean =>
    sk.startsWith(prefix) && (start === undefined || sk > start) && (end === undefined || sk <= end);
  const found = [...objects.entries()].filter(inside);
  return found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
}
