import { isDeepStrictEqual } from "node:util";
import { type WholeEntry, wholeEntry } from "../log/entry-changes.ts";
import { type LogEntry, logEntryOf } from "../log/log.ts";
import { applyChanges, changesOf, LogBroken, type Objects } from "../log/replay.ts";
import { blobKey, logKey } from "../table/keys.ts";
import type { Item, Table } from "../table/table.ts";
import type { Finding } from "./finding.ts";

/** An entry with its changes; without them, and with a finding, where they cannot be read. */
export async function readEntry(table: Table, item: Item, findings: Finding[]): Promise<WholeEntry> {
  const entry = logEntryOf(item);
  const { blob } = entry;
  const whole = await readable(() => wholeEntry(table, entry));
  if (typeof whole !== "string") return whole;
  findings.push(brokenChanges(String(blob), entry, whole));
  return entry;
}

function brokenChanges(blob: string, { revision }: LogEntry, why: string): Finding {
  const sentence = `the changes of revision ${revision} cannot be read: ${why}`;
  return { code: "changes-broken", place: blobKey(blob, 0), sentence };
}

/** Applies the changes of a publication to the objects; answers findings for changes that cannot be read or do not fit. */
export async function doChanges(
  table: Table,
  model: string,
  objects: Objects,
  entry: LogEntry,
  publication: string,
): Promise<Finding[]> {
  const changes = await readable(() => changesOf(table, entry));
  if (typeof changes === "string") return [brokenChanges(publication, entry, changes)];
  return applyChanges(objects, changes, entry.revision).map(({ sentence }) => ({
    code: "log-misfit",
    place: logKey(model, entry.revision),
    sentence: `revision ${entry.revision} does not fit: ${sentence}`,
  }));
}

/**
 * True when a snapshot holds what the log gives. An object that a publication changed carries the revision that was
 * next when it was first staged, which may be an earlier one.
 */
export function agree(kept: Objects, given: Objects, { revision, touched }: LogEntry): boolean {
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

/** The value that was read, or a sentence that says why it cannot be read. */
export async function readable<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && (error instanceof LogBroken || isAboutContent(error))) return error.message;
    throw error;
  }
}

/** True for a blob that is not there, cut off, or no list of objects; false where the table could not be asked. */
function isAboutContent(error: Error): boolean {
  const zlib = "code" in error && typeof error.code === "string" && error.code.startsWith("Z_");
  return zlib || error instanceof SyntaxError || error instanceof TypeError || error.message.startsWith("blob ");
}
