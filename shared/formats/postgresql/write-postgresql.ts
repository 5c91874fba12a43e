import type { ModelDocument } from "../../domain/document/document.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import type { SqlColumn } from "./columns.ts";
import { formatSqlComment, type MadeName, quoteName, quoteString, type SqlEnum } from "./names.ts";
import {
  createSqlSchema,
  type NamedCheck,
  type SqlForeignKey,
  type SqlKey,
  type SqlSchema,
  type SqlTable,
} from "./schema.ts";

/** Writes a model as PostgreSQL statements with keys, checks and comments. */
export function writePostgresql(document: ModelDocument, diagnostics: Diagnostics): string {
  const statements = formatStatements(createSqlSchema(document, diagnostics));
  const head = `${document.name} (${document.key}), version ${document.version}`;
  const comments = document.description === undefined ? [] : [formatSqlComment(document.description)];
  const content = [[formatSqlComment(head), ...comments].join("\n"), ...statements].join("\n\n");
  return `${content}\n`;
}

function formatStatements({ schemas, enums, tables, foreignKeys }: SqlSchema): readonly string[] {
  const comment = (target: string, text: string | undefined): readonly string[] =>
    text === undefined ? [] : [formatComment(target, text)];
  return [
    ...schemas.map((schema) => `CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)};`),
    ...enums.map(formatCreateEnum),
    ...tables.map(formatCreateTable),
    ...foreignKeys.flatMap((key) => [
      formatAddForeignKey(key),
      ...comment(COMMENT_TARGETS.foreignKey(key), key.description),
    ]),
    ...tables.flatMap((table) => [
      ...comment(COMMENT_TARGETS.table(table), table.entity.description),
      ...table.columns.flatMap((one) => comment(COMMENT_TARGETS.column(table, one), one.attribute.description)),
    ]),
    ...enums.flatMap((one) => comment(COMMENT_TARGETS.enum(one), one.type.description)),
  ];
}

/** Formats CREATE TABLE without foreign keys. */
export function formatCreateTable(table: SqlTable): string {
  const { columns, primaryKey, unique, text } = table;
  const lines = [
    ...columns.map((one) => formatColumn(one, table.checks.get(one) ?? [])),
    ...(primaryKey ? [formatKey("PRIMARY KEY", primaryKey)] : []),
    ...unique.map((key) => formatKey("UNIQUE", key)),
  ];
  return lines.length === 0 ? `CREATE TABLE ${text} ();` : `CREATE TABLE ${text} (\n  ${lines.join(",\n  ")}\n);`;
}

/** Formats a column for CREATE TABLE and ADD COLUMN. */
export function formatColumn(column: SqlColumn, checks: readonly NamedCheck[], isRequired = column.isRequired): string {
  return [
    quoteName(column.name),
    column.type.text,
    ...(isRequired ? ["NOT NULL"] : []),
    ...(column.default === undefined ? [] : [`DEFAULT ${column.default}`]),
    ...checks.map((check) => formatCheck(check, column.name)),
  ].join(" ");
}

export function formatCheck(check: NamedCheck, column: string): string {
  return `${formatConstraintName(check)}CHECK (${check.format(quoteName(column))})`;
}

export function formatKey(kind: "PRIMARY KEY" | "UNIQUE", key: SqlKey): string {
  return `${formatConstraintName(key)}${kind} (${formatColumnList(key.columns)})`;
}

export function formatAddForeignKey(key: SqlForeignKey): string {
  const { from, to, columns, targets } = key;
  const line = `${formatConstraintName(key)}FOREIGN KEY (${formatColumnList(columns)}) REFERENCES ${to.text} (${formatColumnList(targets)})`;
  return `ALTER TABLE ${from.text} ADD ${line};`;
}

export function formatCreateEnum({ text, values }: SqlEnum): string {
  return `CREATE TYPE ${text} AS ENUM (${values.map(quoteString).join(", ")});`;
}

/** Formats a comment. Without text it removes the comment. */
export function formatComment(target: string, text: string | undefined): string {
  return `COMMENT ON ${target} IS ${text === undefined ? "NULL" : quoteString(text)};`;
}

export const COMMENT_TARGETS = {
  table: ({ text }: SqlTable) => `TABLE ${text}`,
  column: ({ text }: SqlTable, { name }: SqlColumn) => `COLUMN ${text}.${quoteName(name)}`,
  foreignKey: ({ name, from }: SqlForeignKey) => `CONSTRAINT ${quoteName(name)} ON ${from.text}`,
  enum: ({ text }: SqlEnum) => `TYPE ${text}`,
};

function formatConstraintName({ name, isExplicit }: MadeName) {
  return isExplicit ? `CONSTRAINT ${quoteName(name)} ` : "";
}

function formatColumnList(columns: readonly SqlColumn[]) {
  return columns.map(({ name }) => quoteName(name)).join(", ");
}
