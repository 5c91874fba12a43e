import type { Constraints } from "../constraints/keywords.ts";
import type { AttributeDocument, ModelDocument, TypeDocument } from "../document/document.ts";
import type { Properties } from "../values/properties.ts";
import { COMMON } from "./dialects/any-dialect.ts";
import {
  DIALECT_TABLES,
  findDialectByName,
  findDialects,
  type ModelDialects,
  type TypeDialect,
} from "./dialects/dialects.ts";
import { JSON_SCHEMA } from "./dialects/schema-languages.ts";
import { type DialectTable, type ResolvedType, resolveType } from "./dialects/table.ts";
import { parseTypeText, type TypeText } from "./dialects/type-text.ts";
import type { LogicalType, StringType } from "./logical/logical-type.ts";

/** Members of an attribute that its logical type depends on. */
export interface TypedAttribute {
  readonly constraints?: Constraints | undefined;
  readonly properties?: Properties | undefined;
}

/** Members of a type that the logical types of its attributes depend on. */
export interface NamedType {
  readonly key: string;
  readonly name?: string | undefined;
  readonly properties?: Properties | undefined;
}

/** Type of an attribute: as its dialect names it, and as the set of its values. */
export interface AttributeType {
  readonly dialect: TypeDialect | undefined;
  /** Name that the database reports; the key of the type if no table contains it. */
  readonly name: string;
  /** Undefined if the type is not known. */
  readonly logicalType: LogicalType | undefined;
  /** True if the type has arguments, and none of them has an effect on the values. */
  readonly hasWidthOnly: boolean;
  /** Names of the properties whose whole meaning the logical type contains. */
  readonly readProperties: ReadonlySet<string>;
  /** Address of the page that describes the type. */
  readonly source?: string | undefined;
}

/** Returns the logical type of an attribute of a model document; undefined if its type is not known. */
export function findLogicalType(attribute: AttributeDocument, model: ModelDocument): LogicalType | undefined {
  return findAttributeType(attribute, model).logicalType;
}

/** Returns the type of an attribute of a model document. */
export function findAttributeType(attribute: AttributeDocument, model: ModelDocument): AttributeType {
  const { types, dialects } = readTerms(model);
  return resolveAttributeType(attribute, types.get(attribute.type) ?? { key: attribute.type.slice(4) }, dialects);
}

/** Tests for a type that the dialect of its model defines, and about which the model says nothing more. */
export function isBuiltInType({ key, name, description, properties }: TypeDocument, model: ModelDocument): boolean {
  const { types } = readTerms(model).dialects;
  if (types === undefined || description !== undefined || properties !== undefined) return false;
  return [key, name].some((one) => one !== undefined && resolveInTables(parseTypeText(one), DIALECT_TABLES[types]));
}

interface ModelTerms {
  readonly types: ReadonlyMap<string, TypeDocument>;
  readonly dialects: ModelDialects;
}

const TERMS = new WeakMap<ModelDocument, ModelTerms>();

function readTerms(model: ModelDocument): ModelTerms {
  const cachedTerms = TERMS.get(model);
  if (cachedTerms) return cachedTerms;
  const terms = {
    types: new Map(model.types.map((type) => [`key:${type.key}`, type])),
    dialects: findDialects(model.properties),
  };
  TERMS.set(model, terms);
  return terms;
}

/** Returns the type of an attribute of a model with these dialects. */
export function resolveAttributeType(
  attribute: TypedAttribute,
  type: NamedType,
  modelDialects: ModelDialects,
): AttributeType {
  const all = [modelDialects, findDialects(attribute.properties), findDialects(type.properties)];
  const dialects = all.find(({ types }) => types !== undefined) ?? {};
  const dialect = dialects.physical ?? dialects.types;
  const resolved = resolveOwnType(attribute, type) ?? resolvePhysicalType(attribute, type, dialects);
  if (!resolved) {
    return { dialect, name: type.key, logicalType: undefined, hasWidthOnly: false, readProperties: NO_PROPERTIES };
  }
  const { name, source, hasWidthOnly } = resolved;
  const logicalType = addConstraints(resolved.type, attribute);
  return { dialect, name, source, hasWidthOnly, logicalType, readProperties: listReadProperties(attribute, resolved) };
}

