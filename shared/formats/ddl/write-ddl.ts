import type { ModelDocument } from "../../domain/document/document.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import type { SqlColumn } from "./columns.ts";
import { formatColumnComment, formatTableComment, listCommentStatements, listForeignKeyComments } from "./comments.ts";
import type { DdlDialect } from "./dialect.ts";
import type { SqlIndex } from "./indexes.ts";
import { quoteString } from "./literals.ts";
import { formatSqlComment, type MadeName, quoteName, type SqlEnum } from "./names.ts";
import type { SqlForeignKey } from "./references.ts";
import { createSqlSchema, type SqlSchema } from "./schema.ts";
import { formatStructure, toColumnNodes } from "./structures.ts";
import type { TableCheck } from "./table-checks.ts";
import type { NamedCheck, SqlKey, SqlTable } from "./tables.ts";
import type { SqlView } from "./views.ts";

/** Creates the writer of a dialect, which writes a model as statements with keys, checks and comments. */
export function createDdlWriter(dialect: DdlDialect): (document: ModelDocument, diagnostics: Diagnostics) => string {
  return (document, diagnostics) => {
    const statements = formatStatements(createSqlSchema(document, diagnostics, dialect), dialect);
    const head = `${document.name} (${document.key}), version ${document.version}`;
    const comments = document.description === undefined ? [] : [formatSqlComment(document.description)];
    const content = [[formatSqlComment(head), ...comments].join("\n"), ...statements].join("\n\n");
    return `${content}\n`;
  };
}

function formatStatements(schema: SqlSchema, dialect: DdlDialect): readonly string[] {
  const { schemas, enums, tables, foreignKeys, views } = schema;
  const isInline = dialect.references.place === "table";
  const inner = isInline ? Map.groupBy(foreignKeys, ({ from }) => from) : new Map<SqlTable, readonly SqlForeignKey[]>();
  return [
    ...schemas.map((name) => formatCreateSchema(name, dialect)),
    ...enums.map((one) => formatCreateEnum(one, dialect)),
    ...tables.map((table) => formatCreateTable(table, dialect, inner.get(table))),
    ...tables.flatMap((table) => table.indexes.map((index) => formatCreateIndex(table, index, dialect))),
    ...(isInline
      ? []
      : foreignKeys.flatMap((key) => [formatAddForeignKey(key, dialect), ...listForeignKeyComments(key, dialect)])),
    ...views.map((view) => formatCreateView(view, dialect)),
    ...listCommentStatements(schema, dialect),
  ];
}

/** Formats the statement that creates a schema. */
export function formatCreateSchema(name: string, { names, createSchema }: DdlDialect): string {
  return createSchema ? createSchema(name) : `CREATE SCHEMA IF NOT EXISTS ${quoteName(name, names)};`;
}

