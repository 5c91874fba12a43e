import type { Constraints } from "./keywords.ts";

/** One end of a range of numbers, with the keyword that sets it. */
export interface Bound {
  readonly keyword: "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum";
  readonly at: number;
  /** True where the number itself is left out. */
  readonly isOpen: boolean;
}

/** The lower end of the numbers that are allowed: the higher of the two that may be given. */
export function lowerBound({ minimum, exclusiveMinimum }: Constraints): Bound | undefined {
  if (exclusiveMinimum !== undefined && (minimum === undefined || exclusiveMinimum >= minimum)) {
    return { keyword: "exclusiveMinimum", at: exclusiveMinimum, isOpen: true };
  }
  return minimum === undefined ? undefined : { keyword: "minimum", at: minimum, isOpen: false };
}

/** The upper end of the numbers that are allowed: the lower of the two that may be given. */
export function upperBound({ maximum, exclusiveMaximum }: Constraints): Bound | undefined {
  if (exclusiveMaximum !== undefined && (maximum === undefined || exclusiveMaximum <= maximum)) {
    return { keyword: "exclusiveMaximum", at: exclusiveMaximum, isOpen: true };
  }
  return maximum === undefined ? undefined : { keyword: "maximum", at: maximum, isOpen: false };
}
