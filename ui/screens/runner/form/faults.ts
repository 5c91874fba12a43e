import { splitPointer } from "./form-state.ts";

/** A fault of an answer: a sentence and the JSON pointer to its place. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

/** The faults of an answer by the pointer of the field that shows them, and those that no field shows. */
export interface PlacedFaults {
  readonly byField: ReadonlyMap<string, readonly string[]>;
  readonly others: readonly Fault[];
}

/**
 * Places each fault at the field that its pointer names, or at the nearest one around it. `shown` tells the pointers of
 * the fields that are there.
 */
export function placeFaults(faults: readonly Fault[], shown: ReadonlySet<string>): PlacedFaults {
  const byField = new Map<string, readonly string[]>();
  const others: Fault[] = [];
  for (const fault of faults) {
    const field = findFieldAround(fault.pointer, shown);
    if (field === undefined) others.push(fault);
    else byField.set(field, [...(byField.get(field) ?? []), fault.detail]);
  }
  return { byField, others };
}

function findFieldAround(pointer: string, shown: ReadonlySet<string>): string | undefined {
  for (let one = pointer; one !== ""; one = one.slice(0, one.lastIndexOf("/"))) {
    if (shown.has(one)) return one;
  }
  return undefined;
}

/** The faults of one entry of a batch, with pointers into its payload; `at` counts from 0. */
export function listEntryFaults(faults: readonly Fault[], at: number): readonly Fault[] {
  return faults.flatMap(({ pointer, detail }) => {
    const [list, number, member] = splitPointer(pointer);
    if (list !== "actions" || Number(number) !== at) return [];
    const within = `/actions/${number}/payload`;
    return [{ pointer: member === "payload" ? pointer.slice(within.length) : "", detail }];
  });
}
