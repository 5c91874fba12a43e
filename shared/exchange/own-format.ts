import type { ImportNames } from "../actions/ports.ts";
import type { ModelDocument } from "../domain/document.ts";
import { exactTexts } from "./document-texts.ts";
import type { Findings } from "./findings.ts";
import type { JsonObject } from "./json-source.ts";
import { type ModelJsonForm, readModelJson } from "./model-json.ts";

const DESCRIBED = ["id", "key", "name", "description"];

const FORM: ModelJsonForm = {
  texts: exactTexts,
  primaryKeyRef: (written) => written,
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
      ]),
    },
    type: { read: new Set(DESCRIBED) },
    entity: { read: new Set([...DESCRIBED, "documentationHome", "origin", "attributes", "primaryKey"]) },
    attribute: { read: new Set([...DESCRIBED, "type", "optional"]) },
  },
};

/** A document that `model_export` answered: equal to it up to ids. */
export function readOwnFormat(source: JsonObject, names: ImportNames, findings: Findings): ModelDocument {
  return readModelJson(source, FORM, names, findings);
}
