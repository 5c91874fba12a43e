import type { DraftColumn, DraftTable } from "./catalog.ts";
import { mapWords } from "./clauses.ts";
import { readType, SERIALS } from "./column-type.ts";
import { type Cursor, splitList } from "./cursor.ts";
import { findCheckKeywords, parseDefault } from "./expressions.ts";
import { readReference } from "./references.ts";
import type { Token } from "./scanner.ts";

/** A column while its options are read. */
interface OpenColumn {
  readonly cursor: Cursor;
  readonly column: DraftColumn;
  readonly table: DraftTable;
  /** Name of the next constraint. */
  constraint?: string | undefined;
}

/** Reads an option after its first word. */
type ReadOption = (open: OpenColumn, word: Token) => unknown;

/** Readers of column options by first word. */
const OPTIONS = mapWords<ReadOption>([
  // No effect.
  ["NULL VISIBLE ENABLE VALIDATE DEFERRABLE", () => undefined],
  ["INITIALLY", ({ cursor }) => cursor.next()],
  ["FOREIGN", ({ cursor }) => cursor.accept("KEY")],
  ["DISTKEY SORTKEY ROWGUIDCOL SPARSE INVISIBLE HIDDEN", setFlag],
  ["WITH MASKED MASKING ENCRYPTED STORAGE COMPRESSION SRID TAG PROJECTION USING", keepUnreadOption],
  ["AUTO_INCREMENT AUTOINCREMENT IDENTITY", setAutoIncrement],
  ["GENERATED", setGenerated],
  ["AS", ({ cursor, column }) => setExpression(column, cursor)],
  ["CHARACTER CHARSET", setCharset],
  ["ENCODE", setEncoding],
  ["COLLATE", setCollation],
  ["COMMENT", setComment],
  ["OPTIONS", ({ cursor, column }) => Object.assign(column.kept, readOptionList(cursor, column))],
  ["CONSTRAINT", readConstraintName],
  ["NOT", readNot],
  ["DEFAULT", readDefault],
  ["ON", readOn],
  ["PRIMARY", readPrimaryKey],
  ["KEY", readKey],
  ["UNIQUE", readUnique],
  ["INDEX", readIndexOption],
  ["REFERENCES", readReferences],
  ["CHECK", ({ cursor, table, constraint }) => addCheck(table, cursor, constraint)],
]);

function readConstraintName(open: OpenColumn): void {
  open.constraint = open.cursor.readName();
}

function setEncoding({ cursor, column }: OpenColumn): void {
  column.kept.encode = cursor.next()?.value;
}

function readNot({ cursor, column }: OpenColumn): void {
  if (cursor.accept("NULL")) column.optional = false;
  else {
    cursor.accept("FOR");
    cursor.next();
  }
}

function readDefault({ cursor, column }: OpenColumn): void {
  if (cursor.accept("ON", "NULL")) column.kept.defaultOnNull = true;
  setDefault(column, readExpression(cursor), cursor);
}

function readOn({ cursor, column }: OpenColumn): void {
  if (cursor.accept("CONFLICT")) column.kept.onConflict = cursor.next()?.value.toLowerCase();
  else if (cursor.accept("UPDATE")) column.kept.onUpdate = cursor.getSource(readExpression(cursor));
  else cursor.next();
}

function readPrimaryKey({ cursor, column, table, constraint }: OpenColumn): void {
  cursor.accept("KEY");
  column.optional = false;
  table.primaryKey ??= { columns: [column.name], name: constraint };
  cursor.acceptOne("CLUSTERED", "NONCLUSTERED");
  cursor.acceptOne("ASC", "DESC");
}

function readKey({ column, table }: OpenColumn): void {
  column.optional = false;
  table.primaryKey ??= { columns: [column.name] };
}

function readUnique({ cursor, column, table, constraint }: OpenColumn): void {
  cursor.acceptOne("KEY", "CLUSTERED", "NONCLUSTERED");
  if (cursor.accept("NULLS")) {
    cursor.accept("NOT");
    cursor.accept("DISTINCT");
  }
  table.unique.push({ columns: [column.name], name: constraint });
}

function readIndexOption({ cursor, column, table }: OpenColumn): void {
  table.indexes.push({ name: cursor.readName(), columns: [column.name] });
  cursor.acceptOne("CLUSTERED", "NONCLUSTERED");
}

function readReferences({ cursor, column, table, constraint }: OpenColumn): void {
  const reference = readReference(cursor, [column.name], constraint);
  if (reference) table.references.push(reference);
}

function setCollation({ cursor, column }: OpenColumn): void {
  column.kept.collation = cursor.readObjectName()?.name ?? cursor.next()?.value;
}

function setComment({ cursor, column }: OpenColumn): void {
  cursor.accept("=");
  column.comment = cursor.next()?.value;
}

function setGenerated({ cursor, column }: OpenColumn): void {
  const when = cursor.accept("BY", "DEFAULT") ? "by default" : "always";
  cursor.accept("ALWAYS");
  cursor.accept("ON", "NULL");
  if (!cursor.accept("AS")) return;
  if (cursor.accept("IDENTITY")) {
    column.optional = false;
    const options = cursor.readGroup();
    column.kept.identity = options && options.length > 0 ? `${when} (${cursor.getSource(options)})` : when;
  } else if (cursor.peekKey() === "(") setExpression(column, cursor);
  else if (cursor.accept("ROW")) column.kept.generated = `row ${cursor.next()?.value.toLowerCase() ?? ""}`;
}

/** Maximum depth of structures, as in BigQuery. */
const LEVELS = 15;

