import type { Runtime } from "../../actions/contract/call.ts";
import type { DeletedModel, Summary } from "../../actions/contract/store.ts";
import type { Page, Rows } from "../../actions/contract/view.ts";
import { applyRecentEntries, filterByGeneration, readChanges, readHead } from "../log/log.ts";
import { isMoved, toDeletedModel, toObject, toSummary } from "../table/items.ts";
import { DELETED_MODELS, objectSortKey, objectsPartition, SUMMARIES } from "../table/keys.ts";
import type { Item, ItemPage, Table } from "../table/table.ts";

/** Milliseconds during which the new row of a rename may be invisible: a worker has 15 minutes to commit. */
const MAX_UNSEEN_MS = 20 * 60_000;

interface SummaryContext {
  readonly table: Table;
  readonly runtime: Runtime;
}

interface Row extends Summary {
  readonly revision: number;
}

/** Lists models in the order of their keys, each once, even while one of them is renamed. */
export async function listModels(
  context: SummaryContext,
  { after: cursor = "", limit = Number.POSITIVE_INFINITY }: Page,
): Promise<Rows<Summary>> {
  const newest = new Map<string, Row>();
  let after: string | undefined = cursor;
  let rows: readonly Row[] = [];
  do {
    const page: ItemPage = await context.table.query({
      pk: SUMMARIES,
      ...(after !== "" && { after }),
      ...(Number.isFinite(limit) && { limit: limit + 1 }),
    });
    after = page.more;
    for (const item of page.items) {
      const row = await toRow(context, item);
      if (!row || row.key <= cursor) continue;
      const other = newest.get(row.id);
      if (!other || other.revision < row.revision) newest.set(row.id, row);
    }
    const end = page.more;
    // A renamed model may belong after this page, and its new row may still be invisible.
    rows = [...newest.values()].filter(({ key }) => end === undefined || key <= end);
  } while (after !== undefined && rows.length <= limit);
  const models = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const items = models.slice(0, limit).map(({ revision: _, ...summary }) => summary);
  const last = items.at(-1);
  return { items, ...(models.length > limit && last && { next: last.key }) };
}

/** Lists deleted models in the order of their ids. */
export async function listDeletedModels(table: Table, { after, limit }: Page): Promise<Rows<DeletedModel>> {
  const items: Item[] = [];
  let position = after;
  do {
    const page: ItemPage = await table.query({
      pk: DELETED_MODELS,
      ...(position !== undefined && { after: position }),
      ...(limit !== undefined && { limit: limit - items.length + 1 }),
    });
    items.push(...page.items);
    position = page.more;
  } while (position !== undefined && (limit === undefined || items.length <= limit));
  const rows = items.slice(0, limit).map(toDeletedModel);
  const last = rows.at(-1);
  return { items: rows, ...(items.length > rows.length && last && { next: last.id }) };
}

/** Returns the row of an item. The item of a former key leads to the model under its new key. */
async function toRow(context: SummaryContext, item: Item): Promise<Row | undefined> {
  return isMoved(item) ? readMovedRow(context, item) : { ...toSummary(item), revision: Number(item.revision) };
}

/** Returns the row of a renamed model; undefined for an old rename, because the new row was found too. */
async function readMovedRow({ table, runtime }: SummaryContext, item: Item): Promise<Row | undefined> {
  if (Number(item.movedAt) + MAX_UNSEEN_MS < runtime.now()) return undefined;
  const id = String(item.id);
  const head = await readHead(table, id);
  if (head?.entry.state !== "live") return undefined;
  const sk = objectSortKey({ kind: "model", key: head.entry.key });
  const match = await table.get({ pk: objectsPartition(id, head.entry.generation), sk });
  const recent = filterByGeneration(head.recent, head.entry.generation);
  const model = await applyRecentEntries(match && toObject(match), sk, recent, (entry) => readChanges(table, entry));
  if (model?.kind !== "model") return undefined;
  const { key, name, version, authority, revision } = model;
  return { id, key, name, version, authority, revision };
}
