import { type Catalog, createDraftTable, type DraftColumn, type DraftType, findColumn } from "./catalog.ts";
import { readOptionList, readOptions, setType } from "./column.ts";
import { findPlainColumns, readIndex } from "./constraint.ts";
import { type Cursor, splitList } from "./cursor.ts";
import type { StatementWarnings } from "./statements.ts";
import { readQuery } from "./view-columns.ts";

/** Skips tokens up to and including a word. Returns false if it is absent. */
function skipPast(cursor: Cursor, word: string): boolean {
  while (!cursor.isAtEnd()) if (cursor.next()?.key === word) return true;
  return false;
}

/** Applies `CREATE VIEW`. A later view of the same name replaces an earlier one. */
export function createView(cursor: Cursor, catalog: Catalog, warnings: StatementWarnings): void {
  let isMaterialized = false;
  while (!cursor.isAtEnd() && cursor.peekKey() !== "VIEW") isMaterialized = cursor.next()?.key === "MATERIALIZED";
  cursor.next();
  cursor.accept("IF", "NOT", "EXISTS");
  const written = cursor.readObjectName();
  if (!written) {
    warnings.warn("CREATE VIEW without a name");
    return;
  }
  const name = catalog.qualify(written);
  const known = catalog.findTable(name);
  if (known && known.kept.kind === undefined) {
    warnings.warn(`the name of the view ${written.name} is used by a table`);
    return;
  }
  if (known) catalog.removeTable(known);
  const view = createDraftTable(name, warnings.line);
  view.kept.kind = isMaterialized ? "materialized view" : "view";
  const columns = cursor.peekKey() === "(" ? splitList(cursor.readGroup() ?? []) : [];
  view.columns = columns.flatMap((part): DraftColumn[] => {
    const inner = cursor.createInner(part);
    const column = inner.readName();
    if (column === undefined) return [];
    const made: DraftColumn = { name: column, type: "any", optional: true, constraints: {}, kept: {} };
    readOptions(made, inner, view);
    return [made];
  });
  while (!cursor.isAtEnd() && cursor.peekKey() !== "AS") {
    if (cursor.accept("COMMENT")) {
      cursor.accept("=");
      view.comment = cursor.next()?.value;
    } else if (cursor.accept("OPTIONS")) Object.assign(view.kept, readOptionList(cursor, view));
    else if (!cursor.readGroup()) cursor.next();
  }
  if (cursor.accept("AS")) readQuery(view, cursor.createInner(cursor.readRest()), catalog, warnings);
  catalog.addTable(view);
}

/** Applies `CREATE INDEX`. A unique index of plain columns is a key. */
export function createIndex(cursor: Cursor, catalog: Catalog, warnings: StatementWarnings): void {
  const head: string[] = [];
  while (!cursor.isAtEnd() && cursor.peekKey() !== "INDEX") head.push(cursor.next()?.key ?? "");
  cursor.next();
  cursor.accept("CONCURRENTLY");
  cursor.accept("IF", "NOT", "EXISTS");
  const name = cursor.peekKey() === "ON" ? undefined : cursor.readObjectName()?.name;
  if (!cursor.accept("ON") && !skipPast(cursor, "ON")) {
    warnings.warn("CREATE INDEX without a table");
    return;
  }
  cursor.accept("ONLY");
  const table = catalog.findTable(cursor.readObjectName() ?? { name: "" });
  if (!table) {
    warnings.warn("the indexed table is not in the source");
    return;
  }
  const sort = head.find((one) => /^(FULLTEXT|SPATIAL|BITMAP|SEARCH|COLUMNSTORE|XML)$/.test(one))?.toLowerCase();
  const using = cursor.accept("USING") ? cursor.next()?.value.toLowerCase() : sort;
  const unique = head.includes("UNIQUE");
  const index = readIndex(cursor, { name, using, ...(unique && { unique: true as const }) });
  if (!index) {
    warnings.warn("an index without columns");
    return;
  }
  const columns = unique ? findPlainColumns(index) : undefined;
  if (columns) table.unique.push({ columns, name });
  else table.indexes.push(index);
}

