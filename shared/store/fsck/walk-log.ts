import { isDeepStrictEqual } from "node:util";
import type { Runtime } from "../../actions/contract/call.ts";
import { BlobBroken, readBlob } from "../log/blobs.ts";
import { type LogEntry, readWholeEntry, toLogEntry, type WholeEntry } from "../log/log.ts";
import {
  applyChanges,
  LogBroken,
  type Misfit,
  type Objects,
  readHistoryChanges,
  readSnapshotState,
} from "../log/replay.ts";
import { blobKey, logKey, logPartition, TAGS } from "../table/keys.ts";
import { type Item, readItems, type Table } from "../table/table.ts";
import { DAY_MS, type ExpectedState, indexById } from "./expected-state.ts";
import { createViolation, type Violation } from "./violation.ts";

/** Yields the log of a ledger in order, and adds to `violations`. */
export async function* readOrderedLog(
  table: Table,
  ledger: string,
  violations: Violation[],
): AsyncGenerator<WholeEntry> {
  const holders = new Map<string, number>();
  let last: LogEntry | undefined;
  for await (const item of readItems(table, { pk: logPartition(ledger) })) {
    const entry = await readEntryOrReport(table, item, violations);
    const key = logKey(ledger, entry.revision);
    const next = (last?.revision ?? 0) + 1;
    if (entry.revision !== next) {
      const missing = entry.revision - next === 1 ? `revision ${next}` : `${next} to ${entry.revision - 1}`;
      const sentence = `the log lacks ${missing}; the revisions after it are not reliable`;
      violations.push(createViolation("log-gap", logKey(ledger, next), sentence));
    }
    const holder = holders.get(entry.operation);
    if (holder !== undefined) {
      const sentence = `the operation ${entry.operation} holds the revisions ${holder} and ${entry.revision}`;
      violations.push(createViolation("log-operation-repeated", key, sentence));
    }
    const isDeleted = last?.state === "deleted";
    const undeletes = entry.undeletes === true && entry.generation !== last?.generation;
    if (isDeleted && !undeletes) {
      const sentence = `revision ${entry.revision} follows revision ${last?.revision}, which deleted the model`;
      violations.push(createViolation("log-after-tombstone", key, sentence));
    }
    if (entry.undeletes && !isDeleted) {
      const sentence = `revision ${entry.revision} undeletes the model, but the revision before did not delete it`;
      violations.push(createViolation("log-facts", key, sentence));
    }
    holders.set(entry.operation, entry.revision);
    last = entry;
    yield entry;
  }
}

interface WalkedLog {
  readonly state: ExpectedState;
  readonly violations: Violation[];
  readonly isTrusted: boolean;
}

const NO_ENTRY: LogEntry = {
  ...{ revision: 0, operation: "", time: "", channel: "", request: "", actions: [] },
  ...{ key: "", generation: "", state: "deleted", tags: 0 },
};

/** Replays and checks the log of a model. `visit` gets the objects after each entry. */
export async function walkLog(
  table: Table,
  runtime: Runtime,
  model: string,
  visit: (entry: LogEntry, objects: Objects) => void,
): Promise<WalkedLog> {
  const violations: Violation[] = [];
  const blobs = new Set<string>();
  const generations = new Set<string>();
  const removals = new Set<string>();
  let objects: Objects = new Map();
  let isTrusted = true;
  let head = NO_ENTRY;
  for await (const entry of readOrderedLog(table, model, violations)) {
    const { revision, snapshot, publication } = entry;
    for (const name of [entry.blob, publication, snapshot, ...(entry.keeps ?? [])])
      if (name !== undefined) blobs.add(name);
    generations.add(entry.generation);
    const publishes = !entry.touched;
    let isKnown = !publishes;
    if (isTrusted && publishes && publication !== undefined) {
      const faults = await applyPublication(table, model, objects, entry, publication);
      violations.push(...faults);
      isKnown = faults.length === 0;
    }
    const misfits = entry.changes ? applyChanges(objects, entry.changes, revision) : [];
    if (isTrusted) violations.push(...toMisfitViolations(model, revision, misfits));
    isTrusted &&= misfits.length === 0 && revision === head.revision + 1;
    if (!entry.changes && snapshot === undefined) isTrusted = false;
    if (snapshot !== undefined) {
      const state = await readOrExplain(() => readSnapshotState(table, model, entry, snapshot));
      const key = blobKey(snapshot, 0);
      if (typeof state === "string") {
        const sentence = `the snapshot of revision ${revision} cannot be used: ${state}`;
        violations.push(createViolation("snapshot-broken", key, sentence));
        if (publishes) isTrusted = false;
      } else {
        if (isTrusted && isKnown && !matchesLog(state, objects, entry)) {
          const sentence = `the snapshot of revision ${revision} differs from the log`;
          violations.push(createViolation("snapshot-differs", key, sentence));
        }
        if (publishes) {
          // A publication replaces everything, so violations before it have no effect after it.
          objects = state;
          isTrusted = true;
        }
      }
    }
    violations.push(...(await findBrokenImports(table, entry)));
    if (isTrusted) violations.push(...checkFacts(model, head, entry, objects));
    // A new generation may use the ids again.
    if (publishes) removals.clear();
    for (const change of entry.changes ?? []) {
      if (change.does === "delete" && Date.parse(entry.time) + DAY_MS > runtime.now()) removals.add(change.id);
    }
    visit(entry, objects);
    head = entry;
  }
  const byId = indexById(objects);
  return { violations, isTrusted, state: { table, model, head, objects, byId, blobs, generations, removals } };
}

