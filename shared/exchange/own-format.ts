import { FIRST_DOCUMENT_MEMBERS, FIRST_DOCUMENT_SCHEMA } from "../domain/document.ts";
import { exactTexts } from "./document-texts.ts";
import type { JsonObject } from "./json-object.ts";
import { readModelJson } from "./model-json.ts";
import type { ModelJsonForm } from "./model-json-form.ts";
import type { ReadFormat } from "./reading.ts";

const FORM: ModelJsonForm = {
  texts: exactTexts,
  attributeRef: (written) => written,
  reads: () => true,
};

const FIRST_FORM: ModelJsonForm = { ...FORM, reads: (member) => FIRST_DOCUMENT_MEMBERS.has(member) };

/** Reads the document of an answer of `model_export`, of this version or the first; the result is equal to it up to ids. */
export const readOwnFormat: ReadFormat = (source, { names, findings }) => {
  // It was recognised by its $schema.
  const document = source as JsonObject;
  const form = document.$schema === FIRST_DOCUMENT_SCHEMA ? FIRST_FORM : FORM;
  return readModelJson(document, form, names, findings);
};
