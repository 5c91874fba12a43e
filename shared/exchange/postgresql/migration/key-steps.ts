import { judgeConstraints } from "../../../domain/constraints/judge.ts";
import type { Constraints } from "../../../domain/constraints/keywords.ts";
import { sameValue } from "../../../domain/same-value.ts";
import type { SqlColumn } from "../columns.ts";
import { addForeignKey, checkLine, keyLine } from "../definitions.ts";
import { sqlName } from "../sql-text.ts";
import type { SqlForeignKey } from "../tables.ts";
import { type Step, tie } from "./draft.ts";
import { constraintScope, type Drafting, keyMarks } from "./drafting.ts";
import type { ColumnCheck, KeptTable, SortedKey } from "./matched-schema.ts";
import { isRemade } from "./remade.ts";
import { nameIn } from "./rename.ts";

/** The steps that drop checks before columns change, by the column on the right that they are of. */
export type CheckDrops = ReadonlyMap<SqlColumn, readonly (readonly [check: ColumnCheck, step: Step])[]>;

/** Drops the checks that columns that stay no longer have so. */
export function dropChecks({ draft, matched, by }: Drafting): CheckDrops {
  const drops = new Map<SqlColumn, (readonly [ColumnCheck, Step])[]>();
  for (const { left, checks, columns } of matched.keptTables) {
    for (const check of checks.gone) {
      const column = columns.kept.find((kept) => kept.left === check.column)?.right;
      if (!column) continue;
      const sql = `ALTER TABLE ${left.text} DROP CONSTRAINT ${sqlName(check.name)};`;
      const step = draft.add(sql, { frees: [nameIn(constraintScope(left), check.name)] });
      by(check, step);
      drops.set(column, [...(drops.get(column) ?? []), [check, step]]);
    }
  }
  return drops;
}

/** Adds the checks that columns that stay have from now on. */
export function addChecks(
  { draft, matched, ready }: Drafting,
  drops: CheckDrops,
  typeSteps: ReadonlyMap<SqlColumn, Step>,
): void {
  for (const { left: table, right, checks, columns } of matched.keptTables) {
    for (const check of checks.come) {
      const left = columns.kept.find((kept) => kept.right === check.column)?.left;
      const dropped = (drops.get(check.column) ?? []).find(([one]) => one.keyword === check.keyword)?.[1];
      const isNarrower = narrows(check.keyword, left?.attribute.constraints, check.column.attribute.constraints);
      const step = draft.add(`ALTER TABLE ${right.text} ADD ${checkLine(check, check.column.name)};`, {
        why: isNarrower ? "Rows may have values that the check refuses." : undefined,
        needs: ready(right, check.column),
        takes: [nameIn(constraintScope(table), check.name)],
      });
      tie(step, dropped, typeSteps.get(check.column));
    }
  }
  // Without the change of the type nothing else says what the check said.
  for (const [column, all] of drops) for (const [, step] of all) tie(step, typeSteps.get(column));
}

/** True where a keyword allows fewer values than it did. */
function narrows(keyword: keyof Constraints, before: Constraints = {}, after: Constraints = {}): boolean {
  const only = (all: Constraints): Constraints => (all[keyword] === undefined ? {} : { [keyword]: all[keyword] });
  if (sameValue(only(before), only(after))) return false;
  return judgeConstraints(only(before), only(after)).some(({ impact }) => impact === "breaking");
}

/** Adds keys, and foreign keys behind them, to tables that stay; foreign keys also to tables that come. */
export function addKeys(drafting: Drafting): void {
  const { draft, matched, ready, by } = drafting;
  for (const table of matched.keptTables) {
    for (const key of table.keys.come) {
      const step = draft.add(`ALTER TABLE ${table.right.text} ADD ${keyLine(key.sort, key)};`, {
        why: isSure(table, key) ? undefined : "Rows may be alike, or without a value.",
        needs: ready(table.right, ...key.columns),
        takes: keyMarks(table.right, key, table.left),
      });
      by(keyOf(table, key), step);
    }
  }
  const { come, kept } = matched.foreignKeys;
  for (const key of come) {
    const isSure =
      !matched.keptTables.some((table) => table.right === key.from) || key.columns.some((one) => isNew(drafting, one));
    const why = isSure ? undefined : "Rows may refer to what is not there.";
    const takes = takenBy(drafting, key);
    by(key, draft.add(addForeignKey(key), { why, takes, needs: joined(drafting, key) }));
  }
  for (const { left, right } of kept.filter((one) => isRemade(one, matched))) {
    const needs = [...ready(right), ...joined(drafting, right)];
    const step = draft.add(addForeignKey(right), { needs, takes: takenBy(drafting, right) });
    tie(step, ...ready(left));
    by(right, step);
  }
}

function takenBy({ matched }: Drafting, { from, name }: SqlForeignKey): readonly string[] {
  const table = matched.keptTables.find((one) => one.right === from);
  return table ? [nameIn(constraintScope(table.left), name)] : [];
}

/** A key as its table has it. */
function keyOf({ right }: KeptTable, { sort, name }: SortedKey): object {
  const found = sort === "UNIQUE" ? right.unique.find((one) => one.name === name) : right.primaryKey;
  return found ?? right;
}

/** True where no two rows can be alike: a column of the key is empty in all of them, or they differ in fewer columns. */
function isSure({ columns, keys }: KeptTable, { sort, columns: of }: SortedKey): boolean {
  if (sort === "PRIMARY KEY") return false;
  if (of.some((one) => columns.come.includes(one) && isEmpty(one))) return true;
  return keys.kept.some(({ right }) => right.columns.every((one) => of.includes(one)));
}

function isEmpty({ default: value, isRequired }: SqlColumn): boolean {
  return !isRequired && (value === undefined || value === "NULL");
}

function isNew({ matched }: Drafting, column: SqlColumn): boolean {
  return matched.keptTables.some(({ columns }) => columns.come.includes(column)) && isEmpty(column);
}

/** What a foreign key needs: its tables and columns, and the key that it refers to. */
function joined({ ready }: Drafting, { from, to, columns, referred }: SqlForeignKey): readonly Step[] {
  const keys = [...(to.primaryKey ? [to.primaryKey] : []), ...to.unique];
  const refersTo = keys.filter(
    (key) => key.columns.length === referred.length && key.columns.every((one) => referred.includes(one)),
  );
  return ready(from, to, ...columns, ...referred, ...refersTo);
}