/** Applies `CREATE TYPE` and `CREATE DOMAIN`: enums, aliases and composite types. */
export function createType(cursor: Cursor, catalog: Catalog, warnings: StatementWarnings): void {
  while (!cursor.isAtEnd() && !/^(TYPE|DOMAIN)$/.test(cursor.next()?.key ?? ""));
  const written = cursor.readObjectName();
  if (!written) {
    warnings.warn("a type without a name");
    return;
  }
  const type: DraftType = { name: catalog.qualify(written), line: warnings.line, kept: {} };
  if (cursor.accept("AS", "ENUM")) {
    type.values = splitList(cursor.readGroup() ?? []).flatMap(([one]) => (one ? [one.value] : []));
  } else if (cursor.peekKey() === "AS" && /^(\(|TABLE|OBJECT|RANGE|VARRAY)$/.test(cursor.peekKey(1))) {
    cursor.next();
    type.kept.definition = cursor.getSource(cursor.readRest());
  } else if (!cursor.isAtEnd()) {
    cursor.acceptOne("AS", "FROM");
    const scratch = createDraftTable(type.name, warnings.line);
    const base: DraftColumn = { name: "value", type: "any", optional: true, constraints: {}, kept: {} };
    setType(base, cursor, scratch);
    readOptions(base, cursor, scratch);
    type.base = base;
    type.kept.type = base.type;
    if (scratch.checks.length > 0) type.kept.checks = scratch.checks;
  }
  catalog.addType(type);
}

/** Applies `ALTER TYPE … ADD VALUE`. Warns about other changes of types. */
export function alterType(cursor: Cursor, catalog: Catalog, warnings: StatementWarnings): void {
  skipPast(cursor, "TYPE");
  const type = catalog.findType(cursor.readObjectName() ?? { name: "" });
  if (!type?.values || !cursor.accept("ADD", "VALUE")) {
    if (cursor.accept("OWNER")) return;
    warnings.warn("changes of types are not imported");
    return;
  }
  cursor.accept("IF", "NOT", "EXISTS");
  const value = cursor.next()?.value ?? "";
  const where = cursor.acceptOne("BEFORE", "AFTER");
  const at = where === undefined ? -1 : type.values.indexOf(cursor.next()?.value ?? "");
  type.values.splice(at < 0 ? type.values.length : where === "AFTER" ? at + 1 : at, 0, value);
}

/** Applies `COMMENT ON` for tables, views, columns, types and databases. */
export function applyComment(cursor: Cursor, catalog: Catalog, warnings: StatementWarnings): void {
  cursor.next();
  cursor.accept("IF", "EXISTS");
  if (!cursor.accept("ON")) {
    warnings.warn("invalid comment");
    return;
  }
  const tokens = cursor.readRest();
  const at = tokens.findIndex(({ key }) => key === "IS");
  const inner = cursor.createInner(at < 0 ? [] : tokens.slice(0, at));
  const said = tokens[at + 1];
  const text = said?.kind === "text" ? said.value : undefined;
  const sort = inner.next()?.key;
  inner.accept("VIEW");
  if (sort === "COLUMN") {
    const path = readPath(inner);
    const column = path.pop() ?? "";
    const table = catalog.findTable({ schema: path.at(-2), name: path.at(-1) ?? "" });
    const found = table && findColumn(table.columns, column);
    if (!found) {
      warnings.warn("the commented column is not in the source");
      return;
    }
    found.comment = text;
    return;
  }
  const name = inner.readObjectName();
  if (sort === "TABLE" || sort === "VIEW" || sort === "MATERIALIZED" || sort === "FOREIGN") {
    const table = name && catalog.findTable(name);
    if (!table) {
      warnings.warn("the commented table is not in the source");
      return;
    }
    table.comment = text;
    return;
  }
  const type = (sort === "TYPE" || sort === "DOMAIN") && name ? catalog.findType(name) : undefined;
  if (type) type.comment = text;
  else if (sort === "DATABASE") catalog.comment = text;
  else warnings.warn(`comments on ${sort === undefined ? "nothing" : sort.toLowerCase()} are not imported`);
}

function readPath(cursor: Cursor): string[] {
  const path: string[] = [];
  for (let name = cursor.readName(); name !== undefined; name = cursor.accept(".") ? cursor.readName() : undefined)
    path.push(name);
  return path;
}
