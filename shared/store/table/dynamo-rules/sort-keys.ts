import type { Range } from "../table.ts";

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
  const both = Math.min(a.length, b.length);
  for (let i = 0; i < both; i++) {
    const order = rankOf(a.charCodeAt(i)) - rankOf(b.charCodeAt(i));
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** The rank of a UTF-16 unit in the order of UTF-8, where characters of two halves come after all others. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2800 : unit;
}
