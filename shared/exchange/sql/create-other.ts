import type { Catalog } from "./catalog.ts";
import { optionsOf, readOptions, setType } from "./column.ts";
import { columnNamed } from "./column-named.ts";
import { indexOf, plainNames } from "./constraint.ts";
import { type Cursor, listed } from "./cursor.ts";
import { type DraftColumn, type DraftType, draftTable } from "./drafts.ts";
import type { Told } from "./told.ts";
import { setQueried } from "./view-columns.ts";

/** Goes on behind a word, over whatever stands before it. */
function behind(cursor: Cursor, word: string): boolean {
  while (!cursor.isAtEnd()) if (cursor.next()?.key === word) return true;
  return false;
}

/** Reads `CREATE VIEW`. A later view of the same name replaces the earlier one. */
export function createView(cursor: Cursor, catalog: Catalog, told: Told): void {
  let isMaterialized = false;
  while (!cursor.isAtEnd() && cursor.key() !== "VIEW") isMaterialized = cursor.next()?.key === "MATERIALIZED";
  cursor.next();
  cursor.accept("IF", "NOT", "EXISTS");
  const written = cursor.objectName();
  if (!written) {
    told.unread("CREATE VIEW without a name");
    return;
  }
  const name = catalog.full(written);
  const known = catalog.table(name);
  if (known && known.kept.kind === undefined) {
    told.unread(`the view ${written.name} has the name of a table`);
    return;
  }
  if (known) catalog.remove(known);
  const view = draftTable(name, told.line);
  view.kept.kind = isMaterialized ? "materialized view" : "view";
  const columns = cursor.key() === "(" ? listed(cursor.group() ?? []) : [];
  view.columns = columns.flatMap((part): DraftColumn[] => {
    const inner = cursor.over(part);
    const column = inner.name();
    if (column === undefined) return [];
    const made: DraftColumn = { name: column, type: "any", optional: true, constraints: {}, kept: {} };
    readOptions(made, inner, view);
    return [made];
  });
  while (!cursor.isAtEnd() && cursor.key() !== "AS") {
    if (cursor.accept("COMMENT")) {
      cursor.accept("=");
      view.comment = cursor.next()?.value;
    } else if (cursor.accept("OPTIONS")) Object.assign(view.kept, optionsOf(cursor, view));
    else if (!cursor.group()) cursor.next();
  }
  if (cursor.accept("AS")) setQueried(view, cursor.over(cursor.rest()), catalog, told);
  catalog.add(view);
}

/** Reads `CREATE INDEX`: a unique one of plain columns is a key of its table. */
export function createIndex(cursor: Cursor, catalog: Catalog, told: Told): void {
  const head: string[] = [];
  while (!cursor.isAtEnd() && cursor.key() !== "INDEX") head.push(cursor.next()?.key ?? "");
  cursor.next();
  cursor.accept("CONCURRENTLY");
  cursor.accept("IF", "NOT", "EXISTS");
  const name = cursor.key() === "ON" ? undefined : cursor.objectName()?.name;
  if (!cursor.accept("ON") && !behind(cursor, "ON")) {
    told.unread("CREATE INDEX without a table");
    return;
  }
  cursor.accept("ONLY");
  const table = catalog.table(cursor.objectName() ?? { name: "" });
  if (!table) {
    told.unread("an index of a table that is not in the source");
    return;
  }
  const sort = head.find((one) => /^(FULLTEXT|SPATIAL|BITMAP|SEARCH|COLUMNSTORE|XML)$/.test(one))?.toLowerCase();
  const using = cursor.accept("USING") ? cursor.next()?.value.toLowerCase() : sort;
  const unique = head.includes("UNIQUE");
  const index = indexOf(cursor, { name, using, ...(unique && { unique: true as const }) });
  if (!index) {
    told.unread("an index without columns");
    return;
  }
  const columns = unique ? plainNames(index) : undefined;
  if (columns) table.unique.push({ columns, name });
  else table.indexes.push(index);
}

