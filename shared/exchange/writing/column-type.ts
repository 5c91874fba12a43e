import type { JsonObject } from "../json-object.ts";
import { sqlType } from "../tables/sql-type.ts";
import type { ModelColumn } from "./model-tables.ts";

/** A type as a database writes it, with what it tells of the column. */
export interface ColumnType {
  readonly text: string;
  /** The keywords of constraints that the text says. */
  readonly keywords: ReadonlySet<string>;
  /** The properties that the text says. */
  readonly properties: ReadonlySet<string>;
}

/** The type of a column with its arguments, so that a reader of the format takes it apart again: `varchar(160)`, `numeric(10,2)`. */
export function columnType({ type, attribute }: ModelColumn, namespace: string): ColumnType {
  const { maxLength } = attribute.constraints ?? {};
  const kept = attribute.properties ?? {};
  const named = (name: string): string => `${namespace}:${name}`;
  const [precision, scale, list] = ["precision", "scale", "arguments"].map((name) => kept[named(name)]);
  const saidBy = (text: string, keywords: readonly string[], names: readonly string[]): ColumnType | undefined => {
    const read = sqlType(text);
    const values = names.map((name) => [name, kept[named(name)]]);
    const isSame =
      read.type === type &&
      isEqual(read.constraints, maxLength === undefined || keywords.length === 0 ? {} : { maxLength }) &&
      isEqual(read.kept, Object.fromEntries(values));
    return isSame ? { text, keywords: new Set(keywords), properties: new Set(names.map(named)) } : undefined;
  };
  return (
    (maxLength !== undefined ? saidBy(`${type}(${maxLength})`, ["maxLength"], []) : undefined) ??
    (precision !== undefined && scale !== undefined
      ? saidBy(`${type}(${precision},${scale})`, [], ["precision", "scale"])
      : undefined) ??
    (precision !== undefined ? saidBy(`${type}(${precision})`, [], ["precision"]) : undefined) ??
    (typeof list === "string" ? saidBy(`${type}(${list})`, [], ["arguments"]) : undefined) ?? {
      text: type,
      keywords: new Set(),
      properties: new Set(),
    }
  );
}

function isEqual(a: JsonObject, b: JsonObject): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
