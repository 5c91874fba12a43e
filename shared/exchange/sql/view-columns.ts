import { LIMITS } from "../../domain/limits.ts";
import type { Catalog } from "./catalog.ts";
import { columnNamed } from "./column-named.ts";
import { type Cursor, listed } from "./cursor.ts";
import type { DraftColumn, DraftTable } from "./drafts.ts";
import type { Token } from "./scanner.ts";
import type { Told } from "./told.ts";

const ENDS = new Set([
  "FROM",
  "WHERE",
  "GROUP",
  "ORDER",
  "UNION",
  "LIMIT",
  "HAVING",
  "EXCEPT",
  "INTERSECT",
  "MINUS",
  "WINDOW",
]);
const AFTER_TABLE = new Set([
  ...["WHERE", "GROUP", "ORDER", "UNION", "LIMIT", "HAVING", "ON", "USING", "JOIN", "LEFT", "RIGHT", "INNER", "CROSS"],
  ...["FULL", "NATURAL", "OUTER", "EXCEPT", "INTERSECT", "MINUS", "WINDOW", "LATERAL", "WITH", "FETCH", "OFFSET"],
]);

/** Takes down the query of a table or view, and the columns that its first list names where the table has none. */
export function setQueried(table: DraftTable, cursor: Cursor, catalog: Catalog, told: Told): void {
  const tokens = cursor.rest();
  table.kept.query = cursor.written(tokens);
  const select = selectOf(tokens);
  if (!select) {
    if (table.columns.length === 0) told.unread("the columns of a query are not told by it");
    return;
  }
  const sources = sourcesOf(cursor.over(select.from), catalog);
  let count = 0;
  const found = select.items.flatMap((item): readonly (DraftColumn | undefined)[] => {
    // A few views could double their columns without end.
    if (count > LIMITS.sqlColumns) return [];
    const all = item.at(-1)?.key === "*" ? everyColumn(cursor.over(item), sources) : undefined;
    const columns = all ?? [columnOf(cursor.over(item), item, sources)];
    count += columns.length;
    return columns;
  });
  catalog.copies += count;
  if (count > LIMITS.sqlColumns) {
    told.unread("more columns than a table may have");
    return;
  }
  if (table.columns.length > 0) {
    // The names are given, the types come from the query.
    for (const [i, column] of table.columns.entries()) {
      const of = found[i];
      if (column.type !== "any" || !of) continue;
      Object.assign(column, { type: of.type, constraints: of.constraints, kept: of.kept, optional: of.optional });
    }
    return;
  }
  table.columns = found.flatMap((one) => one ?? []);
  if (found.some((one) => one === undefined)) {
    told.unread("columns of a query that has no names for them, or takes all of a table, are not told by it");
  }
}

/** The items of the first list of a query and what stands behind its `FROM`. */
function selectOf(tokens: readonly Token[]) {
  let depth = 0;
  let start = -1;
  const outer = tokens[0]?.key === "(" ? 1 : 0;
  let end = tokens.length;
  for (const [i, { key }] of tokens.entries()) {
    if (key === "(") depth++;
    else if (key === ")") depth--;
    else if (depth > outer) continue;
    else if (key === "SELECT" && start < 0) start = i + 1;
    else if (start >= 0 && ENDS.has(key)) {
      end = i;
      break;
    }
  }
  if (start < 0) return undefined;
  while (/^(DISTINCT|ALL)$/.test(tokens[start]?.key ?? "")) start++;
  if (tokens[start]?.key === "TOP") start += tokens[start + 1]?.key === "(" ? 4 : 2;
  const items = listed(tokens.slice(start, end));
  return { items, from: tokens[end]?.key === "FROM" ? tokens.slice(end + 1) : [] };
}

/** The tables of a query by the names that its columns have before them, and whether all of them are in the source. */
interface Sources {
  readonly tables: ReadonlyMap<string, DraftTable>;
  readonly isWhole: boolean;
}

