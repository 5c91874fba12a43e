import type { ModelDocument } from "../../domain/document.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Findings } from "../findings.ts";
import { isObject } from "../json-object.ts";
import { legalKey } from "../legal-key.ts";
import type { WrittenFile } from "../writer.ts";
import { type Coverage, warnUncovered } from "../writing/coverage.ts";
import { enumTypes, warnUnusedTypes } from "../writing/enum-types.ts";
import { isListOf, isText, isTrue, keptValue } from "../writing/kept-value.ts";
import { keyIn, type ModelReference, type ModelTable, tablesOfModel } from "../writing/model-tables.ts";
import { madeKey, toldCardinalities, warnReadBack } from "../writing/read-back.ts";
import { schemasOf } from "../writing/schemas.ts";
import { fileName, writtenName } from "../writing/written-name.ts";
import { dbmlName, dbmlQuoted, dbmlSettings, dbmlString, isColour } from "./dbml-text.ts";
import { type DbmlNames, tableLines } from "./write-table.ts";

const FORMAT = "DBML";
const DATABASE = "dbml:database_type";
const among =
  (...names: readonly string[]) =>
  (name: string): boolean =>
    names.includes(name.replace(/^dbml:/, "")) && name.startsWith("dbml:");

const COVERAGE: Coverage = {
  format: FORMAT,
  model: {
    members: ["name", "description", "entities", "tags"],
    property: among("database_type", "notes", "tableGroups"),
  },
  types: { members: ["name"], property: among("values") },
  entities: {
    members: ["name", "description", "attributes", "primaryKey", "tags"],
    property: among("alias", "headerColor", "checks", "indexes"),
  },
  attributes: {
    members: ["name", "description", "type", "optional"],
    constraints: ["enum", "default", "unique", "maxLength"],
    property: among("increment", "default", "checks", "precision", "scale", "arguments"),
  },
  relationships: {
    members: ["name", "roles", "keyPairs"],
    property: among("onDelete", "onUpdate", "color", "inactive"),
  },
  roles: { members: ["entity", "cardinality"] },
  businessKeys: { members: ["entity", "participants"] },
  localTags: { members: ["name"], property: () => false },
};

