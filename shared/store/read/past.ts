import type {
  CommitEdits,
  CommitFacts,
  CommitRange,
  Members,
  Past,
  PastChange,
  PastCommit,
  PastState,
  PointInTime,
  Release,
  Standing,
} from "../../actions/contract/store.ts";
import type { ReadView } from "../../actions/contract/view.ts";
import { listGlobalTagIds } from "../../domain/document/write-document.ts";
import { LIMITS } from "../../domain/limits.ts";
import {
  type GlobalTags,
  includeMember,
  indexGlobalTags,
  listObjects,
  toModelContent,
} from "../../domain/model/content.ts";
import type { AnyObject } from "../../domain/model/objects.ts";
import type { CommitNote } from "../../domain/problems.ts";
import { isSameValue } from "../../domain/text/json-values.ts";
import { readBlob } from "../log/blobs.ts";
import { readEdits } from "../log/edits.ts";
import { HEAD_ENTRIES, type LogChange, type LogEntry, toLogChange, toLogEntry } from "../log/log.ts";
import { readObjectsAfter } from "../log/object-streams.ts";
import { loadObjectsAfter, readHistoryChanges, readSnapshotState, requireEntry } from "../log/replay.ts";
import { parseObjectKey } from "../table/items.ts";
import {
  logKey,
  logPartition,
  parseRunCommitKey,
  releaseKey,
  runLedgerPrefix,
  runPartition,
  TAGS,
} from "../table/keys.ts";
import type { RetryingTable } from "../table/retry.ts";
import { readItems, type Table } from "../table/table.ts";
import type { ModelView, StoreContext } from "./view.ts";

/** Creates the reader of past states. The past never changes, so only an absence has to be confirmed. */
export function createPast(table: RetryingTable, noteContent?: StoreContext["noteContent"]): Past {
  const listReleases: Past["listReleases"] = async (view, name) => {
    const { ledgerId, revision, head, reads } = toModelView(view);
    const all = await readReleases(table, ledgerId, revision, head?.recent);
    // A release changes the model object itself.
    if (name !== undefined && !all.some(({ version }) => version === name)) reads.notePoint("model", false);
    return all;
  };
  const findEntry = async (view: ReadView, point: PointInTime) => {
    const revision = await findRevision(view, point, listReleases);
    if (revision === undefined || revision < 1 || revision > view.revision) return undefined;
    const entry = await requireEntry(table, view.ledgerId, revision);
    return entry.state === "deleted" ? undefined : entry;
  };
  return {
    readBlob: (name) => readBlob(table, name),
    listReleases: listReleases,
    readState: async (view, point) => {
      const entry = await findEntry(view, point);
      const state = entry && (await readState(table, view.ledgerId, entry));
      if (state) noteContent?.(state.content);
      return state;
    },
    readObjects: async (view, point) => {
      const entry = await findEntry(view, point);
      if (!entry) return undefined;
      const { revision, tags } = entry;
      const objects = readObjectsAfter(table, view.ledgerId, entry);
      return { revision, objects, listTags: () => readGlobalTags(table, tags) };
    },
    readCommitFacts: (view, revisions) => readFacts(table, view.ledgerId, revisions),
    readStanding: (view, revisions) => readStanding(table, view, revisions),
    listCommits: (view, range) => readPastCommits(table, view.ledgerId, range),
    listEdits: (view, from) => readCommitEdits(table, view, from),
    findRequest: async ({ ledgerId, revision }, requestId) => {
      const range = { pk: logPartition(ledgerId), to: logKey(ledgerId, revision).sk, descending: true };
      for await (const item of readItems(table, range)) {
        const entry = toLogEntry(item);
        if (entry.request === requestId) return toCommitFacts(entry);
      }
      return undefined;
    },
    findRun: (view, run) => findRun(table, view, run),
  };
}

/**
 * Finds the first commit of a run up to the revision of a view. A commit may be listed under its run before the view knows
 * it, or in one of the newest revisions after the log shows it.
 */
async function findRun(table: Table, { ledgerId, revision }: ReadView, run: string): Promise<number | undefined> {
  const listed = { pk: runPartition(run), prefix: runLedgerPrefix(ledgerId), limit: 1 };
  const from = logKey(ledgerId, Math.max(1, revision - HEAD_ENTRIES + 1)).sk;
  const [first, newest] = await Promise.all([
    table.query(listed),
    table.query({ pk: logPartition(ledgerId), from, to: logKey(ledgerId, revision).sk }),
  ]);
  const logged = newest.items.map(toLogEntry).filter((entry) => entry.run === run);
  const revisions = [...first.items.map(parseRunCommitKey), ...logged].map((commit) => commit.revision);
  const known = revisions.filter((one) => one <= revision);
  return known.length > 0 ? Math.min(...known) : undefined;
}

