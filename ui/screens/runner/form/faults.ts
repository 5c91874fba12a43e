import { splitPointer } from "./form-state.ts";

/** A fault in an answer: a sentence and the JSON pointer of its field. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

/** Faults by the pointer of the field that shows them, and the faults without a field. */
export interface PlacedFaults {
  readonly byField: ReadonlyMap<string, readonly string[]>;
  readonly others: readonly Fault[];
}

/** Assigns each fault to the field of its pointer or the nearest enclosing one; `shown` holds the visible pointers. */
export function placeFaults(faults: readonly Fault[], pointers: ReadonlySet<string>): PlacedFaults {
  const byField = new Map<string, readonly string[]>();
  const others: Fault[] = [];
  for (const fault of faults) {
    const field = findFieldAround(fault.pointer, pointers);
    if (field === undefined) others.push(fault);
    else byField.set(field, [...(byField.get(field) ?? []), fault.detail]);
  }
  return { byField, others };
}

function findFieldAround(pointer: string, pointers: ReadonlySet<string>): string | undefined {
  for (let one = pointer; one !== ""; one = one.slice(0, one.lastIndexOf("/"))) {
    if (pointers.has(one)) return one;
  }
  return undefined;
}

/** Returns the faults of the batch entry `at`, counted from 0, with pointers into its payload. */
export function listEntryFaults(faults: readonly Fault[], at: number): readonly Fault[] {
  return faults.flatMap(({ pointer, detail }) => {
    const [list, number, member] = splitPointer(pointer);
    if (list !== "actions" || Number(number) !== at) return [];
    const within = `/actions/${number}/payload`;
    return [{ pointer: member === "payload" ? pointer.slice(within.length) : "", detail }];
  });
}
