import type { ModelDocument, TypeDocument } from "../../domain/document/document.ts";
import type { Cardinality } from "../../domain/values/model-types.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { NO_NAME } from "../common/header.ts";
import type { JsonObject } from "../common/json-object.ts";
import { toLegalKeys } from "../common/legal-key.ts";
import { findEnumTypes, warnUnusedTypes } from "../common/writing/column-types.ts";
import type { Coverage } from "../common/writing/coverage.ts";
import {
  createModelTables,
  type ModelColumn,
  type ModelTable,
  type ModelTables,
  type OtherRelationship,
  toKey,
} from "../common/writing/model-tables.ts";
import { isText, readKeptValue } from "../common/writing/own-members.ts";
import { toUniqueWords } from "../common/writing/written-names.ts";
import { isAvroProperty, isValidDefault, splitAvroMembers, toAvroType } from "./write-type.ts";

const AVRO = "Avro";
const NAME_RULE = "Avro names consist of letters, digits and _";

export const AVRO_COVERAGE: Coverage = {
  format: AVRO,
  model: { members: ["name", "entities", "types", "relationships"] },
  types: { members: ["description"], property: isAvroProperty },
  entities: { members: ["description", "attributes"], property: isAvroProperty },
  attributes: {
    members: ["description", "type", "optional"],
    constraints: ["enum", "default"],
    property: isAvroProperty,
  },
  relationships: { members: ["description", "roles", "keyPairs"], property: isAvroProperty },
  roles: { members: ["entity", "cardinality"] },
};

const WRITTEN_RECORD_MEMBERS = new Set(["type", "name", "doc", "fields", "symbols", "size", "kind"]);

/** Writes a model as Avro schemas: a record for each entity. */
export function writeAvro(document: ModelDocument, diagnostics: Diagnostics): string {
  const schemas = new AvroWriter(document, diagnostics).write();
  const [schema] = schemas;
  const isSingle = schemas.length === 1 && schema !== undefined;
  const expectedKey = isSingle ? schema.name : NO_NAME;
  if (document.key !== expectedKey) diagnostics.warn("/key", "not_written", "Avro has no model name");
  if (document.name !== document.key) diagnostics.warn("/name", "not_written", "Avro has no titles");
  const content = JSON.stringify(isSingle ? schema : schemas, null, 2);
  return `${content}\n`;
}

class AvroWriter {
  readonly #document: ModelDocument;
  readonly #diagnostics: Diagnostics;
  readonly #tables: readonly ModelTable[];
  readonly #heldFields: ReadonlyMap<ModelTable, readonly HeldField[]>;
  readonly #enums: ReadonlyMap<string, readonly string[]>;
  readonly #kinds: ReadonlyMap<string, TypeDocument>;
  readonly #names: ReturnType<typeof createAvroNames>;
  readonly #defined = new Set<string>();