function toModelView(view: ReadView): ModelView {
  return view as ModelView;
}

async function findRevision(
  view: ReadView,
  point: PointInTime,
  releases: Past["listReleases"],
): Promise<number | undefined> {
  if ("revision" in point) return point.revision;
  return (await releases(view, point.version)).find(({ version }) => version === point.version)?.revision;
}

async function readState(table: Table, model: string, entry: LogEntry): Promise<PastState> {
  const content = toModelContent((await loadObjectsAfter(table, model, entry)).values());
  if (!content) throw new Error(`the log of ${model} has no model at revision ${entry.revision}`);
  const { revision, tags } = entry;
  const globalTags = listGlobalTagIds(content).length === 0 ? new Map() : await readGlobalTags(table, tags);
  return { revision, content, tags, globalTags };
}

async function readGlobalTags(table: Table, revision: number): Promise<GlobalTags> {
  if (revision === 0) return new Map();
  const entry = await requireEntry(table, TAGS.model, revision);
  return indexGlobalTags((await loadObjectsAfter(table, TAGS.model, entry)).values());
}

async function readFacts(
  table: RetryingTable,
  model: string,
  revisions: readonly number[],
): Promise<ReadonlyMap<number, CommitFacts>> {
  const items = await table.batchGet(revisions.map((revision) => logKey(model, revision)));
  return new Map(items.map((item) => [Number(item.sk), toCommitFacts(toLogEntry(item))]));
}

async function readStanding(
  table: RetryingTable,
  view: ReadView,
  revisions: readonly number[],
): Promise<ReadonlyMap<number, Standing>> {
  const known = revisions.filter((revision) => revision <= view.revision);
  const items = await table.batchGet(known.map((revision) => logKey(view.ledgerId, revision)));
  const objects = view.deleted ? [] : listObjects(await view.readContent());
  const present = new Map(objects.map((object) => [object.id, object]));
  const standings = new Map<number, Standing>();
  for (const item of items) {
    const changes = await readHistoryChanges(table, toLogEntry(item));
    const standing = changes.filter((change) => isStanding(change, present.get(change.id))).length;
    standings.set(Number(item.sk), { changes: changes.length, standing });
  }
  return standings;
}

/** Tests whether an object has everything that a change gave it. */
function isStanding({ does, before = {}, after = {} }: LogChange, present: AnyObject | undefined): boolean {
  if (does === "delete" || !present) return (does === "delete") === (present === undefined);
  const members: Members = { ...present };
  // The change of a key has a whole object on one side.
  const names = Object.keys(does === "create" ? after : before);
  return names.every((name) => isSameValue(members[name] ?? null, after[name] ?? null));
}

async function* readCommitEdits(
  table: Table,
  { ledgerId, revision }: ReadView,
  from: number,
): AsyncGenerator<CommitEdits> {
  for await (const { entry, edits } of readEdits(table, ledgerId, from, revision)) {
    yield { ...toCommitFacts(entry), edits };
  }
}

const INTERNAL_MEMBERS = new Set(["id", "order"]);

async function* readPastCommits(table: Table, model: string, range: CommitRange): AsyncGenerator<PastCommit> {
  for await (const entry of readEntriesInGrowingPages(table, model, range)) {
    const commit = await toPastCommit(table, model, entry, range.objectId);
    if (commit) yield commit;
  }
}

/** Entries of the first page, and growth of the next: most callers need few, some all. */
const [FIRST_PAGE, GROWTH] = [8, 4];

async function* readEntriesInGrowingPages(
  table: Table,
  model: string,
  { from, to }: CommitRange,
): AsyncGenerator<LogEntry> {
  // DynamoDB rejects a range that ends before it begins.
  if (to < from) return;
  const range = { pk: logPartition(model), from: logKey(model, from).sk, to: logKey(model, to).sk };
  let after: string | undefined;
  let limit = FIRST_PAGE;
  do {
    const page = await table.query({ ...range, limit, ...(after !== undefined && { after }) });
    yield* page.items.map(toLogEntry);
    after = page.more;
    limit *= GROWTH;
  } while (after !== undefined);
}

