import type { ImportNames } from "../actions/ports.ts";
import type { ModelDocument } from "../domain/document.ts";
import { fittingTexts } from "./document-texts.ts";
import type { Findings } from "./findings.ts";
import type { JsonObject } from "./json-source.ts";
import { warnEntries } from "./members.ts";
import { type ModelJsonForm, readModelJson } from "./model-json.ts";

/** How `$schema` of an exported model of the ancestor ends; the group is the version of the format. */
export const ANCESTOR_SCHEMA = /\/medatarun-model-(\d+\.\d+)\.json$/;

/** The version of that format which is read. */
export const ANCESTOR_VERSION = "3.0";

const DESCRIBED = ["id", "key", "name", "description"];
const TAGS = { tags: "tags are not carried over yet" };

const FORM: ModelJsonForm = {
  texts: fittingTexts,
  // Primary keys hold bare ids, unlike every other ref of this format.
  primaryKeyRef: (written) => (/^(key|id):/.test(written) ? written : `id:${written}`),
  members: {
    model: {
      read: new Set([
        ...DESCRIBED,
        "$schema",
        "version",
        "authority",
        "documentationHome",
        "origin",
        "types",
        "entities",
        "relationships",
        "businessKeys",
      ]),
      sentences: TAGS,
    },
    type: { read: new Set(DESCRIBED) },
    entity: {
      read: new Set([...DESCRIBED, "documentationHome", "origin", "attributes", "primaryKey"]),
      sentences: TAGS,
    },
    attribute: { read: new Set([...DESCRIBED, "type", "optional"]), sentences: TAGS },
  },
};

/** A model that Medatarun exported as JSON version 3; relationships, business keys and tags become warnings. */
export function readAncestorJson(source: JsonObject, names: ImportNames, findings: Findings): ModelDocument {
  warnEntries(source, "relationships", "the relationship is not carried over yet", findings);
  warnEntries(source, "businessKeys", "the business key is not carried over yet", findings);
  return readModelJson(source, FORM, names, findings);
}
