import { ifDefined } from "../../domain/content.ts";
import type { BusinessKeyDocument, EntityDocument, ModelDocument } from "../../domain/document.ts";
import type { Properties } from "../../domain/properties.ts";
import type { Findings } from "../findings.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import { areAmong } from "./different-sets.ts";
import { LAYOUT } from "./entity-properties.ts";
import { keywordTexts } from "./keyword-members.ts";
import type { Language } from "./language.ts";
import { restored, SILENT } from "./lens.ts";
import { oneOrMore } from "./one-or-more.ts";
import { NAMESPACE, PROFILE_MEMBERS } from "./profile-members.ts";
import { keyMember, TABLE_HOME } from "./table-members.ts";
import { TEXT_MEMBERS, textLens } from "./texts.ts";
import { writeField } from "./write-field.ts";
import { type WrittenNames, writeForeignKeys } from "./write-foreign-key.ts";
import { warnClashes } from "./write-warnings.ts";
import { areKeywords, tagTexts } from "./written-keywords.ts";
import { writtenProperties } from "./written-properties.ts";

/** An entity as a resource and its schema, each without the other. */
export interface WrittenTable {
  readonly entity: EntityDocument;
  readonly resource: JsonObject;
  readonly schema: JsonObject;
}

/** The entities of a model as tables, with foreign keys between them. */
export function writeTables(document: ModelDocument, language: Language, findings: Findings): readonly WrittenTable[] {
  const levels = document.entities.map((entity, i) => {
    const here = findings.at(`/entities/${i}`);
    const fields = entity.attributes.map((one, j) => writeField(one, language, here.at(`/attributes/${j}`)));
    return { entity, fields, findings: here, ...levelsOf(document, entity, language, here) };
  });
  const names = new Map(
    levels.map(({ entity, resource, schema, fields }): [string, WrittenNames] => [
      `key:${entity.key}`,
      {
        names: [resource.name, schema.name].filter((name) => typeof name === "string"),
        fields: new Map(entity.attributes.map(({ key }, i) => [`key:${key}`, String(fields[i]?.name)])),
      },
    ]),
  );
  const foreignKeys = writeForeignKeys(document, names, findings);
  return levels.map(({ entity, resource, schema, fields, kept }) => {
    const nameOf = (ref: string): string => names.get(`key:${entity.key}`)?.fields.get(ref) ?? ref;
    const keys = document.businessKeys.filter((one) => one.entity === `key:${entity.key}`);
    const others: readonly unknown[] = Array.isArray(kept.foreignKeys) ? kept.foreignKeys : [];
    const all = [...(foreignKeys.get(`key:${entity.key}`) ?? []), ...others];
    const primaryKey = entity.primaryKey.map(nameOf);
    return {
      entity,
      resource,
      schema: {
        ...schema,
        fields,
        ...ifDefined("primaryKey", sameNames(kept.primaryKey, primaryKey) ? kept.primaryKey : keyMember(primaryKey)),
        ...ifDefined("uniqueKeys", uniqueKeysOf(entity, keys, kept.uniqueKeys, nameOf)),
        ...ifDefined("foreignKeys", all.length > 0 ? all : undefined),
      },
    };
  });
}

/** True where a key of a source names just these fields, in their order, however it is written. */
function sameNames(kept: unknown, names: readonly string[]): boolean {
  return kept !== undefined && String([...new Set(oneOrMore(kept))]) === String(names);
}

/** Unique keys of the business keys of an entity; those of one attribute whose constraint says the same are not repeated. */
function uniqueKeysOf(
  { attributes }: EntityDocument,
  keys: readonly BusinessKeyDocument[],
  kept: unknown,
  nameOf: (ref: string) => string,
): unknown {
  const single = new Set(attributes.filter((a) => a.constraints?.unique === true).map((a) => `key:${a.key}`));
  const isSaid = ([ref = "", ...more]: readonly string[]): boolean => more.length === 0 && single.has(ref);
  const sets = keys.filter((one) => !isSaid(one.participants)).map((one) => one.participants.map(nameOf));
  const given = oneOrMore(kept).map((names) => oneOrMore(names).map(String));
  const all = keys.map((one) => one.participants.map(nameOf));
  const isKept = given.length > 0 && areAmong(sets, given) && areAmong(given, all);
  if (isKept) return kept;
  return sets.length > 0 ? sets : undefined;
}

