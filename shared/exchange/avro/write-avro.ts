import { ifDefined } from "../../domain/content.ts";
import type { ModelDocument } from "../../domain/document.ts";
import type { Findings } from "../findings.ts";
import { NO_NAME } from "../frictionless/header.ts";
import type { JsonObject } from "../json-object.ts";
import type { WrittenFile } from "../writer.ts";
import { type Coverage, warnUncovered } from "../writing/coverage.ts";
import { enumTypes, warnUnusedTypes } from "../writing/enum-types.ts";
import { isText, keptValue } from "../writing/kept-value.ts";
import { type ModelColumn, type ModelTable, tablesOfModel } from "../writing/model-tables.ts";
import { ownMembers } from "../writing/own-members.ts";
import { uniqueWords } from "../writing/unique-words.ts";
import { fileName } from "../writing/written-name.ts";
import { fieldsHeld, type HeldField } from "./held-fields.ts";
import { valueFits, writtenType } from "./written-type.ts";

const FORMAT = "Avro";
const isOwn = (name: string): boolean => name.startsWith("avro:");

const COVERAGE: Coverage = {
  format: FORMAT,
  model: { members: ["name", "entities", "types", "relationships"] },
  types: { members: ["description"], property: isOwn },
  entities: { members: ["description", "attributes"], property: isOwn },
  attributes: { members: ["description", "type", "optional"], constraints: ["enum", "default"], property: isOwn },
  relationships: { members: ["description", "roles", "keyPairs"], property: isOwn },
  roles: { members: ["entity", "cardinality"] },
};

const RECORD = new Set(["type", "name", "doc", "fields", "symbols", "size", "kind"]);

/** Writes a model as Avro schemas: a record for each entity, and each enum and fixed type where it is first used. */
export function writeAvro(document: ModelDocument, findings: Findings): WrittenFile {
  warnUncovered(document, COVERAGE, findings);
  const model = tablesOfModel(document, findings);
  const { tables } = model;
  for (const { at } of model.references)
    at.warn("", "not_written", "Avro has no relationships by the values of fields");
  const held = fieldsHeld(tables, model.others);
  const enums = enumTypes(tables);
  const kinds = new Map(document.types.map((type) => [type.key, type]));
  const isFixed = (key: string): boolean => kinds.get(key)?.properties?.["avro:kind"] === "fixed";
  const names = namesOf(
    tables,
    [...enums.keys(), ...document.types.map(({ key }) => key).filter(isFixed)],
    findings,
    document,
  );
  warnUnusedTypes(document, FORMAT, () => false, findings);
  warnTypes();
  const defined = new Set<string>();
  const schemas = tables.flatMap((table) => (defined.has(`entity ${table.key}`) ? [] : [recordOf(table)]));
  const [only] = schemas;
  const isSingle = schemas.length === 1 && only !== undefined;
  const expected = isSingle ? only.name : NO_NAME;
  if (document.key !== expected)
    findings.warn("/key", "not_written", "Avro schemas have no name but that of the only record");
  if (document.name !== document.key) findings.warn("/name", "not_written", "Avro schemas have no title");
  const content = JSON.stringify(isSingle ? only : schemas, null, 2);
  return { fileName: fileName(document.key, ".avsc"), content: `${content}\n` };

  function warnTypes(): void {
    for (const [i, { key, description, properties = {} }] of document.types.entries()) {
      if (enums.has(key) || isFixed(key)) continue;
      const says = description !== undefined || Object.keys(properties).some(isOwn);
      if (says) findings.warn(`/types/${i}`, "not_written", "the types of Avro have no texts of their own");
    }
  }

  function recordOf(table: ModelTable): JsonObject {
    defined.add(`entity ${table.key}`);
    const { entity, at, columns } = table;
    const { members } = ownMembers(onlyOwn(entity.properties), "avro", RECORD, at);
    const words = uniqueWords([...columns.map(({ key }) => key), ...held.of(table).map(({ field }) => field)], "field");
    for (const [i, { key, at: place }] of columns.entries()) {
      if (words[i] !== key) place.warn("/key", "written_otherwise", "names of Avro are of letters, digits and _");
    }
    return {
      type: "record",
      name: names.entity(table.key),
      ...members,
      ...ifDefined("doc", entity.description),
      fields: [
        ...columns.map((column, i) => fieldOf(column, words[i] ?? column.key)),
        ...held.of(table).map((one, i) => heldField(one, words[columns.length + i] ?? one.field)),
      ],
    };
  }

  function fieldOf(column: ModelColumn, name: string): JsonObject {
    const { attribute, at } = column;
    const { constraints = {}, optional, description } = attribute;
    const { type, members, isSaid } = typeOf(column);
    if (constraints.enum && !isSaid) at.warn("/constraints/enum", "not_written", "values are those of an enum of Avro");
    const { default: value } = constraints;
    const values = enums.get(column.type);
    const fits = value === null ? optional : values ? values.includes(String(value)) : valueFits(value, type);
    const hasDefault = "default" in constraints && fits;
    if ("default" in constraints && !hasDefault) {
      at.warn("/constraints/default", "not_written", "the default is none that the type of the field has");
    }
    const nullsFirst = !hasDefault || constraints.default === null;
    const isWhole = Array.isArray(type) && type.includes("null") === optional && !hasDefault;
    const whole = isWhole
      ? type
      : !optional
        ? type
        : nullsFirst
          ? ["null", ...alternatives(type)]
          : [...alternatives(type), "null"];
    return {
      name,
      type: type === "null" ? "null" : whole,
      ...ifDefined("doc", description),
      ...(hasDefault && { default: constraints.default }),
      ...members,
    };
  }

  /** The type of a column, with the members of the field itself. */
  function typeOf(column: ModelColumn): {
    readonly type: unknown;
    readonly members: JsonObject;
    readonly isSaid: boolean;
  } {
    const { type: key, attribute, at } = column;
    const values = enums.get(key);
    if (!values && !isFixed(key)) return { ...writtenType(column), isSaid: false };
    const { members } = ownMembers(
      onlyOwn(attribute.properties),
      "avro",
      new Set(["name", "type", "doc", "default"]),
      at,
    );
    return { type: namedType(key, values), members, isSaid: true };
  }

  /** An enum or a fixed type: its definition where it comes first, then its name. */
  function namedType(key: string, values: readonly string[] | undefined): unknown {
    const name = names.type(key);
    if (defined.has(`type ${key}`)) return names.fullOfType(key);
    defined.add(`type ${key}`);
    const type = kinds.get(key);
    const i = type ? document.types.indexOf(type) : 0;
    const { members } = ownMembers(onlyOwn(type?.properties), "avro", RECORD_BUT_SIZE, findings.at(`/types/${i}`));
    const doc = ifDefined("doc", type?.description);
    const { symbols: _, kind: __, ...rest } = members;
    if (!values) return { type: "fixed", name, ...doc, size: 1, ...rest };
    const symbols = uniqueWords(values, "symbol");
    if (symbols.some((symbol, j) => symbol !== values[j])) {
      findings.warn(`/types/${i}`, "written_otherwise", "symbols of Avro are of letters, digits and _");
    }
    return { type: "enum", name, ...doc, symbols, ...rest };
  }

  function heldField({ relationship, at, table, cardinality, repeats }: HeldField, name: string): JsonObject {
    const record = defined.has(`entity ${table.key}`) ? names.fullOf(table.key) : recordOf(table);
    const { members } = ownMembers(onlyOwn(relationship.properties), "avro", new Set(["name", "type", "doc"]), at);
    const { field: _, repeats: __, ...rest } = members;
    const many = repeats === "map" ? { type: "map", values: record } : { type: "array", items: record };
    const type = cardinality === "many" ? many : cardinality === "one" ? record : ["null", record];
    return { name, type, ...ifDefined("doc", relationship.description), ...rest };
  }
}

