import { isDeepStrictEqual } from "node:util";
import type { KnownDifference } from "./known-differences.ts";
import { outcomeOf, type StoreInTest, type TableCall } from "./outcome.ts";
import { PLACES } from "./random-calls.ts";

/** A store beside the one it is compared with. */
export interface ComparedStore extends StoreInTest {
  readonly known: readonly KnownDifference[];
}

/** Counts how often each known difference was met, by store and name. */
export type Met = Map<string, number>;

/** Sends the same calls to all stores, which begin empty; an error at the first that comes to another outcome than `wanted`. */
export async function compare(
  calls: readonly TableCall[],
  wanted: StoreInTest,
  others: readonly ComparedStore[],
  met: Met,
): Promise<void> {
  for (const store of [wanted, ...others]) await empty(store);
  for (const [i, call] of calls.entries()) {
    const [right, ...came] = await Promise.all([wanted, ...others].map((store) => outcomeOf(store, call)));
    if (!right) throw new Error("no store");
    for (const [at, outcome] of came.entries()) {
      const store = others[at];
      if (!store || isDeepStrictEqual(outcome, right)) continue;
      const difference = store.known.find((one) => one.explains(call, right, outcome));
      if (!difference) throw new Difference(call, i, [wanted.name, right], [store.name, outcome]);
      const name = `${store.name}: ${difference.name}`;
      met.set(name, (met.get(name) ?? 0) + 1);
    }
  }
}

class Difference extends Error {
  constructor(call: TableCall, at: number, ...outcomes: readonly (readonly [string, object])[]) {
    const told = outcomes.map(([name, outcome]) => `${name}: ${short(outcome)}`);
    super(`call ${at + 1}, ${short(call)}\n${told.join("\n")}`);
  }
}

/** A value on one line, with long texts cut. */
function short(value: object): string {
  const cut = (_: string, one: unknown): unknown =>
    typeof one === "string" && one.length > 60 ? `${one.slice(0, 20)}… (${one.length})` : one;
  return JSON.stringify(value, cut).slice(0, 2_000);
}

async function empty({ table, takeUnits }: StoreInTest) {
  for (let i = 0; i < PLACES.length; i += 25) await table.batchDelete(PLACES.slice(i, i + 25));
  takeUnits();
}
