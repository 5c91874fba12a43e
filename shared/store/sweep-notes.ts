import type { Place } from "./items.ts";
import { sweepKey } from "./keys.ts";
import { FORMAT, type Item } from "./seam.ts";

/** What is left to delete: a whole generation, or in a living one all that a removed object owned. */
export interface SweepNote {
  readonly model: string;
  readonly generation: string;
  /** Id of the removed owner; absent where the whole generation goes. */
  readonly owner?: string;
  /** Name of the blob that goes with a generation nobody published. */
  readonly blob?: string;
  /** 1, or 2 for the second look. */
  readonly round: number;
}

/** The item that tells the sweeper; `due` in milliseconds since the epoch, `id` makes it unique. */
export function sweepItem(note: SweepNote, due: number, id: string): Item {
  const { model, generation, owner, blob, round } = note;
  return {
    ...sweepKey(new Date(due).toISOString(), id),
    v: FORMAT,
    model,
    generation,
    ...(owner !== undefined && { owner }),
    ...(blob !== undefined && { blob }),
    round,
  };
}

export function sweepNoteOf(item: Item): SweepNote {
  // Written by `sweepItem`.
  return item as unknown as SweepNote;
}

/** The note for a generation that is never published, with its snapshot; its id, so that it is noted once. */
export function abandonedNote({ model, generation }: Place, due: number): Item {
  return sweepItem({ model, generation, blob: generation, round: 1 }, due, generation);
}
