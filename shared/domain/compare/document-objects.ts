import { assessConstraints } from "../constraints/assess.ts";
import {
  type ChangeRule,
  COSMETIC_RULE,
  type Consumers,
  type Location,
  type ObjectType,
  RENAME_RULE,
  type RuleName,
  type Snapshot,
} from "../differences.ts";
import type { AttributeDocument, ModelDocument, TypeDocument } from "../document/document.ts";
import type { Field, Fields } from "../fields/field.ts";
import { modelFields } from "../fields/model-fields.ts";
import { PHYSICAL } from "../normal-form/dialect-rules.ts";
import { type AttributeType, findAttributeType, isBuiltInType } from "../types/find-logical-type.ts";
import {
  type DocumentObject,
  getList,
  getMember,
  indexRefs,
  listPartLists,
  type RefIndex,
  replaceRefs,
} from "./document-members.ts";

export const MODEL_IDENTITY = "model";

/** Property of a schema of an API: `requests` if clients only send it, `responses` if they only receive it. */
const USED_IN = "openapi:usedIn";

const CONSUMERS_BY_USE: ReadonlyMap<unknown, Consumers> = new Map([
  ["requests", "writers"],
  ["responses", "readers"],
]);

/** Document object in a comparable form. */
export interface ComparedObject {
  readonly objectType: ObjectType;
  /** Text that identifies the object; equal on both sides for the same object. */
  readonly identity: string;
  readonly location: Location;
  readonly snapshot: Snapshot;
  /** Values of the members in a normalized form: refs are replaced by identities. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly sequences: Readonly<Record<string, readonly SequenceItem[]>>;
  readonly owner: string | undefined;
  /** Consumers of the object, if they either only read or only write it. */
  readonly consumers: Consumers | undefined;
  readonly getRule: (member: string) => ChangeRule;
  /** Returns the type of an attribute; absent for other objects. */
  readonly getType?: () => AttributeType;
  /** True for a type that its dialect defines, and about which the model says nothing more. */
  readonly isBuiltIn?: true;
}

interface SequenceItem {
  readonly identity: string;
  readonly ref: string;
}

export type Identify = (object: DocumentObject) => string;

interface SideOptions {
  readonly identify: Identify;
  readonly sameModel: boolean;
  readonly provenance: boolean;
  readonly physical: boolean;
}

interface Side extends SideOptions {
  readonly document: ModelDocument;
  readonly refs: RefIndex<string>;
}

/** Yields every object of a document, the model first. */
export function* listComparedObjects(document: ModelDocument, options: SideOptions): Generator<ComparedObject> {
  const side: Side = { ...options, document, refs: indexRefs(document, options.identify) };
  const { key, ...members } = readMembers(document, modelFields, side);
  yield {
    objectType: "model",
    identity: MODEL_IDENTITY,
    location: {},
    snapshot: toSnapshot(document, modelFields),
    // Different models always have different keys.
    members: { ...members, ...(options.sameModel && { key }) },
    sequences: {},
    owner: undefined,
    consumers: undefined,
    getRule: createRuleLookup("model", modelFields),
  };
  yield* listParts(document, modelFields, { location: {}, owner: undefined, consumers: undefined }, side);
}

function* listParts(
  object: DocumentObject,
  holderFields: Fields,
  parent: Pick<ComparedObject, "location" | "owner" | "consumers">,
  side: Side,
): Generator<ComparedObject> {
  const { owner } = parent;
  for (const { member, fields, terms } of listPartLists(holderFields)) {
    for (const part of getList(object, member)) {
      const identity = side.identify(part);
      const location = { ...parent.location, [terms.location]: part.key };
      const properties = getMember(part, "properties") as Readonly<Record<string, unknown>> | undefined;
      const consumers = parent.consumers ?? CONSUMERS_BY_USE.get(properties?.[USED_IN]);
      yield {
        objectType: terms.objectType,
        identity,
        owner,
        consumers,
        location,
        snapshot: toSnapshot(part, fields),
        members: readMembers(part, fields, side),
        sequences: readSequences(part, fields, side),
        getRule: createRuleLookup(terms.objectType, fields),
        ...describeType(part, terms.objectType, side.document),
      };
      yield* listParts(part, fields, { location, owner: identity, consumers }, side);
    }
  }
}

function describeType(
  part: DocumentObject,
  objectType: ObjectType,
  document: ModelDocument,
): Pick<ComparedObject, "getType" | "isBuiltIn"> {
  // Each object type has documents of one kind.
  if (objectType === "type") return isBuiltInType(part as TypeDocument, document) ? { isBuiltIn: true } : {};
  if (objectType !== "entityAttribute" && objectType !== "relationshipAttribute") return {};
  return { getType: () => findAttributeType(part as AttributeDocument, document) };
}

function readSequences(object: DocumentObject, fields: Fields, { identify }: Side): ComparedObject["sequences"] {
  const lists = Object.entries(fields).filter(([, field]) => field.is === "children");
  const toItem = (one: DocumentObject): SequenceItem => ({ identity: identify(one), ref: `key:${one.key}` });
  return Object.fromEntries(lists.map(([member]) => [member, getList(object, member).map(toItem)]));
}

function* listOwnFields(fields: Fields): Generator<readonly [member: string, field: Field]> {
  for (const entry of Object.entries(fields)) {
    const { is } = entry[1];
    if (is !== "nested" && is !== "children" && is !== "internal") yield entry;
  }
}

/** Returns the members of a document object, without nested objects and children. */
export function toSnapshot(object: DocumentObject, fields: Fields): Snapshot {
  const snapshot: Record<string, unknown> & { key: string } = { key: object.key };
  for (const [member] of listOwnFields(fields)) {
    const value = getMember(object, member);
    if (value !== undefined) snapshot[member] = value;
  }
  return snapshot;
}

function readMembers(object: DocumentObject, fields: Fields, side: Side): Record<string, unknown> {
  const members: Record<string, unknown> = { key: object.key };
  for (const [member, field] of listOwnFields(fields)) {
    const value = getMember(object, member);
    if (value === undefined || (field.provenance && !side.provenance)) continue;
    if (field.is === "json" && !field.change) {
      for (const [name, one] of Object.entries(value as object)) {
        if (name !== PHYSICAL || side.physical) members[`${member}.${name}`] = one;
      }
      // Global tags are the same in all models.
    } else if (field.is === "tags")
      members[member] = (value as readonly string[]).map((ref) => side.refs.tag.get(ref) ?? ref).sort();
    else members[member] = replaceRefs(value, field, object, side.refs, side.identify);
  }
  return members;
}

const NAMED_RULES: Readonly<Record<RuleName, ChangeRule>> = { constraints: assessConstraints };

function createRuleLookup(objectType: ObjectType, fields: Fields): ComparedObject["getRule"] {
  return (member) => {
    if (member === "key") return objectType === "tag" ? COSMETIC_RULE : RENAME_RULE;
    const field = fields[member];
    if (field?.is === "json") return field.change ? NAMED_RULES[field.change] : COSMETIC_RULE;
    return (field?.is === "children" ? field.move : field?.change) ?? COSMETIC_RULE;
  };
}
