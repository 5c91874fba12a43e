import type { Call } from "../../actions/contract/call.ts";
import type { Change } from "../../domain/change.ts";
import { ifDefined } from "../../domain/content.ts";
import type { AnyObject } from "../../domain/objects.ts";
import { sameValue } from "../../domain/same-value.ts";
import { logKey, logPartition, objectSortKey } from "../table/keys.ts";
import { type Packed, pack, unpack } from "../table/packed.ts";
import { FORMAT, type Item, type Table } from "../table/table.ts";

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
export function logEntry(
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
export function logItem(ledger: string, entry: LogEntry): Item {
  const { revision, touched, ...rest } = entry;
  const held = entry.blob === undefined ? { changes: touched } : { touched: pack(touched?.map(touchOf)) };
  return { ...logKey(ledger, revision), v: FORMAT, ...rest, ...(touched && held) };
}

function touchOf({ before: _before, after: _after, ...touch }: LogChange): Touch {
  return touch;
}

/** The entry an item holds. */
export function logEntryOf(item: Item): LogEntry {
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
export async function newestEntries(table: Table, ledger: string, count: number): Promise<readonly LogEntry[]> {
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
    entries.push(...page.items.map(logEntryOf));
    after = page.more;
  } while (after !== undefined && entries.length < count);
  return entries;
}

/** The log's view of a change. */
export function logChange(change: Change): LogChange {
  if (change.does === "create") {
    const { kind, id } = change.after;
    return { does: "create", kind, id, at: objectSortKey(change.after), after: imageOf(change.after) };
  }
  const { kind, id, revision } = change.before;
  const from = objectSortKey(change.before);
  if (change.does === "delete") {
    return { does: "delete", kind, id, at: from, base: revision, before: imageOf(change.before) };
  }
  const at = objectSortKey(change.after);
  const [before, after] = difference(change.before, change.after);
  if (at === from) return { does: "update", kind, id, at, base: revision, before, after };
  return { does: "update", kind, id, at, from, base: revision, before, after: imageOf(change.after) };
}

function imageOf(object: AnyObject): Image {
  const { kind: _kind, revision: _revision, ...image } = object;
  return image;
}

/** The fields that differ, with their values on each side. */
function difference(before: AnyObject, after: AnyObject): [Image, Image] {
  const a: Image = imageOf(before);
  const b: Image = imageOf(after);
  const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((f) => !sameValue(a[f], b[f]));
  const side = (image: Image): Image => Object.fromEntries(fields.map((f) => [f, image[f] ?? null]));
  return [side(a), side(b)];
}
