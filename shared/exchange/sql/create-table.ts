import { LIMITS } from "../../domain/limits.ts";
import type { Catalog } from "./catalog.ts";
import { optionsOf, readColumn } from "./column.ts";
import { columnNamed } from "./column-named.ts";
import { isConstraint, readConstraint } from "./constraint.ts";
import { type Cursor, listed, type ObjectName } from "./cursor.ts";
import { type DraftColumn, type DraftTable, draftTable } from "./drafts.ts";
import type { Token } from "./scanner.ts";
import type { Told } from "./told.ts";
import { setQueried } from "./view-columns.ts";

const LEFT_OUT = new Set(["TEMP", "TEMPORARY", "VOLATILE"]);
const SORTS = new Set(["UNLOGGED", "TRANSIENT", "EXTERNAL", "FOREIGN", "DYNAMIC", "HYBRID", "ICEBERG", "VIRTUAL"]);

/** Reads `CREATE TABLE`. */
export function createTable(cursor: Cursor, catalog: Catalog, told: Told): void {
  const words: string[] = [];
  while (!cursor.isAtEnd() && cursor.key() !== "TABLE") words.push(cursor.next()?.key ?? "");
  cursor.next();
  const isOptional = cursor.accept("IF", "NOT", "EXISTS");
  const written = cursor.objectName();
  if (!written) {
    told.unread("CREATE TABLE without a name");
    return;
  }
  const isTemporary = /^(tsql|sql)$/.test(cursor.facts.dialect) && written.name.startsWith("#");
  if (words.some((one) => LEFT_OUT.has(one)) || isTemporary) {
    told.leftOut("a temporary table");
    return;
  }
  if (cursor.facts.dialect === "sqlite" && /^sqlite_/i.test(written.name)) {
    told.leftOut("a table that SQLite keeps for itself");
    return;
  }
  const name = catalog.full(written);
  const known = catalog.table(name);
  const replaces = words.includes("REPLACE");
  if (known && !replaces) {
    if (!isOptional) told.unread(`the table ${written.name} is made twice, of which the first is read`);
    return;
  }
  if (known) catalog.remove(known);
  const table = draftTable(name, told.line);
  const sort = words.find((one) => SORTS.has(one));
  if (sort !== undefined) table.kept.kind = sort.toLowerCase();
  if (cursor.accept("PARTITION", "OF")) {
    told.leftOut("a partition of another table");
    return;
  }
  readTable(cursor, table, catalog, told);
  catalog.add(table);
}

function readTable(cursor: Cursor, table: DraftTable, catalog: Catalog, told: Told): void {
  if (cursor.accept("LIKE")) copyColumns(table, cursor.objectName(), catalog, told);
  else if (cursor.accept("CLONE") || cursor.accept("COPY")) copyColumns(table, cursor.objectName(), catalog, told);
  else if (cursor.accept("OF")) table.kept.ofType = cursor.objectName()?.name;
  const isQuery = cursor.key() === "(" && /^(SELECT|WITH|VALUES)$/.test(cursor.key(1));
  const group = isQuery ? undefined : cursor.group();
  if (group) readParts(cursor, group, table, catalog, told);
  readTail(cursor, table, catalog, told);
}

/** Reads the columns and constraints between the brackets of a table. */
export function readParts(
  cursor: Cursor,
  group: Parameters<Cursor["over"]>[0],
  table: DraftTable,
  catalog: Catalog,
  told: Told,
): void {
  const hasAngles = cursor.facts.dialect === "bigquery";
  for (const tokens of listed(group, hasAngles)) {
    const part = cursor.over(tokens);
    if (part.key() === "LIKE" && (part.key(1) !== "" || part.peek(1)?.kind === "name")) {
      part.next();
      const name = part.objectName();
      const first = table.columns.length;
      copyColumns(table, name, catalog, told);
      // MySQL copies everything.
      if (part.facts.dollars) leaveOut(table.columns.slice(first), part);
    } else if (isConstraint(part)) {
      if (!readConstraint(part, table)) told.unread("a constraint is not understood");
    } else {
      const column = readColumn(part, table);
      if (!column) told.unread("a part of a table is not understood");
      else {
        column.comment ??= tokens.at(-1)?.note;
        table.columns.push(column);
      }
    }
  }
}

