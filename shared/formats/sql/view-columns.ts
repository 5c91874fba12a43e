import { LIMITS } from "../../domain/limits.ts";
import { type Catalog, createDraftColumn, type DraftColumn, type DraftTable, findColumn } from "./catalog.ts";
import { WORDS } from "./clause-words.ts";
import { type Cursor, splitList } from "./cursor.ts";
import type { Token } from "./scanner.ts";
import type { StatementWarnings } from "./statements.ts";

/** Reads the query of a table or view, and columns if there are none. */
export function readQuery(table: DraftTable, cursor: Cursor, catalog: Catalog, warnings: StatementWarnings): void {
  const tokens = cursor.readRest();
  table.rest.query = cursor.getSource(tokens);
  const select = parseSelect(tokens);
  if (!select) {
    if (table.columns.length === 0) warnings.warn("the columns of the query are unknown");
    return;
  }
  const sources = readSources(cursor.createInner(select.from), catalog);
  let count = 0;
  const results = select.items.flatMap((item): readonly (DraftColumn | undefined)[] => {
    // Prevents exponential growth by views of views.
    if (count > LIMITS.sqlColumns) return [];
    const all = item.at(-1)?.key === "*" ? expandStar(cursor.createInner(item), sources) : undefined;
    const columns = all ?? [toQueryColumn(cursor.createInner(item), item, sources)];
    count += columns.length;
    return columns;
  });
  catalog.copies += count;
  if (count > LIMITS.sqlColumns) {
    warnings.warn("more columns than a table may have");
    return;
  }
  if (table.columns.length > 0) {
    // Names are given; types come from the query.
    for (const [i, column] of table.columns.entries()) {
      const one = results[i];
      if (column.type !== "any" || !one) continue;
      Object.assign(column, { type: one.type, constraints: one.constraints, rest: one.rest, optional: one.optional });
    }
    return;
  }
  table.columns = results.flatMap((one) => one ?? []);
  if (results.some((one) => one === undefined)) {
    warnings.warn("some columns of the query are unknown: they have no name, or are all columns of an unknown table");
  }
}

function parseSelect(tokens: readonly Token[]) {
  let depth = 0;
  let start = -1;
  const outerDepth = tokens[0]?.key === "(" ? 1 : 0;
  let end = tokens.length;
  for (const [i, { key }] of tokens.entries()) {
    if (key === "(") depth++;
    else if (key === ")") depth--;
    else if (depth > outerDepth) continue;
    else if (key === "SELECT" && start < 0) start = i + 1;
    else if (start >= 0 && WORDS.selectEnds.has(key)) {
      end = i;
      break;
    }
  }
  if (start < 0) return undefined;
  while (/^(DISTINCT|ALL)$/.test(tokens[start]?.key ?? "")) start++;
  if (tokens[start]?.key === "TOP") start += tokens[start + 1]?.key === "(" ? 4 : 2;
  const items = splitList(tokens.slice(start, end));
  return { items, from: tokens[end]?.key === "FROM" ? tokens.slice(end + 1) : [] };
}

interface QuerySources {
  readonly tables: ReadonlyMap<string, DraftTable>;
  readonly isWhole: boolean;
}

function readSources(cursor: Cursor, catalog: Catalog): QuerySources {
  const sources = new Map<string, DraftTable>();
  let isWhole = true;
  let isNext = true;
  while (!cursor.isAtEnd()) {
    if (cursor.accept(",") || cursor.accept("JOIN")) isNext = true;
    else if (cursor.accept("(")) continue;
    else if (isNext && /^(ONLY|LATERAL)$/.test(cursor.peekKey())) cursor.next();
    else if (isNext) {
      const name = cursor.readObjectName();
      const table = name && catalog.findTable(name);
      cursor.accept("AS");
      const alias = WORDS.afterTable.has(cursor.peekKey()) ? undefined : cursor.readName();
      if (table && name) sources.set((alias ?? name.name).toLowerCase(), table);
      else isWhole = false;
      if (!name) cursor.next();
      isNext = false;
    } else {
      isNext = false;
      if (!cursor.readGroup()) cursor.next();
    }
  }
  return { tables: sources, isWhole };
}

function toQueryColumn(cursor: Cursor, item: readonly Token[], sources: QuerySources): DraftColumn | undefined {
  const last = item.at(-1);
  const before = item.at(-2);
  const parts = readNameParts(cursor);
  const isPlain =
    parts.length > 0 && (cursor.isAtEnd() || cursor.peekKey() === "AS" || item.length === parts.length * 2);
  const base = isPlain ? findSourceColumn(parts, sources) : undefined;
  const alias =
    last && /^(word|name|text)$/.test(last.kind) && item.length > 1 && before?.key !== "." ? last : undefined;
  const isName =
    alias && (before?.key === "AS" || before?.key === ")" || (before !== undefined && before.kind !== "mark"));
  const name =
    isName && !/^(END|NULL)$/.test(alias.key) ? (cursor.createInner([alias]).readName() ?? alias.value) : parts.at(-1);
  if (name === undefined || (!isName && !cursor.isAtEnd())) return undefined;
  return base ? copyQueryColumn(base, name) : createDraftColumn(name);
}

const TYPE_MEMBERS = new Set(["precision", "scale", "arguments", "lengthUnit", "values", "items"]);

function copyQueryColumn({ type, optional, constraints, rest }: DraftColumn, name: string): DraftColumn {
  const { unique: _, default: __, ...values } = constraints;
  const typeMembers = Object.entries(rest).filter(([member]) => TYPE_MEMBERS.has(member));
  return { name, type, optional, constraints: values, rest: Object.fromEntries(typeMembers) };
}

function expandStar(cursor: Cursor, { tables, isWhole }: QuerySources): readonly DraftColumn[] | undefined {
  const owner = cursor.peekKey() === "*" ? undefined : cursor.readName();
  const ownTables = owner === undefined ? [...tables.values()] : [tables.get(owner.toLowerCase())];
  if (owner === undefined && !isWhole) return undefined;
  const sources = ownTables.flatMap((table) => (table ? [table] : []));
  if (sources.length === 0 || sources.length < ownTables.length) return undefined;
  return sources.flatMap(({ columns }) => columns.map((column) => copyQueryColumn(column, column.name)));
}

function readNameParts(cursor: Cursor): readonly string[] {
  const parts: string[] = [];
  for (;;) {
    if (cursor.peek()?.kind === "text") return [];
    const name = cursor.readName();
    if (name === undefined) return [];
    parts.push(name);
    if (!cursor.accept(".")) return parts;
  }
}

function findSourceColumn(parts: readonly string[], { tables: sources }: QuerySources): DraftColumn | undefined {
  const name = parts.at(-1) ?? "";
  const owner = parts.at(-2)?.toLowerCase();
  const tables = owner === undefined ? [...sources.values()] : [sources.get(owner)];
  const columns = tables.flatMap((table) => (table && findColumn(table.columns, name)) ?? []);
  return columns.length === 1 ? columns[0] : undefined;
}
