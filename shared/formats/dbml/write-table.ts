import { removeEqualSets } from "../common/column-sets.ts";
import { isObject, type JsonObject } from "../common/json-object.ts";
import { formatColumnType } from "../common/writing/column-types.ts";
import type { ModelColumn, ModelTable } from "../common/writing/model-tables.ts";
import { isListOf, isText, isTrue, readKeptValue } from "../common/writing/own-members.ts";
import { toColumnName, toWrittenName } from "../common/writing/written-names.ts";

/** Written names of tables, enums and types by key. */
export interface DbmlNames {
  readonly table: (key: string) => string;
  readonly enumeration: (key: string) => string;
  readonly type: (key: string) => string;
}

type Enums = ReadonlyMap<string, readonly string[]>;

/** Formats a table with its columns, checks and indexes. */
export function formatTable(table: ModelTable, names: DbmlNames, enums: Enums): readonly string[] {
  const { key, entity, columns } = table;
  const { description, properties } = entity;
  const alias = readKeptValue(properties, "dbml:alias", isText, table.at);
  const as = alias === undefined ? "" : ` as ${quoteName(alias)}`;
  const colour = readKeptValue(properties, "dbml:headerColor", isColour, table.at);
  const settings = formatSettings([colour && `headercolor: ${colour}`]);
  return [
    `Table ${names.table(key)}${as}${settings} {`,
    ...columns.map((column) => formatColumn(column, table, names, enums)),
    ...formatBlock("checks", formatChecks(table)),
    ...formatBlock("indexes", formatIndexes(table)),
    ...(description === undefined ? [] : [`  Note: ${quoteString(description)}`]),
    "}",
  ];
}

function formatBlock(name: string, lines: readonly string[]): readonly string[] {
  return lines.length > 0 ? [`  ${name} {`, ...lines.map((line) => `    ${line}`), "  }"] : [];
}

function formatColumn(column: ModelColumn, { primaryKey }: ModelTable, names: DbmlNames, enums: Enums) {
  const { attribute, at, type } = column;
  const { description, optional, constraints = {}, properties = {} } = attribute;
  const isEnum = enums.has(type);
  const sql = formatColumnType({ ...column, type: names.type(type) }, "dbml");
  if (constraints.enum && !isEnum) {
    at.warn("/constraints/enum", "not_written", "other attributes of this type have other values");
  }
  if (constraints.maxLength !== undefined && (isEnum || !sql.keywords.has("maxLength"))) {
    at.warn("/constraints/maxLength", "not_written", "only text types have a length");
  }
  for (const name of ["precision", "scale", "arguments"]) {
    const isCovered = !isEnum && sql.properties.has(`dbml:${name}`);
    if (properties[`dbml:${name}`] !== undefined && !isCovered) {
      at.warn(`/properties/dbml:${name}`, "not_written", "the type has no such arguments");
    }
  }
  const isSingle = primaryKey.length === 1 && primaryKey[0] === attribute.key;
  const checks = readKeptValue(properties, "dbml:checks", isListOf(isExpression), at) ?? [];
  const settings = [
    isSingle ? "pk" : undefined,
    readKeptValue(properties, "dbml:increment", isTrue, at) && "increment",
    constraints.unique === true ? "unique" : undefined,
    !optional ? "not null" : undefined,
    formatDefault(column),
    ...checks.map((one) => `check: ${quoteExpression(one)}`),
    description === undefined ? undefined : `note: ${quoteString(description)}`,
  ];
  const typeName = isEnum ? names.enumeration(type) : quoteName(sql.text);
  const typeText = !isEnum && /^[A-Za-z_]\w*\(\d+(,\d+)?\)$/.test(sql.text) ? sql.text : typeName;
  return `  ${quoteName(toWrittenName(attribute))} ${typeText}${formatSettings(settings)}`;
}

