import type { Partition } from "../table/items.ts";
import { stagingKey, sweepKey } from "../table/keys.ts";
import { ConditionFailed, type Expectation, FORMAT, type Item, OutcomeUnknown, type Write } from "../table/table.ts";

/** One generation that is being written. It is published only from `open`, and swept only after it was `closed`. */
export interface Staging {
  readonly generation: string;
  readonly model: string;
  readonly state: "open" | "closed" | "published";
  /** Raised by whoever takes the record over; publishing and closing both require the one they read. */
  readonly epoch: number;
  /** ISO 8601; renewed by a writer that takes long. */
  readonly since: string;
  /** Names of the blobs that may have been written with it. */
  readonly blobs: readonly string[];
  /** Of blobs alone: the revision whose log entry names them if it is published. */
  readonly revision?: number;
}

/** The record of a generation, or of blobs alone under the name of the first, whose writing begins. */
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
  // Written by `stagingItem`.
  const { model, state, epoch, since, blobs = [item.sk], revision } = item as unknown as Staging;
  return { generation: item.sk, model, state, epoch, since, blobs, ...(revision !== undefined && { revision }) };
}

/** The expectation under which the writer of a staging may go on or publish: its record is open and still its own. */
export function expectOwnStaging({ epoch }: Staging): Expectation {
  return { equal: { state: "open", epoch } };
}

/** Takes an open generation from its writer and notes its sweep; refused when it was published, closed or renewed meanwhile. */
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

/** A note of items that are to be deleted: a whole generation, or all that a removed object owned in a live one. */
export interface SweepNote {
  readonly model: string;
  readonly generation: string;
  /** Id of the removed owner; absent where the whole generation goes. */
  readonly owner?: string;
  /** Names of blobs that nothing in the log names. */
  readonly blobs?: readonly string[];
  /** Set where there is nothing to delete and a snapshot to make: of a ledger after a revision. */
  readonly snapshot?: { readonly revision: number; readonly blob: string };
  /** 1, or 2 for the second look. */
  readonly round: number;
}

/** The item that tells the sweeper; `due` in milliseconds since the epoch, `id` makes it unique. */
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
  // Written by `sweepItem`, or by its forerunner, which knew one blob.
  const { blob, ...note } = item as unknown as SweepNote & { readonly blob?: string };
  return blob === undefined ? note : { ...note, blobs: [blob] };
}

/** The note for a generation that is never published, with its blobs; its id, so that it is noted once. */
export function createAbandonedNote({ model, generation, blobs = [generation] }: Abandoned, due: number): Item {
  return toSweepItem({ model, generation, blobs, round: 1 }, due, generation);
}

interface Abandoned extends Partition {
  readonly blobs?: readonly string[];
}

/**
 * A staged blob or generation cannot be published: a write had no definite answer, or another writer has its record.
 * The next attempt stages anew.
 */
export class StagingAbandoned extends Error {}

/**
 * Runs a write to a staged blob or generation. `StagingAbandoned` where it had no definite answer, since a write sent
 * twice could overwrite a newer one later, and where another writer has changed the record.
 */
export async function abandonOnFailure<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof OutcomeUnknown || error instanceof ConditionFailed) throw new StagingAbandoned();
    throw error;
  }
}
