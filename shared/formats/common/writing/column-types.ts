import type { ModelDocument } from "../../../domain/document/document.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { JsonObject } from "../json-object.ts";
import { parseSqlType } from "../sql-type.ts";
import { type ModelColumn, type ModelTable, toKey } from "./model-tables.ts";

/** A database type as text, with the facts it expresses. */
export interface FormattedType {
  readonly text: string;
  /** Constraint keywords that the text expresses. */
  readonly keywords: ReadonlySet<string>;
  /** Properties that the text expresses. */
  readonly properties: ReadonlySet<string>;
}

/** Formats the type of a column with arguments that readers parse again: `varchar(160)`, `numeric(10,2)`. */
export function formatColumnType({ type, attribute }: ModelColumn, namespace: string): FormattedType {
  const { maxLength } = attribute.constraints ?? {};
  const kept = attribute.properties ?? {};
  const toPropertyName = (name: string): string => `${namespace}:${name}`;
  const [precision, scale, list] = ["precision", "scale", "arguments"].map((name) => kept[toPropertyName(name)]);
  const tryFormat = (
    text: string,
    keywords: readonly string[],
    names: readonly string[],
  ): FormattedType | undefined => {
    const read = parseSqlType(text);
    const values = names.map((name) => [name, kept[toPropertyName(name)]]);
    const isSame =
      read.type === type &&
      isEqualJson(read.constraints, maxLength === undefined || keywords.length === 0 ? {} : { maxLength }) &&
      isEqualJson(read.kept, Object.fromEntries(values));
    return isSame ? { text, keywords: new Set(keywords), properties: new Set(names.map(toPropertyName)) } : undefined;
  };
  return (
    (maxLength !== undefined ? tryFormat(`${type}(${maxLength})`, ["maxLength"], []) : undefined) ??
    (precision !== undefined && scale !== undefined
      ? tryFormat(`${type}(${precision},${scale})`, [], ["precision", "scale"])
      : undefined) ??
    (precision !== undefined ? tryFormat(`${type}(${precision})`, [], ["precision"]) : undefined) ??
    (typeof list === "string" ? tryFormat(`${type}(${list})`, [], ["arguments"]) : undefined) ?? {
      text: type,
      keywords: new Set(),
      properties: new Set(),
    }
  );
}

function isEqualJson(a: JsonObject, b: JsonObject): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Names of types that are never enumerations. */
const BASE_TYPES =
  /^(any|string|text|(var|n|nvar|long)?char(acter)?( varying)?|varchar2|clob|uuid|u?(big|small|tiny)?int(eger|\d*)|long|number|numeric|decimal|float\d*|double( precision)?|real|bool(ean)?|date|time|datetime|timestamp|bytes|binary|blob|object|array|list|map|json|year)$/i;

/** Finds enumerations by type key: all attributes of the type have the same values, which are texts. */
export function findEnumTypes(tables: readonly ModelTable[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[] | undefined>();
  for (const { type, attribute } of tables.flatMap(({ columns }) => columns)) {
    const values = toNonEmptyTexts(attribute.constraints?.enum);
    const known = found.has(type) ? found.get(type) : values;
    found.set(type, values && known && JSON.stringify(values) === JSON.stringify(known) ? values : undefined);
  }
  const sure = [...found].flatMap(([type, values]) =>
    values && !BASE_TYPES.test(type) ? [[type, values] as const] : [],
  );
  return new Map(sure);
}

function toNonEmptyTexts(values: readonly unknown[] | undefined): readonly string[] | undefined {
  return values && values.length > 0 && values.every((one) => typeof one === "string" && one !== "")
    ? (values as readonly string[])
    : undefined;
}

/** Warns about types that no attribute uses. */
export function warnUnusedTypes(
  { types, entities }: ModelDocument,
  format: string,
  isWritten: (key: string) => boolean,
  diagnostics: Diagnostics,
): void {
  const used = new Set(entities.flatMap(({ attributes }) => attributes.map(({ type }) => toKey(type))));
  for (const [i, { key }] of types.entries()) {
    if (used.has(key) || isWritten(key)) continue;
    diagnostics.warn(`/types/${i}`, "not_written", `${format} has types of columns only`);
  }
}
