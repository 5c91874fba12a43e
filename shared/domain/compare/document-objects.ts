import {
  type ChangeRule,
  COSMETIC_RULE,
  type Location,
  type ObjectType,
  RENAME_RULE,
  type Snapshot,
} from "../differences.ts";
import type { ModelDocument } from "../document/document.ts";
import type { ComparisonTerms, Field, Fields } from "../fields/field.ts";
import { modelFields } from "../fields/model-fields.ts";
import type { KeyPair } from "../refs.ts";

/** The identity of the model itself, on either side. */
export const MODEL_IDENTITY = "model";

/** One object of a document, ready to be compared. */
export interface ComparedObject {
  readonly objectType: ObjectType;
  /** The text by which an object is recognised on the other side, where the same object has an equal one. */
  readonly identity: string;
  readonly location: Location;
  /** The object as callers see it. */
  readonly snapshot: Snapshot;
  /** The values of the members in a form that is equal when nothing changed: refs to objects as their identities. */
  readonly members: Readonly<Record<string, unknown>>;
  /** The objects in each list inside it whose order says something, one after the other. */
  readonly sequences: Readonly<Record<string, readonly SequenceItem[]>>;
  /** Identity of the object it lies in; undefined for what lies in the model itself. */
  readonly owner: string | undefined;
  /** The meaning of a change of a member. */
  readonly getRule: (member: string) => ChangeRule;
}

/** An object in a list whose order says something: how it is recognised, and its ref as callers see it. */
export interface SequenceItem {
  readonly identity: string;
  readonly ref: string;
}

interface DocumentObject {
  readonly id?: string;
  readonly key: string;
}

/** The text by which an object of a document is recognised on the other side. */
export type Identify = (object: DocumentObject) => string;

/** How the objects of one side are told apart, and whether that side and the other are states of one model. */
export interface SideOptions {
  readonly identify: Identify;
  readonly sameModel: boolean;
  /** True where the origins of objects are compared as well. */
  readonly provenance: boolean;
}

/** Every object of a document, the model first. */
export function* listComparedObjects(document: ModelDocument, terms: SideOptions): Generator<ComparedObject> {
  const { sameModel } = terms;
  const sides = indexIdentities(document, terms);
  const { key, ...members } = readMembers(document, modelFields, sides);
  yield {
    objectType: "model",
    identity: MODEL_IDENTITY,
    location: {},
    snapshot: toSnapshot(document, modelFields),
    // Two models always have two keys.
    members: { ...members, ...(sameModel && { key }) },
    sequences: {},
    owner: undefined,
    getRule: createRuleLookup("model", modelFields),
  };
  yield* listParts(document, modelFields, {}, undefined, sides);
}

