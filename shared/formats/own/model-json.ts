import type { ImportNames } from "../../actions/contract/ports.ts";
import {
  DOCUMENT_SCHEMA,
  FIRST_DOCUMENT_MEMBERS,
  FIRST_DOCUMENT_SCHEMA,
  type ModelDocument,
} from "../../domain/document/document.ts";
import type { Field, Fields, ObjectIdentity, ReaderNotes } from "../../domain/fields/field.ts";
import {
  attributeFields,
  describedFields,
  entityFields,
  modelFields,
  sourcedFields,
  tagGroupFields,
} from "../../domain/fields/model-fields.ts";
import { includeMember } from "../../domain/model/content.ts";
import { escapePointerToken } from "../../domain/text/characters.ts";
import { findNearest } from "../../domain/text/suggestions.ts";
import { describeJsonType } from "../../domain/values/value-type.ts";
import { type Diagnostics, quote } from "../common/diagnostics.ts";
import { refuseTooMany } from "../common/document-size.ts";
import type { ReadFormat } from "../common/format.ts";
import { NO_NAME } from "../common/header.ts";
import { isAbsent, isObject, type JsonObject, readList, warnUnread } from "../common/json-object.ts";
import { FITTING_FORM, listKnownMembers, type ModelJsonForm, readExactText, readValue } from "./model-json-form.ts";
import {
  countParts,
  createDocumentRefs,
  type DocumentRefs,
  type ExpectObject,
  readKeyPairs,
  readParts,
  type SourceObject,
} from "./model-json-parts.ts";

/** Reads a model document in one of the variants. Ids are used for refs only. */
export function readModelJson(
  source: JsonObject,
  form: ModelJsonForm,
  names: ImportNames,
  diagnostics: Diagnostics,
): ModelDocument {
  refuseTooMany(1 + countParts(source, modelFields));
  const parts = readParts(source, modelFields, form, diagnostics);
  const key = names.modelKey ?? readModelKey(source, form, diagnostics);
  const model: SourceObject = { source, key, diagnostics, parts };
  const notes = names.notes === true;
  const unknowns = new Map<string, UnknownMember>();
  const expected: ExpectedObject[] = [];
  const expect: ExpectObject = (to, ref, pointer, entity) => void expected.push({ to, ref, pointer, entity });
  const refs = createDocumentRefs(model, names.refsToModel ? expect : undefined);
  const document = toDocument(model, modelFields, {
    form,
    refs,
    notes,
    refsToModel: names.refsToModel === true,
    unknowns,
  });
  rejectUnknown(unknowns);
  const { leftOut } = document as ReaderNotes;
  const own = notes && document.name === undefined ? { leftOut: [...(leftOut ?? []), "name"] } : {};
  const name = names.modelName ?? document.name ?? key;
  // The loop over the fields determines the type. Everything else is checked later.
  const whole = { $schema: DOCUMENT_SCHEMA, ...document, ...own, name } as unknown as ModelDocument;
  return expected.length === 0 ? whole : addExpectedObjects(whole, expected);
}

/** Object that the source refers to and does not contain. */
interface ExpectedObject {
  readonly to: Parameters<ExpectObject>[0];
  readonly ref: string;
  readonly pointer: string;
  /** Ref of the entity of an attribute. */
  readonly entity: string | undefined;
}

/** Adds each expected object once, without members, so that the model keeps all of its members. */
function addExpectedObjects(document: ModelDocument, expected: readonly ExpectedObject[]): ModelDocument {
  const createNamed = (key: string, pointer: string, fields: Fields) => {
    const leftOut = Object.keys(fields).filter((member) => fields[member]?.is !== "internal");
    return { key, leftOut, expectedBy: pointer };
  };
  const create = ({ ref, pointer }: ExpectedObject, fields: Fields) =>
    createNamed(ref.slice("key:".length), pointer, fields);
  const listNew = (to: ExpectedObject["to"], entity?: string) => {
    const objects = expected.filter((one) => one.to === to && one.entity === entity);
    return [...new Map(objects.toReversed().map((one) => [one.ref, one])).values()].toReversed();
  };
  const addAttributes = (entity: ModelDocument["entities"][number]) => {
    const attributes = listNew("attribute", `key:${entity.key}`).map((one) => create(one, attributeFields));
    return attributes.length === 0 ? entity : { ...entity, attributes: [...entity.attributes, ...attributes] };
  };
  const types = listNew("type").map((one) => create(one, sourcedFields));
  const entities = listNew("entity").map((one) => ({ ...create(one, entityFields), attributes: [], primaryKey: [] }));
  const tags = listNew("tag");
  const localTags = tags.filter(({ ref }) => !ref.includes("/")).map((one) => create(one, sourcedFields));
  const globalTags = tags.filter(({ ref }) => ref.includes("/"));
  const tagGroups = new Map<string, object & { readonly tags: readonly object[] }>();
  for (const group of document.tagGroups) tagGroups.set(group.key, group);
  for (const { ref, pointer } of globalTags) {
    const [key = "", tag = ""] = ref.slice("key:".length).split("/");
    const group = tagGroups.get(key) ?? { ...createNamed(key, pointer, tagGroupFields), tags: [] };
    tagGroups.set(key, { ...group, tags: [...group.tags, createNamed(tag, pointer, describedFields)] });
  }
  const all = {
    ...document,
    localTags: [...document.localTags, ...localTags],
    tagGroups: [...tagGroups.values()],
    types: [...document.types, ...types],
    entities: [...document.entities, ...entities].map((one) => addAttributes(one as ModelDocument["entities"][number])),
  };
  // The added objects lack the members that the model keeps.
  return all as unknown as ModelDocument;
}

