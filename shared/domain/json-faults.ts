import { textFault } from "./legal-text.ts";

/** A fault inside a JSON value: the path to the place, and a sentence that goes on after its name. */
export interface ValueFault {
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

/**
 * The first fault of a value at a path that keeps it from being stored and shown again: more than `levels` lists and objects
 * inside one another, a text that no text may be, a number that is none, a member that no body may have.
 */
export function jsonFault(value: unknown, levels: number, path: ValueFault["path"] = []): ValueFault | undefined {
  const deepest = path.length + levels;
  const look = (one: unknown, at: ValueFault["path"]): ValueFault | undefined => {
    if (typeof one === "string") return textFaultAt(one, at);
    if (typeof one === "number" && !Number.isFinite(one)) {
      return { path: at, detail: "is a number beyond those of IEEE 754; write it as a text" };
    }
    if (typeof one !== "object" || one === null) return undefined;
    if (at.length === deepest) return { path: at, detail: `nests deeper than ${levels} levels` };
    const isList = Array.isArray(one);
    for (const [name, inner] of Object.entries(one)) {
      const here = [...at, isList ? Number(name) : name];
      const fault = (isList ? undefined : memberFault(name, here)) ?? look(inner, here);
      if (fault) return fault;
    }
    return undefined;
  };
  return look(value, path);
}

/** The fault of the name of a member: no body may hold `__proto__` or `constructor.prototype`. */
function memberFault(name: string, path: ValueFault["path"]): ValueFault | undefined {
  const isUnspeakable = name === "__proto__" || (name === "prototype" && path.at(-2) === "constructor");
  return isUnspeakable ? { path, detail: "is a member that no JSON may have here" } : textFaultAt(name, path);
}

function textFaultAt(written: string, path: ValueFault["path"]): ValueFault | undefined {
  const detail = textFault(written);
  return detail === undefined ? undefined : { path, detail };
}