/** The properties with keys of a schema as its source wrote them. */
const KEPT_KEYS: ReadonlySet<string> = new Set(
  ["foreignKeys", "primaryKey", "uniqueKeys"].map((member) => NAMESPACE + member),
);

/** The members of an entity's resource and of its schema, and what the source wrote for the keys of the schema. */
function levelsOf(document: ModelDocument, entity: EntityDocument, language: Language, findings: Findings) {
  const { properties = {} } = entity;
  const inSchema = new Set(oneOrMore(properties[LAYOUT.inSchema]).map(String));
  const ofSchema = (name: string): boolean => inSchema.has(name) || TABLE_HOME.has(name.replace(NAMESPACE, ""));
  const isBeside = (name: string): boolean => !ofSchema(name) && !KEPT_KEYS.has(name);
  const beside = writtenProperties(filtered(properties, isBeside), PROFILE_MEMBERS.resource);
  const inside = writtenProperties(filtered(properties, ofSchema), PROFILE_MEMBERS.schema);
  warnClashes([...beside.clashes, ...inside.clashes], findings);
  const texts = textsOf(entity, beside.kept, language);
  const resourceOnly = objectAt(properties, LAYOUT.resourceMembers);
  const { keywords: schemaKeywords, ...schemaOnly } = writtenProperties(
    objectAt(properties, LAYOUT.schemaMembers),
    {},
  ).members;
  const said = tagTexts(document, entity.tags);
  const given = [beside.kept.keywords, schemaKeywords].flatMap(keywordTexts);
  // A table without keywords has those of its package.
  const isKept = areKeywords(said, given.length > 0 ? given : tagTexts(document, document.tags));
  const isModels = String(entity.tags ?? []) === String(document.tags ?? []);
  const keywords = isKept ? beside.kept.keywords : isModels || said.length === 0 ? undefined : said;
  const isHere = (member: string): boolean => !inSchema.has(member);
  if (typeof beside.kept.schema === "string") {
    findings.warn("", "written_otherwise", "the schema stood in a file of its own and is written into the package");
  }
  return {
    resource: {
      name: entity.key,
      ...filtered(texts, isHere),
      ...resourceOnly,
      ...beside.members,
      ...ifDefined("keywords", keywords),
      ...(beside.members.path === undefined && { data: [] }),
    } as JsonObject,
    schema: {
      ...filtered(texts, (member) => !isHere(member)),
      ...schemaOnly,
      ...inside.members,
      ...ifDefined("keywords", isKept ? schemaKeywords : undefined),
    } as JsonObject,
    kept: Object.fromEntries(
      [...KEPT_KEYS].map((name) => [name.slice(NAMESPACE.length), properties[name]]),
    ) as JsonObject,
  };
}

function textsOf(entity: EntityDocument, kept: JsonObject, language: Language): JsonObject {
  const { key, name, description, documentationHome } = entity;
  const texts = {
    ...ifDefined("name", name),
    ...ifDefined("description", description),
    ...ifDefined("documentationHome", documentationHome),
  };
  const ofTexts = Object.fromEntries(
    TEXT_MEMBERS.map((member) => [member, kept[member]]).filter(([, v]) => v !== undefined),
  );
  return restored(texts, ofTexts, textLens(key, language, SILENT));
}

function filtered<V>(
  members: Readonly<Record<string, V>>,
  isKept: (name: string) => boolean,
): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => isKept(name)));
}

function objectAt(properties: Properties, name: string): JsonObject {
  const value = properties[name];
  return isObject(value) ? value : {};
}
