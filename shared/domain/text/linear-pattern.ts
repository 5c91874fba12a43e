import { PROPERTY_LIMITS } from "../limits.ts";

/** Tells whether a text holds what the pattern describes, in time that grows with the length of the text and no faster. */
export type LinearPattern = (text: string) => boolean;

/** The ranges of code points that one step takes; `negated` takes all others. */
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

/** One instruction; a choice goes on at two places, everything else at the next one. */
type Step =
  | { readonly does: "take"; readonly set: CharSet }
  | { readonly does: "start" | "end" | "found" }
  | { does: "fork"; to: number; or: number };

/**
 * Compiles a regular expression of JSON Schema without what needs backtracking: no lookaround and no back references. It
 * answers a sentence where the pattern is none of these. The steps of the pattern run side by side over the text, so no
 * text takes longer than its length times the steps.
 */
export function compilePattern(source: string): LinearPattern | string {
  try {
    const steps = compileSteps(parse(source));
    return (text) => matches(steps, text);
  } catch (fault) {
    if (fault instanceof PatternFault) return fault.message;
    throw fault;
  }
}

class PatternFault extends Error {}

const setOf = (...ranges: CharSet["ranges"]): CharSet => ({ ranges, negated: false });
const invertSet = ({ ranges, negated }: CharSet): CharSet => ({ ranges, negated: !negated });
const setOfOne = (code: number): CharSet => setOf([code, code]);

const DIGIT = setOf([0x30, 0x39]);
const WORD = setOf([0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]);
const SPACE = setOf(
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
);
const LINE_END = setOf([0x0a, 0x0a], [0x0d, 0x0d], [0x2028, 0x2029]);

const CLASSES: Readonly<Record<string, CharSet>> = {
  ...{ d: DIGIT, w: WORD, s: SPACE, D: invertSet(DIGIT), W: invertSet(WORD), S: invertSet(SPACE) },
  ...{ t: setOfOne(0x09), n: setOfOne(0x0a), v: setOfOne(0x0b), f: setOfOne(0x0c), r: setOfOne(0x0d) },
};

function parse(source: string): Node {
  const chars = [...source];
  let at = 0;
  const fail = (detail: string): never => {
    throw new PatternFault(`${detail} at character ${at + 1}`);
  };
  const takes = (text: string): boolean => {
    if (chars.slice(at, at + text.length).join("") !== text) return false;
    at += text.length;
    return true;
  };

  const choice = (depth: number): Node => {
    const parts = [sequence(depth)];
    while (takes("|")) parts.push(sequence(depth));
    return parts.length === 1 && parts[0] ? parts[0] : { is: "choice", parts };
  };
  const sequence = (depth: number): Node => {
    const parts: Node[] = [];
    while (at < chars.length && chars[at] !== "|" && chars[at] !== ")") parts.push(repeated(atom(depth)));
    return { is: "sequence", parts };
  };
  const atom = (depth: number): Node => {
    const char = chars[at] ?? "";
    at += 1;
    if (char === "(") return group(depth);
    if (char === "[") return { is: "char", set: classSet() };
    if (char === ".") return { is: "char", set: invertSet(LINE_END) };
    if (char === "^") return { is: "start" };
    if (char === "$") return { is: "end" };
    if (char === "\\") return { is: "char", set: escaped() };
    if ("*+?{}]".includes(char)) {
      at -= 1;
      return fail(`"${char}" repeats or closes nothing; write \\${char} for the character`);
    }
    return { is: "char", set: setOfOne(char.codePointAt(0) ?? 0) };
  };
  const group = (depth: number): Node => {
    if (depth === PROPERTY_LIMITS.patternDepth)
      return fail(`groups nest deeper than ${PROPERTY_LIMITS.patternDepth} levels`);
    if (!takes("?:") && chars[at] === "?") return fail("only plain groups and (?: are known, no lookaround");
    const inner = choice(depth + 1);
    return takes(")") ? inner : fail("a group is not closed");
  };
  const repeated = (part: Node): Node => {
    const counts = quantifier();
    if (!counts) return part;
    // What is found is the same where it looks for the least first.
    takes("?");
    if (quantifier()) return fail("a repetition is repeated; put it into a group");
    return { is: "repeat", part, ...counts };
  };
  const quantifier = (): { least: number; most: number } | undefined => {
    if (takes("*")) return { least: 0, most: Number.POSITIVE_INFINITY };
    if (takes("+")) return { least: 1, most: Number.POSITIVE_INFINITY };
    if (takes("?")) return { least: 0, most: 1 };
    const [whole, from = "", comma, to = ""] =
      /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(chars.slice(at, at + 12).join("")) ?? [];
    if (whole === undefined) return undefined;
    at += whole.length;
    const least = Number(from);
    const most = comma === undefined ? least : to === "" ? Number.POSITIVE_INFINITY : Number(to);
    return most < least ? fail("the bounds of a repetition are out of order") : { least, most };
  };
  const escaped = (): CharSet => {
    const char = chars[at] ?? fail("nothing is escaped");
    at += 1;
    const known = CLASSES[char];
    if (known) return known;
    const [, hex] = (char === "u" && /^([0-9A-Fa-f]{4})/.exec(chars.slice(at, at + 4).join(""))) || [];
    if (hex !== undefined) {
      at += 4;
      return setOfOne(Number.parseInt(hex, 16));
    }
    if (/[A-Za-z0-9]/.test(char)) return fail(`\\${char} is not known; back references and \\b need backtracking`);
    return setOfOne(char.codePointAt(0) ?? 0);
  };
  const classSet = (): CharSet => {
    const negated = takes("^");
    const ranges: (readonly [number, number])[] = [];
    while (chars[at] !== "]") {
      if (at >= chars.length) return fail("a class is not closed");
      const from = member();
      const isRange = chars[at] === "-" && chars[at + 1] !== "]" && at + 1 < chars.length;
      if (!isRange) ranges.push(...toPositiveRanges(from));
      else {
        at += 1;
        const [low, high] = [getSingleCodePoint(from), getSingleCodePoint(member())];
        if (low === undefined || high === undefined || high < low) return fail("a range is out of order");
        ranges.push([low, high]);
      }
    }
    at += 1;
    return { ranges, negated };
  };
  const member = (): CharSet => {
    if (takes("\\")) return escaped();
    const char = chars[at] ?? "";
    at += 1;
    return setOfOne(char.codePointAt(0) ?? 0);
  };

  const whole = choice(0);
  return at < chars.length ? fail("a group is closed that was not opened") : whole;
}

