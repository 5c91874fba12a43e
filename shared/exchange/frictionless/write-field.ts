import type { AttributeDocument } from "../../domain/document.ts";
import type { Findings } from "../findings.ts";
import type { JsonObject } from "../json-object.ts";
import { fieldLens, flat, unflat } from "./field.ts";
import type { Language } from "./language.ts";
import { restored } from "./lens.ts";
import { PROFILE_MEMBERS, placeOf } from "./profile-members.ts";
import { isTableType } from "./table-types.ts";
import { warnClashes } from "./write-warnings.ts";
import { writtenProperties } from "./written-properties.ts";

/** An attribute as a field; a type that Table Schema does not know becomes `any`. */
export function writeField(attribute: AttributeDocument, language: Language, findings: Findings): JsonObject {
  const { key, tags = [], properties, ...fields } = attribute;
  const { members, kept, clashes } = writtenProperties(properties, PROFILE_MEMBERS.field);
  warnClashes(clashes, findings);
  if (tags.length > 0) findings.warn("/tags", "not_written", "fields of a Table Schema have no keywords");
  for (const keyword of Object.keys(fields.constraints ?? {})) {
    if (keyword === "format" || placeOf(PROFILE_MEMBERS.constraints, keyword) !== undefined) continue;
    const detail = `Table Schema has no constraint ${keyword}, so it is written as a member of its own`;
    findings.warn(`/constraints/${keyword}`, "written_otherwise", detail);
  }
  const type = writtenType(fields.type, findings);
  const lens = fieldLens(key, language);
  return { ...unflat(restored({ ...fields, type: `key:${type}` }, flat(kept), lens)), ...members };
}

function writtenType(ref: string, findings: Findings): string {
  const name = ref.replace(/^key:/, "");
  if (isTableType(name)) return name;
  findings.warn("/type", "written_otherwise", "a type that Table Schema does not know is written as any");
  return "any";
}
