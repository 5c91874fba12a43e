import type { ImportNames } from "../actions/ports.ts";
import type { ModelDocument } from "../domain/document.ts";
import { fittingTexts } from "./document-texts.ts";
import type { Findings } from "./findings.ts";
import type { JsonObject } from "./json-source.ts";
import { readModelJson } from "./model-json.ts";
import type { ModelJsonForm } from "./model-json-form.ts";

/** How `$schema` of an exported model of the ancestor ends; the group is the version of the format. */
export const ANCESTOR_SCHEMA = /\/medatarun-model-(\d+\.\d+)\.json$/;

/** The version of that format which is read. */
export const ANCESTOR_VERSION = "3.0";

const TAGS = { tags: "tags are given by ids that the document does not explain, so they are not carried over" };

const members = (...read: readonly string[]) => ({ read: new Set(["id", "key", "name", ...read]) });
const markable = (...read: readonly string[]) => ({ ...members(...read), sentences: TAGS });

const FORM: ModelJsonForm = {
  texts: fittingTexts,
  // Primary keys hold bare ids, unlike every other ref of this format.
  primaryKeyRef: (written) => (/^(key|id):/.test(written) ? written : `id:${written}`),
  definesTags: false,
  members: {
    model: markable(
      "$schema",
      "description",
      "version",
      "authority",
      "documentationHome",
      "origin",
      "types",
      "entities",
      "relationships",
      "businessKeys",
    ),
    type: members("description"),
    entity: markable("description", "documentationHome", "origin", "attributes", "primaryKey"),
    attribute: markable("description", "type", "optional"),
    relationship: markable("description", "roles", "attributes"),
    role: members("entity", "cardinality"),
    businessKey: members("description", "entity", "participants"),
    tag: members(),
    tagGroup: members(),
  },
};

/** A model that Medatarun exported as JSON version 3; its tags become warnings. */
export function readAncestorJson(source: JsonObject, names: ImportNames, findings: Findings): ModelDocument {
  return readModelJson(source, FORM, names, findings);
}