/** The one code point of a set, where it has one. */
function getSingleCodePoint({ ranges, negated }: CharSet): number | undefined {
  const [range] = ranges;
  return !negated && ranges.length === 1 && range && range[0] === range[1] ? range[0] : undefined;
}

const LAST_CODE_POINT = 0x10ffff;

/** The ranges of a set without negation. */
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
    throw new PatternFault(`with its repetitions written out it has more than ${PROPERTY_LIMITS.patternSteps} steps`);
  };
  const fork = () => add({ does: "fork" as const, to: steps.length + 1, or: steps.length + 1 });
  const write = (node: Node): void => {
    if (node.is === "char") add({ does: "take", set: node.set });
    else if (node.is === "start" || node.is === "end") add({ does: node.is });
    else if (node.is === "sequence") for (const part of node.parts) write(part);
    else if (node.is === "choice") {
      const ends = node.parts.map((part, i) => {
        const isLast = i === node.parts.length - 1;
        const way = isLast ? undefined : fork();
        write(part);
        const end = isLast ? undefined : fork();
        if (way) way.or = steps.length;
        return end;
      });
      for (const end of ends) if (end) [end.to, end.or] = [steps.length, steps.length];
    } else repeat(node);
  };
  const repeat = ({ part, least, most }: Repeat): void => {
    for (let i = 0; i < least; i++) write(part);
    if (most === Number.POSITIVE_INFINITY) {
      const begin = fork();
      const place = steps.length - 1;
      write(part);
      begin.or = steps.length + 1;
      add({ does: "fork", to: place, or: place });
      return;
    }
    const ways = Array.from({ length: most - least }, () => {
      const way = fork();
      write(part);
      return way;
    });
    for (const way of ways) way.or = steps.length;
  };
  write(root);
  add({ does: "found" });
  return steps;
}

function matches(steps: readonly Step[], text: string): boolean {
  const chars = [...text];
  let now: number[] = [];
  for (let at = 0; at <= chars.length; at++) {
    const seen = new Uint8Array(steps.length);
    const here: number[] = [];
    // A pattern may begin anywhere in the text.
    const open = [...now, 0].reverse();
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (seen[place]) continue;
      seen[place] = 1;
      const step = steps[place];
      if (step?.does === "found") return true;
      if (step?.does === "take") here.push(place);
      else if (step?.does === "fork") open.push(step.or, step.to);
      else if (step?.does === "start" ? at === 0 : at === chars.length) open.push(place + 1);
    }
    const code = chars[at]?.codePointAt(0);
    now =
      code === undefined ? [] : here.filter((place) => acceptsCodePoint(steps[place], code)).map((place) => place + 1);
  }
  return false;
}

function acceptsCodePoint(step: Step | undefined, code: number): boolean {
  if (step?.does !== "take") return false;
  return step.set.ranges.some(([from, to]) => code >= from && code <= to) !== step.set.negated;
}
