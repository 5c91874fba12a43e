import type { Runtime } from "../../actions/contract/call.ts";
import type { KindName } from "../../domain/kinds.ts";
import { type AnyObject, getOwnerId } from "../../domain/model/objects.ts";
import type { LogEntry } from "../log/log.ts";
import { toSweepNote } from "../log/stagings.ts";
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
import { createRetryingTable, createRetryPolicy } from "../table/retry.ts";
import { type Item, readItems, type Table } from "../table/table.ts";
import { confirmRules, type ExpectedState, type ItemRule, StateReplaced } from "./expected-state.ts";
import {
  createDeletedRule,
  createIdRule,
  createNoteRule,
  createObjectRule,
  createRunRule,
  createStagingRule,
  createSummaryRule,
} from "./item-rules.ts";
import { readReleaseChecks, readSnapshotChecks } from "./releases-and-snapshots.ts";
import { createViolation, type Violation } from "./violation.ts";
import { walkLog } from "./walk-log.ts";

/** Items about a model outside its own partitions: rows of the list of models, sweep notes and stagings. */
type ModelItems = Readonly<Record<"rows" | "notes" | "stagings", readonly Item[]>>;

/** Result of the check of one model. */
export interface CheckedModel {
  readonly violations: readonly Violation[];
  /** Newest log entry; absent for an empty log. */
  readonly head?: LogEntry;
  readonly blobs: ReadonlySet<string>;
}

/** Checks everything about one model, correctly even while the model is written to. */
export async function checkModel(table: Table, runtime: Runtime, model: string): Promise<readonly Violation[]> {
  const modelItems = await readModelItems(table);
  return (await checkWholeModel(table, runtime, model, modelItems.getItems(model))).violations;
}

/** Items about all models outside their own partitions, read once. */
export interface AllModelItems {
  readonly models: Iterable<string>;
  getItems(model: string): ModelItems;
}

/** Reads the items about all models outside their own partitions. */
export async function readModelItems(table: Table): Promise<AllModelItems> {
  const rows = await readByModel(table, SUMMARIES, "id");
  const notes = await readByModel(table, SWEEPS, "model");
  const stagings = await readByModel(table, STAGINGS, "model");
  const getItems = (model: string): ModelItems => ({
    rows: rows.get(model) ?? [],
    notes: notes.get(model) ?? [],
    stagings: stagings.get(model) ?? [],
  });
  return { models: rows.keys(), getItems };
}

async function readByModel(table: Table, pk: string, field: string): Promise<ReadonlyMap<string, Item[]>> {
  const items = await Array.fromAsync(readItems(table, { pk }));
  // The row of a former key counts as absent.
  return Map.groupBy(
    items.filter((item) => !isMoved(item)),
    (item) => String(item[field]),
  );
}

/** Restarts of a check because the model was published or deleted meanwhile. */
const MAX_STARTS = 20;

/** Checks one model, or the ledger of tags. Returns also its head and blobs. */
export async function checkWholeModel(
  plainTable: Table,
  runtime: Runtime,
  model: string,
  modelItems: ModelItems,
): Promise<CheckedModel> {
  const retryPolicy = createRetryPolicy(runtime);
  const table = createRetryingTable(plainTable, retryPolicy);
  for (let starts = 0; ; starts++) {
    try {
      return await checkModelOnce(table, runtime, model, modelItems);
    } catch (error) {
      if (!(error instanceof StateReplaced) || starts >= MAX_STARTS) throw error;
      await retryPolicy.pause(starts);
    }
  }
}

async function checkModelOnce(
  table: Table,
  runtime: Runtime,
  model: string,
  { rows, notes, stagings }: ModelItems,
): Promise<CheckedModel> {
  const releases = await readReleaseChecks(table, model);
  const snapshots = await readSnapshotChecks(table, model);
  const runs: { readonly run: string; readonly revision: number }[] = [];
  const { state, violations, isTrusted } = await walkLog(table, runtime, model, (entry, objects) => {
    if (entry.run !== undefined) runs.push({ run: entry.run, revision: entry.revision });
    releases.visit(entry, objects);
    snapshots.visit(entry, objects);
  });
  const { head } = state;
  const deletedRules = model === TAGS.model ? [] : [createDeletedRule(state)];
  const blobs = new Set([...state.blobs, ...releases.blobs, ...snapshots.blobs]);
  if (head.revision === 0) {
    const rules = [
      ...rows.map(({ sk }) => createSummaryRule(state, sk)),
      ...deletedRules,
      ...releases.createRules(state),
    ];
    return { violations: await confirmRules(state, rules), blobs };
  }
  // A broken log proves nothing about the stored items.
  if (!isTrusted) return { violations, head, blobs };
  violations.push(...releases.violations, ...(await snapshots.check()));
  const isListed = head.state === "live" && model !== TAGS.model;
  const keys = new Set([...rows.map(({ sk }) => sk), ...(isListed ? [head.key] : [])]);
  const rules: ItemRule[] = [
    ...[...keys].map((key) => createSummaryRule(state, key)),
    ...deletedRules,
    ...runs.map(({ run, revision }) => createRunRule(state, run, revision)),
    ...releases.createRules(state),
    ...notes.map((note) => createNoteRule(state, note)),
    ...stagings.map((staging) => createStagingRule(state, staging)),
  ];
  if (head.state === "live") {
    rules.push(...(await findDoubtfulObjects(state, notes)), ...(await findDoubtfulIds(state, notes)));
  }
  violations.push(...(await confirmRules(state, rules)));
  if (state.head.state === "live") violations.push(...findBrokenReferences(state));
  return { violations, head: state.head, blobs };
}

