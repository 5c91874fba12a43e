import type { ImportNames } from "../actions/contract/ports.ts";
import type { ModelDocument } from "../domain/document.ts";
import { exactTexts } from "./document-texts.ts";
import type { Findings } from "./findings.ts";
import type { JsonObject } from "./json-source.ts";
import { readModelJson } from "./model-json.ts";
import { type ModelJsonForm, membersOf } from "./model-json-form.ts";

const FORM: ModelJsonForm = {
  texts: exactTexts,
  attributeRef: (written) => written,
  definesTags: true,
  reads: () => true,
  knownMembers: (fields) => ({ read: new Set(membersOf(fields)) }),
};

/** Reads the document of an answer of `model_export`; the result is equal to it up to ids. */
export function readOwnFormat(source: JsonObject, names: ImportNames, findings: Findings): ModelDocument {
  return readModelJson(source, FORM, names, findings);
}
