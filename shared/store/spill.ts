import { LIMITS } from "../domain/limits.ts";
import { putAll } from "./batches.ts";
import { blobItems } from "./blobs.ts";
import { itemBytes } from "./dynamo-rules/item-bytes.ts";
import { stagingKey } from "./keys.ts";
import type { LogChange, LogEntry } from "./log.ts";
import { createPace } from "./pace.ts";
import { FORMAT } from "./seam.ts";
import { definitely } from "./spoilt.ts";
import { asHeld, openStaging, stagingItem } from "./stagings.ts";
import type { Ground } from "./store-ground.ts";
import type { GuardedWrite } from "./writes.ts";

/** A log entry whose changes lie in a blob, and the write of its transaction that makes the blob real. */
export interface Spilled {
  readonly entry: LogEntry;
  readonly taken: GuardedWrite;
}

/** Bytes of the changes in a log entry. */
export function changesBytes(changes: readonly LogChange[]): number {
  return itemBytes({ pk: "", sk: "", v: FORMAT, changes });
}

/** True for changes that a log entry does not hold itself. */
export function isTooLargeForEntry(changes: readonly LogChange[]): boolean {
  return changesBytes(changes) > LIMITS.logBytes;
}

/** Writes the changes of an entry as a blob. `Spoilt`. */
export async function spill(ground: Ground, model: string, entry: LogEntry): Promise<Spilled> {
  const { changes = [], ...rest } = entry;
  const name = ground.ambient.newId();
  const taken = await stageBlob(ground, { model, revision: entry.revision, name }, changes);
  return { entry: { ...rest, blob: name }, taken };
}

/** A blob that the log entry of a revision will name. */
interface StagedBlob {
  readonly model: string;
  readonly revision: number;
  readonly name: string;
}

/**
 * Writes a blob before its commit. It has a staging record like a generation, which the commit's transaction takes away:
 * until then the sweeper finds the blob, and once the sweeper has it the commit fails. Each attempt has a blob of its own,
 * because a write that got no answer may still come. Answers the write that takes the record away. `Spoilt`.
 */
export async function stageBlob(
  { seam, waiting, ambient }: Ground,
  { model, revision, name }: StagedBlob,
  value: unknown,
): Promise<GuardedWrite> {
  const staging = openStaging({ generation: name, model, blobs: [name], revision }, ambient.now());
  await definitely(async () => {
    await seam.write({ put: stagingItem(staging), expect: { absent: true } });
    await putAll(seam, blobItems(name, value), createPace(ambient, waiting));
  });
  return { write: { delete: stagingKey(name), expect: asHeld(staging) } };
}