function formatDefault({ attribute: { constraints = {}, properties = {} }, at }: ModelColumn): string | undefined {
  if (!("default" in constraints)) {
    const expression = readKeptValue(properties, "dbml:default", isExpression, at);
    return expression && `default: ${quoteExpression(expression)}`;
  }
  const { default: value } = constraints;
  if (typeof value === "string") return `default: ${quoteString(value)}`;
  if (typeof value === "boolean" || value === null) return `default: ${value}`;
  if (typeof value === "number" && /^-?\d+(\.\d+)?$/.test(String(value))) return `default: ${value}`;
  at.warn("/constraints/default", "not_written", "a DBML default is a text, a number, a boolean or null");
  return undefined;
}

function formatChecks({ entity: { properties }, at }: ModelTable): readonly string[] {
  const checks = readKeptValue(properties, "dbml:checks", isListOf(isCheck), at) ?? [];
  return checks.map((check) => quoteExpression(check.expression) + formatSettings([formatNameSetting(check.name)]));
}

const isCheck = (value: unknown): value is { readonly expression: string; readonly name?: unknown } =>
  isObject(value) && isExpression(value.expression);

function formatNameSetting(name: unknown): string | undefined {
  return typeof name === "string" ? `name: ${quoteString(name)}` : undefined;
}

function formatIndexes(table: ModelTable): readonly string[] {
  const { primaryKey, unique, columns, at, entity } = table;
  const formatKey = (keys: readonly string[]) =>
    `(${keys.map((key) => quoteName(toColumnName(table, key))).join(", ")})`;
  const isMarked = (key: string | undefined) =>
    columns.find((one) => one.key === key)?.attribute.constraints?.unique === true;
  const sets = removeEqualSets(unique.map((set) => set.columns)).filter(
    (set) => set.length > 1 || (set.length === 1 && !isMarked(set[0])),
  );
  const others = readKeptValue(entity.properties, "dbml:indexes", isListOf(isIndex), at) ?? [];
  return [
    ...(primaryKey.length > 1 ? [`${formatKey(primaryKey)} [pk]`] : []),
    ...sets.map((set) => `${formatKey(set)} [unique]`),
    ...others.map(formatIndex),
  ];
}

type IndexColumn = string | { readonly expression: string };
type Index = JsonObject & { readonly columns: readonly IndexColumn[] };

const isColumn = (one: unknown): one is IndexColumn => isText(one) || isCheck(one);
const isIndex = (value: unknown): value is Index =>
  isObject(value) && isListOf(isColumn)(value.columns) && value.columns.length > 0;

function formatIndex({ columns, name, type, note, pk, unique }: Index) {
  const list = columns.map((one) => (typeof one === "string" ? quoteName(one) : quoteExpression(one.expression)));
  const settings = [
    pk === true ? "pk" : undefined,
    unique === true ? "unique" : undefined,
    formatNameSetting(name),
    typeof type === "string" && /^\w+$/.test(type) ? `type: ${type}` : undefined,
    isText(note) ? `note: ${quoteString(note)}` : undefined,
  ];
  return `(${list.join(", ")})${formatSettings(settings)}`;
}

/** Quotes a name unless it is a plain word. */
export function quoteName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !RESERVED_WORD.test(name) ? name : quoteAlways(name);
}

export function quoteAlways(name: string): string {
  return `"${escapeText(name, '"')}"`;
}

const RESERVED_WORD =
  /^(table|tablepartial|tablegroup|enum|ref|project|note|indexes|checks|records|diagramview|dep|use|reuse|from|as|null|true|false|not|pk|primary|key|unique|increment|default|check)$/i;

/** Formats a text in single quotes on one line. */
export function quoteString(text: string): string {
  return `'${escapeText(text, "'")}'`;
}

function isExpression(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && !/[`\\\n\r]/.test(value);
}

function quoteExpression(text: string) {
  return `\`${text}\``;
}

/** Returns true for a hexadecimal colour. */
export function isColour(value: unknown): value is string {
  return typeof value === "string" && /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value);
}

const ESCAPED_LETTERS: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

function escapeText(text: string, quote: string) {
  return [...text].map((letter) => (letter === quote ? `\\${quote}` : (ESCAPED_LETTERS[letter] ?? letter))).join("");
}

/** Formats settings in brackets; empty without settings. */
export function formatSettings(settings: readonly (string | undefined)[]): string {
  const texts = settings.filter((one) => one !== undefined);
  return texts.length > 0 ? ` [${texts.join(", ")}]` : "";
}
