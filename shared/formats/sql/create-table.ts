import { LIMITS } from "../../domain/limits.ts";
import { quote } from "../common/diagnostics.ts";
import { type Catalog, createDraftTable, type DraftColumn, type DraftTable, findColumn } from "./catalog.ts";
import { WORDS } from "./clause-words.ts";
import { readColumn, readOptionList } from "./column.ts";
import { isConstraint, readConstraint } from "./constraint.ts";
import { type Cursor, type ObjectName, splitList } from "./cursor.ts";
import type { DialectFacts } from "./dialects.ts";
import type { Token } from "./scanner.ts";
import type { StatementWarnings } from "./statements.ts";
import { readQuery } from "./view-columns.ts";

/** Applies `CREATE TABLE`. */
export function createTable(cursor: Cursor, catalog: Catalog, warnings: StatementWarnings): void {
  const words = cursor.skipPast("TABLE") ?? [];
  const isOptional = cursor.accept("IF", "NOT", "EXISTS");
  const objectName = cursor.readObjectName();
  if (!objectName) {
    warnings.fail("CREATE TABLE without a name");
    return;
  }
  const reason = findReason(objectName.name, words, cursor.facts);
  if (reason !== undefined) {
    warnings.warnLeftOut(reason);
    return;
  }
  const name = catalog.qualify(objectName);
  const oldTable = catalog.findTable(name);
  if (oldTable && !words.includes("REPLACE")) {
    if (!isOptional) warnings.warn(`the table ${objectName.name} is created twice; the first definition is used`);
    return;
  }
  if (oldTable) catalog.removeTable(oldTable);
  if (cursor.accept("PARTITION", "OF")) {
    warnings.warnLeftOut("a partition of another table");
    return;
  }
  const table = createDraftTable(name, warnings.line);
  const kind = words.find((one) => WORDS.tableKinds.has(one));
  if (kind !== undefined) table.rest.kind = kind.toLowerCase();
  if (cursor.isAtEnd()) warnings.fail(`CREATE TABLE ${quote(objectName.name)} has no columns`);
  readTable(cursor, table, catalog, warnings);
  catalog.addTable(table);
}

function findReason(name: string, words: readonly string[], { dialect }: DialectFacts): string | undefined {
  const isTemporary = /^(tsql|sql)$/.test(dialect) && name.startsWith("#");
  if (isTemporary || words.some((one) => WORDS.temporary.has(one))) return "a temporary table";
  return dialect === "sqlite" && /^sqlite_/i.test(name) ? "an internal table of SQLite" : undefined;
}

function readTable(cursor: Cursor, table: DraftTable, catalog: Catalog, warnings: StatementWarnings) {
  if (cursor.acceptOne(WORDS.copies)) copyColumns(table, cursor.readObjectName(), catalog, warnings);
  else if (cursor.accept("OF")) table.rest.ofType = cursor.readObjectName()?.name;
  const isQuery = cursor.peekKey() === "(" && WORDS.queryStarts.has(cursor.peekKey(1));
  const group = isQuery ? undefined : cursor.readGroup();
  let isRead = group === undefined || group.length === 0;
  for (const tokens of splitList(group ?? [], cursor.facts.dialect === "bigquery")) {
    const part = cursor.createInner(tokens);
    if (part.peekKey() === "LIKE" && (part.peekKey(1) !== "" || part.peek(1)?.kind === "name")) {
      isRead = true;
      const first = table.columns.length;
      copyColumns(table, part.skip("LIKE").readObjectName(), catalog, warnings);
      // MySQL copies everything.
      if (part.facts.dollars) removeUncopied(table.columns.slice(first), part);
    } else if (isConstraint(part)) {
      if (readConstraint(part, table)) isRead = true;
      else warnings.warn("unknown constraint clause");
    } else {
      const column = readColumn(part, table);
      if (!column) warnings.warn("unknown part of a table");
      else {
        isRead = true;
        addLineComment(column, tokens.at(-1)?.note);
        table.columns.push(column);
      }
    }
  }
  if (!isRead) warnings.fail(`no column of the table ${quote(table.name.name)} can be read`);
  readTail(cursor, table, catalog, warnings);
}

/** Describes a column by the comment on its line. The property says that the database does not have the comment. */
function addLineComment(column: DraftColumn, comment: string | undefined) {
  if (column.comment !== undefined || comment === undefined) return;
  column.comment = comment;
  column.rest.physical = { comment };
}

