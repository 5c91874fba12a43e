import type { SqlColumn } from "../columns.ts";
import type { SqlEnum } from "../enums.ts";
import type { SqlForeignKey } from "../tables.ts";
import type { Kept, MatchedSchema } from "./matched-schema.ts";

/** How an enum that stays gets its new values: by single ones in their places, or as a new type in the place of the old one. */
export function enumChange({ left, right }: Kept<SqlEnum>, { tables }: MatchedSchema): "none" | "added" | "replaced" {
  const [was, is] = [new Set(left.values), new Set(right.values)];
  const stays = right.values.filter((one) => was.has(one));
  if (stays.length < left.values.length || String(stays) !== String(left.values)) return "replaced";
  if (is.size === was.size) return "none";
  const all = [...tables.kept.map((kept) => kept.right), ...tables.come].flatMap(({ columns }) => columns);
  // No statement of a transaction can say a value that came in the same one.
  const isSaid = all.some(({ type, attribute }) => {
    const value = attribute.constraints?.default;
    return type.enum === right && typeof value === "string" && !was.has(value);
  });
  return isSaid ? "replaced" : "added";
}

/** True where a column that stays gets values of a sort that no foreign key joins with those before. */
export function changesSort({ left, right }: Kept<SqlColumn>, matched: MatchedSchema): boolean {
  const [was, is] = [left.type.enum, right.type.enum];
  if (!was && !is) return left.type.family !== right.type.family;
  const kept = matched.enums.kept.find((one) => one.left === was && one.right === is);
  return !kept || enumChange(kept, matched) === "replaced";
}

/** True for a foreign key that stays and has to go for a while: its columns become others, or the key that it refers to goes. */
export function isRemade({ left, right }: Kept<SqlForeignKey>, matched: MatchedSchema): boolean {
  const pairs = [
    ...left.columns.map((one, i) => [one, right.columns[i]] as const),
    ...left.referred.map((one, i) => [one, right.referred[i]] as const),
  ];
  if (pairs.some(([was, is]) => is !== undefined && changesSort({ left: was, right: is }, matched))) return true;
  const gone = matched.keptTables.find((table) => table.left === left.to)?.keys.gone ?? [];
  return gone.some(
    ({ columns }) => columns.length === left.referred.length && columns.every((one) => left.referred.includes(one)),
  );
}
