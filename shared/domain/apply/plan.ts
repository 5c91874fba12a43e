import { createHash } from "node:crypto";
import { toEffect } from "../change-kinds.ts";
import {
  type Assessment,
  assessAddition,
  assessChange,
  assessEffects,
  assessRemoval,
  type ComparedPair,
  listChangedMembers,
  type PairOptions,
  pairObjects,
  type Surroundings,
} from "../compare/compare.ts";
import { type ComparedObject, PROPERTY } from "../compare/compared-object.ts";
import { MODEL_IDENTITY } from "../compare/document-objects.ts";
import type { Impact, JudgedSide, Location, ObjectType } from "../differences.ts";
import type { ModelDocument } from "../document/document.ts";
import { LIMITS } from "../limits.ts";
import { toCanonicalJson } from "../text/json-values.ts";
import { findMoves } from "./target-changes.ts";

type StepDoes = "create" | "update" | "rename" | "move" | "delete";

/** One step of a plan. Ordinary actions can execute it after the preceding steps. */
export interface PlanStep extends Location {
  readonly does: StepDoes;
  readonly objectType: ObjectType;
  /** Ref of the object: `id:<uuid>`, or `key:<key>` if an earlier step creates it. */
  readonly ref: string;
  /** Ref of the owning entity or relationship; absent for objects directly in the model. */
  readonly ownerRef?: string;
  readonly before?: Members;
  readonly after?: Members;
  readonly impact: Impact;
  readonly reasons: readonly string[];
  readonly readers: JudgedSide;
  readonly writers: JudgedSide;
}

type Members = Readonly<Record<string, unknown>>;

interface PlanOptions extends Pick<PairOptions, "findPropertyRule"> {
  readonly isNew?: boolean;
  /** True if the model gets the key of the target. Otherwise it keeps its own. */
  readonly renamesModel?: boolean;
}

/** Returns the steps from one state of a model to another. */
export function planSteps(
  current: ModelDocument,
  target: ModelDocument,
  { isNew = false, renamesModel = false, ...rules }: PlanOptions = {},
): readonly PlanStep[] {
  const pairs = [...pairObjects(current, target, { ...rules, sameModel: true, provenance: true })];
  const objects: ObjectIndex = {
    model: isNew ? `key:${target.key}` : `id:${current.id}`,
    before: new Map(pairs.flatMap(({ before }) => (before ? [[before.identity, before]] : []))),
    after: new Map(pairs.flatMap(({ after }) => (after ? [[after.identity, after]] : []))),
  };
  const steps = pairs.flatMap((pair) => [...listSteps(pair, objects)]);
  // The sort is stable: steps with equal rank keep the order of the document.
  steps.sort((a, b) => a.rank - b.rank);
  return [...listRenameSteps(pairs, objects, renamesModel), ...steps.map(({ step }) => step)];
}

interface ObjectIndex {
  readonly model: string;
  readonly before: ReadonlyMap<string, ComparedObject>;
  readonly after: ReadonlyMap<string, ComparedObject>;
}

interface RankedStep {
  readonly rank: number;
  readonly step: PlanStep;
}

/** Order of the steps after renames: kinds of steps, each with the types of its objects. */
const STEP_ORDER: readonly (readonly [does: StepDoes, ...objectTypes: readonly ObjectType[]])[] = [
  // New business keys can take the keys of deleted ones.
  ["delete", "businessKey"],
  // Referenced objects first.
  ["create", "model", "tag", "type", "entity", "entityAttribute", "relationship", "relationshipAttribute"],
  ["create", "relationshipRole", "businessKey"],
  // After the creations, so that a relationship never has too few roles.
  ["delete", "relationshipRole"],
  // Before the relationship: deleting or moving a role removes its key pairs.
  ["update", "relationshipRole"],
  ["update", "model", "type", "entity", "entityAttribute", "relationship", "relationshipAttribute"],
  ["update", "businessKey", "tag"],
  ["move", "entityAttribute", "relationshipAttribute"],
  // Referring objects first.
  ["delete", "relationship", "relationshipAttribute", "entityAttribute", "entity", "type", "tag"],
];

const RANKS: ReadonlyMap<string, number> = new Map(
  STEP_ORDER.flatMap(([verb, ...types]) => types.map((type) => `${verb} ${type}`)).map((step, i) => [step, i]),
);

