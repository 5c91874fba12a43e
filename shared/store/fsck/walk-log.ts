import { isDeepStrictEqual } from "node:util";
import type { Ambient } from "../../actions/call.ts";
import { blobKey, logKey } from "../keys.ts";
import type { LogEntry } from "../log.ts";
import { applyEntry, logEntries, type Objects, snapshotObjects } from "../replay.ts";
import type { Seam } from "../seam.ts";
import type { Finding } from "./finding.ts";
import { DAY_MS } from "./ground.ts";

/** A ledger's log from its first entry to its last, in order, with what is wrong in it by itself. */
export async function* orderedLog(seam: Seam, ledger: string, findings: Finding[]): AsyncGenerator<LogEntry> {
  const holders = new Map<string, number>();
  let last: LogEntry | undefined;
  for await (const entry of logEntries(seam, ledger)) {
    const place = logKey(ledger, entry.revision);
    const expected = (last?.revision ?? 0) + 1;
    if (entry.revision !== expected) {
      const missing = entry.revision - expected === 1 ? `revision ${expected}` : `${expected} to ${entry.revision - 1}`;
      findings.push({
        code: "log-gap",
        place: logKey(ledger, expected),
        sentence: `the log lacks ${missing}; the revisions after it cannot be relied on`,
      });
    }
    const holder = holders.get(entry.operation);
    if (holder !== undefined) {
      findings.push({
        code: "log-operation-repeated",
        place,
        sentence: `the operation ${entry.operation} holds the revisions ${holder} and ${entry.revision}`,
      });
    }
    if (last?.state === "deleted") {
      findings.push({
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

/** What the whole log of a model gives. */
export interface Walked {
  readonly findings: Finding[];
  readonly head: LogEntry;
  readonly objects: Objects;
  /** False where the log is broken, so that nothing can be held against it. */
  readonly trusted: boolean;
  /** Names of the snapshots it makes real. */
  readonly snapshots: ReadonlySet<string>;
  readonly removed: Set<string>;
}

/**
 * Replays the log of a model from its beginning and checks every entry on the way; undefined when it has none. `visit` sees
 * the objects after each entry.
 */
export async function walkLog(
  seam: Seam,
  ambient: Ambient,
  model: string,
  visit: (entry: LogEntry, objects: Objects) => void,
): Promise<Walked | undefined> {
  const findings: Finding[] = [];
  const snapshots = new Set<string>();
  const removed = new Set<string>();
  let objects: Objects = new Map();
  let trusted = true;
  let head: LogEntry | undefined;
  for await (const entry of orderedLog(seam, model, findings)) {
    const place = logKey(model, entry.revision);
    const misfits = entry.changes ? applyEntry(objects, entry) : [];
    if (trusted) {
      for (const misfit of misfits) {
        findings.push({ code: "log-misfit", place, sentence: `revision ${entry.revision} does not fit: ${misfit}` });
      }
    }
    trusted &&= misfits.length === 0 && entry.revision === (head?.revision ?? 0) + 1;
    if (entry.snapshot !== undefined) {
      snapshots.add(entry.snapshot);
      const kept = await readSnapshot(seam, entry.snapshot);
      if (typeof kept === "string") {
        findings.push({
          code: "snapshot-broken",
          place: blobKey(entry.snapshot, 0),
          sentence: `the snapshot of revision ${entry.revision} cannot be used: ${kept}`,
        });
        if (!entry.changes) trusted = false;
      } else if (!entry.changes) {
        // A publication replaces everything, so what was broken before it does not matter after it.
        objects = kept;
        trusted = true;
      } else if (trusted && !isDeepStrictEqual(kept, objects)) {
        findings.push({
          code: "snapshot-differs",
          place: blobKey(entry.snapshot, 0),
          sentence: `the snapshot of revision ${entry.revision} is not what the log gives there`,
        });
      }
    }
    if (trusted) findings.push(...wrongFacts(model, head, entry, objects));
    for (const change of entry.changes ?? []) {
      if (change.does === "delete" && Date.parse(entry.time) + DAY_MS > ambient.now()) removed.add(change.id);
    }
    visit(entry, objects);
    head = entry;
  }
  return head && { findings, head, objects, trusted, snapshots, removed };
}

async function readSnapshot(seam: Seam, name: string): Promise<Objects | string> {
  try {
    return await snapshotObjects(seam, name);
  } catch (error) {
    if (error instanceof Error && isAboutContent(error)) return error.message;
    throw error;
  }
}

/** True for a blob that is not there, cut off, or no list of objects; false where the table could not be asked. */
function isAboutContent(error: Error): boolean {
  const zlib = "code" in error && typeof error.code === "string" && error.code.startsWith("Z_");
  return zlib || error instanceof SyntaxError || error instanceof TypeError || error.message.startsWith("blob ");
}

function wrongFacts(model: string, before: LogEntry | undefined, entry: LogEntry, objects: Objects): Finding[] {
  const wrong: string[] = [];
  const root = objects.get("model");
  if (entry.state === "live" && !root) wrong.push("it says that the model lives, but there is none");
  if (entry.state === "deleted" && root) wrong.push("it says that the model is deleted, but it is there");
  if (root && root.key !== entry.key) wrong.push(`it says that the model's key is ${entry.key}, which is ${root.key}`);
  if (root && root.id !== model) wrong.push(`the model's id is ${root.id}`);
  if (before && entry.changes && entry.generation !== before.generation) {
    wrong.push(`it names another generation, ${entry.generation}, and publishes none`);
  }
  const place = logKey(model, entry.revision);
  return wrong.map((sentence) => ({ code: "log-facts", place, sentence: `revision ${entry.revision}: ${sentence}` }));
}