const NO_PROPERTIES: ReadonlySet<string> = new Set();
/** Property with the physical type of an attribute whose type is the logical one of ODCS. */
const ODCS_TYPE = "odcs:physicalType";
/** Properties with arguments of a type, without their namespace. */
const ARGUMENTS = /^[^:]+:(precision|scale|arguments|lengthUnit|written)$/;
/** Type of the items of an array of BigQuery, as text. */
const SQL_ITEMS = "sql:items";

function listReadProperties({ properties = {} }: TypedAttribute, resolved: ResolvedType): ReadonlySet<string> {
  if (resolved.hasUnreadArguments) return NO_PROPERTIES;
  if (ODCS_TYPE in properties) return new Set([ODCS_TYPE]);
  const hasItems = resolved.type.type === "array" && resolved.type.of !== undefined;
  return new Set(Object.keys(properties).filter((one) => ARGUMENTS.test(one) || (one === SQL_ITEMS && hasItems)));
}

/** Resolves a type that the source defines: an enum. Other definitions name a type that they are based on. */
function resolveOwnType(
  { constraints }: TypedAttribute,
  { key, properties = {} }: NamedType,
): ResolvedType | undefined {
  const isEnum = OWN_ENUMS.some((name) => name in properties) || properties["avro:kind"] === "enum";
  const values = constraints?.enum;
  if (!isEnum || !values?.every((one) => typeof one === "string")) return undefined;
  const type = { type: "enum", values } as const;
  return { name: key, type, source: undefined, hasWidthOnly: false, hasUnreadArguments: false };
}

const OWN_ENUMS = ["sql:values", "dbml:values"];

function resolvePhysicalType(
  attribute: TypedAttribute,
  type: NamedType,
  { types = "common", physical = "common" }: ModelDialects,
): ResolvedType | undefined {
  const physicalType = attribute.properties?.[ODCS_TYPE];
  const resolved =
    typeof physicalType === "string" ? resolveContractType(physicalType, DIALECT_TABLES[physical]) : undefined;
  if (resolved) return resolved;
  const table = DIALECT_TABLES[types];
  const names = [findBaseName(type), type.key, type.name].filter((one) => one !== undefined);
  for (const name of names) {
    const text = addArguments(parseTypeText(name), attribute);
    const match = resolveFormat(text, attribute, table) ?? resolveInTables(text, table);
    if (match) return match;
  }
  return undefined;
}

/** Resolves the physical type of a data contract. Some contracts write a length in square brackets. */
function resolveContractType(text: string, table: DialectTable): ResolvedType | undefined {
  return resolveInTables(parseTypeText(text.replace(/^(\w*char\w*)\[(\d+)\]$/i, "$1($2)")), table);
}

function resolveInTables(text: TypeText, table: DialectTable): ResolvedType | undefined {
  const own = table === COMMON ? undefined : resolveType(text, table);
  if (own) return own;
  const common = resolveType(text, COMMON);
  // No database reports the names of this table.
  return common && { ...common, name: text.name };
}

/** Resolves a type with a format, which JSON Schema defines for all models without a dialect of their own. */
function resolveFormat(text: TypeText, { constraints }: TypedAttribute, table: DialectTable): ResolvedType | undefined {
  const { format } = constraints ?? {};
  if (format === undefined) return undefined;
  const formatText = { ...text, name: `${text.name}:${format}` };
  return resolveType(formatText, table === COMMON ? JSON_SCHEMA : table);
}

/** Returns the name of the type that a definition is based on. */
function findBaseName({ properties = {} }: NamedType): string | undefined {
  const base = properties["sql:type"];
  if (typeof base === "string") return base;
  const schema = properties["jsonschema:schema"] ?? properties["openapi:schema"];
  const name = (schema as { readonly type?: unknown } | undefined)?.type;
  return typeof name === "string" ? name : properties["avro:kind"] === "fixed" ? "fixed" : undefined;
}

