import type { ModelDocument } from "../../../domain/document/document.ts";
import { isSameValue } from "../../../domain/text/json-values.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { JsonObject } from "../json-object.ts";
import { parseSqlType } from "../sql-type.ts";
import { type ModelColumn, type ModelTable, toKey } from "./model-tables.ts";

/** A database type as text, with the facts it expresses. */
export interface FormattedType {
  readonly text: string;
  readonly keywords: ReadonlySet<string>;
  readonly properties: ReadonlySet<string>;
}

/** Formats the type of a column with arguments that readers parse again: `varchar(160)`, `numeric(10,2)`. */
export function formatColumnType({ type, attribute }: ModelColumn, namespace: string): FormattedType {
  const { maxLength } = attribute.constraints ?? {};
  const properties = attribute.properties ?? {};
  const toPropertyName = (name: string) => `${namespace}:${name}`;
  const readKept = (names: readonly string[]): JsonObject =>
    Object.fromEntries(names.map((name) => [name, properties[toPropertyName(name)]]));
  const { precision, scale, arguments: list } = readKept(["precision", "scale", "arguments"]);
  const candidates: readonly (readonly [text: string, constraints: JsonObject, names: readonly string[]])[] = [
    [addArguments(type, `${maxLength}`), { maxLength }, []],
    [addArguments(type, `${precision},${scale}`), {}, ["precision", "scale"]],
    [addArguments(type, `${precision}`), {}, ["precision"]],
    [addArguments(type, `${list}`), {}, ["arguments"]],
  ];
  const match = candidates.find(([candidate, constraints, names]) => {
    const parsedType = parseSqlType(candidate);
    const facts = JSON.stringify([parsedType.constraints, parsedType.rest]);
    return parsedType.type === type && facts === JSON.stringify([constraints, readKept(names)]);
  });
  const [text, constraints, names] = match ?? [type, {}, []];
  return { text, keywords: new Set(Object.keys(constraints)), properties: new Set(names.map(toPropertyName)) };
}

/** Adds arguments to a type, before words such as `unsigned` and `with time zone`. */
function addArguments(type: string, list: string): string {
  const [, name = type, words = ""] = /^(.+?)( (?:unsigned|signed|zerofill|with|without)\b.*)$/i.exec(type) ?? [];
  return `${name}(${list})${words}`;
}

const BASE_TYPES =
  /^(any|string|text|(var|n|nvar|long)?char(acter)?( varying)?|varchar2|clob|uuid|u?(big|small|tiny)?int(eger|\d*)|long|number|numeric|decimal|float\d*|double( precision)?|real|bool(ean)?|date|time|datetime|timestamp|bytes|binary|blob|object|array|list|map|json|year)$/i;

/** Finds enumerations by type key: all attributes of the type have the same values, which are texts. */
export function findEnumTypes(tables: readonly ModelTable[]): ReadonlyMap<string, readonly string[]> {
  const columns = tables.flatMap((table) => table.columns);
  const byType = [...Map.groupBy(columns, ({ type }) => type)];
  const enums = byType.flatMap(([type, [first, ...others]]) => {
    const values = first?.attribute.constraints?.enum;
    const isSame = others.every((one) => isSameValue(one.attribute.constraints?.enum, values));
    return isSame && areNonEmptyTexts(values) && !BASE_TYPES.test(type) ? [[type, values] as const] : [];
  });
  return new Map(enums);
}

function areNonEmptyTexts(values: readonly unknown[] = []): values is readonly string[] {
  return values.length > 0 && values.every((one) => typeof one === "string" && one !== "");
}

/** Warns about types that no attribute uses. */
export function warnUnusedTypes(
  { types, entities }: ModelDocument,
  format: string,
  isWritten: (key: string) => boolean,
  diagnostics: Diagnostics,
): void {
  const usedTypes = new Set(entities.flatMap(({ attributes }) => attributes.map(({ type }) => toKey(type))));
  for (const [i, { key }] of types.entries()) {
    if (usedTypes.has(key) || isWritten(key)) continue;
    diagnostics.warn(`/types/${i}`, "not_written", `${format} has types of columns only`);
  }
}
