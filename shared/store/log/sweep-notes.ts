import type { Partition } from "../table/items.ts";
import { sweepKey } from "../table/keys.ts";
import { FORMAT, type Item } from "../table/table.ts";

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
export function sweepItem(note: SweepNote, due: number, id: string): Item {
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

export function sweepNoteOf(item: Item): SweepNote {
  // Written by `sweepItem`, or by its forerunner, which knew one blob.
  const { blob, ...note } = item as unknown as SweepNote & { readonly blob?: string };
  return blob === undefined ? note : { ...note, blobs: [blob] };
}

/** The note for a generation that is never published, with its blobs; its id, so that it is noted once. */
export function abandonedNote({ model, generation, blobs = [generation] }: Abandoned, due: number): Item {
  return sweepItem({ model, generation, blobs, round: 1 }, due, generation);
}

interface Abandoned extends Partition {
  readonly blobs?: readonly string[];
}
