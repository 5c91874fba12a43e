import type { CommitFacts, CommitRange, Members, PastChange, PastCommit } from "../../actions/contract/past.ts";
import { ifDefined } from "../../domain/content.ts";
import { keyOfSortKey } from "../table/items.ts";
import { logKey, logPartition } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { type LogChange, type LogEntry, logChange, logEntryOf } from "./log.ts";
import { changesOf, snapshotState } from "./replay.ts";

/** Members of stored objects that are no part of what callers know. */
const INNER = new Set(["id", "order"]);

/** Commits of a model in order. One page of its log is held at a time, and the changes of one commit. */
export async function* pastCommits(table: Table, model: string, range: CommitRange): AsyncGenerator<PastCommit> {
  for await (const entry of entriesInGrowingPages(table, model, range)) {
    const commit = await commitOf(table, model, entry, range.objectId);
    if (commit) yield commit;
  }
}

/** Entries of the first page, and how many times larger each next one is: most callers want few, some want all. */
const [FIRST_PAGE, GROWTH] = [8, 4];

async function* entriesInGrowingPages(
  table: Table,
  model: string,
  { from, to }: CommitRange,
): AsyncGenerator<LogEntry> {
  // DynamoDB refuses a range that ends before it begins.
  if (to < from) return;
  const range = { pk: logPartition(model), from: logKey(model, from).sk, to: logKey(model, to).sk };
  let after: string | undefined;
  let limit = FIRST_PAGE;
  do {
    const page = await table.query({ ...range, limit, ...(after !== undefined && { after }) });
    yield* page.items.map(logEntryOf);
    after = page.more;
    limit *= GROWTH;
  } while (after !== undefined);
}

/** The past commit of a log entry; undefined where the commit did nothing to the object asked for. */
async function commitOf(
  table: Table,
  model: string,
  entry: LogEntry,
  objectId: string | undefined,
): Promise<PastCommit | undefined> {
  const facts = commitFacts(entry);
  if (objectId !== undefined && entry.touched?.every(({ id }) => id !== objectId)) return undefined;
  const madeWhole = !entry.touched && entry.publication === undefined;
  if (madeWhole && objectId === undefined) {
    return { ...facts, changes: [], made: { key: entry.key, counts: await countsAfter(table, model, entry) } };
  }
  const all = madeWhole ? await madeBy(table, model, entry) : await changesOf(table, entry);
  const changes = objectId === undefined ? all : all.filter(({ id }) => id === objectId);
  if (changes.length === 0 && objectId !== undefined) return undefined;
  return { ...facts, changes: changes.map((change) => shownChange(change, entry)) };
}

/** The facts of a commit that its log entry holds: revision, time, author and API token, channel, request and actions. */
export function commitFacts({ revision, time, actor, apiToken, channel, request, actions }: LogEntry): CommitFacts {
  return {
    revision,
    time,
    ...ifDefined("actor", actor),
    ...ifDefined("apiToken", apiToken),
    channel,
    request,
    actions,
  };
}

async function madeBy(table: Table, model: string, entry: LogEntry): Promise<readonly LogChange[]> {
  const objects =
    entry.snapshot === undefined ? [] : (await snapshotState(table, model, entry, entry.snapshot)).values();
  return [...objects].map((after) => logChange({ does: "create", after }));
}

async function countsAfter(table: Table, model: string, entry: LogEntry): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const { kind } of await madeBy(table, model, entry)) counts[kind] = (counts[kind] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).sort());
}

function shownChange({ does, kind, id, at, before = {}, after = {} }: LogChange, entry: LogEntry): PastChange {
  // A rename holds the whole object on one side.
  const changed = does === "update" ? Object.keys(before) : Object.keys({ ...before, ...after });
  // The table keeps no order of members.
  const shown = changed.filter((member) => !INNER.has(member)).sort();
  return {
    change: does,
    kind,
    id,
    key: kind === "model" ? keyOfModel(before, after, entry) : keyOfSortKey(at),
    ...(does !== "create" && { before: membersOf(before, shown) }),
    ...(does !== "delete" && { after: membersOf(after, shown) }),
  };
}

/** The sort key of a model has no key in it. */
function keyOfModel(before: Members, after: Members, { key }: LogEntry): string {
  return String(after.key ?? before.key ?? key);
}

function membersOf(image: Members, names: readonly string[]): Members {
  return Object.fromEntries(names.map((name) => [name, image[name] ?? null]));
}
