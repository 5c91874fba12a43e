import type { Place } from "./items.ts";
import { sweepKey } from "./keys.ts";
import { FORMAT, type Item } from "./seam.ts";

/** What is left to delete: a whole generation, or in a living one all that a removed object owned. */
export interface SweepNote {
  readonly model: string;
  readonly generation: string;
  /** Id of the removed owner; absent where the whole generation goes. */
  readonly owner?: string;
  /** 1, or 2 for the second look. */
  readonly round: number;
}

/** The item that tells the sweeper; `due` in milliseconds since the epoch, `id` makes it unique. */
export function sweepItem(place: Place, owner: string | undefined, round: number, due: number, id: string): Item {
  return {
    ...sweepKey(new Date(due).toISOString(), id),
    v: FORMAT,
    model: place.model,
    generation: place.generation,
    ...(owner !== undefined && { owner }),
    round,
  };
}

export function sweepNoteOf(item: Item): SweepNote {
  // Written by `sweepItem`.
  return item as unknown as SweepNote;
}
