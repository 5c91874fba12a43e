import type { ModelDocument } from "../../domain/document/document.ts";
import { includeMember } from "../../domain/model/content.ts";
import { findDialects } from "../../domain/types/dialects/dialects.ts";
import { findLogicalType } from "../../domain/types/find-logical-type.ts";
import type { LogicalType, LogicalTypeName } from "../../domain/types/logical/logical-type.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import { isObject, type JsonObject } from "../common/json-object.ts";
import { parseSqlType } from "../common/sql-type.ts";
import { type FormattedType, formatColumnType } from "../common/writing/column-types.ts";
import {
  type ModelColumn,
  type ModelReference,
  type ModelTable,
  type ModelTables,
  type OtherRelationship,
  toKey,
} from "../common/writing/model-tables.ts";
import { splitOwnMembers } from "../common/writing/own-members.ts";
import { listTagTexts } from "../common/writing/read-back.ts";
import { groupByPath, type PathGroup, toNotBlank } from "../common/writing/written-names.ts";
import {
  addCustomProperties,
  CONSTRAINT_OPTIONS,
  isOption,
  type KnownMembers,
  LIST,
  LOGICAL_TYPES,
  moveUnknownToCustom,
  OBJECT,
  PART,
  PROPERTY,
  RELATIONSHIP,
} from "./known-members.ts";
import { createNeededId, formatReference, type ReferenceStep } from "./references.ts";

const WRITTEN_TABLE_MEMBERS = new Set([
  ...["name", "businessName", "description", "tags", "properties", "relationships", "parts"],
]);

const END_MEMBERS = new Set(["from", "to"]);

interface PathProperty {
  readonly path: string;
  readonly json: JsonObject;
  readonly isRequired: boolean;
}

interface Nesting {
  readonly holder: ModelTable;
  readonly property: string;
}

/** Writes the schema objects of a model. */
export class OdcsObjects {
  readonly others: readonly OtherRelationship[];
  readonly #document: ModelDocument;
  readonly #tables: readonly ModelTable[];
  readonly #references: readonly ModelReference[];
  readonly #nestings = new Map<ModelTable, Nesting>();
  readonly #nested: ReadonlyMap<ModelTable, readonly (readonly [ModelTable, Nesting])[]>;

  constructor(document: ModelDocument, { tables, byRef, references, others }: ModelTables) {
    this.#document = document;
    this.#tables = tables;
    this.#references = references;
    this.others = others.filter((other) => {
      const nesting = findHeldList(other, byRef);
      if (!nesting || this.#nestings.has(nesting.table)) return true;
      this.#nestings.set(nesting.table, nesting);
      return false;
    });
    this.#nested = Map.groupBy([...this.#nestings], ([, { holder }]) => holder);
  }

  toJson(): readonly JsonObject[] {
    return this.#tables.filter((table) => !this.#nestings.has(table)).map((table) => this.#toObject(table));
  }

  #listSteps(table: ModelTable): readonly ReferenceStep[] {
    const nesting = this.#nestings.get(table);
    const own = table.entity.properties?.["odcs:id"];
    if (nesting) return [...this.#listSteps(nesting.holder), { name: nesting.property, own }];
    return [{ name: toNotBlank(table.key), own }];
  }

  #findTopTable(table: ModelTable): ModelTable {
    const nesting = this.#nestings.get(table);
    return nesting ? this.#findTopTable(nesting.holder) : table;
  }

