import { HEAD_ENTRIES } from "../../../shared/store/log/log.ts";
import { createChance } from "../../support/chance.ts";
import { type Capacity, PARTITION_CAPACITY } from "./capacity.ts";
import { FAULTS, type Fault } from "./faults.ts";
import { mixed } from "./seeds.ts";

/** How the table and the processes behave in one schedule. */
export interface Conditions {
  /** Mean time of a request, in milliseconds. */
  readonly latencyMs: number;
  /** Time over which the items of a transaction become visible, at most. */
  readonly spreadMs: number;
  /** The same for log entries, which every commit waits for. */
  readonly logSpreadMs: number;
  /** Commits to its ledgers after which all of a transaction is visible at the latest. */
  readonly shownWithin: number;
  /** True where a writer hears of its transaction as soon as queries see its log entries, and not when they see all of it. */
  readonly toldEarly: boolean;
  /** Share of the requests that go wrong, from 0 to 1. */
  readonly faults: number;
  /** The faults that befall them. */
  readonly kinds: ReadonlySet<Fault>;
  /** Share of the requests during which the process dies, or stands still for a while. */
  readonly deaths: number;
  readonly freezes: number;
  readonly pageRows: number;
  readonly capacity: Capacity;
  /** Processes that callers are spread over. */
  readonly processes: number;
}

/** Commits that the store applies to what it reads. It assumes that later transactions become visible later. */
const SHOWN_WITHIN = HEAD_ENTRIES;

/** The conditions of a seed. In some, one or two faults repeat and meet in places that a mixture hardly reaches. */
export function drawConditions(seed: number): Conditions {
  const chance = createChance(mixed(seed, 0x3ea7));
  const isPlain = chance.happens(0.5);
  const spreadMs = chance.pick([0, 15, 60, 400, 3_000]);
  const weather: Conditions = {
    latencyMs: chance.pick([3, 8, 25]),
    spreadMs,
    logSpreadMs: chance.pick([spreadMs, Math.min(spreadMs, 10)]),
    shownWithin: SHOWN_WITHIN,
    toldEarly: false,
    faults: chance.pick(isPlain ? [0, 0.005, 0.02, 0.05, 0.08] : [0.05, 0.1, 0.2]),
    kinds: new Set(isPlain ? FAULTS : [chance.pick(FAULTS), chance.pick(FAULTS)]),
    deaths: chance.pick(isPlain ? [0, 0.001, 0.004] : [0, 0, 0.02]),
    freezes: chance.pick(isPlain ? [0, 0.001, 0.004] : [0, 0, 0.02]),
    pageRows: chance.pick([4, 25, 1_000]),
    capacity: chance.happens(0.2) ? { reads: 240, writes: 80 } : PARTITION_CAPACITY,
    processes: chance.pick([1, 2, 3]),
  };
  return chance.happens(0.25) ? toldEarly(weather) : weather;
}

/** The same conditions, except that writers are answered early and wait for the list of models themselves. */
function toldEarly(weather: Conditions): Conditions {
  const kinds = FAULTS.filter((fault) => fault === "unheard" || fault === "late");
  return {
    ...weather,
    ...{ toldEarly: true, kinds: new Set(kinds), capacity: PARTITION_CAPACITY },
    spreadMs: Math.min(weather.spreadMs, 60),
    logSpreadMs: Math.min(weather.logSpreadMs, 60),
  };
}

/** Weather without faults, for the calls before and after a schedule. */
export const CALM: Conditions = {
  latencyMs: 1,
  spreadMs: 0,
  logSpreadMs: 0,
  shownWithin: SHOWN_WITHIN,
  toldEarly: false,
  faults: 0,
  kinds: new Set(),
  deaths: 0,
  freezes: 0,
  pageRows: 1_000,
  capacity: PARTITION_CAPACITY,
  processes: 1,
};
