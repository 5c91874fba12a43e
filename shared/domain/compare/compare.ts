import {
  type ChangeRule,
  COSMETIC_RULE,
  type Difference,
  DOCUMENTATION_ONLY,
  type Impact,
  type Scope,
} from "../differences.ts";
import type { ModelDocument } from "../document/document.ts";
import { isSameValue } from "../text/json-values.ts";
import { type ComparedObject, type Identify, listComparedObjects } from "./document-objects.ts";
import { matchDocuments } from "./match-documents.ts";

/** How the objects of two models are held against each other. */
export interface PairOptions {
  /** True where both are states of one model. */
  readonly sameModel: boolean;
  /** True where the origins of objects are compared as well, which say where they came from and not what they are. */
  readonly provenance?: boolean;
  /** The meaning of a change of the property of a name; cosmetic where it tells none. */
  readonly findPropertyRule?: (name: string) => ChangeRule | undefined;
}

/** How two models are compared. */
interface Comparison extends PairOptions {
  readonly scope: Scope;
}

/** An object that one side has or both have. */
export type ComparedPair =
  | { readonly before: ComparedObject; readonly after: ComparedObject }
  | { readonly before: ComparedObject; readonly after?: undefined }
  | { readonly before?: undefined; readonly after: ComparedObject; readonly ownerIsNew: boolean };

/**
 * Everything in which two models differ, primary keys, business keys, roles and tags included. Objects are recognised by
 * their ids where both sides are states of one model, else as `matchDocuments` does, so that a renamed one is no other.
 * Sorted by sort of object, then by place; equal models give nothing.
 */
export function compareModels(
  left: ModelDocument,
  right: ModelDocument,
  { scope, ...terms }: Comparison,
): readonly Difference[] {
  const differences: Difference[] = [];
  for (const pair of pairObjects(left, right, terms)) {
    const difference = toDifference(pair, scope);
    if (difference) differences.push(difference);
  }
  // Tags are no part of the structure.
  const wanted = scope === "complete" ? differences : differences.filter(({ objectType }) => objectType !== "tag");
  return wanted.sort((a, b) => (toSortKey(a) < toSortKey(b) ? -1 : 1));
}

/** Every object of two models, equal ones too: those of the left one first, each with what it is on the right. */
export function* pairObjects(
  left: ModelDocument,
  right: ModelDocument,
  { sameModel, provenance = false, findPropertyRule }: PairOptions,
): Generator<ComparedPair> {
  const identify = sameModel ? { left: getIdentity, right: getIdentity } : createMatchedIdentities(left, right);
  const terms = { sameModel, provenance };
  const before = indexByTypeAndIdentity(
    listComparedObjects(left, { ...terms, identify: identify.left }),
    findPropertyRule,
  );
  const after = indexByTypeAndIdentity(
    listComparedObjects(right, { ...terms, identify: identify.right }),
    findPropertyRule,
  );
  for (const [name, object] of before) {
    const other = after.get(name);
    yield other ? { before: object, after: other } : { before: object };
  }
  for (const [name, object] of after) {
    if (!before.has(name)) yield { after: object, ownerIsNew: isOwnerNew(object, before) };
  }
}

function toDifference(pair: ComparedPair, scope: Scope): Difference | undefined {
  if (!pair.before) return createAddedDifference(pair.after, pair.ownerIsNew);
  return pair.after ? createModifiedDifference(pair.before, pair.after, scope) : createRemovedDifference(pair.before);
}

/** The id of an object, which is the same in every state of its model. */
const getIdentity: Identify = ({ id, key }) => id ?? key;

/** Identities that are equal where two documents have an object in common. */
function createMatchedIdentities(
  left: ModelDocument,
  right: ModelDocument,
): { readonly left: Identify; readonly right: Identify } {
  const { findLeft: leftOf } = matchDocuments(left, right);
  const given = new Map<object, string>();
  const identityOf = (object: object): string => {
    const known = given.get(object) ?? `${given.size}`;
    given.set(object, known);
    return known;
  };
  // One object may stand on both sides, so that the side is a part of what it is called.
  return {
    left: (object) => `left ${identityOf(object)}`,
    right: (object) => {
      const other = leftOf(object);
      return other ? `left ${identityOf(other)}` : `right ${identityOf(object)}`;
    },
  };
}

function indexByTypeAndIdentity(
  objects: Iterable<ComparedObject>,
  findPropertyRule?: Comparison["findPropertyRule"],
): ReadonlyMap<string, ComparedObject> {
  const ruled = (object: ComparedObject): ComparedObject => {
    if (!findPropertyRule) return object;
    return { ...object, getRule: (member) => findPropertyRule(getPropertyName(member)) ?? object.getRule(member) };
  };
  return new Map(
    [...objects].map((object) => [joinTypeAndIdentity(object.objectType, object.identity), ruled(object)]),
  );
}

const PROPERTY = "properties.";

/** The name of the property that a member is; "" for any other member. */
function getPropertyName(member: string): string {
  return member.startsWith(PROPERTY) ? member.slice(PROPERTY.length) : "";
}

function joinTypeAndIdentity(sort: string, identity: string): string {
  return `${sort} ${identity}`;
}