/** The identities of the objects that refs of one side name, by `key:…`. */
interface IdentityIndex {
  readonly identify: Identify;
  readonly provenance: boolean;
  readonly type: ReadonlyMap<string, string>;
  readonly entity: ReadonlyMap<string, string>;
  readonly tag: ReadonlyMap<string, string>;
  /** The identities of attributes, by the ref of their entity. */
  readonly attributes: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

function indexIdentities(
  { types, entities, localTags }: ModelDocument,
  { identify, provenance }: SideOptions,
): IdentityIndex {
  const identities = (list: readonly DocumentObject[]) => new Map(list.map((one) => [`key:${one.key}`, identify(one)]));
  return {
    identify,
    provenance,
    type: identities(types),
    entity: identities(entities),
    tag: identities(localTags),
    attributes: new Map(entities.map((e) => [`key:${e.key}`, identities(e.attributes)] as const)),
  };
}

/** The nested objects and the children of an object, each followed by its own. */
function* listParts(
  written: DocumentObject,
  fields: Fields,
  place: Location,
  owner: string | undefined,
  sides: IdentityIndex,
): Generator<ComparedObject> {
  for (const [member, field] of Object.entries(fields)) {
    if ((field.is !== "nested" && field.is !== "children") || !field.compared) continue;
    for (const part of (getMember(written, member) ?? []) as readonly DocumentObject[]) {
      const made = createPart(part, field.fields, field.compared, place, owner, sides);
      yield made;
      yield* listParts(part, field.fields, made.location, made.identity, sides);
    }
  }
}

function createPart(
  part: DocumentObject,
  fields: Fields,
  { objectType, location }: ComparisonTerms,
  place: Location,
  owner: string | undefined,
  sides: IdentityIndex,
): ComparedObject {
  const identity = sides.identify(part);
  return {
    objectType,
    identity,
    owner,
    location: { ...place, [location]: part.key },
    snapshot: toSnapshot(part, fields),
    members: readMembers(part, fields, sides),
    sequences: readSequences(part, fields, sides),
    getRule: createRuleLookup(objectType, fields),
  };
}

function readSequences(
  written: DocumentObject,
  fields: Fields,
  { identify }: IdentityIndex,
): ComparedObject["sequences"] {
  const sequences: Record<string, readonly SequenceItem[]> = {};
  for (const [member, field] of Object.entries(fields)) {
    if (field.is !== "children" || !field.moved) continue;
    const list = (getMember(written, member) ?? []) as readonly DocumentObject[];
    sequences[member] = list.map((one) => ({ identity: identify(one), ref: `key:${one.key}` }));
  }
  return sequences;
}

/** The members of an object itself, without those that are objects of their own in a comparison. */
function* listOwnFields(fields: Fields): Generator<readonly [member: string, field: Field]> {
  for (const entry of Object.entries(fields)) {
    const { is } = entry[1];
    if (is !== "nested" && is !== "children" && is !== "internal") yield entry;
  }
}

/** An object of a document as callers see it, without those in it. */
export function toSnapshot(written: DocumentObject, fields: Fields): Snapshot {
  const snapshot: Record<string, unknown> & { key: string } = { key: written.key };
  for (const [member] of listOwnFields(fields)) {
    const value = getMember(written, member);
    if (value !== undefined) snapshot[member] = value;
  }
  return snapshot;
}

function readMembers(written: DocumentObject, fields: Fields, sides: IdentityIndex): Record<string, unknown> {
  const members: Record<string, unknown> = { key: written.key };
  for (const [member, field] of listOwnFields(fields)) {
    const value = getMember(written, member);
    if (value === undefined || (field.provenance && !sides.provenance)) continue;
    if (field.is !== "json" || field.change) members[member] = replaceRefs(value, field, written, sides);
    else for (const [name, one] of Object.entries(value as object)) members[`${member}.${name}`] = one;
  }
  return members;
}

/** A value with the identities of the objects that its refs name. */
function replaceRefs(value: unknown, field: Field, written: DocumentObject, sides: IdentityIndex): unknown {
  switch (field.is) {
    case "ref":
      return sides[field.to].get(value as string) ?? value;
    case "refs": {
      const entity = field.of === "itself" ? `key:${written.key}` : String(getMember(written, field.of));
      return (value as readonly string[]).map((ref) => sides.attributes.get(entity)?.get(ref) ?? ref);
    }
    case "pairs": {
      // Roles with other keys stand in another order, and so do the attributes of each pair.
      const roles = (getMember(written, field.of) ?? []) as readonly DocumentObject[];
      const pairs = value as readonly KeyPair[];
      return pairs.map((pair) => roles.map((role, i) => identifyRoleAttribute(role, pair[i] ?? "", sides)).sort());
    }
    case "tags":
      // Tags of groups are the same everywhere.
      return (value as readonly string[]).map((ref) => sides.tag.get(ref) ?? ref).sort();
    default:
      return value;
  }
}

/** A role with the attribute of its entity that a ref names. */
function identifyRoleAttribute(role: DocumentObject, ref: string, sides: IdentityIndex): string {
  const attribute = sides.attributes.get(String(getMember(role, "entity")))?.get(ref) ?? ref;
  return JSON.stringify([sides.identify(role), attribute]);
}

function createRuleLookup(objectType: ObjectType, fields: Fields): ComparedObject["getRule"] {
  return (member) => {
    if (member === "key") return objectType === "tag" ? COSMETIC_RULE : RENAME_RULE;
    const field = fields[member];
    return (field?.is === "children" ? field.moved : field?.change) ?? COSMETIC_RULE;
  };
}

function getMember(written: DocumentObject, member: string): unknown {
  // A document has the members that the fields declare.
  return (written as unknown as Readonly<Record<string, unknown>>)[member];
}