/** Writes a model as a DBML text: tables, references, enums, local tags of entities as groups of tables. */
export function writeDbml(document: ModelDocument, findings: Findings): WrittenFile {
  warnUncovered(document, COVERAGE, findings);
  const { tables, ...relationships } = tablesOfModel(document, findings);
  const model = { ...relationships, tables: tables.filter(({ columns }) => columns.length > 0) };
  for (const { at, columns } of tables) {
    if (columns.length === 0) at.warn("", "not_written", "DBML has no tables without columns");
  }
  const enums = new Map([...enumTypes(model.tables), ...unusedEnums(document)]);
  warnReadBack(model, { format: FORMAT, namesReferences: true, uniqueSets: true, cardinalities: cardinalitiesOf });
  warnUnusedTypes(document, FORMAT, (key) => enums.has(key), findings);
  const names = namesOf(document, model.tables, [...enums.keys()]);
  const sections = [
    projectLines(document, findings),
    ...[...enums].map(([key, values]) => enumLines(document, key, values, names, findings)),
    ...model.tables.map((table) => tableLines(table, names, enums)),
    distinctly(model.references).map((reference) => referenceLine(reference, names)),
    ...groupLines(document, model.tables, names, findings),
    ...noteLines(document, findings),
  ];
  const content = `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
  if (Buffer.byteLength(content) > LIMITS.dbmlBytes) {
    findings.warn("", "written_otherwise", `the text has more than the ${LIMITS.dbmlBytes} bytes that an import reads`);
  }
  return { fileName: fileName(document.key, ".dbml"), content };
}

function namesOf(document: ModelDocument, tables: readonly ModelTable[], enums: readonly string[]): DbmlNames {
  const types = new Map(document.types.map((type) => [type.key, writtenName(type)]));
  const tableNames = new Map(tables.map(({ key, entity }) => [key, writtenName(entity)]));
  const enumNames = enums.map((key) => types.get(key) ?? key);
  const isSplit = schemasOf([...tableNames.values(), ...enumNames]) !== undefined;
  const placed = (name: string): string => {
    const dot = isSplit ? name.indexOf(".") : -1;
    return dot < 0 ? dbmlName(name) : `${dbmlName(name.slice(0, dot))}.${dbmlName(name.slice(dot + 1))}`;
  };
  return {
    table: (key) => placed(tableNames.get(key) ?? key),
    enumeration: (key) => placed(types.get(key) ?? key),
    type: (key) => types.get(key) ?? key,
  };
}

/** The values of enums that no column has. */
function unusedEnums({ types, entities }: ModelDocument): readonly (readonly [string, readonly string[]])[] {
  const used = new Set(entities.flatMap(({ attributes }) => attributes.map(({ type }) => keyIn(type))));
  return types.flatMap(({ key, properties }) => {
    const values = properties?.["dbml:values"];
    if (used.has(key) || !isListOf(isEnumValue)(values) || values.length === 0) return [];
    return [[key, values.map(({ name }) => name)] as const];
  });
}

interface EnumValue {
  readonly name: string;
  readonly note?: unknown;
}

const isEnumValue = (one: unknown): one is EnumValue => isObject(one) && isText(one.name);

function projectLines(
  { key, name, description, properties = {} }: ModelDocument,
  findings: Findings,
): readonly string[] {
  const called = legalKey(name) === key ? name : key;
  if (called !== name) findings.warn("/name", "not_written", "DBML has no names beside keys");
  const database = keptValue(properties, DATABASE, isText, findings);
  return [
    `Project ${dbmlName(called)} {`,
    ...(database === undefined ? [] : [`  database_type: ${dbmlString(database)}`]),
    ...(description === undefined ? [] : [`  Note: ${dbmlString(description)}`]),
    "}",
  ];
}

function enumLines(
  { types }: ModelDocument,
  key: string,
  values: readonly string[],
  names: DbmlNames,
  findings: Findings,
): readonly string[] {
  const i = types.findIndex((type) => type.key === key);
  const at = findings.at(`/types/${i}`);
  const kept = keptValue(types[i]?.properties, "dbml:values", isListOf(isEnumValue), at) ?? [];
  if (kept.some(({ name }) => !values.includes(name))) {
    at.warn("/properties/dbml:values", "not_written", "the attributes of the type have other values");
  }
  const lines = values.map((value) => {
    const note = kept.find(({ name }) => name === value)?.note;
    return `  ${dbmlQuoted(value)}${dbmlSettings([isText(note) ? `note: ${dbmlString(note)}` : undefined])}`;
  });
  return [`Enum ${names.enumeration(key)} {`, ...lines, "}"];
}

/** The cardinalities that a reader makes of the sign of a reference. */
function cardinalitiesOf(reference: ModelReference) {
  const sign = signOf(reference);
  if (sign === "<>") return ["many", "many"] as const;
  return sign === "-" ? (["zeroOrOne", toldCardinalities(reference)[1]] as const) : undefined;
}

function signOf({ cardinalities: [from, to] }: ModelReference): ">" | "<>" | "-" {
  if (from === "many" && to === "many") return "<>";
  return from === "one" || from === "zeroOrOne" ? "-" : ">";
}

/** True where a reader of a sign without direction takes the side that stands first for the referring one. */
function comesFirst({ from, to, columns, referred }: ModelReference): boolean {
  return String(from.primaryKey) !== String(columns) && String(to.primaryKey) === String(referred);
}

/** The references of which no two join the same columns, and none joins columns with themselves. */
function distinctly(references: readonly ModelReference[]): readonly ModelReference[] {
  const known = new Set<string>();
  return references.filter(({ from, to, columns, referred, at }) => {
    const ends = [JSON.stringify([from.key, columns.toSorted()]), JSON.stringify([to.key, referred.toSorted()])].sort();
    const isNew = ends[0] !== ends[1] && !known.has(ends.join());
    known.add(ends.join());
    if (!isNew) at.warn("", "not_written", "DBML has one reference between the same columns, and none to themselves");
    return isNew;
  });
}

function referenceLine(reference: ModelReference, names: DbmlNames): string {
  const { relationship, at, from, to, columns, referred } = reference;
  const { key, properties } = relationship;
  const sign = signOf(reference);
  const called = writtenName(relationship);
  const name = key === madeKey(reference) && called === key ? "" : ` ${dbmlName(called)}`;
  const sides = [side(from, columns), side(to, referred)];
  if (sign !== ">" && !comesFirst(reference)) sides.reverse();
  const rule = (setting: string, member: string): string | undefined => {
    const value = keptValue(properties, `dbml:${member}`, isRule, at);
    return value === undefined ? undefined : `${setting}: ${value}`;
  };
  const colour = keptValue(properties, "dbml:color", isColour, at);
  const settings = [
    rule("delete", "onDelete"),
    rule("update", "onUpdate"),
    colour && `color: ${colour}`,
    keptValue(properties, "dbml:inactive", isTrue, at) && "inactive",
  ];
  return `Ref${name}: ${sides.join(` ${sign} `)}${dbmlSettings(settings)}`;

  function side(table: ModelTable, keys: readonly string[]): string {
    const list = keys.map((one) => dbmlName(columnName(table, one)));
    return `${names.table(table.key)}.${list.length === 1 ? list[0] : `(${list.join(", ")})`}`;
  }
}

const isRule = (value: unknown): value is string =>
  typeof value === "string" && /^(cascade|restrict|set null|set default|no action)$/i.test(value);

/** The name that a column is written with. */
function columnName({ columns }: ModelTable, key: string): string {
  const column = columns.find((one) => one.key === key);
  return column ? writtenName(column.attribute) : key;
}

/** Local tags of entities as groups; a table is in one group only. */
function groupLines(
  document: ModelDocument,
  tables: readonly ModelTable[],
  names: DbmlNames,
  findings: Findings,
): readonly (readonly string[])[] {
  const { localTags, properties = {}, tags = [] } = document;
  for (const [i] of tags.entries()) findings.warn(`/tags/${i}`, "not_written", "DBML has groups of tables only");
  const grouped = new Map<string, ModelTable[]>();
  for (const table of tables) {
    const refs = table.entity.tags ?? [];
    const own = refs.filter((ref) => !ref.includes("/"));
    for (const ref of own.slice(0, 1)) grouped.set(keyIn(ref), [...(grouped.get(keyIn(ref)) ?? []), table]);
    for (const ref of own.slice(1)) {
      table.at.warn(`/tags/${refs.indexOf(ref)}`, "not_written", "a table of DBML is in one group at most");
    }
  }
  const settings = keptValue(properties, "dbml:tableGroups", isListOf(isObject), findings) ?? [];
  return localTags.flatMap((tag, i) => {
    const members = grouped.get(tag.key);
    if (!members) {
      findings.warn(`/localTags/${i}`, "not_written", "DBML has no tags but groups of tables");
      return [];
    }
    const called = writtenName(tag);
    const { note, color } = settings.find((one) => one.name === called) ?? {};
    return [
      [
        `TableGroup ${dbmlName(called)}${dbmlSettings([isColour(color) ? `color: ${color}` : undefined])} {`,
        ...members.map(({ key }) => `  ${names.table(key)}`),
        ...(typeof note === "string" ? [`  Note: ${dbmlString(note)}`] : []),
        "}",
      ],
    ];
  });
}

function noteLines({ properties }: ModelDocument, findings: Findings): readonly (readonly string[])[] {
  const notes = keptValue(properties, "dbml:notes", isListOf(isNote), findings) ?? [];
  return notes.map(({ name, content }) => [`Note ${dbmlName(name)} {`, `  ${dbmlString(content)}`, "}"]);
}

interface Note {
  readonly name: string;
  readonly content: string;
}

const isNote = (one: unknown): one is Note => isObject(one) && isText(one.name) && isText(one.content);
