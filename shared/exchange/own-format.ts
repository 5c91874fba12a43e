import type { ImportNames } from "../actions/ports.ts";
import type { ModelDocument } from "../domain/document.ts";
import { exactTexts } from "./document-texts.ts";
import type { Findings } from "./findings.ts";
import type { JsonObject } from "./json-source.ts";
import { readModelJson } from "./model-json.ts";
import type { ModelJsonForm } from "./model-json-form.ts";

const members = (...read: readonly string[]) => ({ read: new Set(["id", "key", "name", ...read]) });

const FORM: ModelJsonForm = {
  texts: exactTexts,
  primaryKeyRef: (written) => written,
  definesTags: true,
  members: {
    model: members(
      "$schema",
      "description",
      "version",
      "authority",
      "documentationHome",
      "origin",
      "tags",
      "types",
      "entities",
      "relationships",
      "businessKeys",
      "localTags",
      "tagGroups",
    ),
    type: members("description"),
    entity: members("description", "documentationHome", "origin", "tags", "attributes", "primaryKey"),
    attribute: members("description", "type", "optional", "tags"),
    relationship: members("description", "tags", "roles", "attributes"),
    role: members("entity", "cardinality"),
    businessKey: members("description", "entity", "participants"),
    tag: members("description"),
    tagGroup: members("description", "tags"),
  },
};

/** A document that `model_export` answered: equal to it up to ids. */
export function readOwnFormat(source: JsonObject, names: ImportNames, findings: Findings): ModelDocument {
  return readModelJson(source, FORM, names, findings);
}
