import { LIMITS } from "../../domain/limits.ts";
import type { CommitNote } from "../../domain/problems.ts";
import { keyOfSortKey } from "../table/items.ts";
import { logKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { type LogEntry, logEntryOf } from "./log.ts";
import { changesOf } from "./replay.ts";

/** The newest commits of a model after `from` up to `to`, oldest first, in few words. */
export async function commitNotes(
  table: Table,
  model: string,
  from: number,
  to: number,
): Promise<readonly CommitNote[]> {
  const first = Math.max(from + 1, to - LIMITS.notedChanges + 1);
  const { pk, sk } = logKey(model, first);
  const page = await table.query({ pk, from: sk, to: logKey(model, to).sk });
  const notes: CommitNote[] = [];
  for (const item of page.items) notes.push(await noteOf(table, logEntryOf(item)));
  return notes;
}

async function noteOf(table: Table, entry: LogEntry): Promise<CommitNote> {
  const { revision, time, actions, actor } = entry;
  const touched = entry.touched ?? (await changesOf(table, entry));
  const objects = touched.slice(0, LIMITS.notedChanges).map(({ kind, at }) => `${kind} ${keyOfSortKey(at)}`.trim());
  return { revision, time, actions, ...(actor !== undefined && { actor }), objects };
}
