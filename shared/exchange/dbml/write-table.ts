import { differentSets } from "../frictionless/different-sets.ts";
import { isObject, type JsonObject } from "../json-object.ts";
import { columnType } from "../writing/column-type.ts";
import { isListOf, isText, isTrue, keptValue } from "../writing/kept-value.ts";
import type { ModelColumn, ModelTable } from "../writing/model-tables.ts";
import { writtenName } from "../writing/written-name.ts";
import { dbmlExpression, dbmlName, dbmlSettings, dbmlString, isColour, isExpression } from "./dbml-text.ts";

/** The names that tables, enums and types are written with, by their keys. */
export interface DbmlNames {
  readonly table: (key: string) => string;
  readonly enumeration: (key: string) => string;
  readonly type: (key: string) => string;
}

type Enums = ReadonlyMap<string, readonly string[]>;

/** The lines of a table with its columns, checks and indexes. */
export function tableLines(table: ModelTable, names: DbmlNames, enums: Enums): readonly string[] {
  const { key, entity, columns } = table;
  const { description, properties } = entity;
  const alias = keptValue(properties, "dbml:alias", isText, table.at);
  const as = alias === undefined ? "" : ` as ${dbmlName(alias)}`;
  const colour = keptValue(properties, "dbml:headerColor", isColour, table.at);
  const settings = dbmlSettings([colour && `headercolor: ${colour}`]);
  return [
    `Table ${names.table(key)}${as}${settings} {`,
    ...columns.map((column) => columnLine(column, table, names, enums)),
    ...block("checks", checkLines(table)),
    ...block("indexes", indexLines(table)),
    ...(description === undefined ? [] : [`  Note: ${dbmlString(description)}`]),
    "}",
  ];
}

function block(name: string, lines: readonly string[]): readonly string[] {
  return lines.length > 0 ? [`  ${name} {`, ...lines.map((line) => `    ${line}`), "  }"] : [];
}

function columnLine(column: ModelColumn, { primaryKey }: ModelTable, names: DbmlNames, enums: Enums): string {
  const { attribute, at, type } = column;
  const { description, optional, constraints = {}, properties = {} } = attribute;
  const isEnum = enums.has(type);
  const sql = columnType({ ...column, type: names.type(type) }, "dbml");
  if (constraints.enum && !isEnum) {
    at.warn("/constraints/enum", "not_written", "values are those of a type, and attributes of this one have others");
  }
  if (constraints.maxLength !== undefined && (isEnum || !sql.keywords.has("maxLength"))) {
    at.warn("/constraints/maxLength", "not_written", "only types of texts have a length");
  }
  for (const name of ["precision", "scale", "arguments"]) {
    const said = !isEnum && sql.properties.has(`dbml:${name}`);
    if (properties[`dbml:${name}`] !== undefined && !said) {
      at.warn(`/properties/dbml:${name}`, "not_written", "the type has no such arguments");
    }
  }
  const isSingle = primaryKey.length === 1 && primaryKey[0] === attribute.key;
  const checks = keptValue(properties, "dbml:checks", isListOf(isExpression), at) ?? [];
  const settings = [
    isSingle ? "pk" : undefined,
    keptValue(properties, "dbml:increment", isTrue, at) && "increment",
    constraints.unique === true ? "unique" : undefined,
    !optional ? "not null" : undefined,
    defaultOf(column),
    ...checks.map((one) => `check: ${dbmlExpression(one)}`),
    description === undefined ? undefined : `note: ${dbmlString(description)}`,
  ];
  const written = isEnum ? names.enumeration(type) : dbmlName(sql.text);
  const plain = !isEnum && /^[A-Za-z_]\w*\(\d+(,\d+)?\)$/.test(sql.text) ? sql.text : written;
  return `  ${dbmlName(writtenName(attribute))} ${plain}${dbmlSettings(settings)}`;
}

function defaultOf({ attribute: { constraints = {}, properties = {} }, at }: ModelColumn): string | undefined {
  if (!("default" in constraints)) {
    const expression = keptValue(properties, "dbml:default", isExpression, at);
    return expression && `default: ${dbmlExpression(expression)}`;
  }
  const { default: value } = constraints;
  if (typeof value === "string") return `default: ${dbmlString(value)}`;
  if (typeof value === "boolean" || value === null) return `default: ${value}`;
  if (typeof value === "number" && /^-?\d+(\.\d+)?$/.test(String(value))) return `default: ${value}`;
  at.warn("/constraints/default", "not_written", "a default of DBML is a text, a number, a flag or nothing");
  return undefined;
}

function checkLines({ entity: { properties }, at }: ModelTable): readonly string[] {
  const checks = keptValue(properties, "dbml:checks", isListOf(isCheck), at) ?? [];
  return checks.map(({ expression, name }) => `${dbmlExpression(expression)}${dbmlSettings([nameSetting(name)])}`);
}

interface Check {
  readonly expression: string;
  readonly name?: unknown;
}

const isCheck = (value: unknown): value is Check => isObject(value) && isExpression(value.expression);

function nameSetting(name: unknown): string | undefined {
  return typeof name === "string" ? `name: ${dbmlString(name)}` : undefined;
}

function indexLines({ primaryKey, unique, columns, at, entity: { properties } }: ModelTable): readonly string[] {
  const named = (keys: readonly string[]): string => {
    const list = keys.map((key) => {
      const column = columns.find((one) => one.key === key);
      return dbmlName(column ? writtenName(column.attribute) : key);
    });
    return `(${list.join(", ")})`;
  };
  const isMarked = (key: string | undefined): boolean =>
    columns.find((one) => one.key === key)?.attribute.constraints?.unique === true;
  const sets = differentSets(unique.map((set) => set.columns)).filter(
    (set) => set.length > 1 || (set.length === 1 && !isMarked(set[0])),
  );
  const others = keptValue(properties, "dbml:indexes", isListOf(isIndex), at) ?? [];
  return [
    ...(primaryKey.length > 1 ? [`${named(primaryKey)} [pk]`] : []),
    ...sets.map((set) => `${named(set)} [unique]`),
    ...others.map(indexLine),
  ];
}

interface Index extends JsonObject {
  readonly columns: readonly (string | { readonly expression: string })[];
}

const isColumn = (one: unknown): one is Index["columns"][number] =>
  isText(one) || (isObject(one) && isExpression(one.expression));
const isIndex = (value: unknown): value is Index =>
  isObject(value) && isListOf(isColumn)(value.columns) && value.columns.length > 0;

/** An index that is no key, as its reader keeps it. */
function indexLine({ columns, name, type, note, pk, unique }: Index): string {
  const list = columns.map((one) => (typeof one === "string" ? dbmlName(one) : dbmlExpression(one.expression)));
  const settings = [
    pk === true ? "pk" : undefined,
    unique === true ? "unique" : undefined,
    nameSetting(name),
    typeof type === "string" && /^\w+$/.test(type) ? `type: ${type}` : undefined,
    isText(note) ? `note: ${dbmlString(note)}` : undefined,
  ];
  return `(${list.join(", ")})${dbmlSettings(settings)}`;
}
