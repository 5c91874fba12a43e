import { toEffect } from "../change-kinds.ts";
import {
  type Consumers,
  type Difference,
  type Effect,
  IMPACTS,
  type JudgedSide,
  type Scope,
  VERDICTS,
} from "../differences.ts";
import type { ModelDocument } from "../document/document.ts";
import { alignSources } from "../normal-form/database-facts.ts";
import { areOfDifferentDialects, foldNames } from "../normal-form/fold-names.ts";
import { normalizeDocument } from "../normal-form/normalize-document.ts";
import type { KeyPair } from "../refs.ts";
import { isSameValue } from "../text/json-values.ts";
import { compareTypes } from "./attribute-types.ts";
import { type ChangeRule, type ComparedObject, PROPERTY } from "./compared-object.ts";
import { isDocumentedOnly, readDefault } from "./defaults.ts";
import { DOCUMENTATION_RULE, type Identify, listComparedObjects } from "./document-objects.ts";
import { matchDocuments } from "./match-documents.ts";

export interface PairOptions {
  readonly sameModel: boolean;
  readonly provenance?: boolean;
  /** True if values that the normal form replaced are compared. */
  readonly physical?: boolean;
  /** Returns the rule for changes of a property; cosmetic if undefined. */
  readonly findPropertyRule?: (name: string) => ChangeRule | undefined;
}

interface Comparison extends PairOptions {
  readonly scope: Scope;
}

/** Object of one or both sides. */
export type ComparedPair =
  | { readonly before: ComparedObject; readonly after: ComparedObject }
  | { readonly before: ComparedObject; readonly after?: undefined; readonly ownerIsGone: boolean }
  | { readonly before?: undefined; readonly after: ComparedObject; readonly surroundings: Surroundings };

/** What was there before an object was added. */
export interface Surroundings {
  readonly ownerIsNew: boolean;
  /** True if no existing record can violate a key or a reference, because an attribute of it is new. */
  readonly isEmpty: boolean;
}

/** Returns the differences of two models, matched by id if `sameModel`, sorted by object type and location. */
export function compareModels(
  left: ModelDocument,
  right: ModelDocument,
  { scope, ...terms }: Comparison,
): readonly Difference[] {
  const differences: Difference[] = [];
  for (const pair of pairObjects(...normalizeSides(left, right, terms), terms)) {
    // The attributes of two sources tell which types of their dialects they use.
    if (!terms.sameModel && isBuiltInOfOneSide(pair)) continue;
    const difference = toDifference(pair, scope);
    if (difference) differences.push(difference);
  }
  // Tags do not belong to the structure.
  const results = scope === "complete" ? differences : differences.filter(({ objectType }) => objectType !== "tag");
  return results.sort((a, b) => (toSortKey(a) < toSortKey(b) ? -1 : 1));
}

/** Returns both sides in their normal form, with comparable names if their dialects differ. */
function normalizeSides(
  left: ModelDocument,
  right: ModelDocument,
  { sameModel }: PairOptions,
): readonly [left: ModelDocument, right: ModelDocument] {
  const [before, after] = [normalizeDocument(left), normalizeDocument(right)];
  if (sameModel) return [before, after];
  const sides = alignSources(before, after);
  if (!areOfDifferentDialects(...sides)) return sides;
  return [foldNames(sides[0]), foldNames(sides[1])];
}

/** Yields the objects of two models in pairs: those of the left side, then new ones. */
export function* pairObjects(
  left: ModelDocument,
  right: ModelDocument,
  { sameModel, provenance = false, physical = false, findPropertyRule }: PairOptions,
): Generator<ComparedPair> {
  const identify = sameModel ? { left: getIdentity, right: getIdentity } : createMatchedIdentities(left, right);
  const terms = { sameModel, provenance, physical };
  const index = (document: ModelDocument, side: "left" | "right"): ReadonlyMap<string, ComparedObject> =>
    new Map(
      listComparedObjects(document, { ...terms, identify: identify[side] }).map((object) => [
        joinTypeAndIdentity(object.objectType, object.identity),
        addPropertyRules(object, findPropertyRule),
      ]),
    );
  const [before, after] = [index(left, "left"), index(right, "right")];
  for (const [name, object] of before) {
    const other = after.get(name);
    yield other ? { before: object, after: other } : { before: object, ownerIsGone: isOwnerMissing(object, after) };
  }
  for (const [name, object] of after) {
    if (before.has(name)) continue;
    yield {
      after: object,
      surroundings: { ownerIsNew: isOwnerMissing(object, before), isEmpty: isEmpty(object, before) },
    };
  }
}