/** Formats CREATE TABLE, with foreign keys if the dialect has them there. */
export function formatCreateTable(
  table: SqlTable,
  dialect: DdlDialect,
  foreignKeys: readonly SqlForeignKey[] = [],
): string {
  const { columns, primaryKey, unique, text, tableChecks } = table;
  const keyColumn = findKeyColumn(table, dialect);
  const lines = [
    ...toColumnNodes(columns).map((node) => [
      formatStructure(node, (one) => formatColumn(one, table.checks.get(one) ?? [], dialect), dialect) +
        ("column" in node && node.column === keyColumn ? ` ${keyColumn.identity}` : ""),
      "column" in node ? formatColumnComment(node.column, "line", dialect) : "",
    ]),
    ...[
      ...(primaryKey && !keyColumn ? [formatKey("PRIMARY KEY", primaryKey, dialect)] : []),
      ...unique.map((key) => formatKey("UNIQUE", key, dialect)),
      ...(dialect.separatesChecks ? listChecks(table, dialect) : []),
      ...tableChecks.map((check) => formatTableCheck(check, dialect)),
      ...foreignKeys.map((key) => formatForeignKey(key, dialect)),
    ].map((line) => [line, ""]),
  ];
  const body = lines.map(([line, note], i) => `  ${line}${i < lines.length - 1 ? "," : ""}${note}`).join("\n");
  const options = [...(dialect.tableOptions ? [dialect.tableOptions] : []), ...formatTableComment(table, dialect)];
  const end = [")", ...options].join(" ");
  const before = dialect.comments.place === "lines" ? formatLineComment(table) : "";
  return `${before}CREATE TABLE ${text} ${body === "" ? `(${end}` : `(\n${body}\n${end}`};`;
}

function listChecks({ columns, checks }: SqlTable, dialect: DdlDialect) {
  return columns.flatMap((one) => (checks.get(one) ?? []).map((check) => formatCheck(check, one, dialect)));
}

function formatLineComment({ entity: { description } }: SqlTable) {
  return description === undefined ? "" : `${formatSqlComment(description)}\n`;
}

/** Returns the column whose clause contains the primary key, because it numbers the rows. */
function findKeyColumn({ columns }: SqlTable, { identity }: DdlDialect): SqlColumn | undefined {
  return identity?.needs === "primary" ? columns.find((one) => one.identity !== undefined) : undefined;
}

/** Formats a column for CREATE TABLE and ADD COLUMN. */
export function formatColumn(
  column: SqlColumn,
  checks: readonly NamedCheck[],
  dialect: DdlDialect,
  isRequired = column.isRequired,
): string {
  const { type, identity, generated, onUpdate } = column;
  const isPrimary = dialect.identity?.needs === "primary";
  const required = isRequired ? ["NOT NULL"] : dialect.statesNull?.test(type.text) ? ["NULL"] : [];
  const value = column.default === undefined ? [] : [`DEFAULT ${column.default}`];
  return [
    column.text,
    ...(generated !== undefined && dialect.computesTypes ? [] : [type.text]),
    ...(generated === undefined ? [] : [generated]),
    ...(dialect.requiredAfterDefault ? [...value, ...required] : [...required, ...value]),
    ...(onUpdate === undefined ? [] : [`ON UPDATE ${onUpdate}`]),
    ...(identity === undefined || isPrimary ? [] : [identity]),
    ...[formatColumnComment(column, "clause", dialect)].filter((one) => one !== ""),
    ...(dialect.separatesChecks ? [] : checks.map((check) => formatCheck(check, column, dialect))),
  ].join(" ");
}

/** Formats a check of a column. */
export function formatCheck(check: NamedCheck, column: Pick<SqlColumn, "text">, dialect: DdlDialect): string {
  return `${formatConstraintName(check, dialect)}CHECK (${check.format(column.text)})`;
}

/** Formats a check of several columns. */
export function formatTableCheck({ name, condition }: TableCheck, { names }: DdlDialect): string {
  return `CONSTRAINT ${quoteName(name, names)} CHECK (${condition})`;
}

/** Formats a primary or unique key. */
export function formatKey(kind: "PRIMARY KEY" | "UNIQUE", key: SqlKey, dialect: DdlDialect): string {
  return `${formatConstraintName(key, dialect)}${kind} (${formatColumnList(key.columns)})${dialect.keys.suffix}`;
}

function formatForeignKey(key: SqlForeignKey, dialect: DdlDialect) {
  const { to, columns, targets, onDelete, onUpdate } = key;
  return [
    `${formatConstraintName(key, dialect)}FOREIGN KEY (${formatColumnList(columns)})`,
    ` REFERENCES ${to.text} (${formatColumnList(targets)})`,
    ...(onDelete === undefined ? [] : [` ON DELETE ${onDelete.toUpperCase()}`]),
    ...(onUpdate === undefined ? [] : [` ON UPDATE ${onUpdate.toUpperCase()}`]),
    dialect.references.suffix,
  ].join("");
}

/** Formats the statement that adds a foreign key. */
export function formatAddForeignKey(key: SqlForeignKey, dialect: DdlDialect): string {
  return `ALTER TABLE ${key.from.text} ADD ${formatForeignKey(key, dialect)};`;
}

/** Formats the statement that creates an index. */
export function formatCreateIndex({ text }: SqlTable, index: SqlIndex, dialect: DdlDialect): string {
  const { name, isUnique, method, columns, condition } = index;
  const { methodPlace } = dialect.indexes ?? {};
  const kind = isUnique
    ? "UNIQUE "
    : method !== undefined && methodPlace === "before"
      ? `${method.toUpperCase()} `
      : "";
  const using = method !== undefined && methodPlace === "after" ? ` USING ${method}` : "";
  const where = condition === undefined ? "" : ` WHERE ${condition}`;
  return `CREATE ${kind}INDEX ${quoteName(name, dialect.names)} ON ${text}${using} (${columns})${where};`;
}

/** Formats the statement that creates a view. */
export function formatCreateView({ text, query, isMaterialized }: SqlView, { views }: DdlDialect): string {
  return `${views.before}CREATE ${isMaterialized ? "MATERIALIZED " : ""}VIEW ${text} AS\n${query};${views.after}`;
}

/** Formats the statement that creates an enum. */
export function formatCreateEnum({ text, values }: SqlEnum, { literals }: DdlDialect): string {
  return `CREATE TYPE ${text} AS ENUM (${values.map((one) => quoteString(one, literals)).join(", ")});`;
}

function formatConstraintName({ name, isExplicit }: MadeName, { names }: DdlDialect) {
  return isExplicit ? `CONSTRAINT ${quoteName(name, names)} ` : "";
}

function formatColumnList(columns: readonly SqlColumn[]) {
  return columns.map(({ text }) => text).join(", ");
}
