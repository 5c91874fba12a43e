import { LIMITS } from "../../domain/limits.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import type { ReadContext, ReadFormat } from "../common/format.ts";
import type { SqlDialect } from "../common/source-text.ts";
import { createDocument } from "../common/tables/tables-document.ts";
import { alterTable } from "./alter-table.ts";
import { Catalog, findColumn } from "./catalog.ts";
import { type StatementKind, WORDS } from "./clause-words.ts";
import { alterType, applyComment, createIndex, createType, createView } from "./create-other.ts";
import { createTable } from "./create-table.ts";
import { Cursor, splitList } from "./cursor.ts";
import { DIALECTS, type DialectFacts } from "./dialects.ts";
import { changeIndex, dropNamedPart } from "./named-parts.ts";
import { CatalogConverter } from "./sql-source.ts";
import {
  createStatementWarnings,
  type Statement,
  type StatementWarnings,
  splitStatements,
  toLinePath,
  warnSkipped,
} from "./statements.ts";

/** Number of tokens after which other work may run. */
const TOKENS_PER_SLOT = 50_000;

const TOO_MANY_CHANGES = [
  "drops, renames and moves so many parts of its tables that it looks through more than",
  `${LIMITS.sqlWalked} columns and keys, which is the most a text may`,
].join(" ");

/** Creates the reader of a SQL dialect. Warns about unknown statements with their lines. */
export function createSqlReader(dialect: SqlDialect): ReadFormat {
  const facts = DIALECTS[dialect];
  return async (source, context) => {
    const catalog = await readCatalog(String(source), facts, context);
    return createDocument(new CatalogConverter(catalog, context.diagnostics).convert(facts), context);
  };
}

async function readCatalog(text: string, facts: DialectFacts, { diagnostics, names }: ReadContext): Promise<Catalog> {
  const catalog = new Catalog(facts);
  let objects = 0;
  let tokensLeft = TOKENS_PER_SLOT;
  for (const statement of splitStatements(text, facts)) {
    const warnings = createStatementWarnings(statement, diagnostics, names.lenient);
    if (statement.reason) warnSkipped(statement, statement.reason, diagnostics);
    else
      objects += applyStatement(statement, new Cursor(statement.tokens, text, facts), catalog, diagnostics, warnings);
    if (statement.isOpen) warnings.fail("a quote or comment is not closed, so the rest of the text is ignored");
    else if (statement.kind !== undefined && statement.openBrackets) warnings.fail("a bracket is not closed");
    const problem =
      objects + catalog.copies > LIMITS.objectsPerJob
        ? `has more than ${LIMITS.objectsPerJob} columns and keys, the maximum of a model`
        : catalog.visits > LIMITS.sqlWalked && TOO_MANY_CHANGES;
    if (problem) {
      diagnostics.reject("", problem);
      return new Catalog(facts);
    }
    tokensLeft -= statement.tokens.length;
    if (tokensLeft < 0) {
      tokensLeft = TOKENS_PER_SLOT;
      await new Promise(setImmediate);
    }
  }
  return catalog;
}

function applyStatement(
  statement: Statement,
  cursor: Cursor,
  catalog: Catalog,
  diagnostics: Diagnostics,
  warnings: StatementWarnings,
) {
  const { kind, tokens, line } = statement;
  if (kind === undefined) return 0;
  if (APPLIERS[kind](cursor, catalog, warnings) === false)
    warnSkipped(statement, kind === "execute" ? "routine" : "setting", diagnostics);
  for (const name of cursor.placeholders) {
    diagnostics.warn(toLinePath(line), "assumed", `the placeholder ${name} before a name is omitted`);
  }
  return tokens.filter(({ key }) => key === ",").length + 1;
}

type Apply = (cursor: Cursor, catalog: Catalog, warnings: StatementWarnings) => unknown;

