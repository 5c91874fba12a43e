import { LIMITS } from "../../domain/limits.ts";
import type { Catalog } from "./catalog.ts";
import { expression, isOption, readColumn, readOptions, setDefault, setType } from "./column.ts";
import { columnNamed, forgetNames } from "./column-named.ts";
import { putColumn, takePlace } from "./column-place.ts";
import { isConstraint, readConstraint } from "./constraint.ts";
import { type Cursor, listed } from "./cursor.ts";
import type { DraftColumn, DraftTable } from "./drafts.ts";
import type { Told } from "./told.ts";

/** Changes that say nothing about columns and keys. */
const IDLE = new Set([
  ...[
    "OWNER",
    "ENABLE",
    "DISABLE",
    "CHECK",
    "NOCHECK",
    "CLUSTER",
    "REPLICA",
    "VALIDATE",
    "SET",
    "RESET",
    "ENGINE",
    "FORCE",
  ],
  ...[
    "AUTO_INCREMENT",
    "DETACH",
    "INHERIT",
    "NO",
    "ORDER",
    "CONVERT",
    "DEFAULT",
    "COLLATE",
    "ROW_FORMAT",
    "SWITCH",
    "REBUILD",
  ],
]);

/** Reads `ALTER TABLE` with all of its changes. */
export function alterTable(cursor: Cursor, catalog: Catalog, told: Told): void {
  while (!cursor.isAtEnd() && cursor.next()?.key !== "TABLE");
  cursor.accept("IF", "EXISTS");
  cursor.accept("ONLY");
  const name = cursor.objectName();
  const table = name && catalog.table(name);
  if (!table) {
    if (/^(OWNER|ENABLE|DISABLE|REPLICA|ATTACH|SET)$/.test(cursor.key())) return;
    told.unread("a change of a table that is not in the source");
    return;
  }
  cursor.accept("*");
  if (cursor.accept("WITH")) cursor.next();
  const changes = listed(cursor.rest());
  let verb = "";
  for (const change of changes) {
    if (catalog.walked > LIMITS.sqlWalked) return;
    const part = cursor.over(change);
    // SQL Server and Oracle go on with a list without saying the verb again.
    if (/^(ADD|DROP|ALTER|MODIFY|CHANGE|RENAME|ATTACH)$/.test(part.key()) || IDLE.has(part.key()))
      verb = part.next()?.key ?? "";
    if (!changed(verb, part, table, catalog, told))
      told.unread(`a change of a table is not understood: ${verb || part.key()}`);
  }
}

function changed(verb: string, part: Cursor, table: DraftTable, catalog: Catalog, told: Told): boolean {
  switch (verb) {
    case "ADD":
      return added(part, table, catalog);
    case "DROP":
      return dropped(part, table, catalog);
    case "ALTER":
      return altered(part, table);
    case "MODIFY":
      return modified(part, table, catalog);
    case "CHANGE": {
      part.accept("COLUMN");
      const old = columnNamed(table.columns, part.name() ?? "");
      return old !== undefined && replaced(part, table, old, catalog);
    }
    case "RENAME":
      return renamed(part, table, catalog);
    case "ATTACH": {
      part.accept("PARTITION");
      const child = catalog.table(part.objectName() ?? { name: "" });
      if (child) catalog.remove(child);
      told.leftOut("a partition of another table");
      return true;
    }
    case "SET":
      if (part.accept("SCHEMA")) catalog.rename(table, { schema: part.name(), name: table.name.name });
      return true;
    default:
      return IDLE.has(verb);
  }
}

function added(part: Cursor, table: DraftTable, catalog: Catalog): boolean {
  if (isConstraint(part)) return readConstraint(part, table);
  if (part.accept("DEFAULT")) return readConstraint(part.over([{ ...MARK, key: "DEFAULT" }, ...part.rest()]), table);
  part.accept("COLUMN");
  part.accept("IF", "NOT", "EXISTS");
  const group = part.group();
  if (group) {
    return listed(group)
      .map((one) => added(part.over(one), table, catalog))
      .every(Boolean);
  }
  if (part.accept("PARTITION")) return true;
  const said = takePlace(part);
  const column = readColumn(said.column, table);
  if (said.place) walk(table, catalog);
  if (column) putColumn(table.columns, column, said.place);
  return column !== undefined;
}

const MARK = { kind: "word", value: "", start: 0, end: 0, isFirst: false } as const;

/** Counts what a change looks through that is not found by its name. */
function walk({ columns, unique, references, indexes }: DraftTable, catalog: Catalog): void {
  catalog.walked += columns.length + unique.length + references.length + indexes.length;
}

