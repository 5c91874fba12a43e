import type { SqlColumn } from "./columns.ts";
import type { SqlEnum } from "./enums.ts";
import type { MadeName } from "./names.ts";
import { sqlName, sqlString } from "./sql-text.ts";
import type { NamedCheck, SqlForeignKey, SqlKey, SqlTable } from "./tables.ts";

/** The statement that makes a table, with its keys and checks and without foreign keys. */
export function createTable(table: SqlTable): string {
  const { columns, primaryKey, unique, text } = table;
  const lines = [
    ...columns.map((one) => columnLine(one, table.checks.get(one) ?? [])),
    ...(primaryKey ? [keyLine("PRIMARY KEY", primaryKey)] : []),
    ...unique.map((key) => keyLine("UNIQUE", key)),
  ];
  return lines.length === 0 ? `CREATE TABLE ${text} ();` : `CREATE TABLE ${text} (\n  ${lines.join(",\n  ")}\n);`;
}

/** A column as the statements have it that make a table or add the column. */
export function columnLine(column: SqlColumn, checks: readonly NamedCheck[], isRequired = column.isRequired): string {
  return [
    sqlName(column.name),
    column.type.text,
    ...(isRequired ? ["NOT NULL"] : []),
    ...(column.default === undefined ? [] : [`DEFAULT ${column.default}`]),
    ...checks.map((check) => checkLine(check, column.name)),
  ].join(" ");
}

/** A check as a part of a statement. */
export function checkLine(check: NamedCheck, column: string): string {
  return `${said(check)}CHECK (${check.of(sqlName(column))})`;
}

/** A primary or unique key as a part of a statement. */
export function keyLine(sort: "PRIMARY KEY" | "UNIQUE", key: SqlKey): string {
  return `${said(key)}${sort} (${listed(key.columns)})`;
}

/** The statement that adds a foreign key. */
export function addForeignKey(key: SqlForeignKey): string {
  const { from, to, columns, referred } = key;
  const line = `${said(key)}FOREIGN KEY (${listed(columns)}) REFERENCES ${to.text} (${listed(referred)})`;
  return `ALTER TABLE ${from.text} ADD ${line};`;
}

/** The statement that makes an enum. */
export function createEnum({ text, values }: SqlEnum): string {
  return `CREATE TYPE ${text} AS ENUM (${values.map(sqlString).join(", ")});`;
}

/** The comment on something; without a text the one that takes it away. */
export function commentOn(thing: string, text: string | undefined): string {
  return `COMMENT ON ${thing} IS ${text === undefined ? "NULL" : sqlString(text)};`;
}

/** What comments are on, as their statements name it. */
export const ON = {
  table: ({ text }: SqlTable) => `TABLE ${text}`,
  column: ({ text }: SqlTable, { name }: SqlColumn) => `COLUMN ${text}.${sqlName(name)}`,
  foreignKey: ({ name, from }: SqlForeignKey) => `CONSTRAINT ${sqlName(name)} ON ${from.text}`,
  enum: ({ text }: SqlEnum) => `TYPE ${text}`,
};

function said({ name, isSaid }: MadeName): string {
  return isSaid ? `CONSTRAINT ${sqlName(name)} ` : "";
}

function listed(columns: readonly SqlColumn[]): string {
  return columns.map(({ name }) => sqlName(name)).join(", ");
}
