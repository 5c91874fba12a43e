import type { RecordedCall } from "../../actions/contract/call.ts";
import type { CommitFacts, Part } from "../../actions/contract/store.ts";
import type { Change } from "../../domain/model/changes.ts";
import { includeMember } from "../../domain/model/content.ts";
import type { AnyObject } from "../../domain/model/objects.ts";
import { isSameValue } from "../../domain/text/json-values.ts";
import { countItemBytes, countListBytes } from "../table/dynamo-rules.ts";
import { deletedModelKey, IDENTITY, logKey, logPartition, objectSortKey, summaryKey, TAGS } from "../table/keys.ts";
import { type PackedJson, pack, unpack } from "../table/pieces.ts";
import { FORMAT, type Item, type Table } from "../table/table.ts";
import { readBlob } from "./blobs.ts";

/** Fields of an object; null means an absent field. */
type Image = Readonly<Record<string, unknown>>;

/** One object touched by a commit: the kind of change, its id and its sort keys. */
export interface Touch {
  readonly does: Change["does"];
  readonly kind: string;
  readonly id: string;
  /** Sort key after the commit, or before it for a deletion. */
  readonly at: string;
  readonly from?: string;
  readonly base?: number;
}

/** Change of one object: the whole object if it arrives or is deleted, else the changed fields, to stay small. */
export interface LogChange extends Touch {
  readonly before?: Image;
  readonly after?: Image;
}

/** State of a model after a commit. */
export type LedgerState = "live" | "deleted";

/** One revision of a ledger: who changed what and when. It is the lock, the history and the revision counter. */
export interface LogEntry extends Omit<CommitFacts, "requestId"> {
  readonly request: string;
  readonly operation: string;
  readonly key: string;
  readonly generation: string;
  readonly state: LedgerState;
  readonly tags: number;
  /** True for an entry that may follow the deletion of the model. It has a new generation. */
  readonly undeletes?: true;
  readonly release?: string;
  /** Touched objects in order, with the changes unless they are in a blob. Absent for a publication. */
  readonly touched?: readonly LogChange[];
  readonly blob?: string;
  /** Blob with the changes of a publication, for the history. Absent if the publication created the model. */
  readonly publication?: string;
  readonly snapshot?: string;
  readonly keeps?: readonly string[];
  /** Revision up to which the snapshot contains other commits, if it is not the one before. See `readSnapshotState`. */
  readonly snapshotAt?: number;
}

/** Model facts repeated in every log entry, so that the newest entry is the head. */
export type LedgerFacts = Pick<LogEntry, "key" | "generation" | "state">;

/** Number of log entries read as the head. */
export const HEAD_ENTRIES = 4;
/** Number of log entries that a read with `lookBack` applies before it takes an object for absent. */
export const LOOK_BACK_ENTRIES = 100;

/** Creates the log entry of a commit. `tags` is the revision of the global tags. */
export function createLogEntry(
  revision: number,
  facts: LedgerFacts,
  call: RecordedCall,
  changes?: readonly LogChange[],
  tags = 0,
  { actions = [call.action], release, source, blobs }: Pick<Part, "actions" | "release" | "source" | "blobs"> = {},
): LogEntry {
  return {
    revision,
    operation: call.operationId,
    time: call.time,
    ...(call.principal && { actor: call.principal.actorId }),
    ...includeMember("apiToken", call.principal?.apiToken),
    channel: call.channel,
    request: call.requestId,
    ...includeMember("run", call.run),
    actions,
    ...includeMember("source", source),
    ...facts,
    tags,
    ...includeMember("release", release),
    ...(blobs && { keeps: blobs.map(({ name }) => name) }),
    ...(changes && { touched: changes }),
  };
}

/** Returns the item of an entry, with its changes unless they are in a blob. */
export function toLogItem(ledger: string, entry: LogEntry): Item {
  const { revision, touched, ...rest } = entry;
  const changeFields = entry.blob === undefined ? { changes: touched } : { touched: pack(touched?.map(toTouch)) };
  return { ...logKey(ledger, revision), v: FORMAT, ...rest, ...(touched && changeFields) };
}

function toTouch({ before: _before, after: _after, ...touch }: LogChange): Touch {
  return touch;
}

/** Returns the entry of an item. */
export function toLogEntry(item: Item): LogEntry {
  // Written by `toLogItem`.
  const { pk: _pk, sk, v: _v, changes, touched, ...rest } = item as unknown as StoredEntry;
  const all = touched === undefined ? changes : (unpack(touched) as readonly LogChange[]);
  return { revision: Number(sk), ...rest, ...(all && { touched: all }) };
}

interface StoredEntry extends Item, Omit<LogEntry, "revision" | "touched"> {
  readonly changes?: readonly LogChange[];
  readonly touched?: PackedJson;
}

