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

/** Identity of the model itself, on both sides. */
export const MODEL_IDENTITY = "model";

/** Document object in a comparable form. */
export interface ComparedObject {
  readonly objectType: ObjectType;
  /** Text that identifies the object; equal on both sides for the same object. */
  readonly identity: string;
  readonly location: Location;
  /** Members of the object as callers see them. */
  readonly snapshot: Snapshot;
  /** Values of the members in a normalized form: refs are replaced by identities. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Objects of its ordered lists. */
  readonly sequences: Readonly<Record<string, readonly SequenceItem[]>>;
  /** Identity of the owner; undefined for objects directly in the model. */
  readonly owner: string | undefined;
  /** Returns the rule for changes of a member. */
  readonly getRule: (member: string) => ChangeRule;
}

/** Object in an ordered list: its identity, and its ref as callers see it. */
export interface SequenceItem {
  readonly identity: string;
  readonly ref: string;
}

interface DocumentObject {
  readonly id?: string;
  readonly key: string;
}

/** Returns the text that identifies a document object. */
export type Identify = (object: DocumentObject) => string;

/** Options for reading the objects of one side. */
export interface SideOptions {
  readonly identify: Identify;
  readonly sameModel: boolean;
  /** True if the origins of objects are compared as well. */
  readonly provenance: boolean;
}

/** Yields every object of a document, the model first. */
export function* listComparedObjects(document: ModelDocument, terms: SideOptions): Generator<ComparedObject> {
  const { sameModel } = terms;
  const sides = indexIdentities(document, terms);
  const { key, ...members } = readMembers(document, modelFields, sides);
  yield {
    objectType: "model",
    identity: MODEL_IDENTITY,
    location: {},
    snapshot: toSnapshot(document, modelFields),
    // Different models always have different keys.
    members: { ...members, ...(sameModel && { key }) },
    sequences: {},
    owner: undefined,
    getRule: createRuleLookup("model", modelFields),
  };
  yield* listParts(document, modelFields, {}, undefined, sides);
}

/** Identities of the referenced objects of one side, by `key:…`. */
interface IdentityIndex {
  readonly identify: Identify;
  readonly provenance: boolean;
  readonly type: ReadonlyMap<string, string>;
  readonly entity: ReadonlyMap<string, string>;
  readonly tag: ReadonlyMap<string, string>;
  /** Identities of attributes, by the ref of their entity. */
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

/** Yields the nested objects and children of an object, each followed by its own. */
function* listParts(
  written: DocumentObject,
  fields: Fields,
  location: Location,
  owner: string | undefined,
  sides: IdentityIndex,
): Generator<ComparedObject> {
  for (const [member, field] of Object.entries(fields)) {
    if ((field.is !== "nested" && field.is !== "children") || !field.compared) continue;
    for (const part of (getMember(written, member) ?? []) as readonly DocumentObject[]) {
      const made = createPart(part, field.fields, field.compared, location, owner, sides);
      yield made;
      yield* listParts(part, field.fields, made.location, made.identity, sides);
    }
  }
}

function createPart(
  part: DocumentObject,
  fields: Fields,
  { objectType, location }: ComparisonTerms,
  ownerLocation: Location,
  owner: string | undefined,
  sides: IdentityIndex,
): ComparedObject {
  const identity = sides.identify(part);
  return {
    objectType,
    identity,
    owner,
    location: { ...ownerLocation, [location]: part.key },
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

/** Yields the fields of an object itself, without nested objects and children. */
function* listOwnFields(fields: Fields): Generator<readonly [member: string, field: Field]> {
  for (const entry of Object.entries(fields)) {
    const { is } = entry[1];
    if (is !== "nested" && is !== "children" && is !== "internal") yield entry;
  }
}

/** Returns the members of a document object as callers see them, without nested objects and children. */
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

/** Replaces refs in a value by identities. */
function replaceRefs(value: unknown, field: Field, written: DocumentObject, sides: IdentityIndex): unknown {
  switch (field.is) {
    case "ref":
      return sides[field.to].get(value as string) ?? value;
    case "refs": {
      const entity = field.of === "itself" ? `key:${written.key}` : String(getMember(written, field.of));
      return (value as readonly string[]).map((ref) => sides.attributes.get(entity)?.get(ref) ?? ref);
    }
    case "pairs": {
      // The order of roles depends on their keys, and so does the order in each pair.
      const roles = (getMember(written, field.of) ?? []) as readonly DocumentObject[];
      const pairs = value as readonly KeyPair[];
      return pairs.map((pair) => roles.map((role, i) => identifyRoleAttribute(role, pair[i] ?? "", sides)).sort());
    }
    case "tags":
      // Global tags are the same in all models.
      return (value as readonly string[]).map((ref) => sides.tag.get(ref) ?? ref).sort();
    default:
      return value;
  }
}

/** Combines the identities of a role and of an attribute of its entity. */
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
  // A document has the members that its fields declare.
  return (written as unknown as Readonly<Record<string, unknown>>)[member];
}
