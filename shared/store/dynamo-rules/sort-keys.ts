import type { Range } from "../seam.ts";

/** The first and the last sort key of a range, both included. */
export interface Bounds {
  readonly from: string;
  readonly to: string;
}

/**
 * The bounds a range names, undefined where it names a prefix or none. One without `from` begins with the lowest sort key
 * of ours, one without `to` ends with the highest.
 */
export function boundsOf({ prefix, from, to }: Pick<Range, "prefix" | "from" | "to">): Bounds | undefined {
  if (prefix !== undefined || (from === undefined && to === undefined)) return undefined;
  return { from: from ?? " ", to: to ?? "~" };
}

/** The order of sort keys, which is that of the bytes of their UTF-8: below 0 where `a` comes first. */
export function compareSortKeys(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
