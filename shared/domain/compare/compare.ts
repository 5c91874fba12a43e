import {
  type ChangeRule,
  COSMETIC_RULE,
  type Consumers,
  type Difference,
  DOCUMENTATION_ONLY,
  type Effect,
  IMPACTS,
  type Impact,
  type Scope,
} from "../differences.ts";
import type { ModelDocument } from "../document/document.ts";
import { alignSources } from "../normal-form/database-facts.ts";
import { normalizeDocument } from "../normal-form/normalize-document.ts";
import { isSameValue } from "../text/json-values.ts";
import { compareTypes, PROPERTY } from "./attribute-types.ts";
import { type ComparedObject, type Identify, listComparedObjects } from "./document-objects.ts";
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
  | { readonly before: ComparedObject; readonly after?: undefined }
  | { readonly before?: undefined; readonly after: ComparedObject; readonly ownerIsNew: boolean };

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

/** Returns both sides in their normal form. */
function normalizeSides(
  left: ModelDocument,
  right: ModelDocument,
  { sameModel }: PairOptions,
): readonly [left: ModelDocument, right: ModelDocument] {
  const [before, after] = [normalizeDocument(left), normalizeDocument(right)];
  return sameModel ? [before, after] : alignSources(before, after);
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
    yield other ? { before: object, after: other } : { before: object };
  }
  for (const [name, object] of after) {
    if (!before.has(name)) yield { after: object, ownerIsNew: isOwnerNew(object, before) };
  }
}

function isBuiltInOfOneSide({ before, after }: ComparedPair) {
  return (before?.isBuiltIn ?? after?.isBuiltIn ?? false) && (!before || !after);
}

function toDifference(pair: ComparedPair, scope: Scope): Difference | undefined {
  const { before, after } = pair;
  if (!before) {
    return { ...createDifference("ADDED", after, assessAddition(after, pair.ownerIsNew)), right: after.snapshot };
  }
  if (after) return createModifiedDifference(before, after, scope);
  return { ...createDifference("DELETED", before, assessRemoval(before)), left: before.snapshot };
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

function isOwnerNew({ owner }: ComparedObject, before: ReadonlyMap<string, ComparedObject>) {
  if (owner === undefined) return false;
  return !before.has(joinTypeAndIdentity("entity", owner)) && !before.has(joinTypeAndIdentity("relationship", owner));
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
    return scope === "complete" || before.getRule(name) !== COSMETIC_RULE;
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

function createDifference(status: Difference["status"], object: ComparedObject, { impact, reasons }: ImpactAssessment) {
  return { status, objectType: object.objectType, ...object.location, impact, reasons };
}

function toSortKey(d: Difference) {
  const { typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey } = d;
  const keys = [typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey];
  return JSON.stringify([d.objectType, ...keys.map((key) => key ?? ""), d.status]);
}

/** Impact of one difference, with its reasons. */
export interface ImpactAssessment {
  readonly impact: Impact;
  readonly reasons: readonly string[];
}

/** Assesses the change of some members: the most severe impact, with its reasons. */
export function assessChange(
  before: ComparedObject,
  after: ComparedObject,
  members: readonly string[],
): ImpactAssessment {
  const consumers = before.consumers === after.consumers ? after.consumers : undefined;
  const types = compareTypes(before, after, members);
  const limit = (effect: Effect) => limitEffect(effect, consumers);
  const ownEffects = members
    .filter((member) => !types?.members.has(member))
    .flatMap((member) =>
      before.getRule(member)(before.members[member], after.members[member]).map(limit).map(addName(member)),
    );
  const effects = types ? [addName("type")(limit(types.effect)), ...ownEffects] : ownEffects;
  const impact = IMPACTS.find((level) => effects.some((one) => one.impact === level)) ?? "cosmetic";
  return { impact, reasons: effects.filter((one) => one.impact === impact).map((one) => one.reason) };
}

function addName(member: string) {
  return ({ impact, reason }: Effect): Effect => ({ impact, reason: `${member}: ${reason}` });
}

const REQUIRED_ADDITION: Effect = {
  impact: "breaking",
  reason: "added and required: writers that do not set it will fail",
  concerns: "writers",
};

/** Returns an effect as additive if the object has none of the consumers that it concerns. */
function limitEffect(effect: Effect, consumers: Consumers | undefined): Effect {
  const { concerns, reason } = effect;
  if (consumers === undefined || concerns === undefined || concerns === consumers) return effect;
  return {
    impact: "additive",
    reason: `${reason}, but clients only ${consumers === "readers" ? "receive" : "send"} it`,
  };
}

/** Assesses an added object. `ownerIsNew` is true if its owner was added as well. */
export function assessAddition(object: ComparedObject, ownerIsNew: boolean): ImpactAssessment {
  const { objectType, members, consumers } = object;
  if (objectType === "tag") return { impact: "cosmetic", reasons: [`added; ${DOCUMENTATION_ONLY.reason}`] };
  if (ownerIsNew) return { impact: "additive", reasons: ["added together with its owner"] };
  if (objectType === "relationshipRole") {
    return { impact: "breaking", reasons: ["instances of the relationship need an additional role"] };
  }
  if (members.optional === false) {
    const { impact, reason } = limitEffect(REQUIRED_ADDITION, consumers);
    return { impact, reasons: [reason] };
  }
  return { impact: "additive", reasons: ["added; no consumer uses it yet"] };
}

/** Assesses a deleted object. */
export function assessRemoval({ objectType }: ComparedObject): ImpactAssessment {
  if (objectType === "tag") return { impact: "cosmetic", reasons: [`removed; ${DOCUMENTATION_ONLY.reason}`] };
  if (objectType === "type") {
    return { impact: "cosmetic", reasons: ["removed; changes of attributes that used it are listed separately"] };
  }
  return { impact: "breaking", reasons: ["removed; consumers that use it will fail"] };
}
