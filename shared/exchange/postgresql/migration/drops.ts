import { sqlName } from "../sql-text.ts";
import type { Step } from "./draft.ts";
import { columnScope, constraintScope, type Drafting, keyMarks, primaryMark, scopeOf } from "./drafting.ts";
import { keysOf } from "./matched-schema.ts";
import { isRemade } from "./remade.ts";
import { nameIn } from "./rename.ts";

/** Drops what goes: foreign keys, other keys, columns and tables, in this order, and for a while what is in the way. */
export function dropThings({ draft, matched, by, ready }: Drafting): void {
  const { foreignKeys, keptTables, tables } = matched;
  const drop = (table: string, name: string): string => `ALTER TABLE ${table} DROP CONSTRAINT ${sqlName(name)};`;
  for (const key of foreignKeys.gone) {
    const step = draft.add(drop(key.from.text, key.name), {
      why: "It drops a foreign key: rows may then refer to what is not there.",
      frees: [nameIn(constraintScope(key.from), key.name)],
    });
    by(key, step);
    for (const thing of [key.to, key.from, ...key.referred, ...key.columns]) by(thing, step);
  }
  for (const kept of foreignKeys.kept) {
    if (!isRemade(kept, matched)) continue;
    const { left, right } = kept;
    const step = draft.add(drop(left.from.text, left.name), {
      frees: [nameIn(constraintScope(left.from), left.name)],
    });
    by(left, step);
    by(right, step);
    for (const thing of [...left.referred, ...left.columns]) by(thing, step);
  }
  for (const { left: table, keys, columns } of keptTables) {
    const going = new Set(columns.gone);
    for (const key of keys.gone) {
      // A column takes its keys with it.
      if (key.columns.some((one) => going.has(one))) continue;
      const word = key.sort === "UNIQUE" ? "unique" : "primary";
      const step = draft.add(drop(table.text, key.name), {
        why: `It drops a ${word} key: rows may then be alike.`,
        needs: ready(...key.columns),
        frees: keyMarks(table, key, table),
      });
      goWith(step, ready(...key.columns));
      for (const thing of [key, ...key.columns]) by(thing, step);
    }
    for (const column of columns.gone) {
      const lost = keys.gone.filter((key) => key.columns.includes(column));
      const step = draft.add(`ALTER TABLE ${table.text} DROP COLUMN ${sqlName(column.name)};`, {
        why: "It drops a column with all that it holds.",
        needs: ready(column),
        frees: [nameIn(columnScope(table), column.name), ...lost.flatMap((key) => keyMarks(table, key, table))],
      });
      by(column, step);
      for (const key of lost) for (const thing of [key, ...key.columns]) by(thing, step);
    }
  }
  for (const table of tables.gone) {
    const step = draft.add(`DROP TABLE ${table.text};`, {
      why: "It drops a table with all its rows.",
      needs: ready(table),
      frees: [
        nameIn(scopeOf(table.schema), table.name),
        ...keysOf(table).flatMap((key) => keyMarks(table, key, table)),
        primaryMark(table),
      ],
    });
    for (const thing of [table, ...table.columns]) by(thing, step);
  }
}

/** Drops that are made for the sake of a step alone are held back with it. */
export function goWith(step: Step, drops: readonly Step[]): void {
  for (const drop of drops) if (drop.why === undefined) drop.needs.add(step);
}