function sourcesOf(cursor: Cursor, catalog: Catalog): Sources {
  const sources = new Map<string, DraftTable>();
  let isWhole = true;
  let isNext = true;
  while (!cursor.isAtEnd()) {
    if (cursor.accept(",") || cursor.accept("JOIN")) isNext = true;
    else if (cursor.accept("(")) continue;
    else if (isNext && /^(ONLY|LATERAL)$/.test(cursor.key())) cursor.next();
    else if (isNext && cursor.key() !== "SELECT") {
      const name = cursor.objectName();
      const table = name && catalog.table(name);
      cursor.accept("AS");
      const alias = AFTER_TABLE.has(cursor.key()) ? undefined : cursor.name();
      if (table && name) sources.set((alias ?? name.name).toLowerCase(), table);
      else isWhole = false;
      if (!name) cursor.next();
      isNext = false;
    } else {
      isNext = false;
      if (!cursor.group()) cursor.next();
    }
  }
  return { tables: sources, isWhole };
}

/** The column that an item of a list becomes; undefined for one without a name. */
function columnOf(cursor: Cursor, item: readonly Token[], sources: Sources): DraftColumn | undefined {
  const last = item.at(-1);
  const before = item.at(-2);
  const parts = partsOf(cursor);
  const isPlain = parts.length > 0 && (cursor.isAtEnd() || cursor.key() === "AS" || item.length === parts.length * 2);
  const of = isPlain ? sourceColumn(parts, sources) : undefined;
  const named =
    last && /^(word|name|text)$/.test(last.kind) && item.length > 1 && before?.key !== "." ? last : undefined;
  const isName =
    named && (before?.key === "AS" || before?.key === ")" || (before !== undefined && before.kind !== "mark"));
  const name = isName && !/^(END|NULL)$/.test(named.key) ? (cursor.over([named]).name() ?? named.value) : parts.at(-1);
  if (name === undefined || (!isName && !cursor.isAtEnd())) return undefined;
  return of ? taken(of, name) : { name, type: "any", optional: true, constraints: {}, kept: {} };
}

/** What a column says of its values, where a query takes them as they are. */
const SAYS = new Set(["precision", "scale", "arguments", "lengthUnit", "values", "items"]);

function taken({ type, optional, constraints, kept }: DraftColumn, name: string): DraftColumn {
  const { unique: _, default: __, ...values } = constraints;
  return { name, type, optional, constraints: values, kept: pick(kept) };
}

function pick(kept: DraftColumn["kept"]): DraftColumn["kept"] {
  return Object.fromEntries(Object.entries(kept).filter(([member]) => SAYS.has(member)));
}

/** The columns that `*` or `t.*` stands for; undefined where a table of them is not in the source. */
function everyColumn(cursor: Cursor, { tables, isWhole }: Sources): readonly DraftColumn[] | undefined {
  const owner = cursor.key() === "*" ? undefined : cursor.name();
  const from = owner === undefined ? [...tables.values()] : [tables.get(owner.toLowerCase())];
  if (owner === undefined && !isWhole) return undefined;
  const found = from.flatMap((table) => (table ? [table] : []));
  if (found.length === 0 || found.length < from.length) return undefined;
  return found.flatMap(({ columns }) => columns.map((column) => taken(column, column.name)));
}

/** The parts of a plain name, which the cursor goes over. */
function partsOf(cursor: Cursor): readonly string[] {
  const parts: string[] = [];
  for (;;) {
    if (cursor.peek()?.kind === "text") return [];
    const name = cursor.name();
    if (name === undefined) return [];
    parts.push(name);
    if (!cursor.accept(".")) return parts;
  }
}

function sourceColumn(parts: readonly string[], { tables: sources }: Sources): DraftColumn | undefined {
  const name = parts.at(-1) ?? "";
  const owner = parts.at(-2)?.toLowerCase();
  const tables = owner === undefined ? [...sources.values()] : [sources.get(owner)];
  const found = tables.flatMap((table) => (table && columnNamed(table.columns, name)) ?? []);
  return found.length === 1 ? found[0] : undefined;
}
