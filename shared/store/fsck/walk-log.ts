import { isDeepStrictEqual } from "node:util";
import type { Runtime } from "../../actions/contract/call.ts";
import { readBlob } from "../log/blobs.ts";
import { type LogEntry, readWholeEntry, toLogEntry, type WholeEntry } from "../log/log.ts";
import {
  applyChanges,
  applyEntry,
  LogBroken,
  type Objects,
  readHistoryChanges,
  readSnapshotState,
} from "../log/replay.ts";
import { blobKey, logKey, logPartition, TAGS } from "../table/keys.ts";
import { type Item, readItems, type Table } from "../table/table.ts";
import { DAY_MS } from "./expected-state.ts";
import type { Violation } from "./violation.ts";

/**
 * Yields the log of a ledger from its first to its last entry. Adds the violations of the log itself to `violations`.
 */
export async function* readOrderedLog(
  table: Table,
  ledger: string,
  violations: Violation[],
): AsyncGenerator<WholeEntry> {
  const holders = new Map<string, number>();
  let last: LogEntry | undefined;
  for await (const item of readItems(table, { pk: logPartition(ledger) })) {
    const entry = await readEntryOrReport(table, item, violations);
    const place = logKey(ledger, entry.revision);
    const expected = (last?.revision ?? 0) + 1;
    if (entry.revision !== expected) {
      const missing = entry.revision - expected === 1 ? `revision ${expected}` : `${expected} to ${entry.revision - 1}`;
      violations.push({
        code: "log-gap",
        place: logKey(ledger, expected),
        sentence: `the log lacks ${missing}; the revisions after it are not reliable`,
      });
    }
    const holder = holders.get(entry.operation);
    if (holder !== undefined) {
      violations.push({
        code: "log-operation-repeated",
        place,
        sentence: `the operation ${entry.operation} holds the revisions ${holder} and ${entry.revision}`,
      });
    }
    if (last?.state === "deleted") {
      violations.push({
        code: "log-after-tombstone",
        place,
        sentence: `revision ${entry.revision} follows revision ${last.revision}, which deleted the model`,
      });
    }
    holders.set(entry.operation, entry.revision);
    last = entry;
    yield entry;
  }
}

/** State of a model after its whole log, and the violations of the log itself. */
export interface WalkedLog {
  readonly violations: Violation[];
  readonly head: LogEntry;
  readonly objects: Objects;
  /** False if the log is broken, so that nothing can be compared with it. */
  readonly trusted: boolean;
  /** Names of the blobs it names. */
  readonly blobs: ReadonlySet<string>;
  /** All generations it names. */
  readonly generations: ReadonlySet<string>;
  readonly removed: Set<string>;
}

/**
 * Replays the log of a model from its beginning and checks every entry. Returns undefined for an empty log. `visit`
 * gets the objects after each entry.
 */
export async function walkLog(
  table: Table,
  ambient: Runtime,
  model: string,
  visit: (entry: LogEntry, objects: Objects) => void,
): Promise<WalkedLog | undefined> {
  const violations: Violation[] = [];
  const blobs = new Set<string>();
  const generations = new Set<string>();
  const removed = new Set<string>();
  let objects: Objects = new Map();
  let trusted = true;
  let head: LogEntry | undefined;
  for await (const entry of readOrderedLog(table, model, violations)) {
    const place = logKey(model, entry.revision);
    for (const name of [entry.blob, entry.publication, entry.snapshot, ...(entry.keeps ?? [])])
      if (name !== undefined) blobs.add(name);
    generations.add(entry.generation);
    const publishes = !entry.touched;
    const { snapshot, publication } = entry;
    let known = !publishes;
    if (trusted && publishes && publication !== undefined) {
      const faults = await applyPublication(table, model, objects, entry, publication);
      violations.push(...faults);
      known = faults.length === 0;
    }
    const misfits = entry.changes ? applyEntry(objects, entry) : [];
    if (trusted) {
      for (const misfit of misfits) {
        violations.push({ code: "log-misfit", place, sentence: `revision ${entry.revision} does not fit: ${misfit}` });
      }
    }
    trusted &&= misfits.length === 0 && entry.revision === (head?.revision ?? 0) + 1;
    if (!entry.changes && snapshot === undefined) trusted = false;
    if (snapshot !== undefined) {
      const kept = await readOrExplain(() => readSnapshotState(table, model, entry, snapshot));
      if (typeof kept === "string") {
        violations.push({
          code: "snapshot-broken",
          place: blobKey(snapshot, 0),
          sentence: `the snapshot of revision ${entry.revision} cannot be used: ${kept}`,
        });
        if (publishes) trusted = false;
      } else {
        if (trusted && known && !matchesLog(kept, objects, entry)) {
          violations.push({
            code: "snapshot-differs",
            place: blobKey(snapshot, 0),
            sentence: `the snapshot of revision ${entry.revision} differs from the log`,
          });
        }
        if (publishes) {
          // A publication replaces everything, so violations before it have no effect after it.
          objects = kept;
          trusted = true;
        }
      }
    }
    violations.push(...(await findBrokenImports(table, entry)));
    if (trusted) violations.push(...checkFacts(model, head, entry, objects));
    for (const change of entry.changes ?? []) {
      if (change.does === "delete" && Date.parse(entry.time) + DAY_MS > ambient.now()) removed.add(change.id);
    }
    visit(entry, objects);
    head = entry;
  }
  return head && { violations, head, objects, trusted, blobs, generations, removed };
}

