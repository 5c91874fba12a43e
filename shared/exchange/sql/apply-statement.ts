import { alterTable } from "./alter-table.ts";
import type { Catalog } from "./catalog.ts";
import { columnNamed } from "./column-named.ts";
import { alterType, commentOn, createIndex, createType, createView } from "./create-other.ts";
import { createTable } from "./create-table.ts";
import { type Cursor, listed } from "./cursor.ts";
import type { StatementKind } from "./statement-kinds.ts";
import type { Told } from "./told.ts";

/** Applies what one statement says to the catalog; answers false for a statement that says nothing of tables after all. */
type Apply = (cursor: Cursor, catalog: Catalog, told: Told) => unknown;

/** How each kind of statement that is read is applied. */
export const APPLY: Readonly<Record<StatementKind, Apply>> = {
  "create table": createTable,
  "create view": createView,
  "create index": createIndex,
  "create type": createType,
  "create domain": createType,
  "create schema": (cursor, catalog) => {
    if (cursor.facts.dialect === "mysql") useDatabase(named(cursor, "SCHEMA"), catalog);
  },
  "create database": (cursor, catalog) => useDatabase(named(cursor, "DATABASE"), catalog),
  "alter table": alterTable,
  "alter type": alterType,
  "alter session": (cursor, catalog) => {
    const tokens = cursor.rest();
    const at = tokens.findIndex(({ key }) => key === "CURRENT_SCHEMA");
    if (at < 0) return false;
    catalog.schema = cursor.over(tokens.slice(at + 2)).name();
    return true;
  },
  "rename table": (cursor, catalog, told) => {
    cursor.accept("RENAME", "TABLE");
    for (const part of listed(cursor.rest())) {
      const inner = cursor.over(part);
      const table = catalog.table(inner.objectName() ?? { name: "" });
      const name = inner.accept("TO") ? inner.objectName() : undefined;
      if (table && name) catalog.rename(table, catalog.full(name));
      else told.unread("a new name of a table that is not in the source");
    }
  },
  drop: (cursor, catalog) => {
    while (!cursor.isAtEnd() && !/^(TABLE|VIEW)$/.test(cursor.next()?.key ?? ""));
    cursor.accept("IF", "EXISTS");
    for (const part of listed(cursor.rest())) {
      const table = catalog.table(cursor.over(part).objectName() ?? { name: "" });
      if (table) catalog.remove(table);
    }
  },
  comment: commentOn,
  execute: extendedProperty,
  use: (cursor, catalog) => {
    cursor.next();
    const sort =
      cursor.key(1) === "" ? undefined : cursor.acceptOne("DATABASE", "SCHEMA", "CATALOG", "ROLE", "WAREHOUSE");
    const name = cursor.objectName();
    if (sort === "SCHEMA") catalog.schema = name?.name;
    else if (sort === undefined || sort === "DATABASE") {
      if (cursor.facts.dialect === "mysql") catalog.schema = name?.name;
      useDatabase(name?.name, catalog);
    }
  },
  set: (cursor, catalog) => {
    cursor.next();
    cursor.acceptOne("SESSION", "LOCAL");
    if (cursor.accept("SEARCH_PATH")) cursor.acceptOne("=", "TO");
    else if (!cursor.accept("SCHEMA")) return false;
    const token = cursor.peek();
    const name = token?.kind === "text" ? token.value : cursor.name();
    if (name) catalog.schema = name;
    return true;
  },
};

function named(cursor: Cursor, word: string): string | undefined {
  while (!cursor.isAtEnd() && cursor.next()?.key !== word);
  cursor.accept("IF", "NOT", "EXISTS");
  return cursor.name();
}

function useDatabase(name: string | undefined, catalog: Catalog): void {
  if (name !== undefined && !/^(master|tempdb)$/i.test(name)) catalog.databases.add(name);
}

const PARAMETERS = [
  "name",
  "value",
  "level0type",
  "level0name",
  "level1type",
  "level1name",
  "level2type",
  "level2name",
];

/** Reads the descriptions that SQL Server keeps as extended properties. */
function extendedProperty(cursor: Cursor, catalog: Catalog, told: Told): boolean {
  cursor.next();
  const called = cursor.objectName()?.name.toLowerCase();
  if (called === "sp_rename") told.unread("sp_rename is not carried over");
  if (called !== "sp_addextendedproperty") return called === "sp_rename";
  const given = new Map<string, string>();
  for (const [i, part] of listed(cursor.rest()).entries()) {
    const isNamed = part[0]?.kind === "placeholder" && part[1]?.key === "=";
    const value = part[isNamed ? 2 : 0];
    const name = isNamed ? part[0]?.value.toLowerCase() : PARAMETERS[i];
    if (name !== undefined && value && value.key !== "NULL") given.set(name, value.value);
  }
  if (given.get("name") !== "MS_Description") return false;
  const text = given.get("value");
  const table = catalog.table({ schema: given.get("level0name"), name: given.get("level1name") ?? "" });
  const sort = given.get("level2type")?.toUpperCase();
  if (!given.has("level1name")) {
    if (!given.has("level0name")) catalog.comment = text;
    return given.size <= 2;
  }
  if (!table) return false;
  if (sort === undefined) table.comment = text;
  else {
    const column = sort === "COLUMN" ? columnNamed(table.columns, given.get("level2name") ?? "") : undefined;
    if (!column) return false;
    column.comment = text;
  }
  return true;
}
