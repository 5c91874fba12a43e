import type { ModelDocument } from "../../domain/document/document.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { isObject } from "../common/json-object.ts";
import { toLegalKey } from "../common/legal-key.ts";
import { findEnumTypes, warnUnusedTypes } from "../common/writing/column-types.ts";
import type { Coverage } from "../common/writing/coverage.ts";
import { createModelTables, type ModelReference, type ModelTable, toKey } from "../common/writing/model-tables.ts";
import { isListOf, isText, isTrue, readKeptValue } from "../common/writing/own-members.ts";
import { deriveReadCardinalities, toDerivedKey, warnReadBack } from "../common/writing/read-back.ts";
import { findSchemas, toColumnName, toWrittenName } from "../common/writing/written-names.ts";
import {
  type DbmlNames,
  formatSettings,
  formatTable,
  isColour,
  quoteAlways,
  quoteName,
  quoteString,
} from "./write-table.ts";

const DBML_FORMAT = "DBML";
const matchProperty = (...names: readonly string[]) => {
  const properties = new Set(names.map((name) => `dbml:${name}`));
  return (name: string) => properties.has(name);
};

export const DBML_COVERAGE: Coverage = {
  format: DBML_FORMAT,
  model: {
    members: ["name", "description", "entities", "tags"],
    property: matchProperty("database_type", "notes", "tableGroups"),
  },
  types: { members: ["name"], hasOneName: true, property: matchProperty("values") },
  entities: {
    members: ["name", "description", "attributes", "primaryKey", "tags"],
    hasOneName: true,
    property: matchProperty("alias", "headerColor", "checks", "indexes"),
  },
  attributes: {
    members: ["name", "description", "type", "optional"],
    hasOneName: true,
    constraints: ["enum", "default", "unique", "maxLength"],
    property: matchProperty("increment", "default", "checks", "precision", "scale", "arguments"),
  },
  relationships: {
    members: ["name", "roles", "keyPairs"],
    hasOneName: true,
    property: matchProperty("onDelete", "onUpdate", "color", "inactive"),
  },
  roles: { members: ["entity", "cardinality"] },
  businessKeys: { members: ["entity", "participants"] },
  localTags: { members: ["name"], hasOneName: true, property: () => false },
};

/** Writes a model as a DBML text. Local tags of entities become groups of tables. */
export function writeDbml(document: ModelDocument, diagnostics: Diagnostics): string {
  const { tables, ...relationships } = createModelTables(document, diagnostics);
  const model = { ...relationships, tables: tables.filter(({ columns }) => columns.length > 0) };
  for (const { at, columns } of tables) {
    if (columns.length === 0) at.warn("", "not_written", "DBML does not allow tables without columns");
  }
  const enums = new Map([...findEnumTypes(model.tables), ...findUnusedEnums(document)]);
  warnReadBack(model, {
    format: DBML_FORMAT,
    namesReferences: true,
    uniqueSets: true,
    cardinalities: readBackCardinalities,
  });
  warnUnusedTypes(document, DBML_FORMAT, (key) => enums.has(key), diagnostics);
  const names = createDbmlNames(document, model.tables, [...enums.keys()]);
  const sections = [
    formatProject(document, diagnostics),
    ...[...enums].map(([key, values]) => formatEnum(document, key, values, names, diagnostics)),
    ...model.tables.map((table) => formatTable(table, names, enums)),
    removeDuplicates(model.references).map((reference) => formatReference(reference, names)),
    ...formatGroups(document, model.tables, names, diagnostics),
    ...formatNotes(document, diagnostics),
  ];
  const texts = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  const content = `${texts.join("\n\n")}\n`;
  if (Buffer.byteLength(content) > LIMITS.dbmlBytes) {
    const detail = `the text has more than ${LIMITS.dbmlBytes} bytes, the maximum of an import`;
    diagnostics.warn("", "written_otherwise", detail);
  }
  return content;
}

