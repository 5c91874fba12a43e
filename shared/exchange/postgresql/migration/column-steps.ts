import type { SqlColumn } from "../columns.ts";
import { columnLine } from "../definitions.ts";
import { sqlName } from "../sql-text.ts";
import { isSerial, storedType } from "../sql-types.ts";
import type { SqlTable } from "../tables.ts";
import { conversionOf } from "./conversion.ts";
import type { Step } from "./draft.ts";
import { columnScope, type Drafting } from "./drafting.ts";
import { goWith } from "./drops.ts";
import type { Kept, KeptTable } from "./matched-schema.ts";
import { changesSort } from "./remade.ts";
import { nameIn } from "./rename.ts";

/** Adds the columns that come to tables that stay. */
export function addColumns({ draft, matched, by, ready }: Drafting): void {
  for (const { left, right, columns } of matched.keptTables) {
    for (const column of columns.come) {
      const isFilled = isSerial(column.type.name) || (column.default !== undefined && column.default !== "NULL");
      const isRequired = column.isRequired && isFilled;
      const line = columnLine(column, right.checks.get(column) ?? [], isRequired);
      const step = draft.add(`ALTER TABLE ${right.text} ADD COLUMN ${line};`, {
        needs: ready(right, column.type.enum),
        takes: [nameIn(columnScope(left), column.name)],
      });
      by(column, step);
      if (column.isRequired && !isRequired)
        by(column, draft.add(required(right, column), { why: UNFILLED, needs: [step] }));
    }
  }
}

const UNFILLED = "Rows that are there have no value for it: fill them first.";
const MAY_BE_ABSENT = "Rows may be without a value: fill them first.";

function required({ text }: SqlTable, { name }: SqlColumn): string {
  return `ALTER TABLE ${text} ALTER COLUMN ${sqlName(name)} SET NOT NULL;`;
}

/** Changes types, defaults and duties of the columns that stay; `typeStep` is told of each change of a type. */
export function changeColumns(drafting: Drafting, typeStep: (column: SqlColumn, step: Step) => void): void {
  for (const table of drafting.matched.keptTables) {
    for (const kept of table.columns.kept) changeColumn(drafting, table, kept, typeStep);
  }
}

function changeColumn(
  { draft, matched, by, ready }: Drafting,
  table: KeptTable,
  kept: Kept<SqlColumn>,
  typeStep: (column: SqlColumn, step: Step) => void,
): void {
  const { left, right } = kept;
  const alter = (...actions: readonly string[]): string => {
    const lines = actions.map((action) => `ALTER COLUMN ${sqlName(right.name)} ${action}`);
    return `ALTER TABLE ${table.right.text} ${lines.join(", ")};`;
  };
  const sortChanges = changesSort(kept, matched);
  const text = storedType(right.type.text);
  const typeChanges = sortChanges || (!right.type.enum && storedType(left.type.text) !== text);
  const [was, is] = [left.default, right.default].map((one) => (one === "NULL" ? undefined : one));
  const numbered = isSerial(left.type.name);
  const setDefault = is === undefined ? "DROP DEFAULT" : `SET DEFAULT ${is}`;
  const defaultChanges = was !== is || (numbered && !isSerial(right.type.name));
  if (typeChanges) {
    const { using, isSafe } = conversionOf(left.type, right.type);
    const type = `TYPE ${text}${using ? ` USING ${using(sqlName(right.name))}` : ""}`;
    const hasDefault = was !== undefined || numbered;
    const sql = alter(
      ...(hasDefault ? ["DROP DEFAULT"] : []),
      type,
      ...(is !== undefined || (defaultChanges && !hasDefault) ? [setDefault] : []),
    );
    // What an index or a foreign key asks of the values holds for those of the same sort.
    const inTheWay = sortChanges ? ready(left) : [];
    const step = draft.add(sql, {
      why: isSafe ? undefined : "Rows may have values that the new type does not take, or takes as others.",
      needs: [...ready(table.right, right, right.type.enum), ...inTheWay],
    });
    goWith(step, inTheWay);
    by(left, step);
    by(right, step);
    typeStep(right, step);
  } else if (defaultChanges) {
    draft.add(alter(setDefault), { needs: ready(table.right, right) });
  }
  if (left.isRequired === right.isRequired) return;
  if (right.isRequired) {
    by(right, draft.add(required(table.right, right), { why: MAY_BE_ABSENT, needs: ready(table.right, right) }));
    return;
  }
  const primary = table.keys.gone.find(({ sort, columns }) => sort === "PRIMARY KEY" && columns.includes(left));
  draft.add(alter("DROP NOT NULL"), { needs: ready(table.right, right, primary) });
}
