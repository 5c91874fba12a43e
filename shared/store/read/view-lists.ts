import type { Page, Rows } from "../../actions/contract/view.ts";
import type { KindName } from "../../domain/kind-names.ts";
import { type AnyObject, ownerOf } from "../../domain/objects.ts";
import type { LogEntry } from "../log/log.ts";
import { type ChangesOf, layEntriesOverAll, sortKeyOfId } from "../log/overlay.ts";
import { idKey, objectOf } from "../table/items.ts";
import { kindPrefix, objectSortKey, objectsPartition } from "../table/keys.ts";
import type { KnownRange } from "./known-objects.ts";
import type { ViewContext } from "./view-context.ts";

/** Objects of a kind, in the model or of one owner, in the order of their keys; objects of a removed owner are skipped. */
export async function listObjects(
  context: ViewContext,
  kind: KindName,
  owner?: string,
  page: Page = {},
): Promise<Rows<AnyObject>> {
  const { table, partition, reads, entriesFor, changesOf, facts } = context;
  const prefix = kindPrefix(kind, owner);
  const limit = page.limit ?? Number.POSITIVE_INFINITY;
  const start = page.after === undefined ? undefined : prefix + page.after;
  const kept = knownRows(context, { prefix, after: start, limit: limit + 1 });
  if (kept) return rowsOf(kept, limit, prefix);
  reads.scan(prefix);
  const entries = await entriesFor(page.lookBack ?? false);
  const read = new Map<string, AnyObject>();
  const lives = createLiving(context);
  let after = start;
  let stored: readonly AnyObject[] = [];
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
    stored = inRange(await laidOver(read, entries, changesOf), prefix, start, after);
    sorted = await lives(stored);
    // Rows that the newest commits removed do not count.
  } while (after !== undefined && sorted.length <= limit);
  for (const object of sorted) facts.objects.set(objectSortKey(object), object);
  if (start === undefined && after === undefined && sorted.length === stored.length) facts.prefixes.add(prefix);
  return rowsOf(sorted, limit, prefix);
}

/** The rows of a list that are known; undefined where some of its prefix are not. */
function knownRows({ known, reads }: ViewContext, range: KnownRange): readonly AnyObject[] | undefined {
  const rows = known()?.page(range);
  if (!rows) return undefined;
  reads.known.scan(range.prefix);
  for (const object of rows) {
    const owner = ownerHere(object);
    if (owner !== undefined) reads.known.restsOnId(owner);
  }
  return rows;
}

/** A page of at most `limit` rows; one more of them tells that there is a next page. */
function rowsOf(sorted: readonly AnyObject[], limit: number, prefix: string): Rows<AnyObject> {
  const items = sorted.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(sorted.length > limit && last && { next: objectSortKey(last).slice(prefix.length) }) };
}

/** The owner of an object that was not listed by its owner. */
function ownerHere(object: AnyObject): string | undefined {
  return object.kind === "attribute" ? undefined : ownerOf(object);
}

/** A filter for objects whose owner is live; the owner they were listed by needs no check. Each owner is looked up once. */
function createLiving({ table, partition, reads, recent, facts }: ViewContext) {
  const known = new Map<string, boolean>();
  const ask = async (owners: readonly string[]): Promise<void> => {
    const unsaid: string[] = [];
    for (const owner of owners) {
      reads.restsOnId(owner);
      const said = sortKeyOfId(owner, recent());
      known.set(owner, said !== undefined && said !== "gone");
      if (said === undefined) unsaid.push(owner);
    }
    for (const { sk, at } of await table.batchGet(unsaid.map((id) => idKey(partition, id)))) {
      known.set(sk, true);
      facts.ids.set(sk, String(at));
    }
  };
  return async (objects: readonly AnyObject[]): Promise<readonly AnyObject[]> => {
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
