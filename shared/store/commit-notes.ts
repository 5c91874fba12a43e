import { LIMITS } from "../domain/limits.ts";
import type { CommitNote } from "../domain/problems.ts";
import { keyOfSortKey } from "./items.ts";
import { logKey } from "./keys.ts";
import { type LogEntry, logEntryOf } from "./log.ts";
import type { Seam } from "./seam.ts";

/** The newest commits of a model after `from` up to `to`, oldest first, in few words. */
export async function commitNotes(seam: Seam, model: string, from: number, to: number): Promise<readonly CommitNote[]> {
  const first = Math.max(from + 1, to - LIMITS.notedChanges + 1);
  const { pk, sk } = logKey(model, first);
  const page = await seam.query({ pk, from: sk, to: logKey(model, to).sk });
  return page.items.map(logEntryOf).map(noteOf);
}

function noteOf({ revision, time, actions, actor, changes = [] }: LogEntry): CommitNote {
  const objects = changes.slice(0, LIMITS.notedChanges).map(({ kind, at }) => `${kind} ${keyOfSortKey(at)}`.trim());
  return { revision, time, actions, ...(actor !== undefined && { actor }), objects };
}