/** Returns true when the next token begins an option of a column. */
export function isOption(cursor: Cursor): boolean {
  const key = cursor.peekKey();
  if (!OPTIONS.has(key)) return false;
  if (key === "CHARACTER") return cursor.peekKey(1) === "SET";
  if (key === "WITH") return !/^(TIME|LOCAL)$/.test(cursor.peekKey(1));
  return cursor.peek()?.kind === "word";
}

/** Reads a column: name, type and options. */
export function readColumn(cursor: Cursor, table: DraftTable, level = 0): DraftColumn | undefined {
  const name = cursor.readName();
  if (name === undefined) return undefined;
  const column: DraftColumn = { name, type: "any", optional: true, constraints: {}, kept: {} };
  if (!isOption(cursor) || (cursor.peekKey() !== "AS" && cursor.facts.dialect !== "sqlite"))
    setType(column, cursor, table, level);
  readOptions(column, cursor, table);
  return column;
}

export function setType(column: DraftColumn, cursor: Cursor, table: DraftTable, level = 0): void {
  const { type, constraints, kept, values, fields, isList } = readType(cursor, isOption);
  const serial = SERIALS[type];
  column.type = serial !== undefined && /^(postgresql|sql)$/.test(cursor.facts.dialect) ? serial : type;
  if (column.type !== type) {
    column.optional = false;
    column.kept.identity = type;
  }
  Object.assign(column.constraints, constraints, values && { enum: values });
  Object.assign(column.kept, kept);
  if (fields && level < LEVELS) {
    column.parts = splitList(fields, true).flatMap(
      (part) => readColumn(cursor.createInner(part), table, level + 1) ?? [],
    );
    if (isList) column.isList = true;
  } else if (fields) column.kept.fields = cursor.getSource(fields);
}

/** Reads the options of a column. Unknown options are kept as text. */
export function readOptions(column: DraftColumn, cursor: Cursor, table: DraftTable): void {
  const open: OpenColumn = { cursor, column, table };
  const unknown: Token[] = [];
  while (!cursor.isAtEnd()) {
    const key = cursor.peekKey();
    if (!isOption(cursor)) unknown.push(cursor.next() as Token);
    else {
      OPTIONS.get(key)?.(open, cursor.next() as Token);
      if (key !== "CONSTRAINT") open.constraint = undefined;
    }
  }
  if (unknown.length > 0)
    addKeptOption(column, unknown.map(({ start, end }) => cursor.text.slice(start, end)).join(" "));
}

export function setDefault(column: DraftColumn, tokens: readonly Token[], cursor: Cursor): void {
  const found = parseDefault(tokens, cursor);
  delete column.constraints.default;
  delete column.kept.default;
  if (found && "value" in found) column.constraints.default = found.value;
  else if (found) column.kept.default = found.expression;
}

/** Parses the next CHECK clause and records it. If it restricts one column, its constraint keyword is added later. */
export function addCheck(table: DraftTable, cursor: Cursor, name: string | undefined): void {
  const tokens = cursor.readGroup() ?? [];
  const check = cursor.getSource(tokens);
  table.checks.push(name === undefined ? { check } : { name, check });
  table.checked ??= [];
  table.checked.push((columns) => findCheckKeywords(tokens, columns, cursor));
}

/** Reads the tokens of an expression, up to the next option of a column. */
export function readExpression(cursor: Cursor): readonly Token[] {
  const tokens: Token[] = [];
  const take = (): void => {
    const group = cursor.readBracketed();
    // A spread argument list would exceed the stack for long statements.
    for (const token of group ?? [cursor.next() as Token]) tokens.push(token);
  };
  if (!cursor.isAtEnd()) take();
  while (!cursor.isAtEnd() && !isOption(cursor)) {
    if (/^(FOR|FIRST|AFTER)$/.test(cursor.peekKey())) break;
    take();
  }
  return tokens;
}

function setExpression(column: DraftColumn, cursor: Cursor): void {
  const tokens = readExpression(cursor);
  const words = tokens.findIndex(({ key }) => /^(STORED|VIRTUAL|PERSISTED|PERSISTENT)$/.test(key));
  column.kept.generated = cursor.getSource(words > 0 ? tokens.slice(0, words) : tokens);
  if (words > 0) column.kept.stored = !/^VIRTUAL$/.test(tokens[words]?.key ?? "");
}

function setAutoIncrement({ cursor, column }: OpenColumn): void {
  const group = cursor.readGroup();
  const rest: string[] = [];
  while (
    /^(START|INCREMENT|ORDER|NOORDER|WITH|BY)$/.test(cursor.peekKey()) ||
    (rest.length > 0 && cursor.peek()?.kind === "number")
  ) {
    rest.push(cursor.next()?.value ?? "");
  }
  column.kept.identity = group ? cursor.getSource(group) : rest.length > 0 ? rest.join(" ") : true;
}

function setCharset({ cursor, column }: OpenColumn): void {
  cursor.accept("SET");
  cursor.accept("=");
  column.kept.charset = cursor.next()?.value;
}

function setFlag({ column }: OpenColumn, word: Token): void {
  column.kept[word.value.toLowerCase()] = true;
}

/** Keeps an option as text, up to the next one. */
function keepUnreadOption({ cursor, column }: OpenColumn, word: Token): void {
  addKeptOption(column, cursor.getSource([word, ...readExpression(cursor)]));
}

function addKeptOption(column: DraftColumn, text: string): void {
  const before = column.kept.options;
  column.kept.options = [...(Array.isArray(before) ? before : []), text];
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