function* listSteps(pair: ComparedPair, objects: ObjectIndex): Generator<RankedStep> {
  if (!pair.before) yield* listCreateSteps(pair.after, pair.surroundings, objects);
  else if (!pair.after) yield* listDeleteSteps(pair.before, objects);
  else {
    yield* listUpdateSteps(pair.before, pair.after, objects);
    yield* listMoveSteps(pair.before, pair.after, objects);
  }
}

function* listCreateSteps(
  object: ComparedObject,
  surroundings: Surroundings,
  objects: ObjectIndex,
): Generator<RankedStep> {
  const { objectType, owner, snapshot } = object;
  // A relationship is created with its roles.
  if (objectType === "relationshipRole" && !objects.before.has(owner ?? "")) return;
  const assessment = assessAddition(object, surroundings);
  if (objectType === "relationship") {
    const roles = [...objects.after.values()].filter(
      (one) => one.objectType === "relationshipRole" && one.owner === object.identity,
    );
    yield createStep(
      "create",
      object,
      { after: { ...snapshot, roles: roles.map((role) => role.snapshot) } },
      assessment,
      objects,
    );
  } else if (objectType === "entity") {
    // Its attributes are created after it, and then its primary key is set.
    const { primaryKey = [], ...after } = snapshot;
    yield createStep("create", object, { after }, assessment, objects);
    if ((primaryKey as readonly string[]).length > 0) {
      yield createStep("update", object, { before: { primaryKey: [] }, after: { primaryKey } }, assessment, objects);
    }
  } else yield createStep("create", object, { after: snapshot }, assessment, objects);
}

function* listDeleteSteps(object: ComparedObject, objects: ObjectIndex): Generator<RankedStep> {
  // It is deleted with its owner.
  if (object.owner !== undefined && !objects.after.has(object.owner)) return;
  yield createStep("delete", object, { before: object.snapshot }, assessRemoval(object, false), objects);
}

function* listUpdateSteps(before: ComparedObject, after: ComparedObject, objects: ObjectIndex): Generator<RankedStep> {
  const members = listChangedMembers(before, after).filter((member) => member !== "key");
  if (members.length === 0) return;
  const change = { before: pickMembers(before, members), after: pickMembers(after, members) };
  yield createStep("update", before, change, assessChange(before, after, members), objects, after);
}

