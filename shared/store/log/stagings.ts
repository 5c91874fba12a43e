import type { Partition } from "../table/items.ts";
import { stagingKey, sweepKey } from "../table/keys.ts";
import { ConditionFailed, type Expectation, FORMAT, type Item, OutcomeUnknown, type Write } from "../table/table.ts";

/** Record of a generation being written: published only while `open`, swept only after `closed`. */
export interface Staging {
  readonly generation: string;
  readonly model: string;
  readonly state: "open" | "closed" | "published";
  /** Incremented when the record changes hands. Publishing and closing require the epoch that was read. */
  readonly epoch: number;
  /** ISO 8601. Renewed by a writer that takes long. */
  readonly since: string;
  readonly blobs: readonly string[];
  /** Only for blobs without a generation: the revision whose log entry names them. */
  readonly revision?: number;
}

/** Creates the record of a generation, or of blobs alone under the name of the first. */
export function createStaging(
  staging: Pick<Staging, "generation" | "model" | "blobs" | "revision">,
  now: number,
): Staging {
  return { ...staging, state: "open", epoch: 1, since: new Date(now).toISOString() };
}

export function toStagingItem(staging: Staging): Item {
  const { generation, ...rest } = staging;
  return { ...stagingKey(generation), v: FORMAT, ...rest };
}

export function toStaging(item: Item): Staging {
  // Written by `toStagingItem`.
  const { model, state, epoch, since, blobs = [item.sk], revision } = item as unknown as Staging;
  return { generation: item.sk, model, state, epoch, since, blobs, ...(revision !== undefined && { revision }) };
}

/** Expectation of the writer: its record is still open and not taken over. */
export function expectOwnStaging({ epoch }: Staging): Expectation {
  return { equal: { state: "open", epoch } };
}

/** Creates the writes that close an unchanged staging and note its sweep. */
export function createClosingWrites(staging: Staging, now: number): readonly Write[] {
  const { state, epoch, since } = staging;
  return [
    {
      put: toStagingItem({ ...staging, state: "closed", epoch: epoch + 1 }),
      expect: { equal: { state, epoch, since } },
    },
    { put: createAbandonedNote(staging, now), expect: { absent: true } },
  ];
}

/** Note of items to delete: a whole generation, or the objects of a removed owner. */
export interface SweepNote {
  readonly model: string;
  readonly generation: string;
  /** Id of the removed owner; absent for a whole generation. */
  readonly owner?: string;
  /** Names of blobs that no log entry names. */
  readonly blobs?: readonly string[];
  /** Set if there is nothing to delete but a snapshot to make, of a ledger after a revision. */
  readonly snapshot?: { readonly revision: number; readonly blob: string };
  /** 1, or 2 for the second pass. */
  readonly round: number;
}

/** Returns the item of a sweep note. `due` is in milliseconds since the epoch, `id` makes it unique. */
export function toSweepItem(note: SweepNote, due: number, id: string): Item {
  const { model, generation, owner, blobs = [], snapshot, round } = note;
  return {
    ...sweepKey(new Date(due).toISOString(), id),
    v: FORMAT,
    model,
    generation,
    ...(owner !== undefined && { owner }),
    ...(blobs.length > 0 && { blobs }),
    ...(snapshot && { snapshot }),
    round,
  };
}

export function toSweepNote(item: Item): SweepNote {
  // Written by `toSweepItem`, or by an earlier version with one blob.
  const { blob, ...note } = item as unknown as SweepNote & { readonly blob?: string };
  return blob === undefined ? note : { ...note, blobs: [blob] };
}

/** Creates the note for a generation that is never published, once. */
export function createAbandonedNote({ model, generation, blobs = [generation] }: UnusedPartition, due: number): Item {
  return toSweepItem({ model, generation, blobs, round: 1 }, due, generation);
}

interface UnusedPartition extends Partition {
  readonly blobs?: readonly string[];
}

/** A staged blob or generation cannot be published. The next attempt writes a new one. */
export class StagingAbandoned extends Error {}

/** Runs a staging write. Throws `StagingAbandoned` without a definite answer: a repeat could overwrite a later one. */
export async function abandonOnFailure<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof OutcomeUnknown || error instanceof ConditionFailed) throw new StagingAbandoned();
    throw error;
  }
}
