import { type Chance, createChance } from "../../support/chance.ts";
import { mixed } from "./seeds.ts";

/** The sorts of calls that clients make. */
export type Sort = "write" | "read" | "list" | "tags" | "batch" | "import" | "restore" | "copy" | "release";

/** The calls that the clients of one schedule make, and how often. */
export interface Habits {
  readonly sorts: readonly (readonly [Sort, number])[];
  /** The writes and reads they make by the beginning of the name; all of them where absent. */
  readonly about?: RegExp;
  /** Keys that they give. */
  readonly keys: readonly string[];
  /** Share of the batches and imports that are too large for one transaction, from 0 to 1. */
  readonly large: number;
  /** Share of the writes with an idempotency key, from 0 to 1. */
  readonly keyed: number;
}

const ALL: Habits = {
  sorts: [
    ["write", 56],
    ["read", 25],
    ["list", 1.5],
    ["tags", 4],
    ["batch", 6],
    ["import", 2],
    ["restore", 3],
    ["copy", 1],
    ["release", 1.5],
  ],
  keys: ["a", "b", "c"],
  large: 0.25,
  keyed: 0.45,
};

/** Clients that do a few things over and over meet each other more often than those who do everything. */
const SINGLE_MINDED: readonly Habits[] = [
  {
    ...ALL,
    sorts: [
      ["write", 60],
      ["read", 40],
    ],
    about: /^(model|entity)_(create|get|list|delete|update_key|update_description|export)$/,
    keys: ["a"],
  },
  {
    ...ALL,
    sorts: [
      ["write", 60],
      ["read", 15],
      ["batch", 15],
      ["restore", 10],
    ],
    keys: ["a", "b"],
    large: 0.8,
  },
  {
    ...ALL,
    sorts: [
      ["write", 30],
      ["read", 20],
      ["import", 40],
      ["copy", 10],
    ],
    large: 0.8,
    keyed: 0.7,
  },
  {
    ...ALL,
    sorts: [
      ["write", 60],
      ["list", 40],
    ],
    about: /^model_(update_name|update_key|get)$/,
  },
  {
    ...ALL,
    sorts: [
      ["write", 80],
      ["read", 20],
    ],
    about: /^(type|entity)_(create|get|list|delete)$/,
    keys: ["a"],
    keyed: 1,
  },
];

/** The habits of the clients of a seed: everything in every other schedule, a few things in the rest. */
export function habitsOf(seed: number): Habits {
  const chance: Chance = createChance(mixed(seed, 0x4ab1));
  return chance.happens(0.5) ? ALL : chance.pick(SINGLE_MINDED);
}
