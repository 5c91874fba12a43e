import type { Call } from "../../actions/contract/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Change } from "../../domain/model/changes.ts";
import { ifDefined } from "../../domain/model/content.ts";
import type { AnyObject } from "../../domain/model/objects.ts";
import { sameValue } from "../../domain/text/json-values.ts";
import { countItemBytes } from "../table/dynamo-rules.ts";
import { IDENTITY, logKey, logPartition, objectSortKey, summaryKey, TAGS } from "../table/keys.ts";
import { type Packed, pack, unpack } from "../table/pieces.ts";
import { FORMAT, type Item, type Table } from "../table/table.ts";
import { readBlob } from "./blobs.ts";

/** Fields of an object; null stands for a field that is not there. */
type Image = Readonly<Record<string, unknown>>;

/** The fact that a commit touched an object: how, its id and its sort keys. */
export interface Touch {
  readonly does: Change["does"];
  readonly kind: string;
  readonly id: string;
  /** Sort key after the commit; before it, for a deletion. */
  readonly at: string;
  /** Sort key before the commit, where it was another. */
  readonly from?: string;
  /** Revision of the object before the commit. */
  readonly base?: number;
}

/**
 * The change of one object by a commit. For an object that comes to a sort key (created, renamed) `after` is the whole
 * object; for one that leaves for ever `before` is. Otherwise both hold only the fields that changed. So the log can be
 * replayed both ways and applied to an item that does not show the commit yet, and stays small.
 */
export interface LogChange extends Touch {
  readonly before?: Image;
  readonly after?: Image;
}

/** The state a model is in after a commit. */
export type LedgerState = "live" | "deleted";

/** One revision of one ledger: who changed what, when, through which channel. It is the lock, the history and the counter. */
export interface LogEntry {
  readonly revision: number;
  readonly operation: string;
  readonly time: string;
  readonly actor?: string;
  /** Id of the API token the call came with. */
  readonly apiToken?: string;
  readonly channel: string;
  readonly request: string;
  readonly actions: readonly string[];
  readonly key: string;
  readonly generation: string;
  readonly state: LedgerState;
  /** Revision of the global tags that the commit saw. */
  readonly tags: number;
  /** The version it released. */
  readonly release?: string;
  /** The touched objects in the order of the changes, with the changes unless these lie in a blob. Absent for a publication. */
  readonly touched?: readonly LogChange[];
  /** The blob that holds the changes, where they are too large for the entry. */
  readonly blob?: string;
  /** The blob with the changes of a publication, for the history; absent where the publication began the model. */
  readonly publication?: string;
  /** The blob with all objects after this commit. */
  readonly snapshot?: string;
  /** The blobs that its changes name. */
  readonly keeps?: readonly string[];
  /** The revision up to which the snapshot knows other commits, where this is not the one before; see `snapshotState`. */
  readonly snapshotAt?: number;
}

/** The model's facts that every log entry repeats, so that the newest one is its head. */
export type LedgerFacts = Pick<LogEntry, "key" | "generation" | "state">;

/** Number of log entries that are read as the head. */
export const HEAD_ENTRIES = 4;
/** Number of log entries that a read which looks back applies before it takes an object for absent. */
export const LOOK_BACK_ENTRIES = 100;

/** The entry of a call's commit; `tags` is the revision of the global tags it saw, `actions` are the actions it did. */
export function createLogEntry(
  revision: number,
  facts: LedgerFacts,
  call: Call,
  touched?: readonly LogChange[],
  tags = 0,
  actions: readonly string[] = [call.action],
): LogEntry {
  return {
    revision,
    operation: call.operationId,
    time: call.time,
    ...(call.principal && { actor: call.principal.actorId }),
    ...ifDefined("apiToken", call.principal?.apiToken),
    channel: call.channel,
    request: call.requestId,
    actions,
    ...facts,
    tags,
    ...(touched && { touched }),
  };
}

/** The item of an entry: it holds the changes, or where they lie in a blob only what they touch. */
export function toLogItem(ledger: string, entry: LogEntry): Item {
  const { revision, touched, ...rest } = entry;
  const held = entry.blob === undefined ? { changes: touched } : { touched: pack(touched?.map(toTouch)) };
  return { ...logKey(ledger, revision), v: FORMAT, ...rest, ...(touched && held) };
}

function toTouch({ before: _before, after: _after, ...touch }: LogChange): Touch {
  return touch;
}

/** The entry an item holds. */
export function toLogEntry(item: Item): LogEntry {
  // Written by `logItem`.
  const { pk: _pk, sk, v: _v, changes, touched, ...rest } = item as unknown as StoredEntry;
  const all = touched === undefined ? changes : (unpack(touched) as readonly LogChange[]);
  return { revision: Number(sk), ...rest, ...(all && { touched: all }) };
}