function isOwnerNew({ owner }: ComparedObject, before: ReadonlyMap<string, ComparedObject>): boolean {
  if (owner === undefined) return false;
  return !before.has(joinTypeAndIdentity("entity", owner)) && !before.has(joinTypeAndIdentity("relationship", owner));
}

/** The members in which an object that both sides have differs, in the order of the alphabet. */
export function listChangedMembers(before: ComparedObject, after: ComparedObject): readonly string[] {
  const names = [...new Set([...Object.keys(before.members), ...Object.keys(after.members)])].sort();
  return names.filter((name) => !isSameValue(before.members[name], after.members[name]));
}

function createModifiedDifference(before: ComparedObject, after: ComparedObject, scope: Scope): Difference | undefined {
  const members = listChangedMembers(before, after).filter(
    (name) => scope === "complete" || before.getRule(name) !== COSMETIC_RULE,
  );
  const moved =
    scope === "complete" ? Object.keys(before.sequences).filter((member) => isMoved(before, after, member)) : [];
  const all = [...members, ...moved].sort();
  if (all.length === 0) return undefined;
  const [left, right] = [addSequences(before, moved), addSequences(after, moved)];
  const status = members.includes("key") ? "RENAMED" : "MODIFIED";
  return { ...createDifference(status, before, assessChange(before, after, all)), members: all, left, right };
}

/** True where the objects that both sides have in a list stand in another order; one that is new or gone moves nothing. */
function isMoved(before: ComparedObject, after: ComparedObject, member: string): boolean {
  const [was, is] = [before, after].map(({ sequences }) => (sequences[member] ?? []).map(({ identity }) => identity));
  const [inWas, inIs] = [new Set(was), new Set(is)];
  return !isSameValue(
    was?.filter((one) => inIs.has(one)),
    is?.filter((one) => inWas.has(one)),
  );
}

/** The object as callers see it, with the lists that are in another order. */
function addSequences({ snapshot, sequences }: ComparedObject, members: readonly string[]): ComparedObject["snapshot"] {
  const lists = members.map((member) => [member, sequences[member]?.map(({ ref }) => ref)]);
  return { ...snapshot, ...Object.fromEntries(lists) };
}

function createRemovedDifference(object: ComparedObject): Difference {
  return { ...createDifference("DELETED", object, assessRemoval(object)), left: object.snapshot };
}

function createAddedDifference(object: ComparedObject, ownerIsNew: boolean): Difference {
  return { ...createDifference("ADDED", object, assessAddition(object, ownerIsNew)), right: object.snapshot };
}

function createDifference(status: Difference["status"], object: ComparedObject, { impact, reasons }: ImpactAssessment) {
  return { status, objectType: object.objectType, ...object.location, impact, reasons };
}

/** Sorts differences: their sort, then the keys on the way to them, outermost first. */
function toSortKey(d: Difference): string {
  const { typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey } = d;
  const keys = [typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey];
  return JSON.stringify([d.objectType, ...keys.map((key) => key ?? ""), d.status]);
}

/** The impact of one difference, with the sentences that say why. */
export interface ImpactAssessment {
  readonly impact: Impact;
  readonly reasons: readonly string[];
}

const IMPACTS_ASCENDING: readonly Impact[] = ["cosmetic", "additive", "breaking"];

/** Judges the change of some members of an object: the gravest impact among them, with the reasons for it. */
export function assessChange(
  before: ComparedObject,
  after: ComparedObject,
  members: readonly string[],
): ImpactAssessment {
  const judged = members.flatMap((member) =>
    before
      .getRule(member)(before.members[member], after.members[member])
      .map(({ impact, reason }) => ({ impact, reason: `${member}: ${reason}` })),
  );
  const impact = IMPACTS_ASCENDING.findLast((level) => judged.some((one) => one.impact === level)) ?? "cosmetic";
  return { impact, reasons: judged.filter((one) => one.impact === impact).map((one) => one.reason) };
}

/** Judges an object that only the right side has; `ownerIsNew` where its owner is new as well. */
export function assessAddition(added: ComparedObject, ownerIsNew: boolean): ImpactAssessment {
  const { objectType, members } = added;
  if (objectType === "tag") return { impact: "cosmetic", reasons: [`it is new; ${DOCUMENTATION_ONLY.reason}`] };
  if (ownerIsNew) return { impact: "additive", reasons: ["it is new, with what it belongs to"] };
  if (objectType === "relationshipRole") {
    return { impact: "breaking", reasons: ["instances of the relationship need one side more"] };
  }
  if (members.optional === false) {
    return { impact: "breaking", reasons: ["it is new and required: writers that do not know it are refused"] };
  }
  return { impact: "additive", reasons: ["it is new; nobody relies on it yet"] };
}

/** Judges an object that only the left side has. */
export function assessRemoval({ objectType }: ComparedObject): ImpactAssessment {
  if (objectType === "tag") return { impact: "cosmetic", reasons: [`it is gone; ${DOCUMENTATION_ONLY.reason}`] };
  if (objectType === "type") {
    return { impact: "cosmetic", reasons: ["it is gone; attributes that had it are told of on their own"] };
  }
  return { impact: "breaking", reasons: ["it is gone; whoever relies on it fails"] };
}
