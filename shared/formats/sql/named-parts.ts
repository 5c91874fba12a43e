import { type DialectRules, findDialectRules } from "../../domain/normal-form/dialect-rules.ts";
import { isMadeName, makeName, type NamedPart } from "../../domain/normal-form/made-names.ts";
import { type Catalog, type DraftTable, findColumn } from "./catalog.ts";
import type { DialectFacts } from "./dialects.ts";

/** Key, foreign key, check or index of a table. */
interface TablePart {
  readonly part: NamedPart;
  readonly name: string | undefined;
  readonly columns: readonly string[];
  /** Replaces the part, or removes it without another name. */
  readonly replace: (name: string | undefined) => void;
}

/** Drops a key, foreign key, check or index by its name. Returns false without one. */
export function dropNamedPart(table: DraftTable, name: string, facts: DialectFacts): boolean {
  const part = findNamedPart(table, name, facts);
  part?.replace(undefined);
  return part !== undefined;
}

/** Renames a key, foreign key, check or index. Returns false without one. */
export function renameNamedPart(table: DraftTable, oldName: string, name: string, facts: DialectFacts): boolean {
  const part = findNamedPart(table, oldName, facts);
  part?.replace(name);
  return part !== undefined;
}

/** Finds a part by its name, or by the name that the database makes for it. */
function findNamedPart(table: DraftTable, name: string, facts: DialectFacts): TablePart | undefined {
  const parts = listParts(table);
  const named = parts.find((one) => one.name === name);
  if (named) return named;
  const rules = getRules(facts);
  // MySQL numbers the foreign keys of a table.
  const number = /_ibfk_(\d+)$/.exec(name)?.[1];
  const unnamed = parts.filter((one) => one.name === undefined);
  if (number !== undefined) return unnamed.filter(({ part }) => part === "reference")[Number(number) - 1];
  return unnamed.find(({ part, columns }) => isMadeName(name, { part, table: table.name.name, columns }, rules));
}

function getRules({ dialect }: DialectFacts): DialectRules {
  const rules = findDialectRules({ "sql:dialect": dialect });
  if (!rules) throw new Error(`The dialect ${dialect} has no rules`);
  return rules;
}

function listParts(table: DraftTable): readonly TablePart[] {
  const { primaryKey } = table;
  const setPrimaryKey = (name: string | undefined) => {
    if (name === undefined) dropPrimaryKey(table);
    else if (primaryKey) table.primaryKey = { ...primaryKey, name };
  };
  return [
    ...(primaryKey
      ? [{ ...primaryKey, part: "primaryKey" as const, name: primaryKey.name, replace: setPrimaryKey }]
      : []),
    ...listMembers(table, "unique", "unique"),
    ...listMembers(table, "references", "reference"),
    ...listMembers(table, "indexes", "index"),
    ...table.checks.map((check): TablePart => {
      const own = check as DraftCheck;
      const replace = (name: string | undefined) => {
        const checks = name === undefined ? [] : [{ ...own, name }];
        table.checks = table.checks.flatMap((one) => (one === check ? checks : [one]));
      };
      return { part: "check", name: own.name, columns: listCheckedColumns(table, own), replace };
    }),
  ];
}

/** Drops the primary key. Its columns remain required. */
export function dropPrimaryKey(table: DraftTable): void {
  for (const name of table.primaryKey?.columns ?? []) {
    const column = findColumn(table.columns, name);
    if (column) column.optional = false;
  }
  table.primaryKey = undefined;
}

/** Check or exclusion of a table while statements are applied. */
interface DraftCheck {
  readonly name?: string;
  readonly check?: string;
}

const CHECKED_COLUMNS = new WeakMap<object, readonly string[]>();

/** Returns the column of a check if it has one alone, which PostgreSQL makes the name of. */
function listCheckedColumns({ columns }: DraftTable, check: DraftCheck): readonly string[] {
  const cached = CHECKED_COLUMNS.get(check);
  if (cached) return cached;
  const words = (check.check ?? "").matchAll(/[\w$]+/g);
  const names = new Set([...words].flatMap(([word]) => findColumn(columns, word)?.name ?? []));
  const own = names.size === 1 ? [...names] : [];
  CHECKED_COLUMNS.set(check, own);
  return own;
}

function listMembers<M extends "unique" | "references" | "indexes">(
  table: DraftTable,
  member: M,
  part: NamedPart,
): readonly TablePart[] {
  // The three lists have objects with names and columns.
  const list = table[member] as { readonly name?: string | undefined; readonly columns: readonly string[] }[];
  return list.map((one) => ({
    part,
    ...{ name: one.name, columns: one.columns },
    replace: (name) => {
      const others = name === undefined ? [] : [{ ...one, name }];
      Object.assign(table, { [member]: table[member].flatMap((other) => (other === one ? others : [other])) });
    },
  }));
}

/** Names the parts whose names PostgreSQL made, before the table or a column gets another name: they keep theirs. */
export function keepMadeNames(table: DraftTable, facts: DialectFacts): void {
  const rules = getRules(facts);
  if (rules.naming !== "postgresql") return;
  const owner = table.name.name;
  const keepName = <T extends { readonly name?: string | undefined }>(
    part: NamedPart,
    columns: readonly string[],
    one: T,
  ): T => (one.name === undefined ? { ...one, name: makeName({ part, table: owner, columns }) } : one);
  if (table.primaryKey) table.primaryKey = keepName("primaryKey", [], table.primaryKey);
  table.unique = table.unique.map((one) => keepName("unique", one.columns, one));
  table.references = table.references.map((one) => keepName("reference", one.columns, one));
  table.indexes = table.indexes.map((one) => keepName("index", one.columns, one));
  table.checks = table.checks.map((one) =>
    keepName("check", listCheckedColumns(table, one as DraftCheck), one as DraftCheck),
  );
  for (const column of table.columns) {
    const { identity } = column.rest;
    if (typeof identity !== "string" || !/serial/.test(identity)) continue;
    delete column.rest.identity;
    column.rest.default = `nextval('${makeName({ part: "sequence", table: owner, columns: [column.name] })}')`;
  }
}

/** Drops the keys, foreign keys and indexes of dropped columns; MySQL removes the columns from them. */
export function dropColumnParts(table: DraftTable, names: readonly string[], { dialect }: DialectFacts): void {
  const dropped = new Set(names.map((name) => name.toLowerCase()));
  const keep = <T extends { columns: readonly string[] }>(part: T): readonly T[] => {
    const columns = part.columns.filter((name) => !dropped.has(name.toLowerCase()));
    if (columns.length === part.columns.length) return [part];
    return dialect === "mysql" && columns.length > 0 ? [{ ...part, columns }] : [];
  };
  table.primaryKey = table.primaryKey && keep(table.primaryKey)[0];
  table.unique = table.unique.flatMap(keep);
  table.indexes = table.indexes.flatMap(keep);
  table.references = table.references.filter(({ columns }) => !columns.some((name) => dropped.has(name.toLowerCase())));
}

/** Renames an index by its name, in the table that has one of that name; drops it without a new name. */
export function changeIndex(name: string, catalog: Catalog, facts: DialectFacts, newName: string | undefined): void {
  for (const table of catalog.listTables()) {
    catalog.visits += 1 + table.unique.length + table.indexes.length;
    const hasName = [...table.unique, ...table.indexes].some((one) => one.name === name || one.name === undefined);
    const part = hasName || table.primaryKey?.name === name ? findNamedPart(table, name, facts) : undefined;
    if (!part) continue;
    part.replace(newName);
    return;
  }
}
