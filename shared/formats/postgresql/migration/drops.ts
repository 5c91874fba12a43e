import type { MadeName } from "../../ddl/names.ts";
import type { SqlTable } from "../../ddl/tables.ts";
import {
  type Drafting,
  holdWith,
  toColumnScope,
  toConstraintScope,
  toKeyMarks,
  toNameMark,
  toTableMarks,
} from "./draft.ts";
import { isRecreated } from "./matched-schema.ts";
import { quoteName } from "./statements.ts";

/** Formats the statement that drops a constraint. */
export function formatDropConstraint({ text }: SqlTable, { name }: MadeName): string {
  return `ALTER TABLE ${text} DROP CONSTRAINT ${quoteName(name)};`;
}

/** Drops foreign keys, other keys, columns and tables, in this order. */
export function addDrops(drafting: Drafting): void {
  const { foreignKeys, keptTables, tables } = drafting.match;
  for (const key of foreignKeys.removals) {
    drafting.add(formatDropConstraint(key.from, key), {
      reason: "It drops a foreign key. Rows may then refer to missing rows.",
      frees: [toNameMark(toConstraintScope(key.from), key.name)],
      things: [key, key.to, key.from, ...key.targets, ...key.columns],
    });
  }
  for (const pair of foreignKeys.pairs.filter((one) => isRecreated(one, drafting.match))) {
    const { left, right } = pair;
    drafting.add(formatDropConstraint(left.from, left), {
      frees: [toNameMark(toConstraintScope(left.from), left.name)],
      things: [left, right, ...left.targets, ...left.columns],
    });
  }
  for (const { left: table, keys, columns } of keptTables) {
    for (const key of keys.removals) {
      // Dropping a column drops its keys.
      if (key.columns.some((one) => columns.removals.includes(one))) continue;
      const word = key.kind === "UNIQUE" ? "unique" : "primary";
      const needs = drafting.findSteps(...key.columns);
      const step = drafting.add(formatDropConstraint(table, key), {
        reason: `It drops a ${word} key. Rows may then be duplicates.`,
        frees: toKeyMarks(table, key, table),
        things: [key, ...key.columns],
        needs,
      });
      holdWith(step, needs);
    }
    for (const column of columns.removals) {
      const uses = keys.removals.filter((key) => key.columns.includes(column));
      drafting.add(`ALTER TABLE ${table.text} DROP COLUMN ${quoteName(column.name)};`, {
        reason: "It drops a column with all its values.",
        needs: drafting.findSteps(column),
        frees: [toNameMark(toColumnScope(table), column.name), ...uses.flatMap((key) => toKeyMarks(table, key, table))],
        things: [column, ...uses.flatMap((key) => [key, ...key.columns])],
      });
    }
  }
  for (const table of tables.removals) {
    drafting.add(`DROP TABLE ${table.text};`, {
      reason: "It drops a table with all its rows.",
      needs: drafting.findSteps(table),
      frees: toTableMarks(table),
      things: [table, ...table.columns],
    });
  }
}