function pickMembers({ snapshot }: ComparedObject, members: readonly string[]): Members {
  const { properties = {} } = snapshot as { readonly properties?: Members };
  const values = members.map((member): readonly [string, unknown] => [
    member,
    member.startsWith(PROPERTY) ? properties[member.slice(PROPERTY.length)] : snapshot[member],
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function* listMoveSteps(before: ComparedObject, after: ComparedObject, objects: ObjectIndex): Generator<RankedStep> {
  const listIds = ({ sequences }: ComparedObject, member: string): readonly string[] =>
    (sequences[member] ?? []).map(({ identity }) => identity);
  for (const member of Object.keys(after.sequences)) {
    const [oldIds, newIds] = [listIds(before, member), listIds(after, member)];
    const assessment = assessChange(before, after, [member]);
    const [oldSet, newSet] = [new Set(oldIds), new Set(newIds)];
    const start = [...oldIds.filter((id) => newSet.has(id)), ...newIds.filter((id) => !oldSet.has(id))];
    for (const move of findMoves(start, newIds)) {
      const object = objects.after.get(move.item);
      if (!object) continue;
      const index = start.indexOf(move.item);
      const previous = index > 0 ? { afterRef: formatRef(start[index - 1], objects) } : {};
      const next =
        "after" in move ? { afterRef: formatRef(move.after, objects) } : { beforeRef: formatRef(move.before, objects) };
      yield createStep("move", object, { before: previous, after: next }, assessment, objects);
    }
  }
}

function listRenameSteps(
  pairs: readonly ComparedPair[],
  objects: ObjectIndex,
  renamesModel: boolean,
): readonly PlanStep[] {
  const scopes = new Map<string, { readonly renames: Rename<ComparedObject>[]; readonly others: ComparedObject[] }>();
  for (const { before, after } of pairs) {
    if (!before || (before.objectType === "model" && !renamesModel)) continue;
    const name = JSON.stringify([before.objectType, before.owner ?? ""]);
    const scope = scopes.get(name) ?? { renames: [], others: [] };
    scopes.set(name, scope);
    const [from, to] = [before.snapshot.key, after?.snapshot.key];
    if (to !== undefined && to !== from) scope.renames.push({ object: before, from, to });
    else scope.others.push(before);
  }
  const steps = [...scopes.values()].flatMap(({ renames, others }) =>
    renames.length === 0 ? [] : orderRenames(renames, new Map(others.map((one) => [one.snapshot.key, one]))),
  );
  return steps.map(({ object, from, to, isTemporary }) => {
    const after = objects.after.get(object.identity);
    const assessment = isTemporary || !after ? TEMPORARY_RENAME : assessChange(object, after, ["key"]);
    return createStep("rename", object, { before: { key: from }, after: { key: to } }, assessment, objects).step;
  });
}

const TEMPORARY_RENAME = assessEffects([toEffect("temporaryKey")]);

function createStep(
  verb: StepDoes,
  object: ComparedObject,
  change: Pick<PlanStep, "before" | "after">,
  assessment: Assessment,
  objects: ObjectIndex,
  now: ComparedObject = object,
): RankedStep {
  const { objectType, identity, owner } = object;
  const ownerRef = owner === undefined ? {} : { ownerRef: formatRef(owner, objects) };
  const step = {
    does: verb,
    objectType,
    ref: formatRef(identity, objects),
    ...ownerRef,
    ...now.location,
    ...change,
    ...assessment,
  };
  return { rank: RANKS.get(`${verb} ${objectType}`) ?? 0, step };
}

function formatRef(identity: string | undefined, { model, before, after }: ObjectIndex) {
  if (identity === MODEL_IDENTITY) return model;
  if (identity === undefined || before.has(identity)) return `id:${identity}`;
  return `key:${after.get(identity)?.snapshot.key}`;
}

interface PlannedModel {
  readonly model: string;
  readonly revision: number;
}

/** Returns the name of a plan: the SHA-256 of its steps with the model's id and revision. */
export function hashPlan({ model, revision }: PlannedModel, steps: readonly PlanStep[]): string {
  return createHash("sha256").update(toCanonicalJson({ model, revision, steps })).digest("hex");
}

interface Rename<O> {
  readonly object: O;
  readonly from: string;
  readonly to: string;
}

/** Rename in order of execution. `isTemporary` is true if it only frees a key. */
interface OrderedRename<O> extends Rename<O> {
  readonly isTemporary?: true;
}

function orderRenames<O>(renames: readonly Rename<O>[], others: ReadonlyMap<string, O>): readonly OrderedRename<O>[] {
  const holders = new Map([...others, ...renames.map(({ object, from }) => [from, object] as const)]);
  const usedKeys = new Set([...holders.keys(), ...renames.map(({ to }) => to)]);
  const order: OrderedRename<O>[] = [];
  const rename = (one: OrderedRename<O>) => {
    holders.delete(one.from);
    holders.set(one.to, one.object);
    order.push(one);
  };
  let waitingRenames = renames.toSorted((a, b) => (a.to < b.to ? -1 : 1));
  while (waitingRenames.length > 0) {
    const freeRenames = waitingRenames.filter(({ to }) => !holders.has(to));
    if (freeRenames.length > 0) {
      for (const one of freeRenames) rename(one);
      waitingRenames = waitingRenames.filter((one) => !freeRenames.includes(one));
      continue;
    }
    const [first] = waitingRenames;
    const holder = first && holders.get(first.to);
    if (!first || !holder) throw new Error("no rename waits");
    const temporary = makeFreeKey(first.to, usedKeys);
    rename({ object: holder, from: first.to, to: temporary, isTemporary: true });
    waitingRenames = waitingRenames.map((one) => (one.object === holder ? { ...one, from: temporary } : one));
  }
  return order;
}

function makeFreeKey(key: string, usedKeys: Set<string>) {
  for (let n = 2; ; n++) {
    const tail = `_${n}`;
    const candidate = key.slice(0, LIMITS.keyCharacters - tail.length) + tail;
    if (usedKeys.has(candidate)) continue;
    usedKeys.add(candidate);
    return candidate;
  }
}