function readModelKey(source: JsonObject, form: ModelJsonForm, diagnostics: Diagnostics) {
  const key = readExactText(source, "key", diagnostics);
  if (key !== undefined) return form.toKeys([key], () => diagnostics)[0] ?? key;
  if (isAbsent(source.key)) diagnostics.reject("/key", "the model has no key; set modelKey");
  return NO_NAME;
}

interface ReadScope {
  readonly form: ModelJsonForm;
  readonly refs: DocumentRefs;
  readonly notes: boolean;
  readonly refsToModel: boolean;
  /** Unknown members of a strict document, by name. */
  readonly unknowns: Map<string, UnknownMember>;
}

/** The first object with an unknown member, and the number of such objects. */
interface UnknownMember {
  readonly diagnostics: Diagnostics;
  readonly names: ReadonlySet<string>;
  readonly count: number;
}

/** Collects the unknown members of an object in a strict document, or warns about them as the form says. */
function checkMembers({ source, diagnostics }: SourceObject, fields: Fields, { form, unknowns }: ReadScope) {
  const spec = listKnownMembers(fields, form);
  if (form.policy === undefined) {
    warnUnread(source, spec, diagnostics);
    return;
  }
  // A member of the current version in a document of the first one is known, but not read.
  const current = listKnownMembers(fields, CURRENT_FORM).names;
  const laterMembers = Object.entries(source).filter(([member]) => current.has(member));
  warnUnread(Object.fromEntries(laterMembers), spec, diagnostics);
  for (const member of Object.keys(source)) {
    if (current.has(member)) continue;
    const first = unknowns.get(member) ?? { diagnostics, names: spec.names, count: 0 };
    if (form.policy === "reject") unknowns.set(member, { ...first, count: first.count + 1 });
    else diagnostics.warn(toPath(member), "not_carried_over", describeUnknown(member, spec.names));
  }
}

/** Rejects each different unknown member once, at its first place, so that all of them fit into the answer. */
function rejectUnknown(unknownMembers: ReadonlyMap<string, UnknownMember>) {
  for (const [member, { diagnostics, names, count }] of unknownMembers) {
    const times = count > 1 ? ` (${count} times)` : "";
    diagnostics.reject(toPath(member), `${describeUnknown(member, names)}${times}; allowUnknown ignores it`);
  }
}

function describeUnknown(member: string, names: ReadonlySet<string>) {
  const suggestion = findNearest(member, names);
  return `unknown member ${quote(member)}${suggestion === undefined ? "" : `, did you mean ${quote(suggestion)}?`}`;
}

function toPath(member: string) {
  return `/${escapePointerToken(member)}`;
}

function toDocument(object: SourceObject, fields: Fields, scope: ReadScope): Record<string, unknown> {
  checkMembers(object, fields, scope);
  const members = Object.entries(object.source).filter(([member]) => scope.form.reads(member));
  const filteredObject = { ...object, source: Object.fromEntries(members) };
  const document: Record<string, unknown> = { ...readIdentity(object, scope.form), key: object.key };
  for (const [member, field] of Object.entries(fields)) {
    Object.assign(document, includeMember(member, readMember(filteredObject, member, field, scope, document)));
  }
  if (scope.notes) Object.assign(document, findOmissions(filteredObject.source, document, fields));
  return document;
}