function readTail(cursor: Cursor, table: DraftTable, catalog: Catalog, warnings: StatementWarnings) {
  const unknownParts: Token[][] = [];
  let run: Token[] = [];
  while (!cursor.isAtEnd()) {
    if (readClause(cursor, table, catalog, warnings)) {
      unknownParts.push(run);
      run = [];
    } else for (const token of cursor.readBracketed() ?? [cursor.next() as Token]) run.push(token);
  }
  const options = [...unknownParts, run].filter((tokens) => tokens.some(({ key }) => key !== ","));
  if (options.length === 0) return;
  table.rest.options = options.map((tokens) => cursor.getSource(tokens).replace(/\s+/g, " ")).join(" ");
}

function readClause(cursor: Cursor, table: DraftTable, catalog: Catalog, warnings: StatementWarnings) {
  const firstKey = cursor.peekKey() === "(" ? cursor.peekKey(1) : cursor.peekKey();
  if (cursor.accept("INHERITS")) inheritColumns(cursor, table, catalog, warnings);
  else if (cursor.accept("PARTITION", "BY")) table.rest.partitionBy = cursor.getSource(readClauseTokens(cursor));
  else if (readTexts(cursor, table)) return true;
  else if (
    firstKey === "SELECT" ||
    (firstKey === "AS" && (cursor.peekKey(1) === "(" || WORDS.queryStarts.has(cursor.peekKey(1))))
  ) {
    cursor.accept("AS");
    readQuery(table, cursor.createInner(cursor.readRest()), catalog, warnings);
  } else return false;
  return true;
}

/** Reads the comment or the options of a table or view. */
export function readTexts(cursor: Cursor, table: DraftTable): boolean {
  if (cursor.accept("COMMENT")) table.comment = cursor.skip("=").next()?.value;
  else if (cursor.accept("OPTIONS")) Object.assign(table.rest, readOptionList(cursor, table));
  else return false;
  return true;
}

function readClauseTokens(cursor: Cursor): readonly Token[] {
  const tokens: Token[] = [];
  while (!cursor.isAtEnd() && cursor.peekKey() !== "(") {
    if (tokens.length > 0 && WORDS.tableClauses.has(cursor.peekKey())) return tokens;
    tokens.push(cursor.next() as Token);
  }
  return [...tokens, ...(cursor.readBracketed() ?? [])];
}

/** Puts the columns of other tables before those of a table, which replace columns of the same name. */
function inheritColumns(cursor: Cursor, table: DraftTable, catalog: Catalog, warnings: StatementWarnings) {
  const parents = cursor.readItems()?.flatMap((item) => item.readObjectName() ?? []) ?? [];
  if (parents.length > 0) table.rest.inherits = parents.map(({ name }) => name);
  const own = table.columns;
  table.columns = [];
  for (const parent of parents) copyColumns(table, parent, catalog, warnings);
  for (const column of own) {
    const index = table.columns.findIndex(({ name }) => name === column.name);
    if (index >= 0) table.columns[index] = column;
    else table.columns.push(column);
  }
}

function copyColumns(table: DraftTable, name: ObjectName | undefined, catalog: Catalog, warnings: StatementWarnings) {
  const source = name && catalog.findTable(name);
  if (!source) {
    warnings.warn(`the table ${name?.name ?? ""} with the copied columns is not in the source`);
    return;
  }
  // Prevents exponential growth by repeated copies.
  if (table.columns.length + source.columns.length > LIMITS.sqlColumns) {
    warnings.warn("more columns than a table may have");
    return;
  }
  const newColumns = source.columns.map(
    (one): DraftColumn => ({ ...one, constraints: { ...one.constraints }, rest: { ...one.rest } }),
  );
  table.columns.push(...newColumns);
  for (const key of source.primaryKey?.columns ?? []) {
    const column = findColumn(newColumns, key);
    if (column) column.optional = false;
  }
  catalog.copies += source.columns.length;
}

function removeUncopied(columns: readonly DraftColumn[], options: Cursor) {
  const includedParts = new Set<string>();
  while (!options.isAtEnd()) {
    const isIncluded = options.next()?.key === "INCLUDING";
    const parts = options.next()?.key ?? "";
    for (const one of parts === "ALL" ? ["COMMENTS", "DEFAULTS", "GENERATED", "IDENTITY"] : [parts]) {
      if (isIncluded) includedParts.add(one);
      else includedParts.delete(one);
    }
  }
  for (const column of columns) {
    const { constraints, rest } = column;
    if (!includedParts.has("COMMENTS")) column.comment = undefined;
    if (!includedParts.has("DEFAULTS")) {
      delete constraints.default;
      delete rest.default;
    }
    if (!includedParts.has("GENERATED")) for (const member of ["generated", "stored"]) delete rest[member];
    const isSerial = rest.identity !== undefined && !/^(always|by default)/.test(String(rest.identity));
    if (!includedParts.has(isSerial ? "DEFAULTS" : "IDENTITY")) delete rest.identity;
  }
}
