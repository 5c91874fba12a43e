import type { ImportNames } from "../actions/ports.ts";
import { given } from "../domain/content.ts";
import {
  type AttributeDocument,
  DOCUMENT_SCHEMA,
  type EntityDocument,
  type ModelDocument,
  type TypeDocument,
} from "../domain/document.ts";
import { jsonTypeOf } from "../domain/value-types.ts";
import { FIRST_VERSION } from "../domain/versions.ts";
import { refuseTooMany } from "./document-check.ts";
import { type DocumentTexts, exactText } from "./document-texts.ts";
import type { Findings } from "./findings.ts";
import { isAbsent, isObject, type JsonObject } from "./json-source.ts";
import { type MemberFates, warnUnread } from "./members.ts";
import { NO_NAME } from "./model-header.ts";
import { type Keyed, type Refs, referable } from "./model-json-refs.ts";

/** One way of writing a model as JSON: types, entities and attributes as objects with keys, refs between them. */
export interface ModelJsonForm {
  readonly texts: DocumentTexts;
  /** A member of `primaryKey` as a ref, `key:…` or `id:…`. */
  readonly primaryKeyRef: (written: string) => string;
  readonly members: { readonly [O in "model" | "type" | "entity" | "attribute"]: MemberFates };
}

/** Reads a model written in one of those forms; ids only serve refs inside the document. */
export function readModelJson(
  source: JsonObject,
  form: ModelJsonForm,
  names: ImportNames,
  findings: Findings,
): ModelDocument {
  warnUnread(source, form.members.model, findings);
  const types = keyed(source, "types", form, findings);
  const entities = keyed(source, "entities", form, findings);
  refuseTooMany(1 + types.length + entities.reduce((sum, e) => sum + 1 + lengthOf(e.source.attributes), 0));
  const key = names.modelKey ?? ownKey(source, form, findings);
  const typeRefs = referable(types);
  return {
    $schema: DOCUMENT_SCHEMA,
    key,
    name: names.modelName ?? form.texts.name(source, "name", findings) ?? key,
    ...given("description", form.texts.description(source, "description", findings)),
    version: form.texts.version(source, "version", findings) ?? FIRST_VERSION,
    // Checked with the rest of the document.
    authority: (exactText(source, "authority", findings) ?? "system") as ModelDocument["authority"],
    ...given("documentationHome", form.texts.link(source, "documentationHome", findings)),
    ...given("origin", form.texts.origin(source, "origin", findings)),
    types: types.map((t) => typeOf(t, form)),
    entities: entities.map((e) => entityOf(e, typeRefs, form)),
  };
}

function ownKey(source: JsonObject, form: ModelJsonForm, findings: Findings): string {
  const key = exactText(source, "key", findings);
  if (key !== undefined) return form.texts.keys([key], () => findings)[0] ?? key;
  if (isAbsent(source.key)) findings.fault("/key", "the model has no key; modelKey gives it one");
  return NO_NAME;
}

/** The objects of a list that have a key, keys made legal where the form asks for it; a fault for each of the others. */
function keyed(holder: JsonObject, member: string, form: ModelJsonForm, findings: Findings): readonly Keyed[] {
  const list = holder[member];
  if (isAbsent(list)) return [];
  if (!Array.isArray(list)) {
    findings.fault(`/${member}`, `expected a list, got ${jsonTypeOf(list)}`);
    return [];
  }
  const found = list.flatMap((source: unknown, i): readonly Keyed[] => {
    const here = findings.at(`/${member}/${i}`);
    if (isObject(source) && typeof source.key === "string") return [{ source, key: source.key, findings: here }];
    if (isObject(source)) here.fault("/key", "expected a text that is the key");
    else here.fault("", `expected an object, got ${jsonTypeOf(source)}`);
    return [];
  });
  const keys = form.texts.keys(
    found.map((f) => f.key),
    (i) => found[i]?.findings ?? findings,
  );
  return found.map((f, i) => ({ ...f, key: keys[i] ?? f.key }));
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

function described({ source, key, findings }: Keyed, { texts }: ModelJsonForm) {
  return {
    key,
    ...given("name", texts.name(source, "name", findings)),
    ...given("description", texts.description(source, "description", findings)),
  };
}

function typeOf(type: Keyed, form: ModelJsonForm): TypeDocument {
  warnUnread(type.source, form.members.type, type.findings);
  return described(type, form);
}

function entityOf(entity: Keyed, types: Refs, form: ModelJsonForm): EntityDocument {
  const { source, findings } = entity;
  warnUnread(source, form.members.entity, findings);
  const attributes = keyed(source, "attributes", form, findings);
  return {
    ...described(entity, form),
    ...given("documentationHome", form.texts.link(source, "documentationHome", findings)),
    ...given("origin", form.texts.origin(source, "origin", findings)),
    attributes: attributes.map((a) => attributeOf(a, types, form)),
    primaryKey: primaryKeyOf(source, referable(attributes), form, findings),
  };
}

function attributeOf(attribute: Keyed, types: Refs, form: ModelJsonForm): AttributeDocument {
  const { source, findings } = attribute;
  warnUnread(source, form.members.attribute, findings);
  const { optional } = source;
  if (!isAbsent(optional) && typeof optional !== "boolean") {
    findings.fault("/optional", `expected true or false, got ${jsonTypeOf(optional)}`);
  }
  return {
    ...described(attribute, form),
    type: types.resolve(source.type, "/type", "type of the model", findings),
    optional: optional === true,
  };
}

function primaryKeyOf(
  source: JsonObject,
  attributes: Refs,
  form: ModelJsonForm,
  findings: Findings,
): readonly string[] {
  const { primaryKey } = source;
  if (isAbsent(primaryKey)) return [];
  if (!Array.isArray(primaryKey)) {
    findings.fault("/primaryKey", `expected a list, got ${jsonTypeOf(primaryKey)}`);
    return [];
  }
  return primaryKey.map((written: unknown, i) => {
    const ref = typeof written === "string" ? form.primaryKeyRef(written) : written;
    return attributes.resolve(ref, `/primaryKey/${i}`, "attribute of the entity", findings);
  });
}
