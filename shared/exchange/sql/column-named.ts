import type { DraftColumn } from "./drafts.ts";

interface Names {
  count: number;
  readonly exact: Map<string, DraftColumn>;
  readonly folded: Map<string, DraftColumn>;
}

/** The names of lists of columns, so that a text that names each of many columns is read in one go. */
const known = new WeakMap<readonly DraftColumn[], Names>();

/** The column of a name, in any case of letters where none has it as it is. Columns may be added to the list at its end. */
export function columnNamed(columns: readonly DraftColumn[], name: string): DraftColumn | undefined {
  const names = namesOf(columns);
  return names.exact.get(name) ?? names.folded.get(name.toLowerCase());
}

/** Forgets the names of columns of which one has another name now. */
export function forgetNames(columns: readonly DraftColumn[]): void {
  known.delete(columns);
}

function namesOf(columns: readonly DraftColumn[]): Names {
  const names = known.get(columns) ?? { count: 0, exact: new Map(), folded: new Map() };
  for (; names.count < columns.length; names.count++) {
    const column = columns[names.count] as DraftColumn;
    const lower = column.name.toLowerCase();
    // The first of two columns of one name counts.
    if (!names.exact.has(column.name)) names.exact.set(column.name, column);
    if (!names.folded.has(lower)) names.folded.set(lower, column);
  }
  known.set(columns, names);
  return names;
}