function createDbmlNames(document: ModelDocument, tables: readonly ModelTable[], enums: readonly string[]): DbmlNames {
  const types = new Map(document.types.map((type) => [type.key, toWrittenName(type)]));
  const tableNames = new Map(tables.map(({ key, entity }) => [key, toWrittenName(entity)]));
  const enumNames = enums.map((key) => types.get(key) ?? key);
  const isSplit = findSchemas([...tableNames.values(), ...enumNames]) !== undefined;
  const formatQualifiedName = (name: string) => {
    const dot = isSplit ? name.indexOf(".") : -1;
    return dot < 0 ? quoteName(name) : `${quoteName(name.slice(0, dot))}.${quoteName(name.slice(dot + 1))}`;
  };
  return {
    table: (key) => formatQualifiedName(tableNames.get(key) ?? key),
    enumeration: (key) => formatQualifiedName(types.get(key) ?? key),
    type: (key) => types.get(key) ?? key,
  };
}

function findUnusedEnums({ types, entities }: ModelDocument): readonly (readonly [string, readonly string[]])[] {
  const usedTypes = new Set(entities.flatMap(({ attributes }) => attributes.map(({ type }) => toKey(type))));
  return types.flatMap(({ key, properties }) => {
    const values = properties?.["dbml:values"];
    if (usedTypes.has(key) || !isListOf(isEnumValue)(values) || values.length === 0) return [];
    return [[key, values.map(({ name }) => name)] as const];
  });
}

const isEnumValue = (one: unknown): one is { readonly name: string; readonly note?: unknown } =>
  isObject(one) && isText(one.name);

function formatProject(
  { key, name, description, properties = {} }: ModelDocument,
  diagnostics: Diagnostics,
): readonly string[] {
  const projectName = toLegalKey(name) === key ? name : key;
  if (projectName !== name) diagnostics.warn("/name", "not_written", "DBML has no names in addition to keys");
  const database = readKeptValue(properties, "dbml:database_type", isText, diagnostics);
  return [
    `Project ${quoteName(projectName)} {`,
    ...(database === undefined ? [] : [`  database_type: ${quoteString(database)}`]),
    ...(description === undefined ? [] : [`  Note: ${quoteString(description)}`]),
    "}",
  ];
}

function formatEnum(
  { types }: ModelDocument,
  key: string,
  values: readonly string[],
  names: DbmlNames,
  diagnostics: Diagnostics,
): readonly string[] {
  const i = types.findIndex((type) => type.key === key);
  const at = diagnostics.at(`/types/${i}`);
  const keptValues = readKeptValue(types[i]?.properties, "dbml:values", isListOf(isEnumValue), at) ?? [];
  if (keptValues.some(({ name }) => !values.includes(name))) {
    at.warn("/properties/dbml:values", "not_written", "the attributes of the type have other values");
  }
  const lines = values.map((value) => {
    const note = keptValues.find(({ name }) => name === value)?.note;
    return `  ${quoteAlways(value)}${formatSettings([isText(note) ? `note: ${quoteString(note)}` : undefined])}`;
  });
  return [`Enum ${names.enumeration(key)} {`, ...lines, "}"];
}

function readBackCardinalities(reference: ModelReference) {
  const sign = toRelationSign(reference);
  if (sign === "<>") return ["many", "many"] as const;
  return sign === "-" ? (["zeroOrOne", deriveReadCardinalities(reference)[1]] as const) : undefined;
}

function toRelationSign({ cardinalities: [from, to] }: ModelReference): ">" | "<>" | "-" {
  if (from === "many" && to === "many") return "<>";
  return from === "one" || from === "zeroOrOne" ? "-" : ">";
}

function isReadFirst({ from, to, columns, targets }: ModelReference) {
  return String(from.primaryKey) !== String(columns) && String(to.primaryKey) === String(targets);
}