async function toPastCommit(
  table: Table,
  model: string,
  entry: LogEntry,
  objectId: string | undefined,
): Promise<PastCommit | undefined> {
  const facts = toCommitFacts(entry);
  if (objectId !== undefined && entry.touched?.every(({ id }) => id !== objectId)) return undefined;
  const isCreation = !entry.touched && entry.publication === undefined;
  if (isCreation && objectId === undefined) {
    return { ...facts, changes: [], creation: { key: entry.key, counts: await countCreations(table, model, entry) } };
  }
  const all = isCreation ? await readCreations(table, model, entry) : await readHistoryChanges(table, entry);
  const changes = objectId === undefined ? all : all.filter(({ id }) => id === objectId);
  if (changes.length === 0 && objectId !== undefined) return undefined;
  return { ...facts, changes: changes.map((change) => toPastChange(change, entry)) };
}

function toCommitFacts({
  revision,
  time,
  actor,
  apiToken,
  channel,
  request,
  run,
  source,
  actions,
}: LogEntry): CommitFacts {
  return {
    revision,
    time,
    ...includeMember("actor", actor),
    ...includeMember("apiToken", apiToken),
    channel,
    requestId: request,
    ...includeMember("run", run),
    ...includeMember("source", source),
    actions,
  };
}

async function readCreations(table: Table, model: string, entry: LogEntry): Promise<readonly LogChange[]> {
  const objects =
    entry.snapshot === undefined ? [] : (await readSnapshotState(table, model, entry, entry.snapshot)).values();
  return [...objects].map((after) => toLogChange({ does: "create", after }));
}

async function countCreations(table: Table, model: string, entry: LogEntry): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const { kind } of await readCreations(table, model, entry)) counts[kind] = (counts[kind] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).sort());
}

function toPastChange({ does, kind, id, at, before = {}, after = {} }: LogChange, entry: LogEntry): PastChange {
  // The entry of a rename holds the whole object on one side.
  const names = does === "update" ? Object.keys(before) : Object.keys({ ...before, ...after });
  // The table does not keep the order of members.
  const members = names.filter((member) => !INTERNAL_MEMBERS.has(member)).sort();
  return {
    change: does,
    kind,
    id,
    key: kind === "model" ? getModelKey(before, after, entry) : parseObjectKey(at),
    ...(does !== "create" && { before: pickMembers(before, members) }),
    ...(does !== "delete" && { after: pickMembers(after, members) }),
  };
}

/** The sort key of a model contains no key. */
function getModelKey(before: Members, after: Members, { key }: LogEntry) {
  return String(after.key ?? before.key ?? key);
}

function pickMembers(image: Members, names: readonly string[]): Members {
  return Object.fromEntries(names.map((name) => [name, image[name] ?? null]));
}

/** Summarises the newest commits of a model after `from` up to `to`, oldest first. */
export async function readCommitNotes(
  table: Table,
  model: string,
  from: number,
  to: number,
): Promise<readonly CommitNote[]> {
  const first = Math.max(from + 1, to - LIMITS.notedChanges + 1);
  const { pk, sk } = logKey(model, first);
  const page = await table.query({ pk, from: sk, to: logKey(model, to).sk });
  const notes: CommitNote[] = [];
  for (const item of page.items) notes.push(await toCommitNote(table, toLogEntry(item)));
  return notes;
}

async function toCommitNote(table: Table, entry: LogEntry): Promise<CommitNote> {
  const { revision, time, actions, actor } = entry;
  const changes = entry.touched ?? (await readHistoryChanges(table, entry));
  const objects = changes.slice(0, LIMITS.notedChanges).map(({ kind, at }) => `${kind} ${parseObjectKey(at)}`.trim());
  return { revision, time, actions, ...(actor !== undefined && { actor }), objects };
}

/** Reads the releases up to a revision, newest first. The items of `recent` commits may be invisible. */
async function readReleases(
  table: Table,
  model: string,
  revision: number,
  recent: readonly LogEntry[] = [],
): Promise<readonly Release[]> {
  const revisions = new Map<string, number>();
  for await (const item of readItems(table, { pk: releaseKey(model, "").pk })) {
    revisions.set(item.sk, Number(item.revision));
  }
  for (const entry of recent) if (entry.release !== undefined) revisions.set(entry.release, entry.revision);
  return [...revisions]
    .map(([version, at]) => ({ version, revision: at }))
    .filter((release) => release.revision <= revision)
    .sort((a, b) => b.revision - a.revision);
}
