import { FIRST_DOCUMENT_MEMBERS } from "../domain/document.ts";
import { fittingTexts } from "./document-texts.ts";
import type { JsonObject } from "./json-object.ts";
import { readModelJson } from "./model-json.ts";
import type { ModelJsonForm } from "./model-json-form.ts";
import type { ReadFormat } from "./reading.ts";

/** How `$schema` of an exported model of the ancestor ends; the group is the version of the format. */
export const ANCESTOR_SCHEMA = /\/medatarun-model-(\d+\.\d+)\.json$/;

/** The version of that format which is read. */
export const ANCESTOR_VERSION = "3.0";

/** Members of our first format that this one does not have. */
const NOT_THERE = new Set(["tags", "localTags", "tagGroups"]);

const FORM: ModelJsonForm = {
  texts: fittingTexts,
  // Primary keys hold bare ids, unlike every other ref of this format.
  attributeRef: (written) => (typeof written !== "string" || /^(key|id):/.test(written) ? written : `id:${written}`),
  reads: (member) => FIRST_DOCUMENT_MEMBERS.has(member) && !NOT_THERE.has(member),
  sentences: { tags: "tags are given by ids that the document does not explain, so they are not carried over" },
};

/** A model that Medatarun exported as JSON version 3; its tags become warnings. */
export const readAncestorJson: ReadFormat = (source, { names, findings }) =>
  // It was recognised by its $schema.
  readModelJson(source as JsonObject, FORM, names, findings);