async function findDoubtfulObjects(state: ExpectedState, notes: readonly Item[]): Promise<ItemRule[]> {
  const pk = objectsPartition(state.model, state.head.generation);
  const sweepNotes = notes.map(toSweepNote);
  const doubtful: ItemRule[] = [];
  const missing = new Set(state.objects.keys());
  for await (const item of readItems(state.table, { pk })) {
    missing.delete(item.sk);
    const rule = createObjectRule(state, item.sk, sweepNotes);
    if (rule.check(item).length > 0) doubtful.push(rule);
  }
  return [...doubtful, ...[...missing].map((sk) => createObjectRule(state, sk, sweepNotes))];
}

async function findDoubtfulIds(state: ExpectedState, notes: readonly Item[]): Promise<ItemRule[]> {
  const sweepNotes = notes.map(toSweepNote);
  const pk = idsPartition(state.model, state.head.generation);
  const doubtful: ItemRule[] = [];
  const missing = new Set<string>();
  for (const object of state.objects.values()) if (hasIdItem(object.kind)) missing.add(object.id);
  for await (const item of readItems(state.table, { pk })) {
    const object = state.byId.get(item.sk);
    const right = object && missing.has(item.sk) && item.at === objectSortKey(object);
    missing.delete(item.sk);
    if (!right) doubtful.push(createIdRule(state, item.sk, sweepNotes));
  }
  return [...doubtful, ...[...missing].map((id) => createIdRule(state, id, sweepNotes))];
}

interface Reference {
  readonly field: string;
  readonly ids: readonly string[];
  readonly names: readonly KindName[];
  readonly of?: string;
  readonly once?: true;
  /** True if a deleted object may still be named. */
  readonly mayBeGone?: true;
}

/** Lists the references to other objects. Tag links are excluded: they may name deleted tags. */
function listReferences(object: AnyObject): readonly Reference[] {
  if (object.kind === "attribute") {
    return [
      { field: "owner", ids: [object.owner], names: ["entity", "relationship"] },
      { field: "type", ids: [object.type], names: ["type"] },
    ];
  }
  if (object.kind === "entity") {
    const { id: of, primaryKey: ids } = object;
    return [{ field: "primaryKey", ids, names: ["attribute"], of, once: true }];
  }
  if (object.kind === "relationship") {
    const { roles, keyPairs = [] } = object;
    return [
      { field: "roles", ids: roles.map(({ entity }) => entity), names: ["entity"] },
      ...roles.map(({ entity: of }, i): Reference => {
        const ids = keyPairs.map((pair) => pair[i] ?? "");
        return { field: "keyPairs", ids, names: ["attribute"], of, mayBeGone: true };
      }),
    ];
  }
  if (object.kind === "business_key") {
    const { entity: of, participants: ids } = object;
    return [
      { field: "entity", ids: [of], names: ["entity"] },
      { field: "participants", ids, names: ["attribute"], of, once: true },
    ];
  }
  return object.kind === "global_tag" ? [{ field: "owner", ids: [object.owner], names: ["tag_group"] }] : [];
}

/** Finds references to missing objects, by the log. Only a person can decide which object they should name. */
function findBrokenReferences({ model, head, objects, byId }: ExpectedState): Violation[] {
  const pk = objectsPartition(model, head.generation);
  const violations: Violation[] = [];
  for (const [sk, object] of objects) {
    const key = { pk, sk };
    for (const { field, ids, names, of, once, mayBeGone } of listReferences(object)) {
      for (const id of ids) {
        const target = byId.get(id);
        if (!target && mayBeGone) continue;
        if (target && names.includes(target.kind) && (of === undefined || getOwnerId(target) === of)) continue;
        const ownerText = of === undefined ? "there" : `of ${of}`;
        const sentence = `the ${field} of ${sk} names ${id}, which is not a ${names.join(" or ")} ${ownerText}`;
        violations.push(createViolation("ref-dangling", key, sentence));
      }
      if (once && new Set(ids).size < ids.length) {
        const sentence = `the ${field} of ${sk} names an attribute twice`;
        violations.push(createViolation("primary-key-repeated", key, sentence));
      }
    }
  }
  return violations;
}
