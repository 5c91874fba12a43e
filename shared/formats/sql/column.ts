import { createDraftColumn, type DraftColumn, type DraftReference, type DraftTable } from "./catalog.ts";
import { COLUMN_OPTIONS, type ColumnOption, REFERENCE_FACTS, WORDS } from "./clause-words.ts";
import { readType, SERIALS } from "./column-type.ts";
import { type Cursor, splitList } from "./cursor.ts";
import { parseDefault } from "./expressions.ts";
import type { Token } from "./scanner.ts";

interface OpenColumn {
  readonly cursor: Cursor;
  readonly column: DraftColumn;
  readonly table: DraftTable;
  constraint?: string | undefined;
}

type ReadOption = (open: OpenColumn, word: Token) => unknown;

const OPTION_READERS: Readonly<Record<ColumnOption, ReadOption>> = {
  ignored: () => undefined,
  INITIALLY: ({ cursor }) => cursor.next(),
  FOREIGN: ({ cursor }) => cursor.accept("KEY"),
  flag: (open, word) => keep(open, word.value.toLowerCase(), true),
  unread: keepUnreadOption,
  identity: (open) => keep(open, "identity", readSequence(open.cursor)),
  GENERATED: readGenerated,
  AS: readFormula,
  charset: (open) => keep(open, "charset", open.cursor.skip("SET").skip("=").next()?.value),
  ENCODE: (open) => keep(open, "encode", open.cursor.next()?.value),
  COLLATE: (open) => keep(open, "collation", open.cursor.readObjectName()?.name ?? open.cursor.next()?.value),
  COMMENT: ({ cursor, column }) => Object.assign(column, { comment: cursor.skip("=").next()?.value }),
  OPTIONS: ({ cursor, column }) => Object.assign(column.rest, readOptionList(cursor, column)),
  CONSTRAINT: (open) => Object.assign(open, { constraint: open.cursor.readName() }),
  NOT: ({ cursor, column }) => readNot(cursor, column),
  DEFAULT: readDefault,
  ON: readOn,
  PRIMARY: readPrimaryKey,
  KEY: ({ column, table }) => addKeyColumn(table, column, undefined),
  UNIQUE: readUnique,
  INDEX: readIndexOption,
  REFERENCES: ({ cursor, column, table, constraint }) => addReference(table, cursor, [column.name], constraint),
  CHECK: ({ cursor, table, constraint }) => addCheck(table, cursor, constraint),
};

function keep({ column }: OpenColumn, member: string, value: unknown) {
  column.rest[member] = value;
}

function readNot(cursor: Cursor, column: DraftColumn) {
  if (cursor.accept("NULL")) column.optional = false;
  else cursor.skip("FOR").next();
}

function readDefault({ cursor, column }: OpenColumn) {
  if (cursor.accept("ON", "NULL")) column.rest.defaultOnNull = true;
  setDefault(column, readExpression(cursor), cursor);
}

function readOn({ cursor, column }: OpenColumn) {
  if (cursor.accept("CONFLICT")) column.rest.onConflict = cursor.next()?.value.toLowerCase();
  else if (cursor.accept("UPDATE")) column.rest.onUpdate = cursor.getSource(readExpression(cursor));
  else cursor.next();
}

function readPrimaryKey({ cursor, column, table, constraint }: OpenColumn) {
  addKeyColumn(table, column, constraint);
  cursor.skip("KEY").acceptOne(WORDS.clustering);
  cursor.skip("ASC").skip("DESC");
}

function addKeyColumn(table: DraftTable, column: DraftColumn, name: string | undefined) {
  column.optional = false;
  table.primaryKey ??= { columns: [column.name], name };
}

function readUnique({ cursor, column, table, constraint }: OpenColumn) {
  cursor.skip("KEY").acceptOne(WORDS.clustering);
  if (cursor.accept("NULLS")) cursor.skip("NOT").skip("DISTINCT");
  table.unique.push({ columns: [column.name], name: constraint });
}

function readIndexOption({ cursor, column, table }: OpenColumn) {
  table.indexes.push({ name: cursor.readName(), columns: [column.name] });
  cursor.acceptOne(WORDS.clustering);
}