/** Adds the arguments that an attribute keeps as properties. */
function addArguments(text: TypeText, { properties = {} }: TypedAttribute): TypeText {
  const { [SQL_ITEMS]: items } = properties;
  if (typeof items === "string") return parseTypeText(`${text.name}<${items}>`);
  const kept = readArguments(properties);
  if (kept.written === "boolean") return { ...text, name: "boolean" };
  if (text.arguments.length > 0) return text;
  if (typeof kept.arguments === "string") {
    return { ...text, arguments: kept.arguments.split(",").map((one) => one.trim()) };
  }
  if (kept.precision !== undefined) {
    return { ...text, arguments: [kept.precision, kept.scale].filter((one) => one !== undefined).map(String) };
  }
  return text;
}

function readArguments(properties: Properties): Readonly<Record<string, unknown>> {
  const entries = Object.entries(properties).filter(([name]) => ARGUMENTS.test(name));
  return Object.fromEntries(entries.map(([name, value]) => [name.slice(name.indexOf(":") + 1), value]));
}

/** Adds what the constraints and properties say about the values of a type. */
function addConstraints(type: LogicalType, { constraints, properties = {} }: TypedAttribute): LogicalType {
  const { maxLength, enum: values } = constraints ?? {};
  if (type.type === "enum" && type.values.length === 0 && values?.every((one) => typeof one === "string")) {
    return { type: "enum", values };
  }
  if (maxLength !== undefined && type.type === "binary") return { ...type, maxLength };
  if (maxLength !== undefined && type.type === "string")
    return setLength(type, maxLength, properties["sql:lengthUnit"]);
  if (type.type === "array") return addItems(type, properties);
  if (type.type !== "timestamp" || type.zone !== undefined) return type;
  const options = properties["odcs:logicalTypeOptions"] as { readonly timezone?: unknown } | undefined;
  return typeof options?.timezone === "boolean" ? { ...type, zone: options.timezone } : type;
}

function setLength(type: StringType, maxLength: number, lengthUnit: unknown): StringType {
  if (typeof lengthUnit !== "string") return { ...type, maxLength };
  const { unit: _, ...others } = type;
  return { ...others, maxLength, ...(/^(byte|octets)/.test(lengthUnit) && { unit: "byte" }) };
}

function addItems(type: LogicalType & { readonly type: "array" }, properties: Properties): LogicalType {
  const values = properties["sql:values"];
  if (Array.isArray(values) && values.every((one) => typeof one === "string")) {
    return { ...type, of: { type: "enum", values } };
  }
  const items = ITEM_PROPERTIES.map((name) => properties[name]).find((one) => one !== undefined);
  if (type.of || items === undefined) return type;
  const of = resolveItems(items);
  return of ? { ...type, of } : type;
}

const ITEM_PROPERTIES = ["jsonschema:items", "openapi:items", "avro:items", "odcs:items", "frictionless:itemType"];

function resolveItems(items: unknown): LogicalType | undefined {
  if (typeof items === "string") return resolveType(parseTypeText(items), COMMON)?.type;
  const { type, logicalType, format } = items as Readonly<Record<string, unknown>>;
  const name = [logicalType, type].find((one) => typeof one === "string");
  if (typeof name !== "string") return undefined;
  const text = parseTypeText(name);
  const withFormat = typeof format === "string" ? { ...text, name: `${text.name}:${format}` } : text;
  return (resolveType(withFormat, JSON_SCHEMA) ?? resolveInTables(text, JSON_SCHEMA))?.type;
}

/** Returns the logical type of a physical type as text, in a dialect by name; undefined if it is not known. */
export function findLogicalTypeOfText(text: string, dialectName?: string): LogicalType | undefined {
  const dialect = findDialectByName(dialectName) ?? "common";
  return resolveInTables(parseTypeText(text), DIALECT_TABLES[dialect])?.type;
}
