import { type Catalog, createDraftColumn, createDraftTable, type DraftType, findColumn } from "./catalog.ts";
import { WORDS } from "./clause-words.ts";
import { readOptions, setType } from "./column.ts";
import { addIndex, readIndex } from "./constraint.ts";
import { readTexts } from "./create-table.ts";
import type { Cursor } from "./cursor.ts";
import type { StatementWarnings } from "./statements.ts";
import { readQuery } from "./view-columns.ts";

/** Applies `CREATE VIEW`. A later view of the same name replaces an earlier one. */
export function createView(cursor: Cursor, catalog: Catalog, warnings: StatementWarnings): void {
  const isMaterialized = cursor.skipPast("VIEW")?.at(-1) === "MATERIALIZED";
  const objectName = cursor.skip("IF", "NOT", "EXISTS").readObjectName();
  if (!objectName) {
    warnings.warn("CREATE VIEW without a name");
    return;
  }
  const name = catalog.qualify(objectName);
  const table = catalog.findTable(name);
  if (table && table.rest.kind === undefined) {
    warnings.warn(`the name of the view ${objectName.name} is used by a table`);
    return;
  }
  if (table) catalog.removeTable(table);
  const view = createDraftTable(name, warnings.line);
  view.rest.kind = isMaterialized ? "materialized view" : "view";
  const items = cursor.peekKey() === "(" ? cursor.readItems() : undefined;
  for (const item of items ?? []) {
    const column = item.readName();
    if (column === undefined) continue;
    const draft = createDraftColumn(column);
    readOptions(draft, item, view);
    view.columns.push(draft);
  }
  while (!cursor.isAtEnd() && cursor.peekKey() !== "AS") {
    if (!readTexts(cursor, view) && !cursor.readGroup()) cursor.next();
  }
  if (cursor.accept("AS")) readQuery(view, cursor.createInner(cursor.readRest()), catalog, warnings);
  catalog.addTable(view);
}

/** Applies `CREATE INDEX`. */
export function createIndex(cursor: Cursor, catalog: Catalog, warnings: StatementWarnings): void {
  const head = cursor.skipPast("INDEX") ?? [];
  cursor.skip("CONCURRENTLY").skip("IF", "NOT", "EXISTS");
  const name = cursor.peekKey() === "ON" ? undefined : cursor.readObjectName()?.name;
  if (!cursor.skipPast("ON")) {
    warnings.warn("CREATE INDEX without a table");
    return;
  }
  const table = catalog.findTable(cursor.skip("ONLY").readObjectName() ?? { name: "" });
  if (!table) {
    warnings.warn("the indexed table is not in the source");
    return;
  }
  const kind = head.find((one) => WORDS.indexKinds.has(one))?.toLowerCase();
  const using = cursor.accept("USING") ? cursor.next()?.value.toLowerCase() : kind;
  const unique = head.includes("UNIQUE") ? true : undefined;
  const isAdded = addIndex(table, readIndex(cursor, { name, using, unique }));
  if (!isAdded) warnings.warn("an index without columns");
}

/** Applies `CREATE TYPE` and `CREATE DOMAIN`: enums, aliases and composite types. */
export function createType(cursor: Cursor, catalog: Catalog, warnings: StatementWarnings): void {
  cursor.skipPast("TYPE", "DOMAIN");
  const objectName = cursor.readObjectName();
  if (!objectName) {
    warnings.warn("a type without a name");
    return;
  }
  const type: DraftType = { name: catalog.qualify(objectName), line: warnings.line, rest: {} };
  if (cursor.accept("AS", "ENUM")) {
    type.values = cursor.readItems()?.map((item) => item.next()?.value ?? "") ?? [];
  } else if (cursor.peekKey() === "AS" && WORDS.typeDefinitions.has(cursor.peekKey(1))) {
    cursor.next();
    type.rest.definition = cursor.getSource(cursor.readRest());
  } else if (!cursor.isAtEnd()) {
    cursor.skip("AS").skip("FROM");
    const scratchTable = createDraftTable(type.name, warnings.line);
    const base = createDraftColumn("value");
    setType(base, cursor, scratchTable);
    readOptions(base, cursor, scratchTable);
    type.base = base;
    type.rest.type = base.type;
    if (scratchTable.checks.length > 0) type.rest.checks = scratchTable.checks;
  }
  catalog.addType(type);
}

/** Applies `ALTER TYPE … ADD VALUE`. Warns about other changes of types. */
export function alterType(cursor: Cursor, catalog: Catalog, warnings: StatementWarnings): void {
  cursor.skipPast("TYPE");
  const type = catalog.findType(cursor.readObjectName() ?? { name: "" });
  if (!type?.values || !cursor.accept("ADD", "VALUE")) {
    if (cursor.accept("OWNER")) return;
    warnings.warn("changes of types are not imported");
    return;
  }
  cursor.accept("IF", "NOT", "EXISTS");
  const value = cursor.next()?.value ?? "";
  const isAfter = cursor.accept("AFTER");
  const index = isAfter || cursor.accept("BEFORE") ? type.values.indexOf(cursor.next()?.value ?? "") : -1;
  type.values.splice(index < 0 ? type.values.length : isAfter ? index + 1 : index, 0, value);
}

/** Applies `COMMENT ON` for tables, views, columns, types and databases. */
export function applyComment(cursor: Cursor, catalog: Catalog, warnings: StatementWarnings): void {
  cursor.next();
  if (!cursor.skip("IF", "EXISTS").accept("ON")) {
    warnings.warn("invalid comment");
    return;
  }
  const tokens = cursor.readRest();
  const index = tokens.findIndex(({ key }) => key === "IS");
  const innerCursor = cursor.createInner(index < 0 ? [] : tokens.slice(0, index));
  const literal = tokens[index + 1];
  const comment = literal?.kind === "text" ? literal.value : undefined;
  const kind = innerCursor.next()?.key;
  innerCursor.accept("VIEW");
  if (kind === "COLUMN") {
    const path = readPath(innerCursor);
    const table = catalog.findTable({ schema: path.at(-3), name: path.at(-2) ?? "" });
    const column = table && findColumn(table.columns, path.at(-1) ?? "");
    if (column) column.comment = comment;
    else warnings.warn("the commented column is not in the source");
    return;
  }
  const name = innerCursor.readObjectName();
  const isTable = WORDS.commentedTables.has(kind ?? "");
  const target =
    name && (isTable ? catalog.findTable(name) : /^(TYPE|DOMAIN)$/.test(kind ?? "") && catalog.findType(name));
  if (target) target.comment = comment;
  else if (isTable) warnings.warn("the commented table is not in the source");
  else if (kind === "DATABASE") catalog.comment = comment;
  else warnings.warn(`comments on ${kind === undefined ? "nothing" : kind.toLowerCase()} are not imported`);
}

function readPath(cursor: Cursor): string[] {
  const path: string[] = [];
  for (let name = cursor.readName(); name !== undefined; name = cursor.accept(".") ? cursor.readName() : undefined)
    path.push(name);
  return path;
}
