import type { IndexStatements } from "./row-statements.ts";

/** The numbers of marks, each looked up once. */
export interface MarkNumbers {
  /** The number of a mark; undefined where no row has it. */
  find(name: string): number | undefined;
  /** The number of a mark, given out where it has none. */
  numberOf(name: string): number;
  /** Forgets the numbers, some of which were given out by a transaction that was not committed. */
  forget(): void;
}

export function createMarkNumbers(statements: IndexStatements): MarkNumbers {
  const known = new Map<string, number>();
  const find = (name: string): number | undefined => {
    const number = known.get(name) ?? statements.mark(name);
    if (number !== undefined) known.set(name, number);
    return number;
  };
  return {
    find,
    numberOf: (name) => {
      const number = find(name);
      if (number !== undefined) return number;
      const added = statements.addMark(name);
      known.set(name, added);
      return added;
    },
    forget: () => known.clear(),
  };
}