const APPLIERS: Readonly<Record<StatementKind, Apply>> = {
  "create table": createTable,
  "create view": createView,
  "create index": createIndex,
  "create type": createType,
  "create domain": createType,
  "create schema": (cursor, catalog) => {
    if (cursor.facts.dialect === "mysql") useDatabase(readNameAfter(cursor, "SCHEMA"), catalog);
  },
  "create database": (cursor, catalog) => useDatabase(readNameAfter(cursor, "DATABASE"), catalog),
  "alter table": alterTable,
  "alter type": alterType,
  "alter index": (cursor, catalog) => {
    cursor.skipPast("INDEX");
    const name = cursor.skip("IF", "EXISTS").readObjectName()?.name;
    const newName = cursor.accept("RENAME", "TO") ? cursor.readName() : undefined;
    if (name === undefined || newName === undefined) return false;
    changeIndex(name, catalog, cursor.facts, newName);
    return true;
  },
  "alter session": (cursor, catalog) => {
    const tokens = cursor.readRest();
    const index = tokens.findIndex(({ key }) => key === "CURRENT_SCHEMA");
    if (index < 0) return false;
    catalog.schema = cursor.createInner(tokens.slice(index + 2)).readName();
    return true;
  },
  "rename table": (cursor, catalog, warnings) => {
    for (const part of splitList(cursor.skip("RENAME", "TABLE").readRest())) {
      const innerCursor = cursor.createInner(part);
      const table = catalog.findTable(innerCursor.readObjectName() ?? { name: "" });
      const name = innerCursor.accept("TO") ? innerCursor.readObjectName() : undefined;
      if (table && name) catalog.renameTable(table, catalog.qualify(name));
      else warnings.warn("the renamed table is not in the source");
    }
  },
  drop: (cursor, catalog) => {
    const isIndex = cursor.peekKey(1) === "INDEX";
    cursor.skipPast("TABLE", "VIEW", "INDEX");
    if (isIndex) {
      dropIndexes(cursor, catalog);
      return;
    }
    for (const part of splitList(cursor.skip("IF", "EXISTS").readRest())) {
      const table = catalog.findTable(cursor.createInner(part).readObjectName() ?? { name: "" });
      if (table) catalog.removeTable(table);
    }
  },
  comment: applyComment,
  execute: readExtendedProperty,
  use: (cursor, catalog) => {
    cursor.next();
    const kind = cursor.peekKey(1) === "" ? undefined : cursor.acceptOne(WORDS.usedObjects);
    const name = cursor.readObjectName();
    if (kind === "SCHEMA") catalog.schema = name?.name;
    else if (kind === undefined || kind === "DATABASE") {
      if (cursor.facts.dialect === "mysql") catalog.schema = name?.name;
      useDatabase(name?.name, catalog);
    }
  },
  set: (cursor, catalog) => {
    cursor.next();
    cursor.skip("SESSION").skip("LOCAL");
    if (cursor.accept("SEARCH_PATH")) cursor.skip("=").skip("TO");
    else if (!cursor.accept("SCHEMA")) return false;
    const token = cursor.peek();
    const name = token?.kind === "text" ? token.value : cursor.readName();
    if (name) catalog.schema = name;
    return true;
  },
};

/** Drops indexes by their names. MySQL and SQL Server name the table after `ON`. */
function dropIndexes(cursor: Cursor, catalog: Catalog) {
  for (const part of splitList(cursor.skip("CONCURRENTLY").skip("IF", "EXISTS").readRest())) {
    const item = cursor.createInner(part);
    const name = item.readObjectName()?.name ?? "";
    const table = item.accept("ON") ? catalog.findTable(item.readObjectName() ?? { name: "" }) : undefined;
    if (table) dropNamedPart(table, name, cursor.facts);
    else changeIndex(name, catalog, cursor.facts, undefined);
  }
}

function readNameAfter(cursor: Cursor, word: string): string | undefined {
  cursor.skipPast(word);
  return cursor.skip("IF", "NOT", "EXISTS").readName();
}

function useDatabase(name: string | undefined, catalog: Catalog) {
  if (name !== undefined && !/^(master|tempdb)$/i.test(name)) catalog.databases.add(name);
}

const PROPERTY_PARAMETERS = "name value level0type level0name level1type level1name level2type level2name".split(" ");

function readExtendedProperty(cursor: Cursor, catalog: Catalog, warnings: StatementWarnings) {
  cursor.next();
  const procedure = cursor.readObjectName()?.name.toLowerCase();
  if (procedure === "sp_rename") warnings.warn("sp_rename is not imported");
  if (procedure !== "sp_addextendedproperty") return procedure === "sp_rename";
  const parameters = new Map<string, string>();
  for (const [i, part] of splitList(cursor.readRest()).entries()) {
    const isNamed = part[0]?.kind === "placeholder" && part[1]?.key === "=";
    const value = part[isNamed ? 2 : 0];
    const name = isNamed ? part[0]?.value.toLowerCase() : PROPERTY_PARAMETERS[i];
    if (name !== undefined && value && value.key !== "NULL") parameters.set(name, value.value);
  }
  const [schema, name = ""] = [parameters.get("level0name"), parameters.get("level1name")];
  if (parameters.get("name") !== "MS_Description") return false;
  if (!parameters.has("level1name")) {
    if (schema === undefined) catalog.comment = parameters.get("value");
    return parameters.size <= 2;
  }
  const table = catalog.findTable({ schema, name });
  const kind = parameters.get("level2type")?.toUpperCase();
  const column = table && kind === "COLUMN" && findColumn(table.columns, parameters.get("level2name") ?? "");
  const target = kind === undefined ? table : column;
  if (target) target.comment = parameters.get("value");
  return Boolean(target);
}