/** Reads what stands behind the columns; what is not known is kept as it is written. */
function readTail(cursor: Cursor, table: DraftTable, catalog: Catalog, told: Told): void {
  const unknown: Token[][] = [];
  let run: Token[] = [];
  while (!cursor.isAtEnd()) {
    if (readClause(cursor, table, catalog, told)) {
      unknown.push(run);
      run = [];
    } else for (const token of cursor.bracketed() ?? [cursor.next() as Token]) run.push(token);
  }
  const options = [...unknown, run].filter((tokens) => tokens.some(({ key }) => key !== ","));
  if (options.length === 0) return;
  table.kept.options = options.map((tokens) => cursor.written(tokens).replace(/\s+/g, " ")).join(" ");
}

/** Reads a clause that is known; false where none is next. */
function readClause(cursor: Cursor, table: DraftTable, catalog: Catalog, told: Told): boolean {
  const isQuery = /^(SELECT|WITH|VALUES)$/;
  const begins = cursor.key() === "(" ? cursor.key(1) : cursor.key();
  if (cursor.accept("INHERITS")) inherit(cursor, table, catalog, told);
  else if (cursor.accept("PARTITION", "BY")) table.kept.partitionBy = cursor.written(clause(cursor));
  else if (cursor.accept("COMMENT")) {
    cursor.accept("=");
    table.comment = cursor.next()?.value;
  } else if (cursor.accept("OPTIONS")) Object.assign(table.kept, optionsOf(cursor, table));
  else if (begins === "SELECT" || (begins === "AS" && (cursor.key(1) === "(" || isQuery.test(cursor.key(1))))) {
    cursor.accept("AS");
    setQueried(table, cursor.over(cursor.rest()), catalog, told);
  } else return false;
  return true;
}

/** The tokens of a clause: what is next, up to a bracket and with it. */
function clause(cursor: Cursor): readonly Token[] {
  const tokens: Token[] = [];
  while (!cursor.isAtEnd() && cursor.key() !== "(") {
    if (tokens.length > 0 && /^(CLUSTER|OPTIONS|AS|COMMENT|WITH)$/.test(cursor.key())) return tokens;
    tokens.push(cursor.next() as Token);
  }
  return [...tokens, ...(cursor.bracketed() ?? [])];
}

function inherit(cursor: Cursor, table: DraftTable, catalog: Catalog, told: Told): void {
  const parents = listed(cursor.group() ?? []).flatMap((part) => cursor.over(part).objectName() ?? []);
  if (parents.length > 0) table.kept.inherits = parents.map(({ name }) => name);
  const own = table.columns;
  table.columns = [];
  for (const parent of parents) copyColumns(table, parent, catalog, told);
  for (const column of own) {
    const at = table.columns.findIndex(({ name }) => name === column.name);
    if (at >= 0) table.columns[at] = column;
    else table.columns.push(column);
  }
}

/** Gives a table the columns of another one. */
function copyColumns(table: DraftTable, name: ObjectName | undefined, catalog: Catalog, told: Told): void {
  const source = name && catalog.table(name);
  if (!source) {
    told.unread(`the table ${name?.name ?? ""} whose columns are meant is not in the source`);
    return;
  }
  // A few statements could double the columns of one table without end.
  if (table.columns.length + source.columns.length > LIMITS.sqlColumns) {
    told.unread("more columns than a table may have");
    return;
  }
  table.columns.push(...source.columns.map(copied));
  for (const key of source.primaryKey?.columns ?? []) {
    const column = columnNamed(table.columns.slice(-source.columns.length), key);
    if (column) column.optional = false;
  }
  catalog.copies += source.columns.length;
}

/** Leaves out what columns do not have from the table that they are like unless `INCLUDING` says so. */
function leaveOut(columns: readonly DraftColumn[], options: Cursor): void {
  const included = new Set<string>();
  while (!options.isAtEnd()) {
    const isIncluded = options.next()?.key === "INCLUDING";
    const parts = options.next()?.key ?? "";
    for (const one of parts === "ALL" ? ["COMMENTS", "DEFAULTS", "GENERATED", "IDENTITY"] : [parts]) {
      if (isIncluded) included.add(one);
      else included.delete(one);
    }
  }
  for (const column of columns) {
    const { constraints, kept } = column;
    if (!included.has("COMMENTS")) column.comment = undefined;
    if (!included.has("DEFAULTS")) {
      delete constraints.default;
      delete kept.default;
    }
    if (!included.has("GENERATED")) for (const member of ["generated", "stored"]) delete kept[member];
    const isSerial = kept.identity !== undefined && !/^(always|by default)/.test(String(kept.identity));
    if (!included.has(isSerial ? "DEFAULTS" : "IDENTITY")) delete kept.identity;
  }
}

/** A column as another table has it too. */
function copied(column: DraftColumn): DraftColumn {
  return { ...column, constraints: { ...column.constraints }, kept: { ...column.kept } };
}