  constructor(document: ModelDocument, diagnostics: Diagnostics) {
    const { tables, byRef, references, others } = createModelTables(document, diagnostics);
    for (const { at } of references) at.warn("", "not_written", "Avro cannot express relationships by field values");
    this.#document = document;
    this.#diagnostics = diagnostics;
    this.#tables = tables;
    this.#heldFields = findHeldFields(byRef, others);
    this.#enums = findEnumTypes(tables);
    this.#kinds = new Map(document.types.map((type) => [type.key, type]));
    const fixedKeys = document.types.map(({ key }) => key).filter((key) => this.#isFixed(key));
    this.#names = createAvroNames(tables, [...this.#enums.keys(), ...fixedKeys], diagnostics, document);
  }

  write(): readonly JsonObject[] {
    warnUnusedTypes(this.#document, AVRO, () => false, this.#diagnostics);
    this.#warnTypes();
    const isNested = ({ key }: ModelTable) => this.#defined.has(`entity ${key}`);
    return this.#tables.flatMap((table) => (isNested(table) ? [] : [this.#toRecord(table)]));
  }

  #isFixed(key: string): boolean {
    return this.#kinds.get(key)?.properties?.["avro:kind"] === "fixed";
  }

  #warnTypes(): void {
    for (const [i, { key, description, properties = {} }] of this.#document.types.entries()) {
      if (this.#enums.has(key) || this.#isFixed(key)) continue;
      const hasTexts = description !== undefined || Object.keys(properties).some(isAvroProperty);
      if (hasTexts) this.#diagnostics.warn(`/types/${i}`, "not_written", "Avro types have no name and description");
    }
  }

  #toRecord(table: ModelTable): JsonObject {
    this.#defined.add(`entity ${table.key}`);
    const { entity, at, columns } = table;
    const heldFields = this.#heldFields.get(table) ?? [];
    const words = toUniqueWords([...columns.map(({ key }) => key), ...heldFields.map(({ field }) => field)], "field");
    for (const [i, column] of columns.entries()) {
      if (words[i] !== column.key) column.at.warn("/key", "written_otherwise", NAME_RULE);
    }
    return {
      type: "record",
      name: this.#names.getRecordName(table.key),
      ...splitAvroMembers(entity.properties, WRITTEN_RECORD_MEMBERS, at),
      doc: entity.description,
      fields: [
        ...columns.map((column, i) => this.#toField(column, words[i] ?? column.key)),
        ...heldFields.map((one, i) => this.#toHeldField(one, words[columns.length + i] ?? one.field)),
      ],
    };
  }

  #toField(column: ModelColumn, name: string): JsonObject {
    const { attribute, at } = column;
    const { constraints = {}, optional, description } = attribute;
    const { type, members, isSaid } = this.#toFieldType(column);
    if (constraints.enum && !isSaid) at.warn("/constraints/enum", "not_written", "Avro has values of enums only");
    const { default: value } = constraints;
    const values = this.#enums.get(column.type);
    const isValid = value === null ? optional : values ? values.includes(String(value)) : isValidDefault(value, type);
    const hasDefault = "default" in constraints && isValid;
    if ("default" in constraints && !hasDefault) {
      at.warn("/constraints/default", "not_written", "the default does not fit the type of the field");
    }
    const isNullFirst = !hasDefault || constraints.default === null;
    const isWhole = Array.isArray(type) && type.includes("null") === optional && !hasDefault;
    const others = Array.isArray(type) ? type.filter((one) => one !== "null") : [type];
    const union = isNullFirst ? ["null", ...others] : [...others, "null"];
    const fieldType = isWhole || !optional || type === "null" ? type : union;
    return { name, type: fieldType, doc: description, ...(hasDefault && { default: constraints.default }), ...members };
  }

  #toFieldType(column: ModelColumn): ReturnType<typeof toAvroType> & { readonly isSaid: boolean } {
    const { type: key, attribute, at } = column;
    const values = this.#enums.get(key);
    if (!values && !this.#isFixed(key)) return { ...toAvroType(column, this.#document), isSaid: false };
    const members = splitAvroMembers(attribute.properties, new Set(["name", "type", "doc", "default"]), at);
    return { type: this.#toNamedType(key, values), members, isSaid: true };
  }

  #toNamedType(key: string, values: readonly string[] | undefined): unknown {
    const name = this.#names.getTypeName(key);
    if (this.#defined.has(`type ${key}`)) return this.#names.getFullTypeName(key);
    this.#defined.add(`type ${key}`);
    const type = this.#kinds.get(key);
    const i = type ? this.#document.types.indexOf(type) : 0;
    const members = splitAvroMembers(type?.properties, WRITTEN_TYPE_MEMBERS, this.#diagnostics.at(`/types/${i}`));
    const doc = type?.description;
    const { symbols: _, kind: __, ...rest } = members;
    if (!values) return { type: "fixed", name, doc, size: 1, ...rest };
    const symbols = toUniqueWords(values, "symbol");
    if (symbols.some((symbol, j) => symbol !== values[j])) {
      this.#diagnostics.warn(`/types/${i}`, "written_otherwise", "Avro symbols consist of letters, digits and _");
    }
    return { type: "enum", name, doc, symbols, ...rest };
  }

  #toHeldField({ relationship, at, table, cardinality, repeats }: HeldField, name: string): JsonObject {
    const record = this.#defined.has(`entity ${table.key}`)
      ? this.#names.getFullRecordName(table.key)
      : this.#toRecord(table);
    const members = splitAvroMembers(relationship.properties, new Set(["name", "type", "doc"]), at);
    const { field: _, repeats: __, ...rest } = members;
    const manyType = repeats === "map" ? { type: "map", values: record } : { type: "array", items: record };
    const type = cardinality === "many" ? manyType : cardinality === "one" ? record : ["null", record];
    return { name, type, doc: relationship.description, ...rest };
  }
}

const WRITTEN_TYPE_MEMBERS = new Set(["type", "name", "doc", "fields"]);

function createAvroNames(
  tables: readonly ModelTable[],
  types: readonly string[],
  diagnostics: Diagnostics,
  document: ModelDocument,
) {
  const keys = [...tables.map(({ key }) => key), ...types];
  const words = toUniqueWords(keys.map(toLastSegment), "record");
  const entities = new Map(tables.map(({ key }, i) => [key, words[i] ?? key]));
  const typeNames = new Map(types.map((key, i) => [key, words[tables.length + i] ?? key]));
  const namespaces = new Map(
    tables.map((table) => [table.key, readKeptValue(table.entity.properties, "avro:namespace", isText, table.at)]),
  );
  for (const table of tables) {
    if (entities.get(table.key) !== table.key) table.at.warn("/key", "written_otherwise", NAME_RULE);
  }
  for (const [i, { key }] of document.types.entries()) {
    const name = typeNames.get(key);
    if (name !== undefined && name !== key) diagnostics.warn(`/types/${i}/key`, "written_otherwise", NAME_RULE);
  }
  const qualify = (namespace: unknown, name: string) => (isText(namespace) ? `${namespace}.${name}` : name);
  const findTypeNamespace = (key: string): unknown =>
    document.types.find((type) => type.key === key)?.properties?.["avro:namespace"];
  return {
    getRecordName: (key: string) => entities.get(key) ?? key,
    getTypeName: (key: string) => typeNames.get(key) ?? key,
    getFullRecordName: (key: string) => qualify(namespaces.get(key), entities.get(key) ?? key),
    getFullTypeName: (key: string) => qualify(findTypeNamespace(key), typeNames.get(key) ?? key),
  };
}

function toLastSegment(key: string) {
  return /^[A-Za-z_][\w.]*$/.test(key) ? key.slice(key.lastIndexOf(".") + 1) || key : key;
}

interface HeldField extends OtherRelationship {
  readonly field: string;
  readonly table: ModelTable;
  readonly cardinality: Cardinality;
  readonly repeats: unknown;
}

function findHeldFields(
  tables: ModelTables["byRef"],
  others: readonly OtherRelationship[],
): ReadonlyMap<ModelTable, readonly HeldField[]> {
  const fields = others.flatMap((other) => toHeldField(other, tables) ?? []);
  return Map.groupBy(fields, ({ holder }) => holder);
}

function toHeldField({ relationship, at }: OtherRelationship, tables: ModelTables["byRef"]) {
  const { key, roles, properties = {} } = relationship;
  const { "avro:field": fieldName, "avro:repeats": repeats } = properties;
  if (roles.length !== 2) {
    at.warn("", "not_written", "Avro has no relationships with more than two roles");
    return undefined;
  }
  const findTable = (i: number) => tables.get(roles[i]?.entity ?? "");
  const toField = (i: number) => {
    const prefix = `${toKey(roles[i]?.entity ?? "")}_`;
    if (!key.startsWith(prefix)) return undefined;
    if (typeof fieldName !== "string") return key.slice(prefix.length) || undefined;
    return key === prefix + fieldName ? fieldName : undefined;
  };
  const isHolder = (i: number) => toField(i) !== undefined && roles[i]?.key === toKey(roles[i]?.entity ?? "");
  const side = [0, 1].find(isHolder) ?? [0, 1].find((i) => toField(i) !== undefined) ?? 0;
  const [holder, table] = [findTable(side), findTable(1 - side)];
  if (!holder || !table) return undefined;
  const field = toField(side) ?? key;
  if (toField(side) === undefined)
    at.warn("/key", "not_written", "relationship keys are derived from record and field");
  const roleKeys = toLegalKeys([holder.key, holder === table ? key : table.key]);
  const [ownCardinality, cardinality = "unknown"] = [roles[side]?.cardinality, roles[1 - side]?.cardinality];
  for (const [i, role] of roles.entries()) {
    const isSame = role.key === roleKeys[i === side ? 0 : 1];
    if (!isSame) at.warn(`/roles/${i}/key`, "not_written", "Avro has no roles; role keys are derived from the records");
  }
  const detail = "the field implies another cardinality";
  if (ownCardinality !== "zeroOrOne") at.warn(`/roles/${side}/cardinality`, "written_otherwise", detail);
  if (cardinality === "unknown") at.warn(`/roles/${1 - side}/cardinality`, "written_otherwise", detail);
  return { relationship, at, field, holder, table, cardinality, repeats };
}