function isBuiltInOfOneSide({ before, after }: ComparedPair) {
  return (before?.isBuiltIn ?? after?.isBuiltIn ?? false) && (!before || !after);
}

function toDifference(pair: ComparedPair, scope: Scope): Difference | undefined {
  const { before, after } = pair;
  if (!before) {
    return { ...createDifference("ADDED", after, assessAddition(after, pair.surroundings)), right: after.snapshot };
  }
  if (after) return createModifiedDifference(before, after, scope);
  return { ...createDifference("DELETED", before, assessRemoval(before, pair.ownerIsGone)), left: before.snapshot };
}

/** Returns the id of an object, which is the same in every state of its model. */
const getIdentity: Identify = ({ id, key }) => id ?? key;

function createMatchedIdentities(
  left: ModelDocument,
  right: ModelDocument,
): { readonly left: Identify; readonly right: Identify } {
  const { findLeft: leftOf } = matchDocuments(left, right);
  const identities = new Map<object, string>();
  const assignIdentity = (object: object) => {
    const identity = identities.get(object) ?? `${identities.size}`;
    identities.set(object, identity);
    return identity;
  };
  // The same object may be on both sides, so the identity contains the side.
  return {
    left: (object) => `left ${assignIdentity(object)}`,
    right: (object) => {
      const other = leftOf(object);
      return other ? `left ${assignIdentity(other)}` : `right ${assignIdentity(object)}`;
    },
  };
}

function addPropertyRules(object: ComparedObject, findRule: PairOptions["findPropertyRule"]): ComparedObject {
  if (!findRule) return object;
  const getRule = (member: string) =>
    findRule(member.startsWith(PROPERTY) ? member.slice(PROPERTY.length) : "") ?? object.getRule(member);
  return { ...object, getRule };
}

function joinTypeAndIdentity(objectType: string, identity: string) {
  return `${objectType} ${identity}`;
}

function isOwnerMissing({ owner }: ComparedObject, others: ReadonlyMap<string, ComparedObject>) {
  if (owner === undefined) return false;
  return !others.has(joinTypeAndIdentity("entity", owner)) && !others.has(joinTypeAndIdentity("relationship", owner));
}

/** Tests for a business key or a relationship with an attribute that is new, so that no record has a value for it yet. */
function isEmpty({ objectType, members }: ComparedObject, before: ReadonlyMap<string, ComparedObject>) {
  const isNew = (identity: string) => !before.has(joinTypeAndIdentity("entityAttribute", identity));
  if (objectType === "businessKey") {
    const participants = members.participants as readonly string[];
    return participants.length === 0 || participants.some(isNew);
  }
  const pairs = (members.keyPairs ?? []) as readonly (readonly KeyPair[])[];
  return objectType === "relationship" && pairs.some((pair) => pair.some(([, attribute]) => isNew(attribute)));
}

/** Returns the names of the members that differ, sorted. */
export function listChangedMembers(before: ComparedObject, after: ComparedObject): readonly string[] {
  const names = [...new Set([...Object.keys(before.members), ...Object.keys(after.members)])].sort();
  return names.filter((name) => !isSameValue(before.members[name], after.members[name]));
}

function createModifiedDifference(before: ComparedObject, after: ComparedObject, scope: Scope): Difference | undefined {
  const changedMembers = listChangedMembers(before, after);
  const types = compareTypes(before, after, changedMembers);
  const members = changedMembers.filter((name) => {
    if (types?.members.has(name)) return !types.isSame && (scope === "complete" || types.effect.impact !== "cosmetic");
    return scope === "complete" || before.getRule(name) !== DOCUMENTATION_RULE;
  });
  const moves =
    scope === "complete" ? Object.keys(before.sequences).filter((member) => isMoved(before, after, member)) : [];
  const all = [...members, ...moves].sort();
  if (all.length === 0) return undefined;
  const [left, right] = [addSequences(before, moves), addSequences(after, moves)];
  const status = members.includes("key") ? "RENAMED" : "MODIFIED";
  return { ...createDifference(status, before, assessChange(before, after, all)), members: all, left, right };
}

/** Tests whether the common objects of a list have a different order. */
function isMoved(before: ComparedObject, after: ComparedObject, member: string) {
  const [a, b] = [before, after].map(({ sequences }) => (sequences[member] ?? []).map(({ identity }) => identity));
  const [setA, setB] = [new Set(a), new Set(b)];
  return !isSameValue(
    a?.filter((one) => setB.has(one)),
    b?.filter((one) => setA.has(one)),
  );
}

