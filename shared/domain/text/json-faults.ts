import { LIMITS } from "../limits.ts";
import { escapePointerToken, findTextFault } from "./characters.ts";

/** A fault inside a JSON value: the path to the place, and a sentence that goes on after its name. */
export interface ValueFault {
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

/**
 * The first fault of a value at a path that keeps it from being stored and shown again: more than `levels` lists and objects
 * inside one another, a text that no text may be, a number that is none, a member that no body may have.
 */
export function findJsonFault(value: unknown, levels: number, path: ValueFault["path"] = []): ValueFault | undefined {
  const deepest = path.length + levels;
  const look = (one: unknown, at: ValueFault["path"]): ValueFault | undefined => {
    if (typeof one === "string") return findTextFaultAt(one, at);
    if (typeof one === "number" && !Number.isFinite(one)) {
      return { path: at, detail: "is a number beyond those of IEEE 754; write it as a text" };
    }
    if (typeof one !== "object" || one === null) return undefined;
    if (at.length === deepest) return { path: at, detail: `nests deeper than ${levels} levels` };
    const isList = Array.isArray(one);
    for (const [name, inner] of Object.entries(one)) {
      const here = [...at, isList ? Number(name) : name];
      const fault = (isList ? undefined : findMemberFault(name, here)) ?? look(inner, here);
      if (fault) return fault;
    }
    return undefined;
  };
  return look(value, path);
}

/** The fault of the name of a member: no body may hold `__proto__` or `constructor.prototype`. */
function findMemberFault(name: string, path: ValueFault["path"]): ValueFault | undefined {
  const isUnspeakable = name === "__proto__" || (name === "prototype" && path.at(-2) === "constructor");
  return isUnspeakable ? { path, detail: "is a member that no JSON may have here" } : findTextFaultAt(name, path);
}

function findTextFaultAt(written: string, path: ValueFault["path"]): ValueFault | undefined {
  const detail = findTextFault(written);
  return detail === undefined ? undefined : { path, detail };
}

/**
 * Why a JSON text is not parsed, as the rest of a sentence about it; `pointer` leads to the member at fault, where there
 * is one.
 */
interface JsonTextFault {
  readonly detail: string;
  readonly pointer?: string;
}

/** A list or object around the place that is being read. */
interface Level {
  isObject: boolean;
  /** Names of the object's members so far, unescaped. */
  readonly names: Set<string>;
  /** The name of the member that is being read. */
  name: string;
  /** The index of the item that is being read. */
  index: number;
}

/**
 * The first fault of a JSON text that keeps it from being parsed: it nests deeper than `LIMITS.jsonDepth`, all its objects have
 * more members, or all its lists more items, than `LIMITS.jsonMembers`, or one object has two members of the same name. The text
 * is read once and nothing is made of it; one that is no JSON has some fault or none.
 */
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

/** Counts one more. An empty list or object counts as one: it is work as well. */
function exceedsCount(counts: { members: number; items: number }, isMember: boolean): boolean {
  return (isMember ? ++counts.members : ++counts.items) > LIMITS.jsonMembers;
}

/** The level for another list or object: most texts hold many more of them than they nest. */
function enterLevel(level: Level | undefined, isObject: boolean): Level {
  if (!level) return { isObject, names: new Set(), name: "", index: 0 };
  level.isObject = isObject;
  if (level.names.size > 0) level.names.clear();
  level.index = 0;
  return level;
}

/** Where the string that begins at `start` ends: at the first quote that no backslash escapes, or with the text. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let run = end;
    while (text.charCodeAt(run - 1) === BACKSLASH) run--;
    if ((end - run) % 2 === 0) return end;
  }
  return text.length;
}

function unescapeString(raw: string): string {
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    // The text is no JSON, which the parser will say.
    return raw;
  }
}

function createDuplicateFault(levels: readonly Level[]): JsonTextFault {
  const pointer = levels.map(({ isObject, name, index }) => `/${escapePointerToken(isObject ? name : index)}`).join("");
  return { detail: `has two members at ${pointer}: the names of one object must differ`, pointer };
}

const TOO_DEEP: JsonTextFault = { detail: `is nested deeper than ${LIMITS.jsonDepth} levels` };
const TOO_MANY: JsonTextFault = {
  detail: `has more than ${LIMITS.jsonMembers} members or list items; send it in parts`,
};

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
