import type { ModelDocument } from "../../domain/document.ts";
import type { Findings } from "../findings.ts";
import { keyIn, type ModelTable } from "./model-tables.ts";

/** Names of types that are no enumerations, whatever values a column of them may have. */
const BASE =
  /^(any|string|text|(var|n|nvar|long)?char(acter)?( varying)?|varchar2|clob|uuid|u?(big|small|tiny)?int(eger|\d*)|long|number|numeric|decimal|float\d*|double( precision)?|real|bool(ean)?|date|time|datetime|timestamp|bytes|binary|blob|object|array|list|map|json|year)$/i;

/** Types that are enumerations, by their keys: every attribute of the type has the same values, and all of them are texts. */
export function enumTypes(tables: readonly ModelTable[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[] | undefined>();
  for (const { type, attribute } of tables.flatMap(({ columns }) => columns)) {
    const values = textsOf(attribute.constraints?.enum);
    const known = found.has(type) ? found.get(type) : values;
    found.set(type, values && known && JSON.stringify(values) === JSON.stringify(known) ? values : undefined);
  }
  const sure = [...found].flatMap(([type, values]) => (values && !BASE.test(type) ? [[type, values] as const] : []));
  return new Map(sure);
}

/** Values that are all texts with something in them. */
export function textsOf(values: readonly unknown[] | undefined): readonly string[] | undefined {
  return values && values.length > 0 && values.every((one) => typeof one === "string" && one !== "")
    ? (values as readonly string[])
    : undefined;
}

/** Warns of the types that no attribute has and that a format therefore does not name. */
export function warnUnusedTypes(
  { types, entities }: ModelDocument,
  format: string,
  isWritten: (key: string) => boolean,
  findings: Findings,
): void {
  const used = new Set(entities.flatMap(({ attributes }) => attributes.map(({ type }) => keyIn(type))));
  for (const [i, { key }] of types.entries()) {
    if (used.has(key) || isWritten(key)) continue;
    findings.warn(`/types/${i}`, "not_written", `${format} has no types but those of columns`);
  }
}