function addSequences({ snapshot, sequences }: ComparedObject, members: readonly string[]): ComparedObject["snapshot"] {
  const lists = members.map((member) => [member, sequences[member]?.map(({ ref }) => ref)]);
  return { ...snapshot, ...Object.fromEntries(lists) };
}

function createDifference(status: Difference["status"], object: ComparedObject, assessment: Assessment) {
  return { status, objectType: object.objectType, ...object.location, ...assessment };
}

function toSortKey(d: Difference) {
  const { typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey } = d;
  const keys = [typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey];
  return JSON.stringify([d.objectType, ...keys.map((key) => key ?? ""), d.status]);
}

/** Class of one difference and verdicts on it, with their reasons. */
export type Assessment = Pick<Difference, "impact" | "reasons" | "readers" | "writers">;

/** Assesses the change of some members: the most severe class, and the most severe verdict for each side. */
export function assessChange(before: ComparedObject, after: ComparedObject, members: readonly string[]): Assessment {
  const consumers = before.consumers === after.consumers ? after.consumers : undefined;
  const types = compareTypes(before, after, members);
  const sides = { before, after };
  const ownEffects = members
    .filter((member) => !types?.members.has(member))
    .flatMap((member) =>
      before.getRule(member)(before.members[member], after.members[member], sides).map(addName(member)),
    );
  const effects = types ? [addName("type")(types.effect), ...ownEffects] : ownEffects;
  return assessEffects(effects, consumers);
}

function addName(member: string) {
  return (effect: Effect): Effect => ({ ...effect, reason: `${member}: ${effect.reason}` });
}

/** Returns the most severe class of effects and the most severe verdict for each side. Consumers are given if there is one side alone. */
export function assessEffects(all: readonly Effect[], consumers?: Consumers): Assessment {
  const effects = all.map((one) => limitEffect(one, consumers));
  const impact = IMPACTS.find((level) => effects.some((one) => one.impact === level)) ?? "cosmetic";
  return {
    impact,
    reasons: effects.filter((one) => one.impact === impact).map((one) => one.reason),
    readers: judgeSide(effects, "readers"),
    writers: judgeSide(effects, "writers"),
  };
}

function judgeSide(effects: readonly Effect[], side: Consumers): JudgedSide {
  const verdict = VERDICTS.find((one) => effects.some((effect) => effect[side] === one)) ?? "safe";
  if (verdict === "safe") return { verdict, reasons: [] };
  return { verdict, reasons: effects.filter((one) => one[side] === verdict).map(({ reason }) => reason) };
}

/** Returns an effect without the verdict for a side that does not exist: it can only break the other one. */
function limitEffect(effect: Effect, consumers: Consumers | undefined): Effect {
  const absent = consumers === "readers" ? "writers" : "readers";
  if (consumers === undefined || effect[absent] === "safe") return effect;
  const limited: Effect = { ...effect, [absent]: "safe" };
  if (effect.impact !== "breaking" || effect[consumers] === "breaks") return limited;
  const use = consumers === "readers" ? "receive" : "send";
  return { ...limited, impact: "additive", reason: `${effect.reason}, but clients only ${use} it` };
}

/** Assesses an added object. */
export function assessAddition(object: ComparedObject, { ownerIsNew, isEmpty }: Surroundings): Assessment {
  const { objectType, members } = object;
  const name = ((): Parameters<typeof toEffect>[0] => {
    if (objectType === "tag") return "addedTag";
    if (ownerIsNew) return "addedWithOwner";
    if (objectType === "relationshipRole") return "addedRole";
    if (objectType === "businessKey" && !isEmpty) return "addedUnique";
    if (objectType === "relationship" && members.keyPairs !== undefined && !isEmpty) return "addedReference";
    if (members.optional !== false) return "added";
    return readDefault(object) === undefined || isDocumentedOnly(object) ? "addedRequired" : "addedWithDefault";
  })();
  return assessEffects([toEffect(name)], object.consumers);
}

/** Assesses a deleted object. `ownerIsGone` is true if its owner was deleted as well. */
export function assessRemoval({ objectType, members, consumers }: ComparedObject, ownerIsGone: boolean): Assessment {
  const name = ((): Parameters<typeof toEffect>[0] => {
    if (objectType === "tag") return "removedTag";
    if (objectType === "type") return "removedType";
    if (objectType === "businessKey") return "removedUnique";
    if (objectType === "relationshipRole" && ownerIsGone) return "removedWithOwner";
    return objectType === "relationship" && members.keyPairs !== undefined ? "removedReference" : "removed";
  })();
  return assessEffects([toEffect(name)], consumers);
}
