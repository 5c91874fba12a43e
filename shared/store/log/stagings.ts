import { stagingKey } from "../table/keys.ts";
import { type Expectation, FORMAT, type Item, type Write } from "../table/table.ts";
import { abandonedNote } from "./sweep-notes.ts";

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
export function openStaging(
  staging: Pick<Staging, "generation" | "model" | "blobs" | "revision">,
  now: number,
): Staging {
  return { ...staging, state: "open", epoch: 1, since: new Date(now).toISOString() };
}

export function stagingItem(staging: Staging): Item {
  const { generation, ...rest } = staging;
  return { ...stagingKey(generation), v: FORMAT, ...rest };
}

export function stagingOf(item: Item): Staging {
  // Written by `stagingItem`.
  const { model, state, epoch, since, blobs = [item.sk], revision } = item as unknown as Staging;
  return { generation: item.sk, model, state, epoch, since, blobs, ...(revision !== undefined && { revision }) };
}

/** The expectation under which the writer of a staging may go on or publish: its record is open and still its own. */
export function asHeld({ epoch }: Staging): Expectation {
  return { equal: { state: "open", epoch } };
}

/** Takes an open generation from its writer and notes its sweep; refused when it was published, closed or renewed meanwhile. */
export function closingWrites(staging: Staging, now: number): readonly Write[] {
  const { state, epoch, since } = staging;
  return [
    { put: stagingItem({ ...staging, state: "closed", epoch: epoch + 1 }), expect: { equal: { state, epoch, since } } },
    { put: abandonedNote(staging, now), expect: { absent: true } },
  ];
}