function readGenerated(open: OpenColumn) {
  const { cursor, column } = open;
  const mode = cursor.accept("BY", "DEFAULT") ? "by default" : "always";
  if (!cursor.skip("ALWAYS").skip("ON", "NULL").accept("AS")) return;
  if (cursor.accept("IDENTITY")) {
    column.optional = false;
    const options = cursor.readGroup() ?? [];
    keep(open, "identity", options.length > 0 ? `${mode} (${cursor.getSource(options)})` : mode);
  } else if (cursor.peekKey() === "(") readFormula(open);
  else if (cursor.accept("ROW")) keep(open, "generated", `row ${cursor.next()?.value.toLowerCase() ?? ""}`);
}

function readFormula(open: OpenColumn) {
  const { cursor } = open;
  const tokens = readExpression(cursor);
  const words = tokens.findIndex(({ key }) => WORDS.formulaStorage.has(key));
  keep(open, "generated", cursor.getSource(words > 0 ? tokens.slice(0, words) : tokens));
  if (words > 0) keep(open, "stored", tokens[words]?.key !== "VIRTUAL");
}

function readSequence(cursor: Cursor): string | true {
  const group = cursor.readGroup();
  const rest: string[] = [];
  while (WORDS.sequenceOptions.has(cursor.peekKey()) || (rest.length > 0 && cursor.peek()?.kind === "number")) {
    rest.push(cursor.next()?.value ?? "");
  }
  return group ? cursor.getSource(group) : rest.join(" ") || true;
}

function keepUnreadOption({ cursor, column }: OpenColumn, word: Token) {
  addKeptOption(column, cursor.getSource([word, ...readExpression(cursor)]));
}

function addKeptOption({ rest }: DraftColumn, text: string) {
  rest.options = [...(Array.isArray(rest.options) ? rest.options : []), text];
}

/** Reads a reference after `REFERENCES`. Returns false without a target. */
export function addReference(
  table: DraftTable,
  cursor: Cursor,
  columns: readonly string[],
  name: string | undefined,
): boolean {
  const to = cursor.readObjectName();
  if (!to) return false;
  const targets = readPlainColumns(cursor) ?? [];
  const rest: DraftReference["rest"] = {};
  table.references.push({ name, columns, to, targets, rest });
  for (;;) {
    if (cursor.accept("ON", "DELETE")) setAction(rest, "onDelete", cursor);
    else if (cursor.accept("ON", "UPDATE")) setAction(rest, "onUpdate", cursor);
    else if (cursor.accept("MATCH")) rest.match = cursor.next()?.value.toLowerCase();
    else {
      const fact = REFERENCE_FACTS.find(([words]) => cursor.accept(...words));
      if (!fact) return true;
      Object.assign(rest, fact[1]);
    }
  }
}

function setAction(rest: DraftReference["rest"], member: string, cursor: Cursor) {
  if (cursor.accept("NO", "ACTION")) return;
  const action = cursor.acceptOne(WORDS.referenceActions);
  if (action !== undefined) rest[member] = action.toLowerCase();
  else if (cursor.accept("SET")) rest[member] = `set ${cursor.next()?.value.toLowerCase() ?? ""}`.trim();
}

/** Reads a list of column names; undefined for expressions. */
export function readPlainColumns(cursor: Cursor): readonly string[] | undefined {
  const names = cursor.readItems()?.map(readIndexColumn);
  return names?.every((name) => name !== undefined) ? names : undefined;
}

/** Reads a column of an index or key, with optional order and length. */
export function readIndexColumn(part: Cursor): string | undefined {
  const name = part.readName();
  if (name === undefined || part.peekKey() === ".") return undefined;
  return part.readGroup()?.some(({ kind }) => kind !== "number") ? undefined : name;
}

/** Maximum depth of structures, as in BigQuery. */
const LEVELS = 15;