/** Returns the members that a source omits or clears. Only properties can be cleared one by one. */
function findOmissions(source: JsonObject, document: Readonly<Record<string, unknown>>, fields: Fields): ReaderNotes {
  const members = Object.keys(fields).filter((member) => fields[member]?.is !== "internal");
  const leftOut = members.filter((member) => {
    const mayBeNull = source[member] === null && fields[member]?.is === "refs";
    const isKept = document[member] !== undefined || fields[member]?.is === "ref";
    return isKept && isAbsent(source[member]) && !mayBeNull;
  });
  const cleared = members.filter((member) => {
    const value = source[member];
    // Empty properties do not clear existing ones.
    return document[member] === undefined && value !== undefined && (member !== "properties" || value === null);
  });
  return { ...(leftOut.length > 0 && { leftOut }), ...(cleared.length > 0 && { cleared }) };
}

function readIdentity(
  { source: { id, renamedFrom }, diagnostics }: SourceObject,
  { reads }: ModelJsonForm,
): ObjectIdentity {
  const isText = typeof renamedFrom === "string";
  if (reads("renamedFrom") && !isAbsent(renamedFrom) && !isText) {
    diagnostics.reject("/renamedFrom", `expected the former key, got ${describeJsonType(renamedFrom)}`);
  }
  return {
    ...(typeof id === "string" && { id: id.toLowerCase() }),
    ...(isText && reads("renamedFrom") && { renamedFrom }),
  };
}

function readMember(
  object: SourceObject,
  member: string,
  field: Field,
  scope: ReadScope,
  document: Readonly<Record<string, unknown>>,
): unknown {
  const { source, diagnostics, parts } = object;
  const { form, refs } = scope;
  switch (field.is) {
    case "value":
      return readValue(source, member, field, form, diagnostics) ?? field.missing;
    case "json": {
      const value = source[member];
      const isEmpty = isAbsent(value) || (isObject(value) && Object.keys(value).length === 0);
      return isEmpty ? undefined : value;
    }
    case "ref":
      // The model keeps its value.
      if (scope.refsToModel && isAbsent(source[member])) return undefined;
      return refs.resolve(field.to, source[member], `/${member}`, diagnostics);
    case "refs": {
      const entity = field.of === "itself" ? object : String(document[field.of]);
      const values = readList(source, member, diagnostics);
      return refs.resolveAttributes(entity, values.map(form.attributeRef), `/${member}`, diagnostics);
    }
    case "pairs":
      return readKeyPairs(readList(source, member, diagnostics), field, document, `/${member}`, refs, diagnostics);
    case "tags": {
      const tags = readList(source, member, diagnostics).map((ref, i) =>
        refs.resolve("tag", ref, `/${member}/${i}`, diagnostics),
      );
      return tags.length > 0 ? tags : undefined;
    }
    case "nested":
    case "children":
      return (parts.get(member) ?? []).map((part) => toDocument(part, field.fields, scope));
    case "internal":
      return undefined;
  }
}

const ABSENT_MEMBERS = new Set(["tags", "localTags", "tagGroups"]);

const ANCESTOR_FORM: ModelJsonForm = {
  ...FITTING_FORM,
  // Primary keys contain ids without prefix, unlike all other refs of this format.
  attributeRef: (ref) => (typeof ref !== "string" || /^(key|id):/.test(ref) ? ref : `id:${ref}`),
  reads: (member) => FIRST_DOCUMENT_MEMBERS.has(member) && !ABSENT_MEMBERS.has(member),
  sentences: { tags: "tags are ids that the document does not define, so they are not imported" },
};

/** Reads a model that Medatarun exported as JSON version 3. Warns about its tags. */
export const readAncestorJson: ReadFormat = (source, { names, diagnostics }) =>
  readModelJson(source as JsonObject, ANCESTOR_FORM, names, diagnostics);

const CURRENT_FORM: ModelJsonForm = {
  texts: {},
  toKeys: (keys) => keys,
  attributeRef: (ref) => ref,
  reads: () => true,
};

const FIRST_FORM: ModelJsonForm = { ...CURRENT_FORM, reads: (member) => FIRST_DOCUMENT_MEMBERS.has(member) };

/** Reads a document of `model_export`, of the current or the first version. */
export const readOwnFormat: ReadFormat = (source, { names, diagnostics }) => {
  const document = source as JsonObject;
  const form = document.$schema === FIRST_DOCUMENT_SCHEMA ? FIRST_FORM : CURRENT_FORM;
  return readModelJson(document, { ...form, policy: names.allowUnknown ? "warn" : "reject" }, names, diagnostics);
};