interface StoredEntry extends Item, Omit<LogEntry, "revision" | "touched"> {
  readonly changes?: readonly LogChange[];
  readonly touched?: Packed;
}

/** The newest entries of a ledger, newest first; empty when it never began. */
export async function readNewestEntries(table: Table, ledger: string, count: number): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = [];
  let after: string | undefined;
  // A page ends at one megabyte, whatever the limit is.
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

/** The log's view of a change. */
export function toLogChange(change: Change): LogChange {
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

/** The fields that differ, with their values on each side. */
function diffFields(before: AnyObject, after: AnyObject): [Image, Image] {
  const a: Image = toImage(before);
  const b: Image = toImage(after);
  const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((f) => !sameValue(a[f], b[f]));
  const side = (image: Image): Image => Object.fromEntries(fields.map((f) => [f, image[f] ?? null]));
  return [side(a), side(b)];
}

/** Bytes of the changes in a log entry. */
export function countChangesBytes(changes: readonly LogChange[]): number {
  return countItemBytes({ pk: "", sk: "", v: FORMAT, changes });
}

/** True for changes that a log entry does not hold itself. */
export function isTooLargeForEntry(changes: readonly LogChange[]): boolean {
  return countChangesBytes(changes) > LIMITS.logBytes;
}

/** The newest state of a ledger: its newest log entry, and the recent ones that are applied to objects that were read. */
export interface Head {
  readonly entry: LogEntry;
  /** Oldest first, the newest included. */
  readonly recent: readonly LogEntry[];
}

/** The head of a ledger; undefined when it never began. */
export async function readHead(table: Table, ledger: string): Promise<Head | undefined> {
  const newestFirst = await readNewestEntries(table, ledger, HEAD_ENTRIES);
  const entry = newestFirst[0];
  return entry && { entry, recent: newestFirst.toReversed() };
}

/**
 * The entry of a revision, or undefined while nobody has it, by one strongly consistent read: every commit that was answered
 * is found, one that is under way may be or not.
 */
export async function readEntry(table: Table, ledger: string, revision: number): Promise<LogEntry | undefined> {
  const item = await table.get(logKey(ledger, revision));
  return item && toLogEntry(item);
}

/**
 * The entry of a revision, or undefined while nobody has it. Asked serializably: a commit under way at that revision
 * makes the question wait, so an absence means that no commit with it was finished before.
 */
export async function readEntrySerializably(
  table: Table,
  ledger: string,
  revision: number,
): Promise<LogEntry | undefined> {
  const [item] = await table.transactGet([logKey(ledger, revision)]);
  return item && toLogEntry(item);
}

/**
 * The id of the operation that has a revision, or undefined while nobody has it; asked as `entryAt` asks. No log entry
 * is applied to the row of a model in the list, so this waits until it shows as well, so that a caller that hears of
 * the commit finds the model in the list.
 */
export async function readOperation(table: Table, ledger: string, revision: number): Promise<string | undefined> {
  const [item] = await table.transactGet([logKey(ledger, revision)]);
  if (!item) return undefined;
  if (ledger !== TAGS.model && ledger !== IDENTITY) await table.transactGet([summaryKey(String(item.key))]);
  return String(item.operation);
}

/** An entry with its changes, wherever they lie; a publication has none. */
export interface WholeEntry extends LogEntry {
  readonly changes?: readonly LogChange[];
}

/** The changes of entries that were read already: a blob is read once, however often its changes are applied. */
const changesByEntry = new WeakMap<LogEntry, Promise<readonly LogChange[]>>();

/** The changes of a commit, in the order of the objects it touched; none for a publication. */
export function readChanges(table: Table, entry: LogEntry): Promise<readonly LogChange[]> {
  const { blob, touched = [] } = entry;
  if (blob === undefined) return Promise.resolve(touched);
  // Written by `spill`.
  const reading = changesByEntry.get(entry) ?? (readBlob(table, blob) as Promise<readonly LogChange[]>);
  changesByEntry.set(entry, reading);
  reading.catch(() => changesByEntry.delete(entry));
  return reading;
}

/** An entry with its changes. */
export async function readWholeEntry(table: Table, entry: LogEntry): Promise<WholeEntry> {
  return entry.touched ? { ...entry, changes: await readChanges(table, entry) } : entry;
}

/** Entries that are completed at once where many are read one after the other. */
const ENTRIES_PER_STEP = 8;

/** The entries with their changes, in the order given. */
export async function* readWholeEntries(table: Table, entries: readonly LogEntry[]): AsyncGenerator<WholeEntry> {
  for (let at = 0; at < entries.length; at += ENTRIES_PER_STEP) {
    yield* await Promise.all(entries.slice(at, at + ENTRIES_PER_STEP).map((entry) => readWholeEntry(table, entry)));
  }
}
