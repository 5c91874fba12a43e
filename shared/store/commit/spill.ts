import { blobItems } from "../log/blob-writes.ts";
import type { LogEntry } from "../log/log.ts";
import { orAbandon } from "../log/staging-abandoned.ts";
import { asHeld, openStaging, stagingItem } from "../log/stagings.ts";
import type { StoreContext } from "../read/store-context.ts";
import { putAll } from "../table/batches.ts";
import { itemBytes } from "../table/dynamo-rules/item-bytes.ts";
import { stagingKey } from "../table/keys.ts";
import { createPace } from "../table/pace.ts";
import type { Planned } from "./transaction.ts";

/** A log entry whose changes lie in a blob, with the writes that store the blob. */
interface Spilled {
  readonly entry: LogEntry;
  readonly planned: Planned;
}

/**
 * Most bytes of a blob that its commit's transaction writes, at two units for each kB; larger ones are written before,
 * at one.
 */
const WITH_COMMIT = 16_384;

/** Puts the changes of an entry into a blob. Each attempt has one of its own. */
export function spill(context: StoreContext, model: string, entry: LogEntry): Spilled {
  const { touched = [], revision } = entry;
  const name = context.ambient.newId();
  return { entry: { ...entry, blob: name }, planned: keptBlob(context, { model, revision, name }, touched) };
}

/** The writes of a blob that a commit makes real: with its transaction, or before that where it is large. */
export function keptBlob(context: StoreContext, staged: StagedBlob, value: unknown): Planned {
  const [first, ...more] = blobItems(staged.name, value);
  if (first && more.length === 0 && itemBytes(first) <= WITH_COMMIT) {
    return { writes: [{ write: { put: first, expect: { absent: true } } }], before: [] };
  }
  return stagedBlob(context, staged, () => value);
}

/** A blob that the commit of a revision will name. */
interface StagedBlob {
  readonly model: string;
  readonly revision: number;
  readonly name: string;
}

/**
 * A blob that is written before its commit. It has a staging record like a generation, which the commit's transaction
 * takes away: until then the sweeper finds the blob, and once the sweeper has it the commit fails. Its name is of one
 * attempt only, because a write that got no answer may still come. `StagingAbandoned` where that is so.
 */
export function stagedBlob(
  { table, retryPolicy, ambient }: StoreContext,
  { model, revision, name }: StagedBlob,
  value: () => unknown,
): Planned {
  const staging = openStaging({ generation: name, model, blobs: [name], revision }, ambient.now());
  const write = (): Promise<void> =>
    orAbandon(async () => {
      await table.write({ put: stagingItem(staging), expect: { absent: true } });
      await putAll(table, blobItems(name, value()), createPace(ambient, retryPolicy));
    });
  return { writes: [{ write: { delete: stagingKey(name), expect: asHeld(staging) } }], before: [write] };
}
