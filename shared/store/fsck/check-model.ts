import type { Ambient } from "../../actions/contract/call.ts";
import type { LogEntry } from "../log/log.ts";
import { sweepNoteOf } from "../log/sweep-notes.ts";
import { isMoved } from "../table/items.ts";
import {
  hasIdItem,
  idsPartition,
  objectSortKey,
  objectsPartition,
  STAGINGS,
  SUMMARIES,
  SWEEPS,
  TAGS,
} from "../table/keys.ts";
import { itemsOf } from "../table/pages.ts";
import { createRetryPolicy, retryingTable } from "../table/retry.ts";
import type { Item, Table } from "../table/table.ts";
import { byIdOf, confirmed, type ExpectedState, type ItemRule, StateReplaced } from "./expected-state.ts";
import type { Finding } from "./finding.ts";
import { idRule } from "./id-rules.ts";
import { objectRule } from "./object-rules.ts";
import { brokenReferences } from "./references.ts";
import { readReleases } from "./releases.ts";
import { readSnapshots } from "./snapshots.ts";
import { summaryRule } from "./summary-rules.ts";
import { noteRule, stagingRule } from "./sweep-rules.ts";
import { walkLog } from "./walk-log.ts";

/** The items about a model outside its own partitions. */
export interface Surroundings {
  /** Rows of the list of models that name it. */
  readonly rows: readonly Item[];
  /** Sweep notes that name it. */
  readonly notes: readonly Item[];
  /** Stagings of its generations. */
  readonly stagings: readonly Item[];
}

/** One model, checked. */
export interface CheckedModel {
  readonly findings: readonly Finding[];
  /** The newest log entry; absent for an empty log. */
  readonly head?: LogEntry;
  /** Names of the blobs that its log and its releases make real. */
  readonly blobs: ReadonlySet<string>;
}

/**
 * Everything that is wrong with one model: its log, objects, ids, references, releases, summary, snapshots and sweep
 * notes. The result is right also while the model is being written to.
 */
export async function checkModel(table: Table, ambient: Ambient, model: string): Promise<readonly Finding[]> {
  const around = await surroundings(table);
  return (await checkWholeModel(table, ambient, model, around.of(model))).findings;
}

/** The surroundings of every model, read once for all of them. */
export interface AllSurroundings {
  /** Ids of the models that are listed. */
  readonly models: Iterable<string>;
  of(model: string): Surroundings;
}

/** Reads the surroundings of all models. */
export async function surroundings(table: Table): Promise<AllSurroundings> {
  const rows = await byModel(table, SUMMARIES, "id");
  const notes = await byModel(table, SWEEPS, "model");
  const stagings = await byModel(table, STAGINGS, "model");
  const of = (model: string): Surroundings => ({
    rows: rows.get(model) ?? [],
    notes: notes.get(model) ?? [],
    stagings: stagings.get(model) ?? [],
  });
  return { models: rows.keys(), of };
}

async function byModel(table: Table, pk: string, field: string): Promise<ReadonlyMap<string, Item[]>> {
  const all = new Map<string, Item[]>();
  for await (const item of itemsOf(table, { pk })) {
    // The row of a former key counts as absent.
    if (isMoved(item)) continue;
    addTo(all, String(item[field]), item);
  }
  return all;
}

function addTo(all: Map<string, Item[]>, name: string, item: Item): void {
  const others = all.get(name);
  if (others) others.push(item);
  else all.set(name, [item]);
}

/** A stand-in for the newest entry of a log that never began: there is no model yet, and revision 1 is next. */
const NO_ENTRY: LogEntry = {
  revision: 0,
  operation: "",
  time: "",
  channel: "",
  request: "",
  actions: [],
  key: "",
  generation: "",
  state: "deleted",
  tags: 0,
};

/** Number of times the check of a model starts again because the model was published or deleted meanwhile. */
const MOST_STARTS = 20;

