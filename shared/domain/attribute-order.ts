import { byKey } from "./content.ts";
import type { Attribute } from "./objects.ts";

/** The distance from the first attribute at which another is put before it. */
const STEP = 2 ** 20;

/** Sorts attributes of one owner as they were declared; of two in the same place, which no action makes, by key. */
export function byOrder(a: Attribute, b: Attribute): number {
  return a.order - b.order || byKey(a, b);
}

/**
 * The orders that put an attribute at a place in the list of the others of its owner, by attribute: its own alone, halfway
 * between its neighbours, as long as there is a number between them. Otherwise the nearest ones that lie far enough apart
 * are spread over their room too. `nextOrder` gives orders behind all there are, for the end of the list.
 */
export function ordersAt(
  moved: Attribute,
  others: readonly Attribute[],
  place: number,
  nextOrder: () => number,
): ReadonlyMap<Attribute, number> {
  for (let reach = 0; ; reach = reach === 0 ? 1 : 2 * reach) {
    const from = Math.max(0, place - reach);
    const to = Math.min(others.length, place + reach);
    const spread = [...others.slice(from, place), moved, ...others.slice(place, to)];
    const orders = ordersBetween(others[from - 1]?.order, others[to]?.order, spread.length, nextOrder);
    if (orders) return new Map(spread.map((one, i) => [one, orders[i] ?? 0]));
  }
}

/** So many rising numbers between two; undefined where there are not that many. */
function ordersBetween(
  low: number | undefined,
  high: number | undefined,
  count: number,
  nextOrder: () => number,
): readonly number[] | undefined {
  const places = Array.from({ length: count }, (_, i) => i + 1);
  if (high === undefined) return places.map(nextOrder);
  if (low === undefined) return places.map((i) => high - STEP * (count + 1 - i));
  const orders = places.map((i) => low + ((high - low) * i) / (count + 1));
  const bounded = [low, ...orders, high];
  return bounded.every((one, i) => i === 0 || one > (bounded[i - 1] ?? one)) ? orders : undefined;
}
