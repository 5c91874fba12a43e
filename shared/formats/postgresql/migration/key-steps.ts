import { assessConstraints } from "../../../domain/constraints/assess.ts";
import type { Constraints } from "../../../domain/constraints/keywords.ts";
import { isSameValue } from "../../../domain/text/json-values.ts";
import type { SqlColumn } from "../../ddl/columns.ts";
import type { SqlForeignKey } from "../../ddl/references.ts";
import { type Drafting, type Step, tieSteps, toConstraintScope, toKeyMarks, toNameMark } from "./draft.ts";
import { formatDropConstraint } from "./drops.ts";
import { type ColumnCheck, isRecreated, type KeptTable, type KindedKey } from "./matched-schema.ts";
import { formatAddForeignKey, formatCheck, formatKey } from "./statements.ts";

/** Steps that drop checks, by the column on the right. */
export type CheckDrops = ReadonlyMap<SqlColumn, readonly (readonly [check: ColumnCheck, step: Step])[]>;

/** Drops checks that existing columns no longer have. */
export function addCheckDrops(drafting: Drafting): CheckDrops {
  const drops = new Map<SqlColumn, (readonly [ColumnCheck, Step])[]>();
  for (const { left, checks, columns } of drafting.match.keptTables) {
    for (const check of checks.removals) {
      const column = columns.pairs.find((pair) => pair.left === check.column)?.right;
      if (!column) continue;
      const frees = [toNameMark(toConstraintScope(left), check.name)];
      const step = drafting.add(formatDropConstraint(left, check), { frees });
      drops.set(column, [...(drops.get(column) ?? []), [check, step]]);
    }
  }
  return drops;
}

/** Adds new checks to existing columns. */
export function addChecks(drafting: Drafting, drops: CheckDrops, typeSteps: ReadonlyMap<SqlColumn, Step>): void {
  for (const { left: table, right, checks, columns } of drafting.match.keptTables) {
    for (const check of checks.additions) {
      const left = columns.pairs.find((pair) => pair.right === check.column)?.left;
      const dropStep = (drops.get(check.column) ?? []).find(([one]) => one.keyword === check.keyword)?.[1];
      const mayRefuse = isNarrower(check.keyword, left?.attribute.constraints, check.column.attribute.constraints);
      const step = drafting.add(`ALTER TABLE ${right.text} ADD ${formatCheck(check, check.column)};`, {
        reason: mayRefuse ? "Existing values may violate the check." : undefined,
        needs: drafting.findSteps(right, check.column),
        takes: [toNameMark(toConstraintScope(table), check.name)],
      });
      tieSteps(step, dropStep, typeSteps.get(check.column));
    }
  }
  // Without the type change, nothing else enforces the old check.
  for (const [column, all] of drops) for (const [, step] of all) tieSteps(step, typeSteps.get(column));
}

function isNarrower(keyword: keyof Constraints, before: Constraints = {}, after: Constraints = {}) {
  const pick = (all: Constraints): Constraints => (all[keyword] === undefined ? {} : { [keyword]: all[keyword] });
  if (isSameValue(pick(before), pick(after))) return false;
  return assessConstraints(pick(before), pick(after)).some(({ impact }) => impact === "breaking");
}

/** Adds keys and foreign keys to existing tables, and foreign keys to new tables. */
export function addKeys(drafting: Drafting): void {
  const { match } = drafting;
  for (const table of match.keptTables) {
    for (const key of table.keys.additions) {
      drafting.add(`ALTER TABLE ${table.right.text} ADD ${formatKey(key.kind, key)};`, {
        reason: isAlwaysUnique(table, key) ? undefined : "Existing rows may be duplicates or have no value.",
        needs: drafting.findSteps(table.right, ...key.columns),
        takes: toKeyMarks(table.right, key, table.left),
        things: [findKey(table, key)],
      });
    }
  }
  const { additions, pairs } = match.foreignKeys;
  for (const key of additions) {
    const isSure =
      !match.keptTables.some((table) => table.right === key.from) ||
      key.columns.some((one) => isNewAndEmpty(drafting, one));
    drafting.add(formatAddForeignKey(key), {
      reason: isSure ? undefined : "Existing rows may refer to missing rows.",
      takes: listTakenBy(drafting, key),
      needs: findNeededSteps(drafting, key),
      things: [key],
    });
  }
  for (const { left, right } of pairs.filter((one) => isRecreated(one, match))) {
    const needs = [...drafting.findSteps(right), ...findNeededSteps(drafting, right)];
    const takes = listTakenBy(drafting, right);
    tieSteps(drafting.add(formatAddForeignKey(right), { needs, takes, things: [right] }), ...drafting.findSteps(left));
  }
}

function listTakenBy({ match }: Drafting, { from, name }: SqlForeignKey): readonly string[] {
  const table = match.keptTables.find((one) => one.right === from);
  return table ? [toNameMark(toConstraintScope(table.left), name)] : [];
}

function findKey({ right }: KeptTable, { kind, name }: KindedKey): object {
  const key = kind === "UNIQUE" ? right.unique.find((one) => one.name === name) : right.primaryKey;
  return key ?? right;
}

/** Returns true when no two rows can be equal: a new key column is empty, or a smaller key exists. */
function isAlwaysUnique({ columns, keys }: KeptTable, { kind, columns: keyColumns }: KindedKey) {
  if (kind === "PRIMARY KEY") return false;
  if (keyColumns.some((one) => columns.additions.includes(one) && isInitiallyEmpty(one))) return true;
  return keys.pairs.some(({ right }) => right.columns.every((one) => keyColumns.includes(one)));
}

function isInitiallyEmpty({ default: value, isRequired }: SqlColumn) {
  return !isRequired && (value === undefined || value === "NULL");
}

function isNewAndEmpty({ match }: Drafting, column: SqlColumn) {
  return match.keptTables.some(({ columns }) => columns.additions.includes(column)) && isInitiallyEmpty(column);
}

function findNeededSteps(drafting: Drafting, { from, to, columns, targets }: SqlForeignKey): readonly Step[] {
  const keys = [...(to.primaryKey ? [to.primaryKey] : []), ...to.unique];
  const targetKeys = keys.filter(
    (key) => key.columns.length === targets.length && key.columns.every((one) => targets.includes(one)),
  );
  return drafting.findSteps(from, to, ...columns, ...targets, ...targetKeys);
}
