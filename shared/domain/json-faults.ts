import { textFault } from "./legal-text.ts";

/** A fault inside a value: the path to it and a sentence. */
export interface ValueFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * The first fault of a JSON value that keeps it from being stored and shown again: a text or the name of a member that no
 * text may be, a number too large for JSON, or more than `levels` lists and objects inside one another.
 */
export function jsonFault(value: unknown, levels: number): ValueFault | undefined {
  return faultIn(value, [], levels);
}

function faultIn(value: unknown, path: ValueFault["path"], levels: number): ValueFault | undefined {
  if (typeof value === "string") return faultAt(path, textFault(value));
  if (typeof value === "number") return faultAt(path, Number.isFinite(value) ? undefined : "is too large a number");
  if (typeof value !== "object" || value === null) return undefined;
  if (path.length === levels) return { path, message: `is nested deeper than ${levels} levels` };
  for (const [step, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const illegal = typeof step === "string" ? textFault(step) : undefined;
    if (illegal !== undefined) return { path, message: `has a member whose name ${illegal}` };
    const fault = faultIn(inner, [...path, step], levels);
    if (fault) return fault;
  }
  return undefined;
}

function faultAt(path: ValueFault["path"], message: string | undefined): ValueFault | undefined {
  return message === undefined ? undefined : { path, message };
}
