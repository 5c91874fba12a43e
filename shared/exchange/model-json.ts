import type { ImportNames } from "../actions/contract/ports.ts";
import { ifDefined } from "../domain/content.ts";
import { DOCUMENT_SCHEMA, type ModelDocument } from "../domain/document.ts";
import type { Field, Fields, Identifying, ReaderNotes } from "../domain/fields/field.ts";
import { modelFields } from "../domain/fields/model.ts";
import { jsonTypeOf } from "../domain/value-type.ts";
import { refuseTooMany } from "./document-size.ts";
import { exactText } from "./document-texts.ts";
import type { Findings } from "./findings.ts";
import { NO_NAME } from "./frictionless/header.ts";
import { isAbsent, isObject, type JsonObject } from "./json-object.ts";
import { warnUnread } from "./members.ts";
import { knownMembers, listOf, type ModelJsonForm, readMembers, readValue } from "./model-json-form.ts";
import { readPairs } from "./model-json-pairs.ts";
import { partsOf, readPartsOf, type SourceObject } from "./model-json-parts.ts";
import { type Refs, refsOf } from "./model-json-refs.ts";

/** Reads a model written as JSON in one of the forms; ids only serve refs inside the document. */
export function readModelJson(
  source: JsonObject,
  form: ModelJsonForm,
  names: ImportNames,
  findings: Findings,
): ModelDocument {
  refuseTooMany(1 + partsOf(source, modelFields));
  const parts = readPartsOf(source, modelFields, form, findings);
  const key = names.modelKey ?? ownKey(source, form, findings);
  const model: SourceObject = { source, key, findings, parts };
  const notes = names.notes === true;
  const document = documentFrom(model, modelFields, { form, refs: refsOf(model), notes });
  const { leftOut } = document as ReaderNotes;
  const own = notes && document.name === undefined ? { leftOut: [...(leftOut ?? []), "name"] } : {};
  const name = names.modelName ?? document.name ?? key;
  // The type of a document follows from the fields that the loop goes through; the rest of it is checked later.
  return { $schema: DOCUMENT_SCHEMA, ...document, ...own, name } as unknown as ModelDocument;
}

function ownKey(source: JsonObject, form: ModelJsonForm, findings: Findings): string {
  const key = exactText(source, "key", findings);
  if (key !== undefined) return form.texts.keys([key], () => findings)[0] ?? key;
  if (isAbsent(source.key)) findings.fault("/key", "the model has no key; modelKey gives it one");
  return NO_NAME;
}

/** The form of a source and the refs inside it. */
interface Scope {
  readonly form: ModelJsonForm;
  readonly refs: Refs;
  /** True where the document tells what the source leaves out and clears. */
  readonly notes: boolean;
}

function documentFrom(object: SourceObject, fields: Fields, scope: Scope): Record<string, unknown> {
  warnUnread(object.source, knownMembers(fields, scope.form), object.findings);
  const read = { ...object, source: readMembers(object.source, scope.form) };
  const document: Record<string, unknown> = { ...identifying(object, scope.form), key: object.key };
  for (const [member, field] of Object.entries(fields)) {
    Object.assign(document, ifDefined(member, memberOf(read, member, field, scope, document)));
  }
  if (scope.notes) Object.assign(document, notesOf(read.source, document, fields));
  return document;
}

/** What a source leaves out of an object, and what it clears; only the named values in an object are cleared one by one. */
function notesOf(source: JsonObject, document: Readonly<Record<string, unknown>>, fields: Fields): ReaderNotes {
  const members = Object.keys(fields).filter((member) => fields[member]?.is !== "internal");
  const leftOut = members.filter((member) => {
    const mayBeNull = source[member] === null && fields[member]?.is === "refs";
    return document[member] !== undefined && isAbsent(source[member]) && !mayBeNull;
  });
  const cleared = members.filter(
    (member) => document[member] === undefined && Object.hasOwn(source, member) && !isNothing(source[member], member),
  );
  return { ...(leftOut.length > 0 && { leftOut }), ...(cleared.length > 0 && { cleared }) };
}

/** True for an object of properties without any, which says nothing of those that there are. */
function isNothing(value: unknown, member: string): boolean {
  return value === undefined || (member === "properties" && value !== null);
}

/** The members that say which object of a model is meant. */
function identifying({ source: { id, renamedFrom }, findings }: SourceObject, { reads }: ModelJsonForm): Identifying {
  const isText = typeof renamedFrom === "string";
  if (reads("renamedFrom") && !isAbsent(renamedFrom) && !isText) {
    findings.fault("/renamedFrom", `expected the key that it had before, got ${jsonTypeOf(renamedFrom)}`);
  }
  return {
    ...(typeof id === "string" && { id: id.toLowerCase() }),
    ...(isText && reads("renamedFrom") && { renamedFrom }),
  };
}

/** True for JSON that no object keeps: absent, or an object without members. */
function isEmpty(value: unknown): boolean {
  return isAbsent(value) || (isObject(value) && Object.keys(value).length === 0);
}

function memberOf(
  object: SourceObject,
  member: string,
  field: Field,
  scope: Scope,
  document: Readonly<Record<string, unknown>>,
): unknown {
  const { source, findings, parts } = object;
  const { form, refs } = scope;
  switch (field.is) {
    case "value":
      return readValue(source, member, field, form, findings) ?? field.missing;
    case "json":
      return isEmpty(source[member]) ? undefined : source[member];
    case "ref":
      return refs.resolve(field.to, source[member], `/${member}`, findings);
    case "refs": {
      const entity = field.of === "itself" ? object : String(document[field.of]);
      const written = listOf(source, member, findings);
      return refs.resolveAttributes(entity, written.map(form.attributeRef), `/${member}`, findings);
    }
    case "pairs":
      return readPairs(listOf(source, member, findings), field, document, `/${member}`, refs, findings);
    case "tags": {
      const tags = listOf(source, member, findings).map((ref, i) =>
        refs.resolve("tag", ref, `/${member}/${i}`, findings),
      );
      return tags.length > 0 ? tags : undefined;
    }
    case "nested":
    case "children":
      return (parts.get(member) ?? []).map((part) => documentFrom(part, field.fields, scope));
    case "internal":
      return undefined;
  }
}
