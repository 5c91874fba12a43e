import type { EntityDocument, ModelDocument } from "../../domain/document.ts";
import { pointerToken } from "../../domain/well-formed.ts";
import type { Findings } from "../findings.ts";
import { isTableType } from "./table-types.ts";

/** Warns about properties that would take the place of what fixed fields are written as. */
export function warnClashes(clashes: readonly string[], findings: Findings): void {
  for (const name of clashes) {
    findings.warn(
      `/properties/${pointerToken(name)}`,
      "not_written",
      "a property has the name of a member that a field is written as",
    );
  }
}

/** Warns about the parts of a model that Frictionless descriptors have no place for. */
export function warnUnwritten(document: ModelDocument, findings: Findings): void {
  const { types, localTags, tagGroups, businessKeys } = document;
  for (const [i, { key, properties, ...others }] of types.entries()) {
    const says = Object.keys(others).some((member) => member !== "id") || properties !== undefined;
    if (says) findings.warn(`/types/${i}`, "not_written", "types have no name, texts, tags and properties");
    else if (!isTableType(key)) findings.warn(`/types/${i}`, "not_written", "types have names of the standard only");
  }
  for (const [i, tag] of localTags.entries()) {
    if (tag.description === undefined && tag.properties === undefined) continue;
    findings.warn(`/localTags/${i}`, "not_written", "keywords have no description and no properties");
  }
  for (const [i, { name, description, properties }] of businessKeys.entries()) {
    const isNamed = name !== undefined || description !== undefined || properties !== undefined;
    if (isNamed)
      findings.warn(`/businessKeys/${i}`, "not_written", "unique keys have no name, description and properties");
  }
  if (tagGroups.length > 0) findings.warn("/tagGroups", "not_written", "global tags are no keywords");
}

/** Warns about texts of a model that its only entity, which is written as a schema, has otherwise. */
export function warnOtherTexts(model: ModelDocument, entity: EntityDocument, findings: Findings): void {
  for (const member of ["key", "name", "description", "documentationHome"] as const) {
    if (model[member] === entity[member] || (member === "name" && model.name === entity.key)) continue;
    const detail = `a Table Schema has the ${member} of its entity, and that of the model is another one`;
    findings.warn(`/${member}`, "not_written", detail);
  }
}