/** Finds blobs that the changes of an entry name and that are unreadable. */
async function findBrokenImports(table: Table, { revision, keeps = [] }: LogEntry): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  for (const name of keeps) {
    const why = await readOrExplain(() => readBlob(table, name));
    if (typeof why !== "string") continue;
    const sentence = `the document that revision ${revision} imported cannot be read: ${why}`;
    violations.push({ code: "import-broken", place: blobKey(name, 0), sentence });
  }
  return violations;
}

function checkFacts(model: string, before: LogEntry | undefined, entry: LogEntry, objects: Objects): Violation[] {
  const wrong: string[] = [];
  const root = objects.get("model");
  if (entry.state === "live" && !root && model !== TAGS.model)
    wrong.push("it says that the model is live, but there is no model");
  if (entry.state === "deleted" && root) wrong.push("it says that the model is deleted, but the model exists");
  if (root && root.key !== entry.key)
    wrong.push(`it says that the model's key is ${entry.key}, but the key is ${root.key}`);
  if (root && root.id !== model) wrong.push(`the model's id is ${root.id}`);
  if (before && entry.touched && entry.generation !== before.generation) {
    wrong.push(`it names another generation, ${entry.generation}, without publishing it`);
  }
  const place = logKey(model, entry.revision);
  return wrong.map((sentence) => ({ code: "log-facts", place, sentence: `revision ${entry.revision}: ${sentence}` }));
}

/** Reads the changes of an entry. Adds a violation if they are unreadable, and returns the entry without them. */
async function readEntryOrReport(table: Table, item: Item, violations: Violation[]): Promise<WholeEntry> {
  const entry = toLogEntry(item);
  const { blob } = entry;
  const whole = await readOrExplain(() => readWholeEntry(table, entry));
  if (typeof whole !== "string") return whole;
  violations.push(createChangesViolation(String(blob), entry, whole));
  return entry;
}

function createChangesViolation(blob: string, { revision }: LogEntry, why: string): Violation {
  const sentence = `the changes of revision ${revision} cannot be read: ${why}`;
  return { code: "changes-broken", place: blobKey(blob, 0), sentence };
}

/**
 * Applies the changes of a publication to the objects. Returns violations for changes that are unreadable or do not
 * fit.
 */
async function applyPublication(
  table: Table,
  model: string,
  objects: Objects,
  entry: LogEntry,
  publication: string,
): Promise<Violation[]> {
  const changes = await readOrExplain(() => readHistoryChanges(table, entry));
  if (typeof changes === "string") return [createChangesViolation(publication, entry, changes)];
  return applyChanges(objects, changes, entry.revision).map(({ sentence }) => ({
    code: "log-misfit",
    place: logKey(model, entry.revision),
    sentence: `revision ${entry.revision} does not fit: ${sentence}`,
  }));
}

/**
 * Returns true if a snapshot matches the log. An object that a publication changed carries the revision that was next
 * when it was first staged, which may be an earlier one.
 */
function matchesLog(kept: Objects, given: Objects, { revision, touched }: LogEntry): boolean {
  if (touched) return isDeepStrictEqual(kept, given);
  if (kept.size !== given.size) return false;
  for (const [sk, object] of given) {
    const there = kept.get(sk);
    if (!there || there.revision > revision) return false;
    const own = object.revision === revision;
    if (!isDeepStrictEqual(own ? { ...there, revision } : there, object)) return false;
  }
  return true;
}

/** Runs a read. Returns its value, or a sentence that says why it is unreadable. */
export async function readOrExplain<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && (error instanceof LogBroken || isAboutContent(error))) return error.message;
    throw error;
  }
}

/**
 * Returns true for a blob that is missing, incomplete, or not a list of objects; false if the table could not be read.
 */
function isAboutContent(error: Error): boolean {
  const zlib = "code" in error && typeof error.code === "string" && error.code.startsWith("Z_");
  return zlib || error instanceof SyntaxError || error instanceof TypeError || error.message.startsWith("blob ");
}