function dropped(part: Cursor, table: DraftTable, catalog: Catalog): boolean {
  if (part.accept("PRIMARY", "KEY")) {
    table.primaryKey = undefined;
    return true;
  }
  walk(table, catalog);
  const sort = part.acceptOne("CONSTRAINT", "INDEX", "KEY", "FOREIGN", "COLUMN", "CHECK");
  if (sort === "FOREIGN") part.accept("KEY");
  part.accept("IF", "EXISTS");
  if (sort !== undefined && sort !== "COLUMN") {
    const name = part.name();
    if (table.primaryKey?.name === name) table.primaryKey = undefined;
    table.unique = table.unique.filter((one) => one.name !== name);
    table.references = table.references.filter((one) => one.name !== name);
    table.indexes = table.indexes.filter((one) => one.name !== name);
    return true;
  }
  const names = part.key() === "(" ? listed(part.group() ?? []).map((one) => part.over(one).name()) : [part.name()];
  const lost = names.map((name) => columnNamed(table.columns, name ?? ""));
  table.columns = table.columns.filter((one) => !lost.includes(one));
  return lost.every((one) => one !== undefined);
}

function altered(part: Cursor, table: DraftTable): boolean {
  part.accept("COLUMN");
  const column = columnNamed(table.columns, part.name() ?? "");
  if (!column) return false;
  if (part.accept("SET", "NOT", "NULL")) column.optional = false;
  else if (part.accept("DROP", "NOT", "NULL")) column.optional = true;
  else if (part.accept("SET", "DEFAULT")) setDefault(column, expression(part), part);
  else if (part.accept("DROP", "DEFAULT")) setDefault(column, [], part);
  else if (part.accept("SET", "DATA", "TYPE") || part.accept("TYPE")) retyped(part, column, table);
  else if (part.accept("ADD")) readOptions(column, part, table);
  else if (part.accept("COMMENT")) column.comment = part.next()?.value;
  else if (part.accept("SET") || part.accept("DROP") || part.accept("RESET")) return true;
  else {
    // SQL Server says the whole column anew.
    retyped(part, column, table);
    column.optional = !part.accept("NOT", "NULL");
    readOptions(column, part, table);
  }
  return true;
}

function retyped(part: Cursor, column: DraftColumn, table: DraftTable): void {
  delete column.constraints.maxLength;
  for (const member of ["precision", "scale", "arguments"]) delete column.kept[member];
  setType(column, part, table);
}

function modified(part: Cursor, table: DraftTable, catalog: Catalog): boolean {
  part.accept("COLUMN");
  const group = part.group();
  if (group) {
    return listed(group)
      .map((one) => modified(part.over(one), table, catalog))
      .every(Boolean);
  }
  const old = columnNamed(
    table.columns,
    part.peek()?.kind === "name" ? (part.peek()?.value ?? "") : (nameAhead(part) ?? ""),
  );
  if (!old) return false;
  if (part.facts.dialect === "mysql") return replaced(part, table, old, catalog);
  part.next();
  if (!isOption(part) && !part.isAtEnd()) retyped(part, old, table);
  if (part.accept("NULL")) old.optional = true;
  readOptions(old, part, table);
  return true;
}

function nameAhead(part: Cursor): string | undefined {
  const first = part.peek();
  return first && part.over([first]).name();
}

/** Puts a column that is said anew in the place of the old one, or in the one that is said with it. */
function replaced(part: Cursor, table: DraftTable, old: DraftColumn, catalog: Catalog): boolean {
  const said = takePlace(part);
  const column = readColumn(said.column, table);
  if (!column) return false;
  column.comment ??= old.comment;
  const isKey = table.primaryKey?.columns.includes(old.name) === true;
  if (isKey) column.optional = false;
  const { name } = old;
  if (said.place) {
    walk(table, catalog);
    table.columns = table.columns.filter((one) => one !== old);
    putColumn(table.columns, column, said.place);
  } else Object.assign(old, { parts: undefined, isList: false }, column);
  if (column.name !== name) renameIn(table, name, column.name, catalog);
  return true;
}

function renamed(part: Cursor, table: DraftTable, catalog: Catalog): boolean {
  if (part.accept("TO") || part.accept("AS")) {
    const name = part.objectName();
    if (name) catalog.rename(table, { schema: name.schema ?? table.name.schema, name: name.name });
    return name !== undefined;
  }
  if (part.acceptOne("CONSTRAINT", "INDEX", "KEY") !== undefined) return true;
  part.accept("COLUMN");
  const column = columnNamed(table.columns, part.name() ?? "");
  const name = part.accept("TO") ? part.name() : undefined;
  if (!column || name === undefined) return false;
  renameIn(table, column.name, name, catalog);
  column.name = name;
  return true;
}

/** Gives a column its new name in all keys, and in the foreign keys of other tables. */
function renameIn(table: DraftTable, old: string, name: string, catalog: Catalog): void {
  walk(table, catalog);
  forgetNames(table.columns);
  const lower = old.toLowerCase();
  const renamed = (columns: readonly string[]): readonly string[] =>
    columns.map((one) => (one.toLowerCase() === lower ? name : one));
  for (const key of [...table.unique, ...table.references, ...(table.primaryKey ? [table.primaryKey] : [])]) {
    key.columns = renamed(key.columns);
  }
  for (const { references } of catalog.tables()) {
    catalog.walked += 1 + references.length;
    for (const reference of references) {
      if (catalog.table(reference.to) === table) reference.referred = renamed(reference.referred);
    }
  }
}
