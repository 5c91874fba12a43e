import { isDeepStrictEqual } from "node:util";
import type { KindName } from "../../domain/kinds.ts";
import { includeMember } from "../../domain/model/content.ts";
import { getOwnerId } from "../../domain/model/objects.ts";
import { toRunCommitItem } from "../commit/runs.ts";
import { type SweepNote, toStaging, toStagingItem, toSweepNote } from "../log/stagings.ts";
import {
  isMoved,
  type Partition,
  parseKind,
  toDeletedItem,
  toIdItem,
  toIdKey,
  toObject,
  toObjectItem,
  toSummaryItem,
} from "../table/items.ts";
import { deletedModelKey, objectsPartition, summaryKey } from "../table/keys.ts";
import type { Item } from "../table/table.ts";
import { createRepair, type ExpectedState, type ItemRule } from "./expected-state.ts";
import { createCorrection, createRemoval, createViolation, type Violation } from "./violation.ts";

function getPartition({ model, head }: ExpectedState): Partition {
  return { model, generation: head.generation };
}

/** Creates the rule for one object of a live model: its item has to match the log. */
export function createObjectRule(state: ExpectedState, sk: string, notes: readonly SweepNote[]): ItemRule {
  const key = { pk: objectsPartition(state.model, state.head.generation), sk };
  return { key, check: (item) => checkObject(state, key, item, notes) };
}

function checkObject(
  state: ExpectedState,
  key: ItemRule["key"],
  item: Item | undefined,
  notes: readonly SweepNote[],
): Violation[] {
  const { sk } = key;
  const object = state.objects.get(sk);
  if (!object) {
    if (!item || isLeftToSweep(state, item, notes)) return [];
    const owner = getOwnerId(toObject(item));
    const repair = createRepair(state, "It is deleted.", createRemoval(item));
    if (owner === undefined || state.byId.has(owner)) {
      const sentence = `${sk} is stored at revision ${item.revision}, but the log has no such object`;
      return [createViolation("object-unexpected", key, sentence, repair)];
    }
    const sentence = `${sk} belonged to ${owner}, which was removed, and no sweep is noted for it`;
    return [createViolation("object-orphaned", key, sentence, repair)];
  }
  const expectedItem = toObjectItem(getPartition(state), object, object.revision);
  const repair = createRepair(state, "It is written as in the log.", createCorrection(item, expectedItem));
  if (!item) {
    const sentence = `${sk} is not stored; the log made it at revision ${object.revision}`;
    return [createViolation("object-missing", key, sentence, repair)];
  }
  const fields = Object.keys({ ...item, ...expectedItem }).filter(
    (name) => name !== "v" && !isDeepStrictEqual(item[name], expectedItem[name]),
  );
  if (fields.length === 0) return [];
  const sentence = `${sk} and the log differ in ${fields.sort().join(", ")}`;
  return [createViolation("object-differs", key, sentence, repair)];
}

function isLeftToSweep(state: ExpectedState, item: Item, notes: readonly SweepNote[]) {
  const owner = getOwnerId(toObject(item));
  if (owner === undefined || state.byId.has(owner)) return false;
  if (state.removals.has(owner)) return true;
  return notes.some((note) => note.owner === owner && note.generation === state.head.generation);
}

/** Owned kinds whose id has an item that leads to the object. */
const OWNED_KINDS = new Set<KindName>(["business_key", "global_tag"]);

function isIdLeftToSweep({ removals, head }: ExpectedState, { at, sk }: Item, notes: readonly SweepNote[]) {
  // The id of a removed object is deleted together with it.
  if (removals.has(sk) || !OWNED_KINDS.has(parseKind(String(at)))) return false;
  return (
    removals.size > 0 || notes.some(({ owner, generation }) => owner !== undefined && generation === head.generation)
  );
}

/** Creates the rule for one id of a live model: it has to lead to its object. */
export function createIdRule(state: ExpectedState, id: string, notes: readonly SweepNote[]): ItemRule {
  const key = toIdKey(getPartition(state), id);
  const check = (item: Item | undefined): Violation[] => {
    const object = state.byId.get(id);
    const expectedItem = object && toIdItem(getPartition(state), object, object.revision);
    if (!expectedItem) {
      if (!item || isIdLeftToSweep(state, item, notes)) return [];
      const sentence = `the id ${id} leads to ${item.at}, but the log has no such object`;
      const repair = createRepair(state, "It is deleted.", createRemoval(item));
      return [createViolation("id-unexpected", key, sentence, repair)];
    }
    const { at } = expectedItem;
    if (item?.at === at) return [];
    const repair = createRepair(state, "It is written as in the log.", createCorrection(item, expectedItem));
    return item
      ? [createViolation("id-differs", key, `the id ${id} leads to ${item.at}; its object is at ${at}`, repair)]
      : [createViolation("id-missing", key, `no id leads to ${at}; its object has ${id}`, repair)];
  };
  return { key, check };
}