/** Reads the newest entries of a ledger, newest first; none if it never began. */
export async function readNewestEntries(table: Table, ledger: string, count: number): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = [];
  let after: string | undefined;
  // A page ends at one megabyte even if the limit is higher.
  do {
    const limit = count - entries.length;
    const page = await table.query({
      pk: logPartition(ledger),
      descending: true,
      limit,
      ...(after !== undefined && { after }),
    });
    entries.push(...page.items.map(toLogEntry));
    after = page.more;
  } while (after !== undefined && entries.length < count);
  return entries;
}

/** The log forms of changes. The log entry, the cache and the check of what was read use the same one. */
const logChanges = new WeakMap<Change, LogChange>();

/** Converts a change to its form in the log. */
export function toLogChange(change: Change): LogChange {
  const hit = logChanges.get(change);
  if (hit) return hit;
  const logChange = createLogChange(change);
  logChanges.set(change, logChange);
  return logChange;
}

function createLogChange(change: Change): LogChange {
  if (change.does === "create") {
    const { kind, id } = change.after;
    return { does: "create", kind, id, at: objectSortKey(change.after), after: toImage(change.after) };
  }
  const { kind, id, revision } = change.before;
  const from = objectSortKey(change.before);
  if (change.does === "delete") {
    return { does: "delete", kind, id, at: from, base: revision, before: toImage(change.before) };
  }
  const at = objectSortKey(change.after);
  const [before, after] = diffFields(change.before, change.after);
  if (at === from) return { does: "update", kind, id, at, base: revision, before, after };
  return { does: "update", kind, id, at, from, base: revision, before, after: toImage(change.after) };
}

function toImage(object: AnyObject): Image {
  const { kind: _kind, revision: _revision, ...image } = object;
  return image;
}

function diffFields(before: AnyObject, after: AnyObject): [Image, Image] {
  const a: Image = toImage(before);
  const b: Image = toImage(after);
  const sides: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const field of Object.keys({ ...a, ...b })) {
    if (isSameValue(a[field], b[field])) continue;
    sides[0][field] = a[field] ?? null;
    sides[1][field] = b[field] ?? null;
  }
  return sides;
}

const EMPTY_ENTRY_BYTES = countItemBytes({ pk: "", sk: "", v: FORMAT, changes: "" });

/** Counts the bytes of changes inside a log entry. */
export function countChangesBytes(changes: readonly LogChange[]): number {
  return EMPTY_ENTRY_BYTES + countListBytes(changes);
}

/** Newest log entry of a ledger, and the recent entries to apply to objects. */
export interface Head {
  readonly entry: LogEntry;
  /** Oldest first, including the newest entry. */
  readonly recent: readonly LogEntry[];
}

/** Reads the head of a ledger; undefined if it never began. */
export async function readHead(table: Table, ledger: string): Promise<Head | undefined> {
  const newestFirst = await readNewestEntries(table, ledger, HEAD_ENTRIES);
  const entry = newestFirst[0];
  return entry && { entry, recent: newestFirst.toReversed() };
}

/** Reads an entry strongly consistently; undefined if there is none. A commit under way may be missed. */
export async function readEntry(table: Table, ledger: string, revision: number): Promise<LogEntry | undefined> {
  const item = await table.get(logKey(ledger, revision));
  return item && toLogEntry(item);
}

/** Reads an entry; undefined if absent. Waits for a commit under way, so an absence means that none finished. */
export async function readEntrySerializably(
  table: Table,
  ledger: string,
  revision: number,
): Promise<LogEntry | undefined> {
  const [item] = await table.transactGet([logKey(ledger, revision)]);
  return item && toLogEntry(item);
}

/** Reads the operation of a revision; undefined if absent. Also waits for the model's rows in the lists of models. */
export async function readOperation(table: Table, ledger: string, revision: number): Promise<string | undefined> {
  const [item] = await table.transactGet([logKey(ledger, revision)]);
  if (!item) return undefined;
  const { key, operation, state, undeletes } = toLogEntry(item);
  const isDeletedRow = state === "deleted" || undeletes;
  if (ledger !== TAGS.model && ledger !== IDENTITY) {
    await table.transactGet([summaryKey(key), ...(isDeletedRow ? [deletedModelKey(ledger)] : [])]);
  }
  return operation;
}

/** An entry with its changes. A publication has none. */
export interface WholeEntry extends LogEntry {
  readonly changes?: readonly LogChange[];
}

/** Cache of changes read from blobs: each blob is read once, even if its changes are applied often. */
const changesByEntry = new WeakMap<LogEntry, Promise<readonly LogChange[]>>();

/** Reads the changes of a commit in the order of `touched`; none for a publication. */
export function readChanges(table: Table, entry: LogEntry): Promise<readonly LogChange[]> {
  const { blob, touched = [] } = entry;
  if (blob === undefined) return Promise.resolve(touched);
  // Written by `planLog`.
  const reading = changesByEntry.get(entry) ?? (readBlob(table, blob) as Promise<readonly LogChange[]>);
  changesByEntry.set(entry, reading);
  reading.catch(() => changesByEntry.delete(entry));
  return reading;
}

