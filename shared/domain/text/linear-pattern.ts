import { PROPERTY_LIMITS } from "../limits.ts";
import type { PatternBudget } from "./pattern-budget.ts";

/** Tests for a match in linear time. Throws `too_large` when the budget is exhausted. */
export type LinearPattern = (text: string, budget: PatternBudget) => boolean;

/** Code point ranges that one step accepts, sorted and disjoint; `negated` accepts all others. */
interface CharSet {
  readonly ranges: readonly (readonly [from: number, to: number])[];
  readonly negated: boolean;
}

type Node =
  | { readonly is: "char"; readonly set: CharSet }
  | { readonly is: "start" }
  | { readonly is: "end" }
  | { readonly is: "sequence"; readonly parts: readonly Node[] }
  | { readonly is: "choice"; readonly parts: readonly Node[] }
  | Repeat;

interface Repeat {
  readonly is: "repeat";
  readonly part: Node;
  readonly least: number;
  readonly most: number;
}

type Step =
  | { readonly does: "take"; readonly set: CharSet }
  | { readonly does: "start" | "end" | "found" }
  | { does: "fork"; to: number; or: number };

/** Compiles a pattern without lookaround and back references, for linear time. Returns a sentence if unsupported. */
export function compilePattern(source: string): LinearPattern | string {
  try {
    const steps = compileSteps(new PatternParser(source).parse());
    return (text, budget) => matches(steps, text, budget);
  } catch (fault) {
    if (fault instanceof PatternFault) return fault.message;
    throw fault;
  }
}

class PatternFault extends Error {}

const invertSet = ({ ranges, negated }: CharSet): CharSet => ({ ranges, negated: !negated });
const createSingleSet = (code: number): CharSet => ({ ranges: [[code, code]], negated: false });

function parseSet(codes: string): CharSet {
  const ranges = codes.split(" ").map((range): [number, number] => {
    const [from = 0, to = from] = range.split("-").map((code) => Number.parseInt(code, 16));
    return [from, to];
  });
  return { ranges, negated: false };
}

const DIGIT = parseSet("30-39");
const WORD = parseSet("30-39 41-5a 5f 61-7a");
const SPACE = parseSet("9-d 20 a0 1680 2000-200a 2028-2029 202f 205f 3000 feff");
const LINE_END = parseSet("a d 2028-2029");

const CLASSES: Readonly<Record<string, CharSet>> = {
  ...{ d: DIGIT, w: WORD, s: SPACE, D: invertSet(DIGIT), W: invertSet(WORD), S: invertSet(SPACE) },
  ...{ t: parseSet("9"), n: parseSet("a"), v: parseSet("b"), f: parseSet("c"), r: parseSet("d") },
};

class PatternParser {
  readonly #chars: readonly string[];
  #at = 0;

  constructor(source: string) {
    this.#chars = [...source];
  }

  parse(): Node {
    const node = this.#parseChoice(0);
    return this.#at < this.#chars.length ? this.#fail("a group is closed that was not opened") : node;
  }

