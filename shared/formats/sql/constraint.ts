import { type DraftIndex, type DraftTable, findColumn } from "./catalog.ts";
import { CONSTRAINT_STARTS, TABLE_CONSTRAINTS, type TableConstraint, WORDS } from "./clause-words.ts";
import { addCheck, addReference, readIndexColumn, readPlainColumns, setDefault } from "./column.ts";
import { type Cursor, splitList } from "./cursor.ts";
import { removeBrackets } from "./expressions.ts";

type ReadConstraint = (cursor: Cursor, table: DraftTable, name: string | undefined, word: string) => boolean;

const READERS: Readonly<Record<TableConstraint, ReadConstraint>> = {
  unread: () => false,
  PRIMARY: readPrimaryKey,
  UNIQUE: readUniqueKey,
  FOREIGN: readForeignKey,
  CHECK: readCheck,
  EXCLUDE: readExclusion,
  PERIOD: readPeriod,
  index: readTableIndex,
  DEFAULT: readDefaultFor,
};

/** Returns true for a part of a table that is not a column. */
export function isConstraint(cursor: Cursor): boolean {
  if (cursor.peek()?.kind !== "word") return false;
  const word = cursor.peekKey();
  if (WORDS.indexes.has(word)) return isIndex(cursor);
  if (/^(FULLTEXT|SPATIAL)$/.test(word) && cursor.facts.dialect === "mysql") return true;
  return CONSTRAINT_STARTS.has(word) || CONSTRAINT_STARTS.has(`${word} ${cursor.peekKey(1)}`);
}

/** Returns true for an index with a list of columns. A column of that name would have a type with a length. */
function isIndex(cursor: Cursor) {
  if (cursor.facts.dialect === "mysql") return true;
  if (cursor.facts.dialect !== "tsql" && cursor.facts.dialect !== "sql") return false;
  const offset = cursor.peekKey(1) === "(" ? 1 : 2;
  return cursor.peekKey(offset) === "(" && cursor.peek(offset + 1)?.kind !== "number";
}

/** Reads a constraint or index of a table. Returns false for an unknown one. */
export function readConstraint(cursor: Cursor, table: DraftTable): boolean {
  const isNamed = cursor.accept("CONSTRAINT") && !WORDS.namedConstraints.has(cursor.peekKey());
  const name = isNamed ? cursor.readName() : undefined;
  const word = cursor.next()?.key ?? "";
  const constraint = TABLE_CONSTRAINTS.get(word);
  return constraint !== undefined && READERS[constraint](cursor, table, name, word);
}

function readPrimaryKey(cursor: Cursor, table: DraftTable, constraintName: string | undefined) {
  const own = readIndexName(cursor.skip("KEY"));
  const name = constraintName ?? own;
  if (cursor.accept("USING", "INDEX")) return readKeyByIndex(cursor, table, name, true);
  const columns = readPlainColumns(cursor);
  if (columns) table.primaryKey = { columns, name };
  return columns !== undefined;
}

function readUniqueKey(cursor: Cursor, table: DraftTable, constraintName: string | undefined) {
  cursor.acceptOne(WORDS.indexes);
  if (cursor.accept("USING", "INDEX")) return readKeyByIndex(cursor, table, constraintName, false);
  const own = readIndexName(cursor);
  return addIndex(table, readIndex(cursor, { name: constraintName ?? own, unique: true }));
}

function readIndexName(cursor: Cursor): string | undefined {
  let name: string | undefined;
  while (!cursor.isAtEnd() && cursor.peekKey() !== "(") {
    if (cursor.acceptOne(WORDS.keyOptions)) continue;
    if (cursor.peekKey() === "USING") {
      if (cursor.peekKey(1) === "INDEX") break;
      cursor.next();
      cursor.next();
    } else name = cursor.readName() ?? cursor.next()?.value;
  }
  return name;
}

function readKeyByIndex(cursor: Cursor, table: DraftTable, name: string | undefined, isPrimary: boolean) {
  const indexName = cursor.readName();
  const key = table.unique.find((one) => one.name === indexName);
  if (key && isPrimary) {
    table.primaryKey = { columns: key.columns, name: name ?? indexName };
    table.unique = table.unique.filter((one) => one !== key);
  }
  return key !== undefined;
}

function readForeignKey(cursor: Cursor, table: DraftTable, constraintName: string | undefined) {
  cursor.accept("KEY");
  const name = constraintName ?? (cursor.peekKey() === "(" ? undefined : cursor.readName());
  const columns = readPlainColumns(cursor);
  return columns !== undefined && cursor.accept("REFERENCES") && addReference(table, cursor, columns, name);
}

function readCheck(cursor: Cursor, table: DraftTable, name: string | undefined) {
  addCheck(table, cursor, name);
  return true;
}

function readExclusion(cursor: Cursor, { checks }: DraftTable, name: string | undefined) {
  checks.push({ ...(name !== undefined && { name }), exclude: cursor.getSource(cursor.readRest()) });
  return true;
}

function readPeriod(cursor: Cursor, { rest }: DraftTable) {
  rest.period = cursor.getSource(cursor.readRest());
  return true;
}

function readTableIndex(cursor: Cursor, table: DraftTable, _: string | undefined, word: string) {
  const using = WORDS.indexes.has(word) ? undefined : word.toLowerCase();
  if (using !== undefined) cursor.acceptOne(WORDS.indexes);
  const name = readIndexName(cursor);
  return addIndex(table, readIndex(cursor, { name, using }));
}

/** Reads a default as a table constraint (SQL Server). */
export function readDefaultFor(cursor: Cursor, table: DraftTable): boolean {
  const tokens = cursor.readRest();
  const index = tokens.findLastIndex(({ key }) => key === "FOR");
  const name = index < 0 ? undefined : cursor.createInner(tokens.slice(index + 1)).readName();
  const column = name === undefined ? undefined : findColumn(table.columns, name);
  if (column) setDefault(column, tokens.slice(0, index), cursor);
  return column !== undefined;
}

/** Reads the columns and options of an index. Returns undefined without columns. */
export function readIndex(cursor: Cursor, base: Omit<DraftIndex, "columns">): DraftIndex | undefined {
  const group = cursor.readGroup();
  if (!group) return undefined;
  const items = splitList(group);
  const names = items.map((item) => readIndexColumn(cursor.createInner(item)));
  let where: string | undefined;
  let using: string | undefined;
  while (!cursor.isAtEnd()) {
    if (cursor.accept("WHERE")) where = cursor.getSource(removeBrackets(cursor.readRest()));
    else if (cursor.accept("USING")) using = cursor.next()?.value.toLowerCase();
    else if (!cursor.readGroup()) cursor.next();
  }
  return {
    ...base,
    using: using ?? base.using,
    columns: items.map((item, i) => names[i] ?? cursor.getSource(item)),
    ...(where !== undefined && { where }),
    ...(names.includes(undefined) && { expressions: true as const }),
  };
}

/** Adds an index. A unique one without expressions and conditions is a key. Returns false without an index. */
export function addIndex(table: DraftTable, index: DraftIndex | undefined): boolean {
  if (index?.unique && index.where === undefined && !index.expressions) table.unique.push(index);
  else if (index) table.indexes.push(index);
  return index !== undefined;
}
