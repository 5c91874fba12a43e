import type { DocumentMatch } from "../../../domain/compare/match-documents.ts";
import type { SqlColumn } from "../columns.ts";
import type { SqlEnum } from "../names.ts";
import type { SqlSchema } from "../schema.ts";
import type { NamedCheck, SqlForeignKey, SqlKey, SqlTable } from "../tables.ts";

/** One thing of a database, before and after. */
export interface Kept<T> {
  readonly left: T;
  readonly right: T;
}

/** Things of one sort: those that stay, those that go and those that come. */
export interface Matched<T> {
  readonly kept: readonly Kept<T>[];
  readonly removed: readonly T[];
  readonly added: readonly T[];
}

/** A check with its column. */
export interface ColumnCheck extends NamedCheck {
  readonly column: SqlColumn;
}

/** A key with its sort. */
export interface KindedKey extends SqlKey {
  readonly kind: "PRIMARY KEY" | "UNIQUE";
}

/** A table that stays, with what it has before and after. */
export interface KeptTable extends Kept<SqlTable> {
  readonly columns: Matched<SqlColumn>;
  readonly keys: Matched<KindedKey>;
  /** Checks of columns that stay; they are the same where they ask the same of the same type. */
  readonly checks: Matched<ColumnCheck>;
}

/** Two schemas, matched. Keys are the same by their columns, whatever objects of the models they were made of. */
export interface MatchedSchema {
  readonly enums: Matched<SqlEnum>;
  readonly tables: Matched<SqlTable>;
  readonly keptTables: readonly KeptTable[];
  readonly foreignKeys: Matched<SqlForeignKey>;
}

/** Matches what PostgreSQL has of two models as the models are matched. */
export function matchSchemas(left: SqlSchema, right: SqlSchema, { findLeft: leftOf }: DocumentMatch): MatchedSchema {
  const ids = new Map<object, string>();
  const nameIn = (object: object): string => {
    const known = ids.get(object) ?? String(ids.size);
    ids.set(object, known);
    return known;
  };
  const tables = matchBy(
    left.tables,
    right.tables,
    ({ entity }) => entity,
    ({ entity }) => leftOf(entity),
  );
  const enums = matchBy(
    left.enums,
    right.enums,
    ({ type }) => type,
    ({ type }) => leftOf(type),
  );
  // A thing that stays has one name, whichever side it is named on.
  for (const { left: was, right: is } of tables.kept) ids.set(is, nameIn(was));
  for (const { left: was, right: is } of enums.kept) ids.set(is, nameIn(was));
  const columnsOf = (was: SqlTable, is: SqlTable): Matched<SqlColumn> => {
    const columns = matchBy(
      was.columns,
      is.columns,
      (one) => one.attribute,
      (one) => leftOf(one.attribute),
    );
    for (const kept of columns.kept) ids.set(kept.right, nameIn(kept.left));
    return columns;
  };
  const list = (columns: readonly SqlColumn[]): string => columns.map(nameIn).join(",");
  const keptTables = tables.kept.map(({ left: was, right: is }): KeptTable => {
    const columns = columnsOf(was, is);
    const keyName = ({ kind, columns: of }: KindedKey): string => `${kind} ${list(of)}`;
    const typeName = ({ type }: SqlColumn): string => (type.enum ? nameIn(type.enum) : type.name);
    const checkName = ({ column, keyword, format }: ColumnCheck): string =>
      `${nameIn(column)} ${typeName(column)} ${keyword} ${format("x")}`;
    const checksOf = (table: SqlTable, of: readonly SqlColumn[]) =>
      of.flatMap((column) => (table.checks.get(column) ?? []).map((check) => ({ ...check, column })));
    return {
      ...{ left: was, right: is, columns },
      keys: matchBy(listKeys(was), listKeys(is), keyName, keyName),
      checks: matchBy(
        checksOf(
          was,
          columns.kept.map((kept) => kept.left),
        ),
        checksOf(
          is,
          columns.kept.map((kept) => kept.right),
        ),
        checkName,
        checkName,
      ),
    };
  });
  const foreignName = ({ from, to, columns, referred }: SqlForeignKey): string =>
    [nameIn(from), nameIn(to), list(columns), list(referred)].join(" ");
  const foreignKeys = matchBy(left.foreignKeys, right.foreignKeys, foreignName, foreignName);
  return { enums, tables, keptTables, foreignKeys };
}

/** The primary and unique keys of a table. */
export function listKeys({ primaryKey, unique }: SqlTable): readonly KindedKey[] {
  return [
    ...(primaryKey ? [{ ...primaryKey, kind: "PRIMARY KEY" as const }] : []),
    ...unique.map((key) => ({ ...key, kind: "UNIQUE" as const })),
  ];
}

/** Matches what has an equal mark on both sides; of several alike the first with the first. */
function matchBy<T>(
  left: readonly T[],
  right: readonly T[],
  markOf: (left: T) => unknown,
  leftMarkOf: (right: T) => unknown,
): Matched<T> {
  const free = Map.groupBy(left, markOf);
  const kept: Kept<T>[] = [];
  const come: T[] = [];
  for (const one of right) {
    const mark = leftMarkOf(one);
    const other = mark === undefined ? undefined : free.get(mark)?.shift();
    if (other === undefined) come.push(one);
    else kept.push({ left: other, right: one });
  }
  return { kept, removed: [...free.values()].flat(), added: come };
}

/** How an enum that stays gets its new values: by single ones in their places, or as a new type in the place of the old one. */
export function findEnumChange(
  { left, right }: Kept<SqlEnum>,
  { tables }: MatchedSchema,
): "none" | "added" | "replaced" {
  const [was, is] = [new Set(left.values), new Set(right.values)];
  const stays = right.values.filter((one) => was.has(one));
  if (stays.length < left.values.length || String(stays) !== String(left.values)) return "replaced";
  if (is.size === was.size) return "none";
  const all = [...tables.kept.map((kept) => kept.right), ...tables.added].flatMap(({ columns }) => columns);
  // No statement of a transaction can say a value that came in the same one.
  const isSaid = all.some(({ type, attribute }) => {
    const value = attribute.constraints?.default;
    return type.enum === right && typeof value === "string" && !was.has(value);
  });
  return isSaid ? "replaced" : "added";
}

/** True where a column that stays gets values of a sort that no foreign key joins with those before. */
export function changesFamily({ left, right }: Kept<SqlColumn>, matched: MatchedSchema): boolean {
  const [was, is] = [left.type.enum, right.type.enum];
  if (!was && !is) return left.type.family !== right.type.family;
  const kept = matched.enums.kept.find((one) => one.left === was && one.right === is);
  return !kept || findEnumChange(kept, matched) === "replaced";
}

/** True for a foreign key that stays and has to go for a while: its columns become others, or the key that it refers to goes. */
export function isRecreated({ left, right }: Kept<SqlForeignKey>, matched: MatchedSchema): boolean {
  const pairs = [
    ...left.columns.map((one, i) => [one, right.columns[i]] as const),
    ...left.referred.map((one, i) => [one, right.referred[i]] as const),
  ];
  if (pairs.some(([was, is]) => is !== undefined && changesFamily({ left: was, right: is }, matched))) return true;
  const gone = matched.keptTables.find((table) => table.left === left.to)?.keys.removed ?? [];
  return gone.some(
    ({ columns }) => columns.length === left.referred.length && columns.every((one) => left.referred.includes(one)),
  );
}