/** Reads `CREATE TYPE` and `CREATE DOMAIN`: enums, other names of a type, types with columns of their own. */
export function createType(cursor: Cursor, catalog: Catalog, told: Told): void {
  while (!cursor.isAtEnd() && !/^(TYPE|DOMAIN)$/.test(cursor.next()?.key ?? ""));
  const written = cursor.objectName();
  if (!written) {
    told.unread("a type without a name");
    return;
  }
  const type: DraftType = { name: catalog.full(written), line: told.line, kept: {} };
  if (cursor.accept("AS", "ENUM")) {
    type.values = listed(cursor.group() ?? []).flatMap(([one]) => (one ? [one.value] : []));
  } else if (cursor.key() === "AS" && /^(\(|TABLE|OBJECT|RANGE|VARRAY)$/.test(cursor.key(1))) {
    cursor.next();
    type.kept.definition = cursor.written(cursor.rest());
  } else if (!cursor.isAtEnd()) {
    cursor.acceptOne("AS", "FROM");
    const scratch = draftTable(type.name, told.line);
    const base: DraftColumn = { name: "value", type: "any", optional: true, constraints: {}, kept: {} };
    setType(base, cursor, scratch);
    readOptions(base, cursor, scratch);
    type.base = base;
    type.kept.type = base.type;
    if (scratch.checks.length > 0) type.kept.checks = scratch.checks;
  }
  catalog.addType(type);
}

/** Reads `ALTER TYPE … ADD VALUE`; anything else of a type is not carried over. */
export function alterType(cursor: Cursor, catalog: Catalog, told: Told): void {
  behind(cursor, "TYPE");
  const type = catalog.type(cursor.objectName() ?? { name: "" });
  if (!type?.values || !cursor.accept("ADD", "VALUE")) {
    if (cursor.accept("OWNER")) return;
    told.unread("a change of a type is not carried over");
    return;
  }
  cursor.accept("IF", "NOT", "EXISTS");
  const value = cursor.next()?.value ?? "";
  const where = cursor.acceptOne("BEFORE", "AFTER");
  const at = where === undefined ? -1 : type.values.indexOf(cursor.next()?.value ?? "");
  type.values.splice(at < 0 ? type.values.length : where === "AFTER" ? at + 1 : at, 0, value);
}

/** Reads `COMMENT ON`, of tables, views, columns, types and schemas. */
export function commentOn(cursor: Cursor, catalog: Catalog, told: Told): void {
  cursor.next();
  cursor.accept("IF", "EXISTS");
  if (!cursor.accept("ON")) {
    told.unread("a comment is not understood");
    return;
  }
  const tokens = cursor.rest();
  const at = tokens.findIndex(({ key }) => key === "IS");
  const inner = cursor.over(at < 0 ? [] : tokens.slice(0, at));
  const said = tokens[at + 1];
  const text = said?.kind === "text" ? said.value : undefined;
  const sort = inner.next()?.key;
  inner.accept("VIEW");
  if (sort === "COLUMN") {
    const path = pathOf(inner);
    const column = path.pop() ?? "";
    const table = catalog.table({ schema: path.at(-2), name: path.at(-1) ?? "" });
    const found = table && columnNamed(table.columns, column);
    if (!found) {
      told.unread("a comment on a column that is not in the source");
      return;
    }
    found.comment = text;
    return;
  }
  const name = inner.objectName();
  if (sort === "TABLE" || sort === "VIEW" || sort === "MATERIALIZED" || sort === "FOREIGN") {
    const table = name && catalog.table(name);
    if (!table) {
      told.unread("a comment on a table that is not in the source");
      return;
    }
    table.comment = text;
    return;
  }
  const type = (sort === "TYPE" || sort === "DOMAIN") && name ? catalog.type(name) : undefined;
  if (type) type.comment = text;
  else if (sort === "DATABASE") catalog.comment = text;
  else told.unread(`a comment on ${sort === undefined ? "nothing" : sort.toLowerCase()} is not carried over`);
}

function pathOf(cursor: Cursor): string[] {
  const path: string[] = [];
  for (let name = cursor.name(); name !== undefined; name = cursor.accept(".") ? cursor.name() : undefined)
    path.push(name);
  return path;
}
