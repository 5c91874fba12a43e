import { createHash } from "node:crypto";
import {
  assessAddition,
  assessChange,
  assessRemoval,
  type ComparedPair,
  type ImpactAssessment,
  listChangedMembers,
  type PairOptions,
  pairObjects,
} from "../compare/compare.ts";
import { type ComparedObject, MODEL_IDENTITY } from "../compare/document-objects.ts";
import type { Impact, Location, ObjectType } from "../differences.ts";
import type { ModelDocument } from "../document/document.ts";
import { LIMITS } from "../limits.ts";
import { toCanonicalJson } from "../text/json-values.ts";
import { findMoves } from "./target-changes.ts";

/** The ways in which a step changes a model. */
export type StepDoes = "create" | "update" | "rename" | "move" | "delete";

/** One step of a plan, which ordinary actions can make once the steps before it are made. */
export interface PlanStep extends Location {
  readonly does: StepDoes;
  readonly objectType: ObjectType;
  /** The object: `id:<uuid>`, or `key:<key>` of one that an earlier step makes. */
  readonly ref: string;
  /** The entity or relationship that it lies in, in the same form; absent of what lies in the model itself. */
  readonly ownerRef?: string;
  /** The members that change, as they are before the step; a member without a value is absent. */
  readonly before?: Members;
  /** The same members after the step; all of an object that is made. */
  readonly after?: Members;
  readonly impact: Impact;
  /** Why it has that impact, in a sentence for each reason. */
  readonly reasons: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;

/**
 * The steps from one state of a model to another. Every object of both states has an id; equal states need no step. A model that
 * `isNew` is named by its key.
 */
export function planSteps(
  current: ModelDocument,
  target: ModelDocument,
  { isNew = false, ...rules }: Pick<PairOptions, "findPropertyRule"> & { readonly isNew?: boolean } = {},
): readonly PlanStep[] {
  const pairs = [...pairObjects(current, target, { ...rules, sameModel: true, provenance: true })];
  const objects: ObjectIndex = {
    model: isNew ? `key:${target.key}` : `id:${current.id}`,
    before: new Map(pairs.flatMap(({ before }) => (before ? [[before.identity, before]] : []))),
    after: new Map(pairs.flatMap(({ after }) => (after ? [[after.identity, after]] : []))),
  };
  const ranked = pairs.flatMap((pair) => [...listSteps(pair, objects)]);
  // Those of one rank stay in the order of the document.
  ranked.sort((a, b) => a.rank - b.rank);
  return [...listRenameSteps(pairs, objects), ...ranked.map(({ step }) => step)];
}

/** The objects of the two states by their ids. */
interface ObjectIndex {
  /** The ref of the model. */
  readonly model: string;
  readonly before: ReadonlyMap<string, ComparedObject>;
  readonly after: ReadonlyMap<string, ComparedObject>;
}

/** A step, and the rank by which it comes. */
interface RankedStep {
  readonly rank: number;
  readonly step: PlanStep;
}

/** What is made: whatever others refer to before these. */
const CREATE_ORDER: readonly ObjectType[] = [
  "tag",
  "type",
  "entity",
  "entityAttribute",
  "relationship",
  "relationshipAttribute",
  "relationshipRole",
];
/** What changes: roles before the relationship, whose key pairs go when a role does or gets another entity. */
const UPDATE_ORDER: readonly ObjectType[] = [
  "relationshipRole",
  "model",
  "type",
  "entity",
  "entityAttribute",
  "relationship",
  "relationshipAttribute",
  "businessKey",
  "tag",
];
/** What goes: whatever refers to others before these. */
const DELETE_ORDER: readonly ObjectType[] = [
  "relationship",
  "relationshipAttribute",
  "entityAttribute",
  "entity",
  "type",
  "tag",
];

/** The rank of a step: another business key may take the key of one that goes, and a relationship never has too few roles. */
function rankStep(does: StepDoes, objectType: ObjectType): number {
  if (does === "delete" && objectType === "businessKey") return 100;
  if (does === "create") return objectType === "businessKey" ? 120 : 101 + CREATE_ORDER.indexOf(objectType);
  if (does === "delete" && objectType === "relationshipRole") return 200;
  if (does === "update") return 300 + UPDATE_ORDER.indexOf(objectType);
  if (does === "move") return 400;
  return 500 + DELETE_ORDER.indexOf(objectType);
}

function* listSteps(pair: ComparedPair, objects: ObjectIndex): Generator<RankedStep> {
  if (!pair.before) yield* listCreateSteps(pair.after, pair.ownerIsNew, objects);
  else if (!pair.after) yield* listDeleteSteps(pair.before, objects);
  else {
    yield* listUpdateSteps(pair.before, pair.after, objects);
    yield* listMoveSteps(pair.before, pair.after, objects);
  }
}

function* listCreateSteps(object: ComparedObject, ownerIsNew: boolean, objects: ObjectIndex): Generator<RankedStep> {
  const { objectType, owner, snapshot } = object;
  // A relationship is made with its roles.
  if (objectType === "relationshipRole" && owner !== undefined && !objects.before.has(owner)) return;
  const judged = assessAddition(object, ownerIsNew);
  if (objectType === "relationship") {
    const roles = [...objects.after.values()].filter(
      (one) => one.objectType === "relationshipRole" && one.owner === object.identity,
    );
    yield createStep(
      "create",
      object,
      { after: { ...snapshot, roles: roles.map((role) => role.snapshot) } },
      judged,
      objects,
    );
  } else if (objectType === "entity") {
    // Its attributes come after it, and then its primary key.
    const { primaryKey = [], ...after } = snapshot;
    yield createStep("create", object, { after }, judged, objects);
    if ((primaryKey as readonly string[]).length > 0) {
      yield createStep("update", object, { before: { primaryKey: [] }, after: { primaryKey } }, judged, objects);
    }
  } else yield createStep("create", object, { after: snapshot }, judged, objects);
}

function* listDeleteSteps(object: ComparedObject, objects: ObjectIndex): Generator<RankedStep> {
  const { objectType, owner } = object;
  // It goes with what it lies in.
  if (owner !== undefined && !objects.after.has(owner)) return;
  yield createStep("delete", object, { before: object.snapshot }, assessRemoval({ ...object, objectType }), objects);
}

function* listUpdateSteps(before: ComparedObject, after: ComparedObject, objects: ObjectIndex): Generator<RankedStep> {
  const members = listChangedMembers(before, after).filter((member) => member !== "key");
  if (members.length === 0) return;
  const change = { before: pickMembers(before, members), after: pickMembers(after, members) };
  yield createStep("update", before, change, assessChange(before, after, members), objects, after);
}

const PROPERTY = "properties.";

/** Some members of an object as callers see them, each property as a member of its own. */
function pickMembers({ snapshot }: ComparedObject, members: readonly string[]): Members {
  const { properties = {} } = snapshot as { readonly properties?: Members };
  const values = members.map((member): readonly [string, unknown] => [
    member,
    member.startsWith(PROPERTY) ? properties[member.slice(PROPERTY.length)] : snapshot[member],
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The moves of the objects of a list whose order says something; new ones begin behind all others. */
function* listMoveSteps(before: ComparedObject, after: ComparedObject, objects: ObjectIndex): Generator<RankedStep> {
  for (const member of Object.keys(after.sequences)) {
    const [was, is] = [before, after].map(({ sequences }) => (sequences[member] ?? []).map(({ identity }) => identity));
    yield* listMoves(was ?? [], is ?? [], assessChange(before, after, [member]), objects);
  }
}

function* listMoves(
  was: readonly string[],
  is: readonly string[],
  judged: ImpactAssessment,
  objects: ObjectIndex,
): Generator<RankedStep> {
  const wanted = new Set(is);
  const known = new Set(was);
  const begin = [...was.filter((id) => wanted.has(id)), ...is.filter((id) => !known.has(id))];
  for (const move of findMoves(begin, is)) {
    const object = objects.after.get(move.item);
    if (!object) continue;
    const at = begin.indexOf(move.item);
    const stood = at > 0 ? { afterRef: formatRef(begin[at - 1], objects) } : {};
    const goes =
      "after" in move ? { afterRef: formatRef(move.after, objects) } : { beforeRef: formatRef(move.before, objects) };
    yield createStep("move", object, { before: stood, after: goes }, judged, objects);
  }
}

/** The renames, in an order in which no key is taken when it is given. */
function listRenameSteps(pairs: readonly ComparedPair[], objects: ObjectIndex): readonly PlanStep[] {
  const scopes = new Map<string, { readonly renames: Rename<ComparedObject>[]; readonly others: ComparedObject[] }>();
  for (const { before, after } of pairs) {
    if (!before || before.objectType === "model") continue;
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
  return steps.map(({ object, from, to, isTemporary: isWay }) => {
    const after = objects.after.get(object.identity);
    const judged = isWay || !after ? TEMPORARY_RENAME : assessChange(object, after, ["key"]);
    return createStep("rename", object, { before: { key: from }, after: { key: to } }, judged, objects).step;
  });
}

const TEMPORARY_RENAME: ImpactAssessment = {
  impact: "cosmetic",
  reasons: ["it has another key for a moment, so that one that comes can have its own"],
};

function createStep(
  does: StepDoes,
  object: ComparedObject,
  change: Pick<PlanStep, "before" | "after">,
  { impact, reasons }: ImpactAssessment,
  objects: ObjectIndex,
  now: ComparedObject = object,
): RankedStep {
  const { objectType, identity, owner } = object;
  const ownerRef = owner === undefined ? {} : { ownerRef: formatRef(owner, objects) };
  const step = {
    does,
    objectType,
    ref: formatRef(identity, objects),
    ...ownerRef,
    ...now.location,
    ...change,
    impact,
    reasons,
  };
  return { rank: rankStep(does, objectType), step };
}

/** An object that is there by its id, one that is made by its key. */
function formatRef(identity: string | undefined, { model, before, after }: ObjectIndex): string {
  if (identity === MODEL_IDENTITY) return model;
  if (identity === undefined || before.has(identity)) return `id:${identity}`;
  return `key:${after.get(identity)?.snapshot.key}`;
}

/** The model that a plan is for: its id, or the key that it is to get, and the revision that it is at; 0 for none yet. */
interface PlannedModel {
  readonly model: string;
  readonly revision: number;
}

/** The digest that names a plan: SHA-256, in hexadecimal digits, over its canonical steps with the model's id and revision. */
export function hashPlan({ model, revision }: PlannedModel, steps: readonly PlanStep[]): string {
  return createHash("sha256").update(toCanonicalJson({ model, revision, steps })).digest("hex");
}

/** An object of one scope of keys that gets another key. */
interface Rename<O> {
  readonly object: O;
  readonly from: string;
  readonly to: string;
}

/** A rename as it is made; `isWay` where it only makes way for another one. */
interface OrderedRename<O> extends Rename<O> {
  readonly isTemporary?: true;
}

/**
 * The renames of one scope in an order in which each key is free when it is given. Where keys go round in a circle, or are still
 * held by others of the scope, which go later, one gets a key that nobody has for a moment.
 */
function orderRenames<O>(renames: readonly Rename<O>[], others: ReadonlyMap<string, O>): readonly OrderedRename<O>[] {
  const holders = new Map([...others, ...renames.map(({ object, from }) => [from, object] as const)]);
  const used = new Set([...holders.keys(), ...renames.map(({ to }) => to)]);
  const done: OrderedRename<O>[] = [];
  const rename = (one: OrderedRename<O>): void => {
    holders.delete(one.from);
    holders.set(one.to, one.object);
    done.push(one);
  };
  let waiting = renames.toSorted((a, b) => (a.to < b.to ? -1 : 1));
  while (waiting.length > 0) {
    const free = waiting.filter(({ to }) => !holders.has(to));
    if (free.length > 0) {
      for (const one of free) rename(one);
      waiting = waiting.filter((one) => !free.includes(one));
      continue;
    }
    const [first] = waiting;
    const holder = first && holders.get(first.to);
    if (!first || !holder) throw new Error("no rename waits");
    const way = makeFreeKey(first.to, used);
    rename({ object: holder, from: first.to, to: way, isTemporary: true });
    waiting = waiting.map((one) => (one.object === holder ? { ...one, from: way } : one));
  }
  return done;
}

/** A key like another one that nobody has. */
function makeFreeKey(key: string, used: Set<string>): string {
  for (let n = 2; ; n++) {
    const tail = `_${n}`;
    const made = key.slice(0, LIMITS.keyCharacters - tail.length) + tail;
    if (used.has(made)) continue;
    used.add(made);
    return made;
  }
}
