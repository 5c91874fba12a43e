import type { ImportNames } from "../../actions/contract/ports.ts";
import { ifDefined } from "../../domain/content.ts";
import type { ModelDocument } from "../../domain/document.ts";
import type { Findings } from "../findings.ts";
import type { JsonObject } from "../json-object.ts";
import { originAt, type SourcePlace } from "../source-place.ts";
import { LAYOUT, ownProperties } from "./entity-properties.ts";
import { keptHeader, readHeader } from "./header.ts";
import { keptMembers } from "./kept-members.ts";
import { keptKeywords } from "./keyword-members.ts";
import { readKeywords } from "./keywords.ts";
import { languageOf } from "./language.ts";
import { modelOf } from "./model.ts";
import { PROFILE_MEMBERS, STAND_ALONE } from "./profile-members.ts";
import { isLaterVersion, readTable } from "./table.ts";
import { keptOfTable, TABLE_HOME } from "./table-members.ts";

/**
 * A stand-alone Table Schema as a model with one entity of the same key, name and texts. Members that tell how the table is read
 * become properties of the entity, all others of the model.
 */
export function readTableSchema(
  schema: JsonObject,
  names: ImportNames,
  place: SourcePlace,
  findings: Findings,
): ModelDocument {
  const language = languageOf(schema);
  const header = readHeader(schema, names, language, findings);
  const table = readTable(schema, findings, { laterVersion: isLaterVersion(schema), language, place });
  const [ofTable, ofModel] = parted(schema);
  const { name, description, documentationHome } = header.texts;
  const entity = {
    key: header.ownKey,
    ...ifDefined("name", name),
    ...ifDefined("description", description),
    ...ifDefined("documentationHome", documentationHome),
    ...originAt(place),
    attributes: table.attributes,
    primaryKey: table.primaryKey,
  };
  const keptOfEntity = [
    ...keptMembers(ofTable, PROFILE_MEMBERS.schema, findings),
    ...keptOfTable(schema, table, findings),
  ];
  const called = typeof schema.name === "string" ? [schema.name] : [];
  const only = {
    key: entity.key,
    names: called,
    place,
    table,
    schema: { source: schema, findings },
    entity,
    keywords: [],
    kept: keptOfEntity,
  };
  const kept = [
    { name: LAYOUT.descriptor, value: "table-schema", findings },
    ...keptMembers(ofModel, STAND_ALONE, findings),
    ...ownProperties(keptHeader(schema, header.ownKey, header.texts, language), findings),
    ...ownProperties(keptKeywords(schema), findings),
  ];
  return modelOf(header, readKeywords(schema, findings), [only], names, place, kept);
}

/** The members of a schema that tell how its table is read, and the others. */
function parted(schema: JsonObject): readonly [ofTable: JsonObject, ofModel: JsonObject] {
  const members = Object.entries(schema);
  const isOfTable = ([member]: readonly [string, unknown]): boolean => TABLE_HOME.has(member);
  return [Object.fromEntries(members.filter(isOfTable)), Object.fromEntries(members.filter((one) => !isOfTable(one)))];
}
