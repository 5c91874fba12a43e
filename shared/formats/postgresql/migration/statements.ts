import type { SqlColumn } from "../../ddl/columns.ts";
import { formatComment as formatAnyComment } from "../../ddl/comments.ts";
import { POSTGRESQL } from "../../ddl/dialects/postgresql.ts";
import type { SqlIndex } from "../../ddl/indexes.ts";
import { quoteString as quoteAnyString } from "../../ddl/literals.ts";
import { qualifyName as qualifyAnyName, quoteName as quoteAnyName, type SqlEnum } from "../../ddl/names.ts";
import type { SqlForeignKey } from "../../ddl/references.ts";
import type { TableCheck } from "../../ddl/table-checks.ts";
import type { NamedCheck, SqlKey, SqlTable } from "../../ddl/tables.ts";
import type { SqlView } from "../../ddl/views.ts";
import * as ddl from "../../ddl/write-ddl.ts";

/*
 * The statements of a migration, in the dialect of PostgreSQL.
 */

export const quoteName = (name: string): string => quoteAnyName(name, POSTGRESQL.names);
export const qualifyName = (schema: string | undefined, name: string): string =>
  qualifyAnyName(schema, name, POSTGRESQL.names);
export const quoteString = (text: string): string => quoteAnyString(text, POSTGRESQL.literals);
export const formatColumn = (column: SqlColumn, checks: readonly NamedCheck[], isRequired?: boolean): string =>
  ddl.formatColumn(column, checks, POSTGRESQL, isRequired);
export const formatCheck = (check: NamedCheck, column: SqlColumn): string => ddl.formatCheck(check, column, POSTGRESQL);
export const formatKey = (kind: "PRIMARY KEY" | "UNIQUE", key: SqlKey): string => ddl.formatKey(kind, key, POSTGRESQL);
export const formatAddForeignKey = (key: SqlForeignKey): string => ddl.formatAddForeignKey(key, POSTGRESQL);
export const formatCreateTable = (table: SqlTable): string => ddl.formatCreateTable(table, POSTGRESQL);
export const formatCreateIndex = (table: SqlTable, index: SqlIndex): string =>
  ddl.formatCreateIndex(table, index, POSTGRESQL);
export const formatTableCheck = (check: TableCheck): string => ddl.formatTableCheck(check, POSTGRESQL);
export const formatCreateView = (view: SqlView): string => ddl.formatCreateView(view, POSTGRESQL);
export const formatCreateEnum = (one: SqlEnum): string => ddl.formatCreateEnum(one, POSTGRESQL);
export const formatComment = (target: string, text: string | undefined): string =>
  formatAnyComment(target, text, POSTGRESQL);
