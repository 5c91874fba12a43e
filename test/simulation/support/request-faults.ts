import type { Table } from "../../../shared/store/table/table.ts";
import { type Chance, createChance } from "../../support/chance.ts";
import type { Conditions } from "./conditions.ts";
import type { Fault } from "./faults.ts";
import { mixed } from "./seeds.ts";

/** The course of a request, in milliseconds from when it was sent. */
export interface RequestFault {
  readonly fault: Fault | undefined;
  /** Milliseconds after which the table has the request. */
  readonly arrives: number;
  /** Milliseconds after which the sender gives up waiting for it. */
  readonly givenUp: number;
  /** How long the process stands still. */
  readonly frozen: number;
  /** How long one item of a transaction stays invisible to queries. */
  readonly hidden: () => number;
}

const OF_READS: readonly Fault[] = ["unsent", "throttled"];
const OF_WRITES: readonly Fault[] = ["unsent", "throttled", "unheard", "unheard", "late", "late"];
const POSSIBLE: { readonly [O in keyof Table]: readonly Fault[] } = {
  get: OF_READS,
  query: OF_READS,
  batchGet: [...OF_READS, "half"],
  transactGet: [...OF_READS, "conflict"],
  transactWrite: [...OF_WRITES, "conflict"],
  write: [...OF_WRITES, "conflict"],
  batchPut: [...OF_WRITES, "half"],
  batchDelete: [...OF_WRITES, "half"],
};

/** The longest time after which a request that was given up may still be applied, in milliseconds. */
export const MOST_LATE_MS = 15_000;
/** Longer than a sweeper waits for a sign of life from whoever writes a generation. */
const MOST_FROZEN_MS = 100_000;

/** The fate of one request of a sender; `patience` is how long it may take, in milliseconds. */
export function drawRequestFault(
  weather: Conditions,
  seed: number,
  [sender, nth]: readonly [number, number],
  operation: keyof Table,
  patience: number,
): RequestFault {
  const chance = createChance(mixed(seed, sender, nth));
  const takes = weather.latencyMs * (0.2 - Math.log(1 - chance.next()) * 0.8);
  const fault = faultOf(weather, operation, chance);
  const isLate = fault === "late" || takes > patience;
  const givenUp = Math.min(patience, takes + chance.next() ** 3 * patience);
  // Most of what is late comes while its sender looks for it or tries again; some when nobody thinks of it any more.
  const isSoon = chance.happens(0.4);
  const after = isSoon ? chance.next() * 20 * weather.latencyMs : chance.next() ** 4 * MOST_LATE_MS;
  return {
    fault: fault ?? (isLate ? "late" : undefined),
    arrives: isLate ? givenUp + after : takes,
    givenUp,
    frozen: chance.next() ** 2 * MOST_FROZEN_MS,
    hidden: () => (weather.spreadMs === 0 ? 0 : chance.next() ** 2 * weather.spreadMs),
  };
}

function faultOf({ faults, kinds, deaths, freezes }: Conditions, operation: keyof Table, chance: Chance) {
  const [draw, which] = [chance.next(), chance.next()];
  const possible = POSSIBLE[operation].filter((fault) => kinds.has(fault));
  if (draw < faults) return possible[Math.floor(which * possible.length)];
  if (draw < faults + deaths) return which < 0.5 ? "dead" : "dead-after";
  return draw < faults + deaths + freezes ? "frozen" : undefined;
}
