import type { ImportNames } from "../actions/ports.ts";
import { given } from "../domain/content.ts";
import { DOCUMENT_SCHEMA, type ModelDocument } from "../domain/document.ts";
import { FIRST_VERSION } from "../domain/versions.ts";
import { refuseTooMany } from "./document-check.ts";
import { exactText } from "./document-texts.ts";
import type { Findings } from "./findings.ts";
import { isAbsent, type JsonObject } from "./json-source.ts";
import { warnUnread } from "./members.ts";
import { NO_NAME } from "./model-header.ts";
import { entityOf } from "./model-json-entities.ts";
import { described, keyed, lengthOf, type ModelJsonForm } from "./model-json-form.ts";
import { referable } from "./model-json-refs.ts";
import { businessKeyOf, relationshipOf } from "./model-json-relations.ts";
import { readTags } from "./model-json-tags.ts";

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
  const relationships = keyed(source, "relationships", form, findings);
  const businessKeys = keyed(source, "businessKeys", form, findings);
  const tags = readTags(source, form, findings);
  const holders = [...entities, ...relationships].reduce((sum, o) => sum + 1 + lengthOf(o.source.attributes), 0);
  refuseTooMany(1 + types.length + holders + businessKeys.length + tags.localTags.length);
  const key = names.modelKey ?? ownKey(source, form, findings);
  const scope = { form, types: referable(types), entities: referable(entities), marks: tags.marks };
  const header = {
    $schema: DOCUMENT_SCHEMA,
    key,
    name: names.modelName ?? form.texts.name(source, "name", findings) ?? key,
    ...given("description", form.texts.description(source, "description", findings)),
    version: form.texts.version(source, "version", findings) ?? FIRST_VERSION,
    // Checked with the rest of the document.
    authority: (exactText(source, "authority", findings) ?? "system") as ModelDocument["authority"],
    ...given("documentationHome", form.texts.link(source, "documentationHome", findings)),
    ...given("origin", form.texts.origin(source, "origin", findings)),
    ...tags.marks(source, findings),
    types: types.map((type) => {
      warnUnread(type.source, form.members.type, type.findings);
      return described(type, form);
    }),
  } as const;
  const read = entities.map((e) => entityOf(e, scope));
  const attributes = new Map(read.map(({ entity, attributes: own }) => [`key:${entity.key}`, own]));
  return {
    ...header,
    entities: read.map(({ entity }) => entity),
    relationships: relationships.map((r) => relationshipOf(r, scope)),
    businessKeys: businessKeys.map((b) => businessKeyOf(b, attributes, scope)),
    localTags: tags.localTags,
    tagGroups: tags.tagGroups,
  };
}

function ownKey(source: JsonObject, form: ModelJsonForm, findings: Findings): string {
  const key = exactText(source, "key", findings);
  if (key !== undefined) return form.texts.keys([key], () => findings)[0] ?? key;
  if (isAbsent(source.key)) findings.fault("/key", "the model has no key; modelKey gives it one");
  return NO_NAME;
}