/** Creates the rule for a row of the list of models that may belong to this model. */
export function createSummaryRule(state: ExpectedState, modelKey: string): ItemRule {
  const key = summaryKey(modelKey);
  const check = (row: Item | undefined): Violation[] => {
    // The row of a former key counts as absent.
    const item = row && isMoved(row) ? undefined : row;
    const root = state.objects.get("model");
    if (root?.kind !== "model" || root.key !== modelKey) {
      if (item?.id !== state.model) return [];
      const reason = root ? `its key is ${root.key}` : "its log has no model";
      const sentence = `the model ${state.model} is listed as ${modelKey}, but ${reason}`;
      const repair = createRepair(state, "The row is deleted.", createRemoval(item));
      return [createViolation("summary-unexpected", key, sentence, repair)];
    }
    const expectedItem = toSummaryItem(root, root.revision);
    const repair = createRepair(state, "The row is written from the model.", createCorrection(row, expectedItem));
    if (!item) return [createViolation("summary-missing", key, `the model ${modelKey} is not listed`, repair)];
    if (item.id !== state.model) {
      const sentence = `the key ${modelKey} leads to the model ${item.id}, but by the log it belongs to ${state.model}`;
      return [createViolation("summary-differs", key, sentence)];
    }
    const wrong = ["name", "version", "authority"].filter((name) => item[name] !== expectedItem[name]);
    if (wrong.length === 0) return [];
    const sentence = `${modelKey} is listed with a different ${wrong.join(", ")}`;
    return [createViolation("summary-differs", key, sentence, repair)];
  };
  return { key, check };
}

/** Creates the rule for the row of this model in the list of deleted models. */
export function createDeletedRule(state: ExpectedState): ItemRule {
  const key = deletedModelKey(state.model);
  const check = (item: Item | undefined): Violation[] => {
    const { revision, time, actor, key: modelKey, state: ledgerState } = state.head;
    if (ledgerState !== "deleted" || revision === 0) {
      if (!item) return [];
      const repair = createRepair(state, "The row is deleted.", createRemoval(item));
      const sentence = `the model ${state.model} is listed as deleted, but by its log it is not`;
      return [createViolation("deleted-unexpected", key, sentence, repair)];
    }
    const row = { id: state.model, key: modelKey, revision, time, ...includeMember("actor", actor) };
    const expectedItem = toDeletedItem(row);
    if (isDeepStrictEqual(item && { ...item, v: expectedItem.v }, expectedItem)) return [];
    const repair = createRepair(state, "The row is written from the log.", createCorrection(item, expectedItem));
    const sentence = `the model ${state.model}, which revision ${revision} deleted, ${item ? "is listed with other facts" : "is not listed"}`;
    return [createViolation("deleted-missing", key, sentence, repair)];
  };
  return { key, check };
}

/** Creates the rule for a commit of a run: it has to be listed. */
export function createRunRule(state: ExpectedState, run: string, revision: number): ItemRule {
  const expectedItem = toRunCommitItem(run, { ledgerId: state.model, revision });
  const { pk, sk } = expectedItem;
  const check = (item: Item | undefined): Violation[] => {
    if (item) return [];
    const repair = createRepair(state, "It is written from the log.", createCorrection(item, expectedItem));
    const sentence = `revision ${revision} belongs to the run ${run}, but is not listed there`;
    return [createViolation("run-missing", { pk, sk }, sentence, repair)];
  };
  return { key: { pk, sk }, check };
}

/** Creates the rule for a sweep note of this model: it must not name anything live. */
export function createNoteRule(state: ExpectedState, { pk, sk }: Item): ItemRule {
  const check = (item: Item | undefined): Violation[] => {
    const live = item && describeLive(state, toSweepNote(item));
    if (!item || live === undefined) return [];
    const sentence = `a sweep is noted for ${live}, which is live by the log`;
    const repair = createRepair(state, "The note is deleted.", createRemoval(item));
    return [createViolation("sweep-alive", item, sentence, repair)];
  };
  return { key: { pk, sk }, check };
}

function describeLive(
  { head, byId, blobs }: ExpectedState,
  { generation, owner, blobs: blobNames = [] }: SweepNote,
): string | undefined {
  const name = blobNames.find((blob) => blobs.has(blob));
  if (name !== undefined) return `the blob ${name}, which the log of the model ${head.key} names`;
  if (head.state !== "live" || generation !== head.generation) return undefined;
  if (owner === undefined) return `the generation of the model ${head.key}`;
  const object = byId.get(owner);
  return object && `what belongs to the ${object.kind} ${object.key} of the model ${head.key}`;
}

/** Creates the rule for a staging: a published one has to be marked. */
export function createStagingRule(logState: ExpectedState, { pk, sk }: Item): ItemRule {
  const check = (item: Item | undefined): Violation[] => {
    if (!item) return [];
    const staging = toStaging(item);
    const { generation, state, blobs, revision } = staging;
    // A staging of blobs alone is published if the log names one of them.
    const isPublished =
      revision === undefined ? logState.generations.has(generation) : blobs.some((blob) => logState.blobs.has(blob));
    if (!isPublished || state === "published") return [];
    const right = createCorrection(item, toStagingItem({ ...staging, state: "published" }));
    const sentence = `the staging of the generation ${generation} is ${state}, but by the log it was published`;
    const repair = createRepair(logState, "It is marked as published.", right);
    return [createViolation("staging-alive", item, sentence, repair)];
  };
  return { key: { pk, sk }, check };
}