/** Returns true when the next token begins an option of a column. */
export function isOption(cursor: Cursor): boolean {
  const key = cursor.peekKey();
  if (!COLUMN_OPTIONS.has(key)) return false;
  if (key === "CHARACTER") return cursor.peekKey(1) === "SET";
  if (key === "WITH") return !/^(TIME|LOCAL)$/.test(cursor.peekKey(1));
  return cursor.peek()?.kind === "word";
}

/** Reads a column: name, type and options. */
export function readColumn(cursor: Cursor, table: DraftTable, level = 0): DraftColumn | undefined {
  const name = cursor.readName();
  if (name === undefined) return undefined;
  const column = createDraftColumn(name);
  if (!isOption(cursor) || (cursor.peekKey() !== "AS" && cursor.facts.dialect !== "sqlite"))
    setType(column, cursor, table, level);
  readOptions(column, cursor, table);
  return column;
}

export function setType(column: DraftColumn, cursor: Cursor, table: DraftTable, level = 0): void {
  const { type, constraints, rest, values, fields, isList } = readType(cursor, isOption);
  const serial = SERIALS[type];
  column.type = serial !== undefined && /^(postgresql|sql)$/.test(cursor.facts.dialect) ? serial : type;
  if (column.type !== type) {
    column.optional = false;
    column.rest.identity = type;
  } else if (type === "serial" && cursor.facts.dialect === "mysql") {
    Object.assign(column, { type: "bigint unsigned", optional: false });
    column.rest.identity = true;
  }
  Object.assign(column.constraints, constraints, values && { enum: values });
  Object.assign(column.rest, rest);
  if (fields && level < LEVELS) {
    column.parts = splitList(fields, true).flatMap(
      (part) => readColumn(cursor.createInner(part), table, level + 1) ?? [],
    );
    if (isList) column.isList = true;
  } else if (fields) column.rest.fields = cursor.getSource(fields);
}

/** Reads the options of a column. Unknown options are kept as text. */
export function readOptions(column: DraftColumn, cursor: Cursor, table: DraftTable): void {
  const open: OpenColumn = { cursor, column, table };
  const unknownTokens: Token[] = [];
  while (!cursor.isAtEnd()) {
    const option = isOption(cursor) && COLUMN_OPTIONS.get(cursor.peekKey());
    const token = cursor.next() as Token;
    if (!option) unknownTokens.push(token);
    else {
      OPTION_READERS[option](open, token);
      if (option !== "CONSTRAINT") open.constraint = undefined;
    }
  }
  if (unknownTokens.length > 0)
    addKeptOption(column, unknownTokens.map(({ start, end }) => cursor.text.slice(start, end)).join(" "));
}

export function setDefault(column: DraftColumn, tokens: readonly Token[], cursor: Cursor): void {
  const result = parseDefault(tokens, cursor);
  delete column.constraints.default;
  delete column.rest.default;
  if (result && "value" in result) column.constraints.default = result.value;
  else if (result) column.rest.default = result.expression;
}

/** Parses the next CHECK clause and records it. */
export function addCheck(table: DraftTable, cursor: Cursor, name: string | undefined): void {
  const tokens = cursor.readGroup() ?? [];
  const check = cursor.getSource(tokens);
  table.checks.push(name === undefined ? { check } : { name, check });
}

/** Reads the tokens of an expression, up to the next option of a column. */
export function readExpression(cursor: Cursor): readonly Token[] {
  const tokens: Token[] = [];
  const ends = () => isOption(cursor) || WORDS.expressionEnds.has(cursor.peekKey());
  while (!cursor.isAtEnd() && (tokens.length === 0 || !ends())) {
    // A spread argument list would exceed the stack for long statements.
    for (const token of cursor.readBracketed() ?? [cursor.next() as Token]) tokens.push(token);
  }
  return tokens;
}

/** Reads BigQuery's `OPTIONS (…)`. The description becomes a comment. */
export function readOptionList(cursor: Cursor, target: { comment?: string | undefined }): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const part of splitList(cursor.readGroup() ?? [])) {
    const [name, , ...value] = part;
    const [first] = value;
    if (name?.key === "DESCRIPTION" && first) target.comment = first.value;
    else if (name) options[name.value] = value.length === 1 && first ? first.value : cursor.getSource(value);
  }
  return options;
}