  #fail(detail: string): never {
    throw new PatternFault(`${detail} at character ${this.#at + 1}`);
  }

  #consume(text: string): boolean {
    if (this.#chars.slice(this.#at, this.#at + text.length).join("") !== text) return false;
    this.#at += text.length;
    return true;
  }

  #parseChoice(depth: number): Node {
    const parts = [this.#parseSequence(depth)];
    while (this.#consume("|")) parts.push(this.#parseSequence(depth));
    return parts.length === 1 && parts[0] ? parts[0] : { is: "choice", parts };
  }

  #parseSequence(depth: number): Node {
    const parts: Node[] = [];
    while (this.#at < this.#chars.length && this.#chars[this.#at] !== "|" && this.#chars[this.#at] !== ")")
      parts.push(this.#parseQuantified(this.#parseAtom(depth)));
    return { is: "sequence", parts };
  }

  #parseAtom(depth: number): Node {
    const char = this.#chars[this.#at] ?? "";
    this.#at += 1;
    if (char === "(") return this.#parseGroup(depth);
    if (char === "[") return { is: "char", set: this.#parseClass() };
    if (char === ".") return { is: "char", set: invertSet(LINE_END) };
    if (char === "^") return { is: "start" };
    if (char === "$") return { is: "end" };
    if (char === "\\") return { is: "char", set: this.#parseEscape() };
    if ("*+?{}]".includes(char)) {
      this.#at -= 1;
      return this.#fail(`"${char}" repeats or closes nothing; use \\${char} for the character`);
    }
    return { is: "char", set: createSingleSet(char.codePointAt(0) ?? 0) };
  }

  #parseGroup(depth: number): Node {
    if (depth === PROPERTY_LIMITS.patternDepth)
      return this.#fail(`groups nest deeper than ${PROPERTY_LIMITS.patternDepth} levels`);
    if (!this.#consume("?:") && this.#chars[this.#at] === "?")
      return this.#fail("only plain groups and (?: are supported, no lookaround");
    const inner = this.#parseChoice(depth + 1);
    return this.#consume(")") ? inner : this.#fail("a group is not closed");
  }

  #parseQuantified(part: Node): Node {
    const counts = this.#parseQuantifier();
    if (!counts) return part;
    // A lazy quantifier matches the same texts.
    this.#consume("?");
    if (this.#parseQuantifier()) return this.#fail("a repetition follows another one; use a group");
    return { is: "repeat", part, ...counts };
  }

  #parseQuantifier(): { least: number; most: number } | undefined {
    if (this.#consume("*")) return { least: 0, most: Number.POSITIVE_INFINITY };
    if (this.#consume("+")) return { least: 1, most: Number.POSITIVE_INFINITY };
    if (this.#consume("?")) return { least: 0, most: 1 };
    const [match, from = "", comma, to = ""] =
      /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(this.#chars.slice(this.#at, this.#at + 12).join("")) ?? [];
    if (match === undefined) return undefined;
    this.#at += match.length;
    const least = Number(from);
    const most = comma === undefined ? least : to === "" ? Number.POSITIVE_INFINITY : Number(to);
    return most < least ? this.#fail("the bounds of a repetition are out of order") : { least, most };
  }

  #parseEscape(): CharSet {
    const char = this.#chars[this.#at] ?? this.#fail("the pattern ends after a backslash");
    this.#at += 1;
    const set = CLASSES[char];
    if (set) return set;
    const [, hex] =
      (char === "u" && /^([0-9A-Fa-f]{4})/.exec(this.#chars.slice(this.#at, this.#at + 4).join(""))) || [];
    if (hex !== undefined) {
      this.#at += 4;
      return createSingleSet(Number.parseInt(hex, 16));
    }
    if (/[A-Za-z0-9]/.test(char))
      return this.#fail(`\\${char} is not supported; back references and \\b need backtracking`);
    return createSingleSet(char.codePointAt(0) ?? 0);
  }

  #parseClass(): CharSet {
    const negated = this.#consume("^");
    const ranges: (readonly [number, number])[] = [];
    while (this.#chars[this.#at] !== "]") {
      if (this.#at >= this.#chars.length) return this.#fail("a class is not closed");
      const from = this.#parseClassMember();
      const isRange =
        this.#chars[this.#at] === "-" && this.#chars[this.#at + 1] !== "]" && this.#at + 1 < this.#chars.length;
      if (!isRange) ranges.push(...toPositiveRanges(from));
      else {
        this.#at += 1;
        const [low, high] = [getSingleCodePoint(from), getSingleCodePoint(this.#parseClassMember())];
        if (low === undefined || high === undefined || high < low) return this.#fail("the range is out of order");
        ranges.push([low, high]);
      }
    }
    this.#at += 1;
    return { ranges: mergeRanges(ranges), negated };
  }

  #parseClassMember(): CharSet {
    if (this.#consume("\\")) return this.#parseEscape();
    const char = this.#chars[this.#at] ?? "";
    this.#at += 1;
    return createSingleSet(char.codePointAt(0) ?? 0);
  }
}

/** Returns the character of a set with one; the first range of each class, such as `\d` or `\S`, has several. */
function getSingleCodePoint({ ranges: [range] }: CharSet): number | undefined {
  return range && range[0] === range[1] ? range[0] : undefined;
}

function mergeRanges(ranges: CharSet["ranges"]): CharSet["ranges"] {
  const result: [number, number][] = [];
  for (const [low, high] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last && low <= last[1]) last[1] = Math.max(last[1], high);
    else result.push([low, high]);
  }
  return result;
}

const LAST_CODE_POINT = 0x10ffff;

function toPositiveRanges({ ranges, negated }: CharSet): CharSet["ranges"] {
  if (!negated) return ranges;
  const others: [number, number][] = [];
  let from = 0;
  for (const [low, high] of ranges) {
    if (low > from) others.push([from, low - 1]);
    from = high + 1;
  }
  if (from <= LAST_CODE_POINT) others.push([from, LAST_CODE_POINT]);
  return others;
}

function compileSteps(root: Node): readonly Step[] {
  const steps: Step[] = [];
  const add = <S extends Step>(step: S): S => {
    if (steps.push(step) <= PROPERTY_LIMITS.patternSteps) return step;
    throw new PatternFault(`has more than ${PROPERTY_LIMITS.patternSteps} steps after expanding its repetitions`);
  };
  const fork = () => add({ does: "fork" as const, to: steps.length + 1, or: steps.length + 1 });
  const write = (node: Node) => {
    if (node.is === "char") add({ does: "take", set: node.set });
    else if (node.is === "start" || node.is === "end") add({ does: node.is });
    else if (node.is === "sequence") for (const part of node.parts) write(part);
    else if (node.is === "choice") {
      const ends = node.parts.map((part, i) => {
        const isLast = i === node.parts.length - 1;
        const branch = isLast ? undefined : fork();
        write(part);
        const end = isLast ? undefined : fork();
        if (branch) branch.or = steps.length;
        return end;
      });
      for (const end of ends) if (end) [end.to, end.or] = [steps.length, steps.length];
    } else repeat(node);
  };
  const repeat = ({ part, least, most }: Repeat) => {
    for (let i = 0; i < least; i++) write(part);
    if (most === Number.POSITIVE_INFINITY) {
      const begin = fork();
      const start = steps.length - 1;
      write(part);
      begin.or = steps.length + 1;
      add({ does: "fork", to: start, or: start });
      return;
    }
    const branches = Array.from({ length: most - least }, () => {
      const branch = fork();
      write(part);
      return branch;
    });
    for (const branch of branches) branch.or = steps.length;
  };
  write(root);
  add({ does: "found" });
  return steps;
}

function matches(steps: readonly Step[], text: string, budget: PatternBudget) {
  const chars = [...text];
  let now: number[] = [];
  for (let at = 0; at <= chars.length; at++) {
    const marks = new Uint8Array(steps.length);
    const next: number[] = [];
    // A match may start anywhere in the text.
    const open = [...now, 0].reverse();
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (marks[index]) continue;
      marks[index] = 1;
      const step = steps[index];
      if (step?.does === "found") return true;
      if (step?.does === "take") next.push(index);
      else if (step?.does === "fork") open.push(step.or, step.to);
      else if (step?.does === "start" ? at === 0 : at === chars.length) open.push(index + 1);
    }
    budget.charge(next.length + 1);
    const code = chars[at]?.codePointAt(0);
    now =
      code === undefined ? [] : next.filter((index) => acceptsCodePoint(steps[index], code)).map((index) => index + 1);
  }
  return false;
}

function acceptsCodePoint(step: Step | undefined, code: number) {
  if (step?.does !== "take") return false;
  const { ranges, negated } = step.set;
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.[1] ?? code) < code) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low];
  return (range !== undefined && range[0] <= code) !== negated;
}