/** Reads the changes of an entry and returns the entry with them. */
export async function readWholeEntry(table: Table, entry: LogEntry): Promise<WholeEntry> {
  return entry.touched ? { ...entry, changes: await readChanges(table, entry) } : entry;
}

const ENTRIES_PER_STEP = 8;

/** Reads the changes of several entries. Yields the entries in the given order. */
export async function* readWholeEntries(table: Table, entries: readonly LogEntry[]): AsyncGenerator<WholeEntry> {
  for (let at = 0; at < entries.length; at += ENTRIES_PER_STEP) {
    yield* await Promise.all(entries.slice(at, at + ENTRIES_PER_STEP).map((entry) => readWholeEntry(table, entry)));
  }
}

type MaybeObject = AnyObject | undefined;

/** Applies one change to an object, which may show the commit already: items become visible one after the other. */
export function applyRecentChange(row: MaybeObject, sk: string, change: LogChange, revision: number): MaybeObject {
  if (row && row.revision >= revision) return row;
  const leaves = change.does === "delete" ? change.at === sk : change.from === sk;
  if (leaves) return undefined;
  if (change.at !== sk) return row;
  // A whole image replaces the object. A partial one fits only the state that it was made from.
  if (isWhole(change)) return completeObject(change, {}, revision);
  return row?.id === change.id && row.revision === change.base ? completeObject(change, row, revision) : row;
}

function isWhole({ does, from }: Touch) {
  return does === "create" || from !== undefined;
}

function completeObject(change: LogChange, base: object, revision: number): AnyObject {
  const fields: Record<string, unknown> = { ...base, ...change.after, kind: change.kind, revision };
  for (const [name, value] of Object.entries(fields)) if (value === null) delete fields[name];
  // A whole image, or a partial one merged into its base.
  return fields as unknown as AnyObject;
}

/** Tests whether a commit puts an object at a sort key but the read object lacks it. */
function isUnseenArrival(row: MaybeObject, sk: string, touch: Touch, revision: number) {
  if (touch.does === "delete" || touch.at !== sk || (row && row.revision >= revision)) return false;
  return isWhole(touch) || (row?.id === touch.id && row.revision === touch.base);
}

/** Reads the changes of a commit, only if an object does not show it yet. */
export type ReadChanges = (entry: LogEntry) => Promise<readonly LogChange[]>;

/** Applies log entries, oldest first, to the object read at a sort key. */
export async function applyRecentEntries(
  row: MaybeObject,
  sk: string,
  oldestFirst: readonly LogEntry[],
  changesOf: ReadChanges,
): Promise<MaybeObject> {
  let result = row;
  for (const entry of oldestFirst) {
    for (const [i, touch] of (entry.touched ?? []).entries()) {
      const change = isUnseenArrival(result, sk, touch, entry.revision) ? (await changesOf(entry))[i] : touch;
      if (change) result = applyRecentChange(result, sk, change, entry.revision);
    }
  }
  return result;
}

/** Returns the entries of a generation. It already contains every commit before its publication. */
export function filterByGeneration(oldestFirst: readonly LogEntry[], generation: string): readonly LogEntry[] {
  return oldestFirst.filter((entry) => entry.generation === generation);
}

/** Applies log entries, oldest first, to all objects by sort key, in place. */
export async function applyRecentEntriesToAll(
  objects: Map<string, AnyObject>,
  oldestFirst: readonly LogEntry[],
  changesOf: ReadChanges,
): Promise<void> {
  for (const entry of oldestFirst) {
    for (const [i, touch] of (entry.touched ?? []).entries()) {
      for (const sk of listSortKeys(touch)) {
        const row = objects.get(sk);
        const change = isUnseenArrival(row, sk, touch, entry.revision) ? (await changesOf(entry))[i] : touch;
        const result = change && applyRecentChange(row, sk, change, entry.revision);
        if (result) objects.set(sk, result);
        else objects.delete(sk);
      }
    }
  }
}

/** Returns the sort keys of an object before and after a change. */
export function listSortKeys(change: Touch): readonly string[] {
  return change.from === undefined ? [change.at] : [change.from, change.at];
}

/** Finds the sort key to which recent commits moved an id: "gone" if deleted, undefined if untouched. */
export function findMovedSortKey(id: string, oldestFirst: readonly LogEntry[]): string | "gone" | undefined {
  let sortKey: string | "gone" | undefined;
  for (const entry of oldestFirst) {
    for (const change of entry.touched ?? []) {
      if (change.id === id) sortKey = change.does === "delete" ? "gone" : change.at;
    }
  }
  return sortKey;
}
