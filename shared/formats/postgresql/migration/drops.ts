import { quoteName } from "../names.ts";
import {
  type Drafting,
  type Step,
  toColumnScope,
  toConstraintScope,
  toKeyMarks,
  toNameMark,
  toPrimaryKeyMark,
  toSchemaScope,
} from "./draft.ts";
import { isRecreated, listKeys } from "./matched-schema.ts";

/** Drops foreign keys, other keys, columns and tables in this order, also those that must be dropped temporarily. */
export function addDrops({ draft, matched, addSteps, findSteps }: Drafting): void {
  const { foreignKeys, keptTables, tables } = matched;
  const drop = (table: string, name: string): string => `ALTER TABLE ${table} DROP CONSTRAINT ${quoteName(name)};`;
  for (const key of foreignKeys.removed) {
    const step = draft.add(drop(key.from.text, key.name), {
      reason: "It drops a foreign key. Rows may then refer to missing rows.",
      frees: [toNameMark(toConstraintScope(key.from), key.name)],
    });
    addSteps(key, step);
    for (const thing of [key.to, key.from, ...key.referred, ...key.columns]) addSteps(thing, step);
  }
  for (const kept of foreignKeys.kept) {
    if (!isRecreated(kept, matched)) continue;
    const { left, right } = kept;
    const step = draft.add(drop(left.from.text, left.name), {
      frees: [toNameMark(toConstraintScope(left.from), left.name)],
    });
    addSteps(left, step);
    addSteps(right, step);
    for (const thing of [...left.referred, ...left.columns]) addSteps(thing, step);
  }
  for (const { left: table, keys, columns } of keptTables) {
    const going = new Set(columns.removed);
    for (const key of keys.removed) {
      // Dropping a column drops its keys.
      if (key.columns.some((one) => going.has(one))) continue;
      const word = key.kind === "UNIQUE" ? "unique" : "primary";
      const step = draft.add(drop(table.text, key.name), {
        reason: `It drops a ${word} key. Rows may then be duplicates.`,
        needs: findSteps(...key.columns),
        frees: toKeyMarks(table, key, table),
      });
      holdWith(step, findSteps(...key.columns));
      for (const thing of [key, ...key.columns]) addSteps(thing, step);
    }
    for (const column of columns.removed) {
      const lost = keys.removed.filter((key) => key.columns.includes(column));
      const step = draft.add(`ALTER TABLE ${table.text} DROP COLUMN ${quoteName(column.name)};`, {
        reason: "It drops a column with all its values.",
        needs: findSteps(column),
        frees: [toNameMark(toColumnScope(table), column.name), ...lost.flatMap((key) => toKeyMarks(table, key, table))],
      });
      addSteps(column, step);
      for (const key of lost) for (const thing of [key, ...key.columns]) addSteps(thing, step);
    }
  }
  for (const table of tables.removed) {
    const step = draft.add(`DROP TABLE ${table.text};`, {
      reason: "It drops a table with all its rows.",
      needs: findSteps(table),
      frees: [
        toNameMark(toSchemaScope(table.schema), table.name),
        ...listKeys(table).flatMap((key) => toKeyMarks(table, key, table)),
        toPrimaryKeyMark(table),
      ],
    });
    for (const thing of [table, ...table.columns]) addSteps(thing, step);
  }
}

/** Comments out temporary drops together with the step that needs them. */
export function holdWith(step: Step, drops: readonly Step[]): void {
  for (const drop of drops) if (drop.reason === undefined) drop.needs.add(step);
}
