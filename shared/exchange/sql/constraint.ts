import { addCheck, setDefault } from "./column.ts";
import { columnNamed } from "./column-named.ts";
import { type Cursor, listed } from "./cursor.ts";
import { withoutBrackets } from "./default-value.ts";
import type { DraftIndex, DraftTable } from "./drafts.ts";
import { columnIn, plainColumns, readReference } from "./references.ts";

/** True where a part of a table is no column. */
export function isConstraint(cursor: Cursor): boolean {
  if (cursor.peek()?.kind !== "word") return false;
  const second = cursor.key(1);
  switch (cursor.key()) {
    case "CONSTRAINT":
    case "UNIQUE":
      return true;
    case "PRIMARY":
    case "FOREIGN":
      return second === "KEY";
    case "CHECK":
      return second === "(";
    case "EXCLUDE":
      return second === "(" || second === "USING";
    case "PERIOD":
      return second === "FOR";
    case "FULLTEXT":
    case "SPATIAL":
      return /^(KEY|INDEX)$/.test(second) || cursor.facts.dialect === "mysql";
    case "KEY":
    case "INDEX":
      return isIndex(cursor);
    case "SUPPLEMENTAL":
      return second === "LOG";
    default:
      return false;
  }
}

/** True for an index, which has a list of columns, where a column of that name would have a type with a length. */
function isIndex(cursor: Cursor): boolean {
  if (cursor.facts.dialect === "mysql") return true;
  if (cursor.facts.dialect !== "tsql" && cursor.facts.dialect !== "sql") return false;
  const at = cursor.key(1) === "(" ? 1 : 2;
  return cursor.key(at) === "(" && cursor.peek(at + 1)?.kind !== "number";
}

/** Reads a constraint or index of a table; false for one that is not known. */
export function readConstraint(cursor: Cursor, table: DraftTable): boolean {
  let name: string | undefined;
  if (cursor.accept("CONSTRAINT") && !/^(PRIMARY|UNIQUE|FOREIGN|CHECK)$/.test(cursor.key())) name = cursor.name();
  switch (cursor.next()?.key) {
    case "PRIMARY":
      return primaryKey(cursor, table, name);
    case "UNIQUE":
      return uniqueKey(cursor, table, name);
    case "FOREIGN":
      return foreignKey(cursor, table, name);
    case "CHECK":
      addCheck(table, cursor, name);
      return true;
    case "KEY":
    case "INDEX":
      return index(cursor, table, undefined);
    case "FULLTEXT":
      return index(cursor, table, "fulltext");
    case "SPATIAL":
      return index(cursor, table, "spatial");
    case "PERIOD":
      table.kept.period = cursor.written(cursor.rest());
      return true;
    case "EXCLUDE":
      table.checks.push({ ...(name !== undefined && { name }), exclude: cursor.written(cursor.rest()) });
      return true;
    case "DEFAULT":
      return defaultFor(cursor, table);
    default:
      return false;
  }
}

function primaryKey(cursor: Cursor, table: DraftTable, named: string | undefined): boolean {
  cursor.accept("KEY");
  const own = beforeColumns(cursor);
  const name = named ?? own;
  if (cursor.accept("USING", "INDEX")) return byIndex(cursor, table, name, true);
  const columns = plainColumns(cursor);
  if (!columns) return false;
  table.primaryKey = { columns, name };
  return true;
}

function uniqueKey(cursor: Cursor, table: DraftTable, named: string | undefined): boolean {
  cursor.acceptOne("KEY", "INDEX");
  if (cursor.accept("USING", "INDEX")) return byIndex(cursor, table, named, false);
  const own = beforeColumns(cursor);
  const name = named ?? own;
  const ahead = cursor.over(cursor.rest());
  const unique = indexOf(ahead, { name, unique: true });
  if (!unique) return false;
  const columns = plainNames(unique);
  if (columns) table.unique.push({ columns, name });
  else table.indexes.push(unique);
  return true;
}

/** The name that MySQL has before the columns, and words about how an index is kept. */
function beforeColumns(cursor: Cursor): string | undefined {
  let name: string | undefined;
  while (!cursor.isAtEnd() && cursor.key() !== "(") {
    if (cursor.acceptOne("CLUSTERED", "NONCLUSTERED", "NULLS", "NOT", "DISTINCT", "HASH")) continue;
    if (cursor.key() === "USING") {
      if (cursor.key(1) === "INDEX") break;
      cursor.next();
      cursor.next();
    } else name = cursor.name() ?? cursor.next()?.value;
  }
  return name;
}

/** A key whose columns an index has already. */
function byIndex(cursor: Cursor, table: DraftTable, name: string | undefined, isPrimary: boolean): boolean {
  const called = cursor.name();
  const found = table.unique.find((one) => one.name === called);
  if (!found) return false;
  if (!isPrimary) return true;
  table.primaryKey = { columns: found.columns, name: name ?? called };
  table.unique = table.unique.filter((one) => one !== found);
  return true;
}

function foreignKey(cursor: Cursor, table: DraftTable, named: string | undefined): boolean {
  cursor.accept("KEY");
  const name = named ?? (cursor.key() === "(" ? undefined : cursor.name());
  const columns = plainColumns(cursor);
  if (!columns || !cursor.accept("REFERENCES")) return false;
  const reference = readReference(cursor, columns, name);
  if (reference) table.references.push(reference);
  return reference !== undefined;
}

function index(cursor: Cursor, table: DraftTable, using: string | undefined): boolean {
  if (using !== undefined) cursor.acceptOne("KEY", "INDEX");
  const name = beforeColumns(cursor);
  const found = indexOf(cursor, { name, using });
  if (found) table.indexes.push(found);
  return found !== undefined;
}

/** SQL Server's default of a column as a constraint of its table. */
function defaultFor(cursor: Cursor, table: DraftTable): boolean {
  const tokens = cursor.rest();
  const at = tokens.findLastIndex(({ key }) => key === "FOR");
  const column = at < 0 ? undefined : columnNamed(table.columns, cursor.over(tokens.slice(at + 1)).name() ?? "");
  if (column) setDefault(column, tokens.slice(0, at), cursor);
  return column !== undefined;
}

/** Reads the columns of an index with what follows them; undefined without a list of columns. */
export function indexOf(cursor: Cursor, known: Omit<DraftIndex, "columns">): DraftIndex | undefined {
  const group = cursor.group();
  if (!group) return undefined;
  const columns = listed(group).map((part) => columnIn(cursor.over(part)) ?? cursor.written(part));
  const rest = cursor.over(cursor.rest());
  let where: string | undefined;
  let using: string | undefined;
  while (!rest.isAtEnd()) {
    if (rest.accept("WHERE")) where = rest.written(withoutBrackets(rest.rest()));
    else if (rest.accept("USING")) using = rest.next()?.value.toLowerCase();
    else if (!rest.group()) rest.next();
  }
  const isPlain = listed(group).every((part) => columnIn(cursor.over(part)) !== undefined);
  return {
    using,
    ...known,
    columns,
    ...(where !== undefined && { where }),
    ...(!isPlain && { expressions: true as const }),
  };
}

/** The columns of a unique index that tells all rows apart: one without expressions and conditions. */
export function plainNames(index: DraftIndex): readonly string[] | undefined {
  return index.where === undefined && !index.expressions ? index.columns : undefined;
}
