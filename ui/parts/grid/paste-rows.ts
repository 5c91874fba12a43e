import type { Column } from "./column.ts";
import { cellsOfTsv } from "./separated.ts";

/** The cells of one pasted row by the id of their column. */
export type PastedRow = Readonly<Record<string, string>>;

/** What applying a pasted row would do. */
export interface PlannedRow {
  readonly cells: PastedRow;
  readonly change: "create" | "update" | "same" | "wrong";
  /** Why it is wrong, or what would change. */
  readonly why?: string;
}

/** How a grid takes rows that are pasted. */
export interface Pasting {
  /** Ids of the columns that a pasted row has, in the order that is expected. */
  readonly columns: readonly string[];
  /** Says of each row what it would do. */
  readonly plan: (rows: readonly PastedRow[]) => readonly PlannedRow[];
  /** Does it, as one batch; what it throws stands in the dialog. */
  readonly apply: (rows: readonly PlannedRow[]) => Promise<void>;
}

/** Reads pasted text as rows; a first row of titles or ids of columns is taken as such. */
export function pastedRows<T>(
  text: string,
  expected: readonly string[],
  columns: readonly Column<T>[],
): readonly PastedRow[] {
  const cells = cellsOfTsv(text);
  const idOf = (title: string): string | undefined => {
    const sought = title.trim().toLowerCase();
    return expected.find(
      (id) => id.toLowerCase() === sought || columns.find((c) => c.id === id)?.title.toLowerCase() === sought,
    );
  };
  const titles = (cells[0] ?? []).map(idOf);
  const isTitled = titles.length > 0 && titles.every((id) => id !== undefined);
  const ids = isTitled ? titles : expected;
  return cells.slice(isTitled ? 1 : 0).map((row) =>
    Object.fromEntries(
      row.flatMap((cell, at) => {
        const id = ids[at];
        return id === undefined ? [] : [[id, cell.trim()]];
      }),
    ),
  );
}
