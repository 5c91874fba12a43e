import type { Runtime } from "../../actions/contract/call.ts";
import type { LogEntry } from "../log/log.ts";
import type { ScanTable } from "../table/dynamo-admin.ts";
import {
  ACCOUNTS_LEDGER,
  DELETED_MODELS,
  generationName,
  IDENTITY,
  idsPartition,
  JOBS,
  objectsPartition,
  RUNS,
  STAGINGS,
  SUMMARIES,
  SWEEPS,
  TAGS,
} from "../table/keys.ts";
import { createRetryingTable, createRetryPolicy } from "../table/retry.ts";
import { FORMAT, type Item, type Table } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";
import { checkAccounts } from "./check-accounts.ts";
import { checkWholeModel, readModelItems } from "./check-model.ts";
import { DAY_MS } from "./expected-state.ts";
import {
  checkJobs,
  findForgotten,
  findOrphanedBlobs,
  findOrphanedGenerations,
  type StoredGeneration,
} from "./orphans.ts";
import { createViolation, type Violation } from "./violation.ts";

/** Progress of a check. */
export type Progress =
  | { readonly step: "scan"; readonly items: number }
  | { readonly step: "models"; readonly done: number; readonly of: number };

export interface TableOptions {
  readonly runtime: Runtime;
  /** Scans the table for partitions that no item leads to. */
  readonly scan: ScanTable;
  readonly onProgress?: (progress: Progress) => void;
}

/** Result of the check of a whole table. */
export interface Report {
  readonly items: number;
  readonly models: number;
  readonly deleted: number;
  readonly violations: readonly Violation[];
}

/** Checks every rule of the table, correctly even while the table is written to. */
export async function checkTable(plainTable: Table, options: TableOptions): Promise<Report> {
  const { runtime, scan, onProgress = () => undefined } = options;
  const table = createRetryingTable(plainTable, createRetryPolicy(runtime));
  const count = await countItems(scan, runtime, (items) => onProgress({ step: "scan", items }));
  // This version could misread what a later version wrote, so a later version has to check the table.
  if (count.violations.some(({ code }) => code === "format-unknown")) {
    return { items: count.items, models: 0, deleted: 0, violations: count.violations };
  }
  const modelItems = await readModelItems(table);
  const models = [...new Set([...count.models, ...modelItems.models])].sort();
  const tags = await checkWholeModel(table, runtime, TAGS.model, modelItems.getItems(TAGS.model));
  const violations: Violation[] = [...count.violations, ...tags.violations];
  const heads = new Map<string, LogEntry>();
  const blobs = new Set<string>(tags.blobs);
  for (const [i, model] of models.entries()) {
    const result = await checkWholeModel(table, runtime, model, modelItems.getItems(model));
    violations.push(...result.violations);
    if (result.head) heads.set(model, result.head);
    for (const blob of result.blobs) blobs.add(blob);
    onProgress({ step: "models", done: i + 1, of: models.length });
  }
  const accounts = await checkAccounts(table, runtime);
  violations.push(...accounts.violations);
  for (const blob of accounts.blobs) blobs.add(blob);
  const checks = [
    findOrphanedGenerations(table, runtime, count.generations, heads),
    findOrphanedBlobs(table, runtime, count.blobs, blobs),
    findForgotten(table, runtime),
    checkJobs(table, runtime),
  ];
  for (const check of checks) for await (const violation of check) violations.push(violation);
  const live = [...heads.values()].filter(({ state }) => state === "live").length;
  return { items: count.items, models: live, deleted: heads.size - live, violations };
}

interface ItemCount {
  readonly items: number;
  readonly models: ReadonlySet<string>;
  readonly generations: readonly StoredGeneration[];
  readonly blobs: ReadonlySet<string>;
  readonly violations: readonly Violation[];
}

const OTHER_LEDGERS = new Set<string>([IDENTITY, TAGS.model]);
/** Partitions of those ledgers, which have one generation forever. */
const OTHER_PARTITIONS = new Set<string>(
  [TAGS, ACCOUNTS_LEDGER].flatMap(({ model, generation }) => [
    objectsPartition(model, generation),
    idsPartition(model, generation),
  ]),
);
/** Partitions whose key is a single word. */
const SINGLE_PARTITIONS = new Set<string>([SUMMARIES, STAGINGS, SWEEPS, JOBS, RUNS, IDENTITY, TABLE.publicKeys]);
/** Partitions of items that nothing names: they expire, or list the commits of a run. */
const FREE_PARTITIONS = new Set(["idempotency", "job", "attempts", "audit", "run"]);
/** Expired items older than this should have been removed by DynamoDB, which takes a few days. */
const EXPIRED_MS = 7 * DAY_MS;

async function countItems(scan: ScanTable, runtime: Runtime, onProgress: (items: number) => void): Promise<ItemCount> {
  const models = new Set<string>();
  const generations = new Map<string, StoredGeneration>();
  const blobs = new Set<string>();
  const unknownItems = new Map<string, Item>();
  const violations: Violation[] = [];
  let items = 0;
  await scan((item) => {
    items += 1;
    if (items % 1_000 === 0) onProgress(items);
    const { pk, v } = item;
    if (typeof v !== "number" || v > FORMAT) {
      const sentence = `the item has the format ${v}; this version of the service reads up to ${FORMAT}`;
      violations.push(createViolation("format-unknown", item, sentence));
    }
    const [word = "", name = "", generation] = pk.split("#");
    violations.push(...findExpired(item, runtime));
    if (pk === DELETED_MODELS) {
      models.add(item.sk);
      return;
    }
    if (SINGLE_PARTITIONS.has(pk) || OTHER_PARTITIONS.has(pk) || FREE_PARTITIONS.has(word)) return;
    if ((word === "log" || word === "snapshot") && OTHER_LEDGERS.has(name)) return;
    if (word === "log" || word === "release" || word === "snapshot") models.add(name);
    else if ((word === "model" || word === "ids") && generation !== undefined && !OTHER_LEDGERS.has(name)) {
      models.add(name);
      generations.set(generationName(name, generation), { model: name, generation });
    } else if (word === "blob") blobs.add(name);
    else unknownItems.set(pk, item);
  });
  onProgress(items);
  for (const item of unknownItems.values()) {
    const sentence = `the partition ${item.pk} is unknown; it belongs to another program, or to a newer version`;
    violations.push(createViolation("partition-unknown", item, sentence));
  }
  return { items, models, generations: [...generations.values()], blobs, violations };
}

function findExpired({ pk, sk, [TABLE.timeToLive]: expires }: Item, runtime: Runtime): Violation[] {
  if (typeof expires !== "number" || expires * 1000 + EXPIRED_MS > runtime.now()) return [];
  const key = { pk, sk };
  const sentence = `it expired at ${new Date(expires * 1000).toISOString()}: is time to live enabled for the table?`;
  const removal = { delete: key, expect: { equal: { [TABLE.timeToLive]: expires } } };
  return [createViolation("record-expired", key, sentence, { how: "It is deleted.", by: [removal] })];
}
