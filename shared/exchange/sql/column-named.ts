import type { DraftColumn } from "./drafts.ts";

interface Names {
  readonly count: number;
  readonly exact: ReadonlyMap<string, DraftColumn>;
  readonly folded: ReadonlyMap<string, DraftColumn>;
}

/** The names of lists of columns, so that a text that names each of many columns is read in one go. */
const known = new WeakMap<readonly DraftColumn[], Names>();

/** The column of a name, in any case of letters where none has it as it is. */
export function columnNamed(columns: readonly DraftColumn[], name: string): DraftColumn | undefined {
  const cached = known.get(columns);
  const names = cached?.count === columns.length ? cached : namesOf(columns);
  return names.exact.get(name) ?? names.folded.get(name.toLowerCase());
}

/** Forgets the names of columns of which one has another name now. */
export function forgetNames(columns: readonly DraftColumn[]): void {
  known.delete(columns);
}

function namesOf(columns: readonly DraftColumn[]): Names {
  // The first of two columns of one name counts.
  const last = columns.toReversed();
  const exact = new Map(last.map((one) => [one.name, one]));
  const folded = new Map(last.map((one) => [one.name.toLowerCase(), one]));
  const names = { count: columns.length, exact, folded };
  known.set(columns, names);
  return names;
}
