import { stagingKey } from "./keys.ts";
import { FORMAT, type Item, type Write } from "./seam.ts";
import { abandonedNote } from "./sweep-notes.ts";

/** One generation that is being written. It is published only from `open`, and swept only after it was `closed`. */
export interface Staging {
  readonly generation: string;
  readonly model: string;
  readonly state: "open" | "closed" | "published";
  /** Raised by whoever takes the record over; publishing and closing both require the one they read. */
  readonly epoch: number;
  /** ISO 8601 */
  readonly since: string;
}

export function stagingItem(staging: Staging): Item {
  const { generation, ...rest } = staging;
  return { ...stagingKey(generation), v: FORMAT, ...rest };
}

export function stagingOf(item: Item): Staging {
  // Written by `stagingItem`.
  const { model, state, epoch, since } = item as unknown as Staging;
  return { generation: item.sk, model, state, epoch, since };
}

/** Takes an open generation from its writer and notes its sweep; refused when it was published or closed meanwhile. */
export function closingWrites(staging: Staging, now: number): readonly Write[] {
  const { state, epoch } = staging;
  return [
    { put: stagingItem({ ...staging, state: "closed", epoch: epoch + 1 }), expect: { equal: { state, epoch } } },
    { put: abandonedNote(staging, now), expect: { absent: true } },
  ];
}