  #toObject(table: ModelTable): JsonObject {
    const relationships = this.#references
      .filter(({ from }) => this.#findTopTable(from) === table)
      .map((one) => this.#toRelationship(one));
    const name = toNotBlank(table.key);
    const texts = this.#toTexts(table, OBJECT);
    return {
      name,
      ...includeMember("id", createNeededId(name, texts.id)),
      logicalType: "object",
      ...texts,
      properties: this.#toProperties(table),
      ...(relationships.length > 0 && { relationships }),
    };
  }

  #toTexts({ entity, at }: ModelTable, tests: KnownMembers): JsonObject {
    const { name, description, tags, properties = {} } = entity;
    const texts = listTagTexts(this.#document, tags);
    const { "odcs:parts": _, ...own } = properties;
    return {
      ...includeMember("businessName", name),
      ...includeMember("description", description),
      ...(texts.length > 0 && { tags: texts }),
      ...moveUnknownToCustom(splitOwnMembers(own, "odcs", WRITTEN_TABLE_MEMBERS, at), tests, at),
    };
  }

  #toProperties(table: ModelTable): readonly JsonObject[] {
    const columns = table.columns.map(
      (column): PathProperty => ({
        path: toNotBlank(column.key),
        json: toProperty(column, table, this.#document),
        isRequired: !column.attribute.optional,
      }),
    );
    const lists = (this.#nested.get(table) ?? []).map(([listTable, { property }]): PathProperty => {
      const { items, ...texts } = this.#toTexts(listTable, LIST);
      const rest = moveUnknownToCustom({ members: isObject(items) ? items : {}, others: [] }, PART, listTable.at);
      const item = { ...rest, logicalType: "object", properties: this.#toProperties(listTable) };
      return { path: property, json: { logicalType: "array", ...texts, items: item }, isRequired: false };
    });
    const parts = table.entity.properties?.["odcs:parts"];
    return toNestedProperties(groupByPath([...columns, ...lists]), isObject(parts) ? parts : {}, "", table.at);
  }

  #toRelationship({ relationship, at, from, to, columns, targets }: ModelReference): JsonObject {
    const formatColumns = (table: ModelTable, keys: readonly string[]): string | readonly string[] => {
      const list = keys.map((key) => formatReference([...this.#listSteps(table), ...listStepsWithin(table, key)]));
      return list.length === 1 ? (list[0] ?? "") : list;
    };
    const own = splitOwnMembers(relationship.properties, "odcs", END_MEMBERS, at);
    const members = moveUnknownToCustom(own, RELATIONSHIP, at);
    return { type: "foreignKey", from: formatColumns(from, columns), to: formatColumns(to, targets), ...members };
  }
}

function listStepsWithin({ columns, entity }: ModelTable, key: string): readonly ReferenceStep[] {
  const own = columns.find((column) => column.key === key)?.attribute.properties?.["odcs:id"];
  const parts = entity.properties?.["odcs:parts"];
  let groups = groupByPath(columns.map((column) => ({ path: toNotBlank(column.key), key: column.key })));
  const steps: ReferenceStep[] = [];
  for (let path = ""; ; ) {
    const group = groups.find((one) => (one.own ? [one.own] : one.inner).some((item) => item.key === key));
    if (!group) return [{ name: toNotBlank(key), own }];
    if (group.own) return [...steps, { name: group.name, own }];
    path += group.name;
    const rest = isObject(parts) && Object.hasOwn(parts, path) ? parts[path] : undefined;
    steps.push({ name: group.name, own: isObject(rest) ? rest.id : undefined });
    path += ".";
    groups = groupByPath(group.inner);
  }
}

function toNestedProperties(
  groups: readonly PathGroup<PathProperty>[],
  parts: JsonObject,
  prefix: string,
  at: Diagnostics,
): readonly JsonObject[] {
  return groups.map((group) => {
    const { name, own } = group;
    if (own) return { name, ...includeMember("id", createNeededId(name, own.json.id)), ...own.json };
    const path = prefix + name;
    const rest = Object.hasOwn(parts, path) ? parts[path] : undefined;
    const members = moveUnknownToCustom({ members: isObject(rest) ? rest : {}, others: [] }, PART, at);
    return {
      name,
      ...includeMember("id", createNeededId(name, members.id)),
      logicalType: "object",
      ...(group.inner.some(({ isRequired }) => isRequired) && { required: true }),
      ...members,
      properties: toNestedProperties(groupByPath(group.inner), parts, `${path}.`, at),
    };
  });
}

function findHeldList({ relationship }: OtherRelationship, tables: ModelTables["byRef"]) {
  const { key, roles, keyPairs = [] } = relationship;
  if (roles.length !== 2 || keyPairs.length > 0) return undefined;
  const one = roles.find(({ cardinality }) => cardinality === "one");
  const many = roles.find(({ cardinality }) => cardinality === "many");
  const tableAt = (ref: string | undefined) => tables.get(ref ?? "");
  const [holder, table] = [tableAt(one?.entity), tableAt(many?.entity)];
  if (!holder || !table || table.key !== key || !key.startsWith(`${holder.key}_`)) return undefined;
  if (one?.key !== toKey(one?.entity ?? "") || many?.key !== toKey(many?.entity ?? "")) return undefined;
  const property = key.slice(holder.key.length + 1);
  const isFree = property !== "" && holder.columns.every((column) => column.key.split(".", 1)[0] !== property);
  return isFree && table.columns.length > 0 && !property.includes(".") ? { holder, table, property } : undefined;
}

const TAKEN_PROPERTY_MEMBERS = new Set([
  ...["name", "businessName", "description", "logicalType", "required", "unique", "primaryKey", "primaryKeyPosition"],
  ...["examples", "tags", "properties", "relationships"],
]);

function toProperty(column: ModelColumn, { primaryKey, unique }: ModelTable, document: ModelDocument): JsonObject {
  const { attribute, at, key, inKey } = column;
  const { name, description, tags, optional, constraints = {}, properties = {} } = attribute;
  const { unique: isUnique, examples, ...options } = constraints;
  const { type, facts, isNew } = toPropertyType(column, document);
  const ownProperties = Object.fromEntries(Object.entries(properties).filter(([one]) => !facts.properties.has(one)));
  const own = splitOwnMembers(ownProperties, "odcs", TAKEN_PROPERTY_MEMBERS, at);
  const { logicalTypeOptions, physicalType, items, ...members } = own.members;
  const optionPairs = Object.entries(options).filter(
    ([keyword]) => CONSTRAINT_OPTIONS.includes(keyword) && !facts.keywords.has(keyword),
  );
  const all = { ...(isObject(logicalTypeOptions) && logicalTypeOptions), ...Object.fromEntries(optionPairs) };
  const otherOptions = Object.entries(all).filter(([option, value]) => !isOption(type.logicalType, option, value));
  for (const [option] of otherOptions) {
    const path = option in options ? `/constraints/${option}` : "/properties/odcs:logicalTypeOptions";
    const detail = "ODCS does not have this option for the type; it is written as a custom property";
    at.warn(path, "written_otherwise", detail);
  }
  const validOptions = Object.entries(all).filter((one) => !otherOptions.some(([option]) => option === one[0]));
  const hasItems = type.logicalType === undefined || type.logicalType === "array";
  const typeMember = includeMember("physicalType", isNew ? undefined : physicalType);
  const kind = hasItems ? LIST : PROPERTY;
  const allMembers = { ...members, ...typeMember, ...includeMember("items", items) };
  const others = moveUnknownToCustom({ members: allMembers, others: own.others }, kind, at);
  const texts = listTagTexts(document, tags);
  const isSingle = isUnique === true || unique.some((set) => set.columns.length === 1 && set.columns[0] === key);
  if (isNew) at.warn("/type", "written_otherwise", "ODCS does not have the type; it is written as physical type");
  return {
    ...includeMember("businessName", name),
    ...type,
    ...includeMember("physicalType", others.physicalType),
    ...includeMember("description", description),
    ...(optional ? inKey && { required: false } : { required: true }),
    ...(isSingle && { unique: true }),
    ...(inKey && { primaryKey: true, primaryKeyPosition: primaryKey.indexOf(key) + 1 }),
    ...(validOptions.length > 0 && { logicalTypeOptions: Object.fromEntries(validOptions) }),
    ...(examples && examples.length > 0 && { examples }),
    ...(texts.length > 0 && { tags: texts }),
    ...addCustomProperties(others, otherOptions),
  };
}

type TypeCoverage = Omit<FormattedType, "text">;

interface PropertyType {
  readonly type: JsonObject;
  readonly facts: TypeCoverage;
  readonly isNew: boolean;
}

const NO_COVERAGE: TypeCoverage = { keywords: new Set(), properties: new Set() };

function toPropertyType(column: ModelColumn, document: ModelDocument): PropertyType {
  const { type, attribute } = column;
  const physicalType = attribute.properties?.["odcs:physicalType"];
  const isOdcsType = LOGICAL_TYPES.has(type);
  const { types, physical } = findDialects(document.properties);
  const isOfDatabase = types !== "odcs" && physical !== undefined;
  if (isOdcsType && !isOfDatabase) return { type: { logicalType: type }, facts: NO_COVERAGE, isNew: false };
  if (typeof physicalType === "string" && parseSqlType(physicalType).type === type) {
    const isSaid = parseSqlType(physicalType).constraints.maxLength === attribute.constraints?.maxLength;
    return { type: {}, facts: { ...NO_COVERAGE, ...(isSaid && { keywords: new Set(["maxLength"]) }) }, isNew: false };
  }
  if (type === "any") return { type: {}, facts: NO_COVERAGE, isNew: false };
  const { text, properties } = formatColumnType(column, findArgumentNamespace(attribute.properties) ?? "odcs");
  const logicalType = toOdcsType(findLogicalType(attribute, document));
  return {
    type: { ...includeMember("logicalType", logicalType), physicalType: text },
    // The logical type has the length as an option.
    facts: { keywords: new Set(), properties },
    isNew: logicalType !== type,
  };
}

const ARGUMENT = /^([^:]+):(precision|scale|arguments)$/;

/** Returns the namespace of the arguments that a type has in the format of its source. */
function findArgumentNamespace(properties: JsonObject = {}): string | undefined {
  return Object.keys(properties).flatMap((name) => ARGUMENT.exec(name)?.[1] ?? [])[0];
}

const ODCS_TYPES: Readonly<Partial<Record<LogicalTypeName, string>>> = {
  ...{ string: "string", uuid: "string", binary: "string", bits: "string", xml: "string", enum: "string" },
  ...{ network: "string", interval: "string", integer: "integer", float: "number", boolean: "boolean" },
  ...{ date: "date", time: "time", timestamp: "timestamp", array: "array" },
  ...{ map: "object", record: "object", json: "object", geometry: "object" },
};

/** Returns the type of ODCS with the values of a logical type; undefined for values of all types. */
function toOdcsType(type: LogicalType | undefined): string | undefined {
  if (type?.type === "decimal") return type.scale !== undefined && type.scale <= 0 ? "integer" : "number";
  return type && ODCS_TYPES[type.type];
}
