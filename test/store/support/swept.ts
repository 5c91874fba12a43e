import { SWEEP } from "../../../shared/domain/limits.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { IDENTITY, STAGINGS, SWEEPS } from "../../../shared/store/table/keys.ts";
import type { Item, Table } from "../../../shared/store/table/table.ts";
import type { quickRuntime } from "./quick-runtime.ts";

type Clock = ReturnType<typeof quickRuntime>;

/** Lets time go by until everything there is to sweep has been swept twice. */
export async function sweepAll(table: Table, clock: Clock): Promise<void> {
  clock.advance(SWEEP.stagingMs + 1);
  await sweep(table, clock);
  clock.advance(SWEEP.generationMs + 1);
  await sweep(table, clock);
  clock.advance(SWEEP.secondLookMs + 1);
  await sweep(table, clock);
}

/** Lists the objects, ids and blobs of generations without a live model, and the records of the sweeper. */
export function listLeftovers(items: readonly Item[]): string[] {
  const heads = new Map<string, Item>();
  for (const item of items.filter(({ pk }) => pk.startsWith("log#"))) {
    const head = heads.get(item.pk);
    if (!head || head.sk < item.sk) heads.set(item.pk, item);
  }
  const live = new Set<unknown>(
    [...heads.values()].filter(({ state }) => state === "live").map(({ generation }) => generation),
  );
  // Log and blobs of a deleted model are kept.
  const named = new Set<unknown>(
    items
      .filter(({ pk }) => pk.startsWith("log#"))
      .flatMap(({ snapshot, blob, publication, keeps = [] }) => [snapshot, blob, publication, ...(keeps as string[])]),
  );
  return items
    .filter(({ pk }) => {
      const [kind, ...rest] = pk.split("#");
      // The ledger of accounts has one generation, which nothing replaces.
      if (kind === "model" || kind === "ids") return rest[0] !== IDENTITY && !live.has(rest[1]);
      if (kind === "blob") return !named.has(rest[0]);
      return pk === STAGINGS || pk === SWEEPS;
    })
    .map(({ pk, sk }) => `${pk}|${sk}`);
}
