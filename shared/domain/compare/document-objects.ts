import type { Consumers, ObjectType, Snapshot } from "../differences.ts";
import type { AttributeDocument, EntityDocument, ModelDocument, TypeDocument } from "../document/document.ts";
import type { Field, Fields } from "../fields/field.ts";
import { modelFields } from "../fields/model-fields.ts";
import { createStatedChecks } from "../normal-form/checks.ts";
import { PHYSICAL } from "../normal-form/dialect-rules.ts";
import { findAttributeType, isBuiltInType } from "../types/find-logical-type.ts";
import { type ChangeRule, type ComparedObject, PROPERTY, type SequenceItem } from "./compared-object.ts";
import {
  type DocumentObject,
  getList,
  getMember,
  indexRefs,
  listPartLists,
  type RefIndex,
  replaceRefs,
} from "./document-members.ts";
import { findPropertyRule } from "./property-rules.ts";
import { createRule, RULES } from "./rules.ts";

export const MODEL_IDENTITY = "model";

/** Property of a schema of an API: `requests` if clients only send it, `responses` if they only receive it. */
const USED_IN = "openapi:usedIn";

const CONSUMERS_BY_USE: ReadonlyMap<unknown, Consumers> = new Map([
  ["requests", "writers"],
  ["responses", "readers"],
]);

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
        ...describePart(part, terms.objectType, object, side.document),
      };
      yield* listParts(part, fields, { location, owner: identity, consumers }, side);
    }
  }
}

function describePart(
  part: DocumentObject,
  objectType: ObjectType,
  holder: DocumentObject,
  document: ModelDocument,
): Pick<ComparedObject, "getType" | "statesCheck" | "isBuiltIn" | "isJoined"> {
  // Each object type has documents of one kind.
  if (objectType === "type") return isBuiltInType(part as TypeDocument, document) ? { isBuiltIn: true } : {};
  if (objectType === "entity") return { statesCheck: createStatedChecks(part as EntityDocument, document) };
  if (objectType === "relationshipRole") return getList(holder, "keyPairs").length > 0 ? { isJoined: true } : {};
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

/** Rule of members that have an effect on people alone. */
export const DOCUMENTATION_RULE: ChangeRule = createRule("documentationChanged");

const RENAME_RULE = createRule("renamed");

function createRuleLookup(objectType: ObjectType, fields: Fields): ComparedObject["getRule"] {
  return (member) => {
    if (member === "key") return objectType === "tag" ? DOCUMENTATION_RULE : RENAME_RULE;
    if (member.startsWith(PROPERTY))
      return findPropertyRule(objectType, member.slice(PROPERTY.length)) ?? DOCUMENTATION_RULE;
    const field = fields[member];
    const name = field?.is === "children" ? field.move : field?.change;
    return name ? RULES[name] : DOCUMENTATION_RULE;
  };
}
