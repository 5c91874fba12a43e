import { LOOK_BACK_ENTRIES } from "../../../shared/store/log/log.ts";
import { type Chance, createChance } from "../../support/chance.ts";
import { type Conditions, drawConditions } from "./conditions.ts";
import { mixed } from "./seeds.ts";

/** The sorts of calls that clients make. */
export type Sort =
  | ("write" | "read" | "list" | "tags" | "batch" | "import" | "restore" | "copy" | "release" | "delete")
  | "undo";

/** The calls that the clients of one schedule make, and how often. */
export interface CallMix {
  readonly sorts: { readonly [sort in Sort]?: number };
  /** The writes and reads they make by the beginning of the name; all of them where absent. */
  readonly about?: RegExp;
  readonly keys: readonly string[];
  /** Share of the batches and imports that are too large for one transaction, from 0 to 1. */
  readonly large: number;
  /** Share of the writes with an idempotency key, from 0 to 1. */
  readonly keyed: number;
  /** Share of the writes that name the revision they are for, from 0 to 1. */
  readonly pinned: number;
  /** Share of the writes that belong to a run, from 0 to 1; none where absent. */
  readonly inRuns?: number;
  /** True where no two calls give the same text, so that none finds that it has nothing to do. */
  readonly ownTexts?: true;
  /** Weather that these calls withstand, and others need not. */
  readonly weather?: Partial<Conditions>;
}

const ALL: CallMix = {
  sorts: { write: 56, read: 25, list: 1.5, tags: 4, batch: 6, import: 2, restore: 3, copy: 1, release: 1.5 },
  keys: ["a", "b", "c"],
  large: 0.25,
  keyed: 0.45,
  pinned: 0.12,
};

const HIDING: Partial<Conditions> = { spreadMs: 3_000, logSpreadMs: 10, shownWithin: LOOK_BACK_ENTRIES };

/** Clients that do a few things over and over meet each other more often than those who do everything. */
const SINGLE_MINDED: readonly (Partial<CallMix> & Pick<CallMix, "sorts">)[] = [
  {
    sorts: { write: 60, read: 40 },
    about: /^(model|entity)_(create|get|list|delete|update_key|update_description|export)$/,
    keys: ["a"],
  },
  { sorts: { write: 60, read: 15, batch: 15, restore: 10 }, keys: ["a", "b"], large: 0.8 },
  { sorts: { write: 30, read: 20, import: 40, copy: 10 }, large: 0.8, keyed: 0.7 },
  { sorts: { write: 60, list: 40 }, about: /^model_(update_name|update_key|get)$/ },
  { sorts: { write: 35, read: 15, list: 5, batch: 10, delete: 35 }, keys: ["a", "b"], large: 0.5 },
  { sorts: { write: 80, read: 20 }, about: /^(type|entity)_(create|get|list|delete)$/, keys: ["a"], keyed: 1 },
  {
    sorts: { write: 70, read: 30 },
    about: /^(model|type|entity)_(create|get|delete|update_name|update_key)$/,
    keys: ["a", "b"],
    keyed: 0.3,
    pinned: 0.7,
  },
  { sorts: { write: 20, read: 10, batch: 30, import: 20, restore: 10, copy: 10 }, keys: ["a"], large: 1 },
  {
    sorts: { write: 100 },
    about: /^(type_create|type_delete|entity_create|entity_delete|entity_attribute_create)$/,
    keys: ["a", "b"],
    // A deletion looks for what is in its way as far back as the log is read, and all else here is asked for by its key.
    weather: { ...HIDING, toldEarly: true },
  },
  {
    sorts: { write: 100 },
    about: /^(type_update_name|entity_update_description|entity_attribute_update_name)$/,
    keys: ["a"],
    ownTexts: true,
    // An attribute is looked for by its id among what may be as it was long ago, and is written if it still is so.
    weather: { ...HIDING, toldEarly: true, latencyMs: 25 },
  },
];

/** Clients that take back what they and others did. */
const UNDOING: typeof SINGLE_MINDED = [
  { sorts: { ...ALL.sorts, undo: 8, delete: 2 }, inRuns: 0.4 },
  {
    sorts: { write: 55, read: 10, batch: 8, restore: 3, undo: 20, delete: 4 },
    ...{ keys: ["a", "b"], large: 0.5, inRuns: 0.6 },
  },
  {
    sorts: { write: 70, undo: 30 },
    about: /^((type|entity|entity_attribute|relationship)_(create|delete|update_key|update_name)|model_update)/,
    ...{ keys: ["a", "b"], keyed: 0.8, inRuns: 0.7 },
  },
];

/** The habits of the clients of a seed: undos in one of four; of the others everything in every other one, a few things in the rest. */
export function drawCallMix(seed: number): CallMix {
  const ofUndos = createChance(mixed(seed, 0x0d0));
  if (ofUndos.happens(0.25)) return { ...ALL, ...ofUndos.pick(UNDOING) };
  const chance: Chance = createChance(mixed(seed, 0x4ab1));
  return chance.happens(0.5) ? ALL : { ...ALL, ...chance.pick(SINGLE_MINDED) };
}

/** The weather of a seed, as far as the calls of its clients decide about it. */
export function weatherOf(seed: number): Conditions {
  return { ...drawConditions(seed), ...drawCallMix(seed).weather };
}