/** Checks one model as `checkModel` does, or the ledger of tags, and answers also its head and blobs. */
export async function checkWholeModel(
  plainTable: Table,
  ambient: Ambient,
  model: string,
  around: Surroundings,
): Promise<CheckedModel> {
  const retryPolicy = createRetryPolicy(ambient);
  const table = retryingTable(plainTable, retryPolicy);
  for (let starts = 0; ; starts++) {
    try {
      return await checkOnce(table, ambient, model, around);
    } catch (error) {
      if (!(error instanceof StateReplaced) || starts >= MOST_STARTS) throw error;
      await retryPolicy.pause(starts);
    }
  }
}

async function checkOnce(
  table: Table,
  ambient: Ambient,
  model: string,
  { rows, notes, stagings }: Surroundings,
): Promise<CheckedModel> {
  const releases = await readReleases(table, model);
  const snapshots = await readSnapshots(table, model);
  const walked = await walkLog(table, ambient, model, (entry, objects) => {
    releases.visit(entry, objects);
    snapshots.visit(entry, objects);
  });
  const kept = [...releases.blobs, ...snapshots.blobs];
  if (!walked) {
    const expected: ExpectedState = {
      table,
      ambient,
      model,
      head: NO_ENTRY,
      objects: new Map(),
      byId: new Map(),
      blobs: new Set(),
      generations: new Set(),
      removed: new Set(),
    };
    const rules = [...rows.map(({ sk }) => summaryRule(expected, sk)), ...releases.rules(expected)];
    return { findings: await confirmed(expected, rules), blobs: new Set(kept) };
  }
  const { head } = walked;
  const findings = [...walked.findings];
  const blobs = new Set([...walked.blobs, ...kept]);
  // A broken log proves nothing about the stored items.
  if (!walked.trusted) return { findings, head, blobs };
  const expected: ExpectedState = {
    table,
    ambient,
    model,
    head,
    objects: walked.objects,
    byId: byIdOf(walked.objects),
    blobs: walked.blobs,
    generations: walked.generations,
    removed: walked.removed,
  };
  findings.push(...releases.findings, ...(await snapshots.findings()));
  const isListed = head.state === "live" && model !== TAGS.model;
  const keys = new Set([...rows.map(({ sk }) => sk), ...(isListed ? [head.key] : [])]);
  const rules: ItemRule[] = [
    ...[...keys].map((key) => summaryRule(expected, key)),
    ...releases.rules(expected),
    ...notes.map((note) => noteRule(expected, note)),
    ...stagings.map((staging) => stagingRule(expected, staging)),
  ];
  if (head.state === "live") {
    rules.push(...(await doubtfulObjects(expected, notes)), ...(await doubtfulIds(expected, notes)));
  }
  findings.push(...(await confirmed(expected, rules)));
  if (expected.head.state === "live") findings.push(...brokenReferences(expected));
  return { findings, head: expected.head, blobs };
}

/** The rules of objects that, read once, are not as the log gives them. */
async function doubtfulObjects(expected: ExpectedState, notes: readonly Item[]): Promise<ItemRule[]> {
  const pk = objectsPartition(expected.model, expected.head.generation);
  const swept = notes.map(sweepNoteOf);
  const doubtful: ItemRule[] = [];
  const missing = new Set(expected.objects.keys());
  for await (const item of itemsOf(expected.table, { pk })) {
    missing.delete(item.sk);
    const rule = objectRule(expected, item.sk, swept);
    if (rule.judge(item).length > 0) doubtful.push(rule);
  }
  return [...doubtful, ...[...missing].map((sk) => objectRule(expected, sk, swept))];
}

/** The rules of ids that, read once, do not lead where the log says. */
async function doubtfulIds(expected: ExpectedState, notes: readonly Item[]): Promise<ItemRule[]> {
  const swept = notes.map(sweepNoteOf);
  const pk = idsPartition(expected.model, expected.head.generation);
  const doubtful: ItemRule[] = [];
  const missing = new Set<string>();
  for (const object of expected.objects.values()) if (hasIdItem(object.kind)) missing.add(object.id);
  for await (const item of itemsOf(expected.table, { pk })) {
    const object = expected.byId.get(item.sk);
    const right = object && missing.has(item.sk) && item.at === objectSortKey(object);
    missing.delete(item.sk);
    if (!right) doubtful.push(idRule(expected, item.sk, swept));
  }
  return [...doubtful, ...[...missing].map((id) => idRule(expected, id, swept))];
}
