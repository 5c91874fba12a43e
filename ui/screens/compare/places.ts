import { placeOn, type SideName } from "../../parts/changed/difference-place.ts";
import type { ObjectPlace } from "../../parts/object-place.ts";
import { fileNameOf } from "./dropped-file.ts";
import type { Row } from "./groups.ts";
import type { SideText } from "./use-comparison.ts";

/** Both sides as an address names them. */
export type Sides = Readonly<Record<SideName, SideText>>;

/** Where the object of a difference is shown on a side; undefined where it is not there, or lies in a file. */
export function placeOfRow({ difference, ownerOnRight }: Row, side: SideName, sides: Sides): ObjectPlace | undefined {
  const { of } = sides[side];
  if (difference[side] === undefined || of === undefined || fileNameOf(of) !== undefined) return undefined;
  return placeOn(difference, side, of, side === "right" ? ownerOnRight : undefined);
}

/** The one place that a row leads to: on the side whose state is the newest one, on the right before the left. */
export function mainPlace(row: Row, sides: Sides): ObjectPlace | undefined {
  const right = placeOfRow(row, "right", sides);
  const left = placeOfRow(row, "left", sides);
  if (right && sides.right.at === undefined) return right;
  if (left && sides.left.at === undefined) return left;
  return right ?? left;
}