function removeDuplicates(references: readonly ModelReference[]): readonly ModelReference[] {
  const keys = new Set<string>();
  return references.filter(({ from, to, columns, targets, at }) => {
    const ends = [JSON.stringify([from.key, columns.toSorted()]), JSON.stringify([to.key, targets.toSorted()])].sort();
    const isNew = ends[0] !== ends[1] && !keys.has(ends.join());
    keys.add(ends.join());
    if (!isNew)
      at.warn("", "not_written", "DBML does not allow repeated references or references of columns to themselves");
    return isNew;
  });
}

function formatReference(reference: ModelReference, names: DbmlNames) {
  const { relationship, at, from, to, columns, targets } = reference;
  const { key, properties } = relationship;
  const sign = toRelationSign(reference);
  const outputName = toWrittenName(relationship);
  const name = key === toDerivedKey(reference) && outputName === key ? "" : ` ${quoteName(outputName)}`;
  const sides = [formatSide(from, columns), formatSide(to, targets)];
  if (sign !== ">" && !isReadFirst(reference)) sides.reverse();
  const rule = (setting: string, member: string) => {
    const value = readKeptValue(properties, `dbml:${member}`, isRule, at);
    return value === undefined ? undefined : `${setting}: ${value}`;
  };
  const colour = readKeptValue(properties, "dbml:color", isColour, at);
  const settings = [
    rule("delete", "onDelete"),
    rule("update", "onUpdate"),
    colour && `color: ${colour}`,
    readKeptValue(properties, "dbml:inactive", isTrue, at) && "inactive",
  ];
  return `Ref${name}: ${sides.join(` ${sign} `)}${formatSettings(settings)}`;

  function formatSide(table: ModelTable, keys: readonly string[]) {
    const list = keys.map((one) => quoteName(toColumnName(table, one)));
    return `${names.table(table.key)}.${list.length === 1 ? list[0] : `(${list.join(", ")})`}`;
  }
}

const isRule = (value: unknown): value is string =>
  typeof value === "string" && /^(cascade|restrict|set null|set default|no action)$/i.test(value);

function formatGroups(
  document: ModelDocument,
  tables: readonly ModelTable[],
  names: DbmlNames,
  diagnostics: Diagnostics,
): readonly (readonly string[])[] {
  const { localTags, properties = {}, tags = [] } = document;
  for (const [i] of tags.entries()) diagnostics.warn(`/tags/${i}`, "not_written", "DBML has groups of tables only");
  const tablesByTag = Map.groupBy(tables, ({ entity: { tags: refs = [] }, at }) => {
    const [first, ...otherRefs] = refs.filter((ref) => !ref.includes("/"));
    for (const ref of otherRefs)
      at.warn(`/tags/${refs.indexOf(ref)}`, "not_written", "a DBML table is in one group at most");
    return first && toKey(first);
  });
  const settings = readKeptValue(properties, "dbml:tableGroups", isListOf(isObject), diagnostics) ?? [];
  return localTags.flatMap((tag, i) => {
    const members = tablesByTag.get(tag.key);
    if (!members) {
      diagnostics.warn(`/localTags/${i}`, "not_written", "DBML has tags of tables only");
      return [];
    }
    const groupName = toWrittenName(tag);
    const { note, color } = settings.find((one) => one.name === groupName) ?? {};
    return [
      [
        `TableGroup ${quoteName(groupName)}${formatSettings([isColour(color) ? `color: ${color}` : undefined])} {`,
        ...members.map(({ key }) => `  ${names.table(key)}`),
        ...(typeof note === "string" ? [`  Note: ${quoteString(note)}`] : []),
        "}",
      ],
    ];
  });
}

function formatNotes({ properties }: ModelDocument, diagnostics: Diagnostics): readonly (readonly string[])[] {
  const notes = readKeptValue(properties, "dbml:notes", isListOf(isNote), diagnostics) ?? [];
  return notes.map(({ name, content }) => [`Note ${quoteName(name)} {`, `  ${quoteString(content)}`, "}"]);
}

const isNote = (one: unknown): one is { readonly name: string; readonly content: string } =>
  isObject(one) && isText(one.name) && isText(one.content);