async function findBrokenImports(table: Table, { revision, keeps = [] }: LogEntry): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  for (const name of keeps) {
    const reason = await readOrExplain(() => readBlob(table, name));
    if (typeof reason !== "string") continue;
    const sentence = `the document that revision ${revision} imported cannot be read: ${reason}`;
    violations.push(createViolation("import-broken", blobKey(name, 0), sentence));
  }
  return violations;
}

function checkFacts(model: string, before: LogEntry, entry: LogEntry, objects: Objects): Violation[] {
  const wrong: string[] = [];
  const root = objects.get("model");
  if (entry.state === "live" && !root && model !== TAGS.model)
    wrong.push("it says that the model is live, but there is no model");
  if (entry.state === "deleted" && root) wrong.push("it says that the model is deleted, but the model exists");
  if (root && root.key !== entry.key)
    wrong.push(`it says that the model's key is ${entry.key}, but the key is ${root.key}`);
  if (root && root.id !== model) wrong.push(`the model's id is ${root.id}`);
  if (before !== NO_ENTRY && entry.touched && entry.generation !== before.generation) {
    wrong.push(`it names another generation, ${entry.generation}, without publishing it`);
  }
  const key = logKey(model, entry.revision);
  return wrong.map((reason) => createViolation("log-facts", key, `revision ${entry.revision}: ${reason}`));
}

async function readEntryOrReport(table: Table, item: Item, violations: Violation[]): Promise<WholeEntry> {
  const entry = toLogEntry(item);
  const wholeEntry = await readOrExplain(() => readWholeEntry(table, entry));
  if (typeof wholeEntry !== "string") return wholeEntry;
  violations.push(createChangesViolation(String(entry.blob), entry, wholeEntry));
  return entry;
}

function createChangesViolation(blob: string, { revision }: LogEntry, reason: string): Violation {
  const sentence = `the changes of revision ${revision} cannot be read: ${reason}`;
  return createViolation("changes-broken", blobKey(blob, 0), sentence);
}

async function applyPublication(
  table: Table,
  model: string,
  objects: Objects,
  entry: LogEntry,
  publication: string,
): Promise<Violation[]> {
  const changes = await readOrExplain(() => readHistoryChanges(table, entry));
  if (typeof changes === "string") return [createChangesViolation(publication, entry, changes)];
  return toMisfitViolations(model, entry.revision, applyChanges(objects, changes, entry.revision));
}

function toMisfitViolations(model: string, revision: number, misfits: readonly Misfit[]): Violation[] {
  return misfits.map(({ sentence }) =>
    createViolation("log-misfit", logKey(model, revision), `revision ${revision} does not fit: ${sentence}`),
  );
}

/** Tests a snapshot. An object that a publication changed may have the revision of its first staging. */
function matchesLog(state: Objects, logObjects: Objects, { revision, touched }: LogEntry) {
  if (touched) return isDeepStrictEqual(state, logObjects);
  if (state.size !== logObjects.size) return false;
  for (const [sk, object] of logObjects) {
    const storedObject = state.get(sk);
    if (!storedObject || storedObject.revision > revision) return false;
    const own = object.revision === revision;
    if (!isDeepStrictEqual(own ? { ...storedObject, revision } : storedObject, object)) return false;
  }
  return true;
}

/** Runs a read. Returns its value, or a sentence that says why it is unreadable. */
export async function readOrExplain<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && isContentError(error)) return error.message;
    throw error;
  }
}

/** Returns true for contents that are missing, incomplete or wrong; false if the table could not be read. */
function isContentError(error: Error) {
  if ("code" in error && typeof error.code === "string" && error.code.startsWith("Z_")) return true;
  return [LogBroken, BlobBroken, SyntaxError, TypeError].some((kind) => error instanceof kind);
}
