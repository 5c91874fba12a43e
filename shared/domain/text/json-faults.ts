import { LIMITS } from "../limits.ts";
import { escapePointerToken, findTextFault } from "./characters.ts";

/** Fault in a JSON value: its path, and a sentence that continues after a name. */
export interface ValueFault {
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

/** Finds the first fault of a value to store: ill-formed text, forbidden name, infinite number, over `levels` deep. */
export function findJsonFault(value: unknown, levels: number, path: ValueFault["path"] = []): ValueFault | undefined {
  const at = [...path];
  const fault = (detail: string): ValueFault => ({ path: [...at], detail });
  const findTextFaultHere = (text: string) => {
    const detail = findTextFault(text);
    return detail === undefined ? undefined : fault(detail);
  };
  const findMemberFault = (name: string, holder: string | number | undefined) => {
    // Bodies must not contain `__proto__` or `constructor.prototype`.
    const isForbidden = name === "__proto__" || (name === "prototype" && holder === "constructor");
    return isForbidden ? fault("is a forbidden member name") : findTextFaultHere(name);
  };
  const find = (one: unknown, left: number): ValueFault | undefined => {
    if (typeof one === "string") return findTextFaultHere(one);
    if (typeof one === "number" && !Number.isFinite(one))
      return fault("is a number outside the range of IEEE 754; use a text instead");
    if (typeof one !== "object" || one === null) return undefined;
    if (left === 0) return fault(`is nested deeper than ${levels} levels`);
    const holder = at.at(-1);
    const members = Array.isArray(one) ? one.keys() : Object.keys(one);
    for (const name of members) {
      at.push(name);
      const found =
        (typeof name === "string" ? findMemberFault(name, holder) : undefined) ??
        find((one as Readonly<Record<PropertyKey, unknown>>)[name], left - 1);
      if (found) return found;
      at.pop();
    }
    return undefined;
  };
  return find(value, levels);
}

/** Fault of a JSON text, as the rest of a sentence; `pointer` is the path of the member, if there is one. */
interface JsonTextFault {
  readonly detail: string;
  readonly pointer?: string;
}

interface Level {
  isObject: boolean;
  readonly names: Set<string>;
  name: string;
  index: number;
}

/** Finds the first fault of a JSON text without building values: depth, counts and duplicate names, by `LIMITS`. */
export function findJsonTextFault(text: string): JsonTextFault | undefined {
  const levels: Level[] = [];
  const counts = { members: 0, items: 0 };
  let depth = 0;
  let isNameNext = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      const end = findStringEnd(text, i);
      const level = levels[depth - 1];
      if (isNameNext && level) {
        isNameNext = false;
        level.name = unescapeString(text.slice(i + 1, end));
        const others = level.names.size;
        if (level.names.add(level.name).size === others) return createDuplicateFault(levels.slice(0, depth));
      }
      i = end;
    } else if (c === COMMA) {
      const level = levels[depth - 1];
      if (!level) continue;
      level.index++;
      isNameNext = level.isObject;
      if (exceedsCount(counts, level.isObject)) return TOO_MANY;
    } else if (c === OPEN_LIST || c === OPEN_OBJECT) {
      isNameNext = c === OPEN_OBJECT;
      if (depth === LIMITS.jsonDepth) return TOO_DEEP;
      levels[depth] = enterLevel(levels[depth], isNameNext);
      depth++;
      if (exceedsCount(counts, isNameNext)) return TOO_MANY;
    } else if (c === CLOSE_LIST || c === CLOSE_OBJECT) {
      isNameNext = false;
      if (depth > 0) depth--;
    }
  }
  return undefined;
}

/** Counts a member or item; an empty list or object counts as one, because it costs work as well. */
function exceedsCount(counts: { members: number; items: number }, isMember: boolean) {
  return (isMember ? ++counts.members : ++counts.items) > LIMITS.jsonMembers;
}

/** Returns the level of a list or object. Reuses levels: most texts have far more objects. */
function enterLevel(level: Level | undefined, isObject: boolean): Level {
  if (!level) return { isObject, names: new Set(), name: "", index: 0 };
  level.isObject = isObject;
  if (level.names.size > 0) level.names.clear();
  level.index = 0;
  return level;
}

function findStringEnd(text: string, start: number) {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let run = end;
    while (text.charCodeAt(run - 1) === BACKSLASH) run--;
    if ((end - run) % 2 === 0) return end;
  }
  return text.length;
}

function unescapeString(raw: string) {
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    // The text is not valid JSON; the parser will report it.
    return raw;
  }
}

function createDuplicateFault(levels: readonly Level[]): JsonTextFault {
  const pointer = levels.map(({ isObject, name, index }) => `/${escapePointerToken(isObject ? name : index)}`).join("");
  return { detail: `has two members at ${pointer}; member names of an object must be unique`, pointer };
}

const TOO_DEEP: JsonTextFault = { detail: `is nested deeper than ${LIMITS.jsonDepth} levels` };
const TOO_MANY: JsonTextFault = {
  detail: `has more than ${LIMITS.jsonMembers} members or list items; split it into several requests`,
};

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