const RECORD_BUT_SIZE = new Set(["type", "name", "doc", "fields"]);

function alternatives(type: unknown): readonly unknown[] {
  return Array.isArray(type) ? (type as readonly unknown[]).filter((one) => one !== "null") : [type];
}

/** The properties in the namespace of the format; the coverage tells of the others. */
function onlyOwn(properties: JsonObject = {}): JsonObject {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => isOwn(name)));
}

/** The names of records and types, in their namespaces. */
function namesOf(tables: readonly ModelTable[], types: readonly string[], findings: Findings, document: ModelDocument) {
  const keys = [...tables.map(({ key }) => key), ...types];
  const words = uniqueWords(keys.map(lastOf), "record");
  const entities = new Map(tables.map(({ key }, i) => [key, words[i] ?? key]));
  const typeNames = new Map(types.map((key, i) => [key, words[tables.length + i] ?? key]));
  const namespaces = new Map(
    tables.map((table) => [table.key, keptValue(table.entity.properties, "avro:namespace", isText, table.at)]),
  );
  for (const table of tables) {
    if (entities.get(table.key) !== table.key)
      table.at.warn("/key", "written_otherwise", "names of Avro are of letters, digits and _");
  }
  for (const [i, { key }] of document.types.entries()) {
    const name = typeNames.get(key);
    if (name !== undefined && name !== key)
      findings.warn(`/types/${i}/key`, "written_otherwise", "names of Avro are of letters, digits and _");
  }
  const full = (namespace: unknown, name: string): string => (isText(namespace) ? `${namespace}.${name}` : name);
  const typeSpace = (key: string): unknown =>
    document.types.find((type) => type.key === key)?.properties?.["avro:namespace"];
  return {
    entity: (key: string) => entities.get(key) ?? key,
    type: (key: string) => typeNames.get(key) ?? key,
    fullOf: (key: string) => full(namespaces.get(key), entities.get(key) ?? key),
    fullOfType: (key: string) => full(typeSpace(key), typeNames.get(key) ?? key),
  };
}

/** The last part of a full name. */
function lastOf(key: string): string {
  return /^[A-Za-z_][\w.]*$/.test(key) ? key.slice(key.lastIndexOf(".") + 1) || key : key;
}
