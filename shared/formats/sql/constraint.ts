import { type DraftIndex, type DraftTable, findColumn } from "./catalog.ts";
import { addCheck, setDefault } from "./column.ts";
import { type Cursor, splitList } from "./cursor.ts";
import { removeBrackets } from "./expressions.ts";
import { readIndexColumn, readPlainColumns, readReference } from "./references.ts";

/** Returns true for a part of a table that is not a column. */
export function isConstraint(cursor: Cursor): boolean {
  if (cursor.peek()?.kind !== "word") return false;
  const second = cursor.peekKey(1);
  switch (cursor.peekKey()) {
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

/** Returns true for an index with a list of columns. A column of that name would have a type with a length. */
function isIndex(cursor: Cursor): boolean {
  if (cursor.facts.dialect === "mysql") return true;
  if (cursor.facts.dialect !== "tsql" && cursor.facts.dialect !== "sql") return false;
  const at = cursor.peekKey(1) === "(" ? 1 : 2;
  return cursor.peekKey(at) === "(" && cursor.peek(at + 1)?.kind !== "number";
}

/** Reads a constraint or index of a table. Returns false for an unknown one. */
export function readConstraint(cursor: Cursor, table: DraftTable): boolean {
  let name: string | undefined;
  if (cursor.accept("CONSTRAINT") && !/^(PRIMARY|UNIQUE|FOREIGN|CHECK)$/.test(cursor.peekKey()))
    name = cursor.readName();
  switch (cursor.next()?.key) {
    case "PRIMARY":
      return readPrimaryKey(cursor, table, name);
    case "UNIQUE":
      return readUniqueKey(cursor, table, name);
    case "FOREIGN":
      return readForeignKey(cursor, table, name);
    case "CHECK":
      addCheck(table, cursor, name);
      return true;
    case "KEY":
    case "INDEX":
      return readTableIndex(cursor, table, undefined);
    case "FULLTEXT":
      return readTableIndex(cursor, table, "fulltext");
    case "SPATIAL":
      return readTableIndex(cursor, table, "spatial");
    case "PERIOD":
      table.kept.period = cursor.getSource(cursor.readRest());
      return true;
    case "EXCLUDE":
      table.checks.push({ ...(name !== undefined && { name }), exclude: cursor.getSource(cursor.readRest()) });
      return true;
    case "DEFAULT":
      return readDefaultFor(cursor, table);
    default:
      return false;
  }
}

function readPrimaryKey(cursor: Cursor, table: DraftTable, named: string | undefined): boolean {
  cursor.accept("KEY");
  const own = readIndexName(cursor);
  const name = named ?? own;
  if (cursor.accept("USING", "INDEX")) return readKeyByIndex(cursor, table, name, true);
  const columns = readPlainColumns(cursor);
  if (!columns) return false;
  table.primaryKey = { columns, name };
  return true;
}

function readUniqueKey(cursor: Cursor, table: DraftTable, named: string | undefined): boolean {
  cursor.acceptOne("KEY", "INDEX");
  if (cursor.accept("USING", "INDEX")) return readKeyByIndex(cursor, table, named, false);
  const own = readIndexName(cursor);
  const name = named ?? own;
  const ahead = cursor.createInner(cursor.readRest());
  const unique = readIndex(ahead, { name, unique: true });
  if (!unique) return false;
  const columns = findPlainColumns(unique);
  if (columns) table.unique.push({ columns, name });
  else table.indexes.push(unique);
  return true;
}

/** Reads the name before the columns (MySQL) and skips index options. */
function readIndexName(cursor: Cursor): string | undefined {
  let name: string | undefined;
  while (!cursor.isAtEnd() && cursor.peekKey() !== "(") {
    if (cursor.acceptOne("CLUSTERED", "NONCLUSTERED", "NULLS", "NOT", "DISTINCT", "HASH")) continue;
    if (cursor.peekKey() === "USING") {
      if (cursor.peekKey(1) === "INDEX") break;
      cursor.next();
      cursor.next();
    } else name = cursor.readName() ?? cursor.next()?.value;
  }
  return name;
}

/** Reads a key that uses the columns of an index. */
function readKeyByIndex(cursor: Cursor, table: DraftTable, name: string | undefined, isPrimary: boolean): boolean {
  const called = cursor.readName();
  const found = table.unique.find((one) => one.name === called);
  if (!found) return false;
  if (!isPrimary) return true;
  table.primaryKey = { columns: found.columns, name: name ?? called };
  table.unique = table.unique.filter((one) => one !== found);
  return true;
}

function readForeignKey(cursor: Cursor, table: DraftTable, named: string | undefined): boolean {
  cursor.accept("KEY");
  const name = named ?? (cursor.peekKey() === "(" ? undefined : cursor.readName());
  const columns = readPlainColumns(cursor);
  if (!columns || !cursor.accept("REFERENCES")) return false;
  const reference = readReference(cursor, columns, name);
  if (reference) table.references.push(reference);
  return reference !== undefined;
}

function readTableIndex(cursor: Cursor, table: DraftTable, using: string | undefined): boolean {
  if (using !== undefined) cursor.acceptOne("KEY", "INDEX");
  const name = readIndexName(cursor);
  const found = readIndex(cursor, { name, using });
  if (found) table.indexes.push(found);
  return found !== undefined;
}

/** Reads a default as a table constraint (SQL Server). */
function readDefaultFor(cursor: Cursor, table: DraftTable): boolean {
  const tokens = cursor.readRest();
  const at = tokens.findLastIndex(({ key }) => key === "FOR");
  const column =
    at < 0 ? undefined : findColumn(table.columns, cursor.createInner(tokens.slice(at + 1)).readName() ?? "");
  if (column) setDefault(column, tokens.slice(0, at), cursor);
  return column !== undefined;
}

/** Reads the columns and options of an index. Returns undefined without columns. */
export function readIndex(cursor: Cursor, known: Omit<DraftIndex, "columns">): DraftIndex | undefined {
  const group = cursor.readGroup();
  if (!group) return undefined;
  const columns = splitList(group).map((part) => readIndexColumn(cursor.createInner(part)) ?? cursor.getSource(part));
  const rest = cursor.createInner(cursor.readRest());
  let where: string | undefined;
  let using: string | undefined;
  while (!rest.isAtEnd()) {
    if (rest.accept("WHERE")) where = rest.getSource(removeBrackets(rest.readRest()));
    else if (rest.accept("USING")) using = rest.next()?.value.toLowerCase();
    else if (!rest.readGroup()) rest.next();
  }
  const isPlain = splitList(group).every((part) => readIndexColumn(cursor.createInner(part)) !== undefined);
  return {
    using,
    ...known,
    columns,
    ...(where !== undefined && { where }),
    ...(!isPlain && { expressions: true as const }),
  };
}

/** Returns the columns of an index without expressions and conditions, which identifies rows if unique. */
export function findPlainColumns(index: DraftIndex): readonly string[] | undefined {
  return index.where === undefined && !index.expressions ? index.columns : undefined;
}
