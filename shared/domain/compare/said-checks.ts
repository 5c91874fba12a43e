import type { Constraints } from "../constraints/keywords.ts";
import { isSameValue } from "../text/json-values.ts";
import type { ComparedObject } from "./compared-object.ts";

/** Strings, names in quotes, casts, words with numbers, and signs of an expression. */
const TOKEN = /'(?:[^']|'')*'|"[^"]+"|`[^`]+`|[\w.$]+|[<>]=|::|\S/g;
/** Words after `::` that belong to the name of a type. */
const TYPE_WORDS = new Set("varying precision with without time zone".split(" "));

/** Tests whether the constraints of an attribute of the entity say everything that a check of SQL says. */
export function isSaidByConstraints(check: unknown, entity: ComparedObject): boolean {
  if (typeof check !== "string") return false;
  const tokens = removeBrackets(removeCasts(check.match(TOKEN) ?? []));
  return isPartSaid(tokens, entity) || splitAtAnd(tokens).every((part) => isPartSaid(removeBrackets(part), entity));
}

function isPartSaid([name, ...rest]: readonly string[], { getAttributes }: ComparedObject): boolean {
  const key = name?.replaceAll(/["`]/g, "").toLowerCase();
  const attribute = getAttributes?.().find((one) => one.key.toLowerCase() === key);
  const constraints: Constraints = attribute?.constraints ?? {};
  const said = Object.entries(readConstraints(rest) ?? {});
  // The names are keywords, whose values are compared.
  return (
    said.length > 0 && said.every(([keyword, value]) => isSameValue(constraints[keyword as keyof Constraints], value))
  );
}

/** Splits an expression at each AND outside of brackets. */
function splitAtAnd(tokens: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    depth += token === "(" ? 1 : token === ")" ? -1 : 0;
    if (depth === 0 && token.toUpperCase() === "AND") parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

function removeCasts(tokens: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i] !== "::") kept.push(tokens[i] ?? "");
    else {
      i += 1;
      while (TYPE_WORDS.has(tokens[i + 1] ?? "")) i += 1;
      if (tokens[i + 1] === "(") i = tokens.indexOf(")", i);
      if (tokens[i + 1] === "[") i += 2;
      // A call without its closing bracket is no cast.
      if (i < 0) return [];
    }
  }
  return kept;
}

function removeBrackets(tokens: readonly string[]): readonly string[] {
  let inner = tokens;
  for (; inner[0] === "("; inner = inner.slice(1, -1)) {
    let depth = 0;
    const end = inner.findIndex((token) => {
      depth += token === "(" ? 1 : token === ")" ? -1 : 0;
      return depth === 0;
    });
    if (end < inner.length - 1) return unwrapName(inner);
  }
  return unwrapName(inner);
}

/** Removes the brackets around a name at the beginning: `(a) >= 1`. */
function unwrapName(tokens: readonly string[]) {
  return tokens[0] === "(" && tokens[2] === ")" ? [tokens[1] ?? "", ...tokens.slice(3)] : tokens;
}

const BOUNDS: Readonly<Record<string, keyof Constraints>> = {
  ">=": "minimum",
  "<=": "maximum",
  ">": "exclusiveMinimum",
  "<": "exclusiveMaximum",
};

/** Reads what follows the name of a column; undefined for other expressions. */
function readConstraints(tokens: readonly string[]): Constraints | undefined {
  const text = tokens.map((token) => (token.startsWith("'") ? token : token.toLowerCase())).join(" ");
  const list = /^(?:in \(|= any \( array \[)(.*?)(?:\)|\] \))$/.exec(text)?.[1];
  if (list !== undefined) {
    const values = list.match(/'(?:[^']|'')*'|[^\s,]+(?: [\d.]+)?/g)?.map(readLiteral) ?? [];
    return values.length > 0 && values.every((one) => one !== undefined) ? { enum: values } : undefined;
  }
  const [, least, most] = /^between (-? ?[\d.]+) and (-? ?[\d.]+)$/.exec(text) ?? [];
  if (most !== undefined) return { minimum: toNumber(least), maximum: toNumber(most) };
  const [, sign = "", bound] = /^([<>]=?) (-? ?[\d.]+)$/.exec(text) ?? [];
  const keyword = BOUNDS[sign];
  return keyword && bound !== undefined ? { [keyword]: toNumber(bound) } : undefined;
}

function readLiteral(text: string): unknown {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  if (text === "true" || text === "false") return text === "true";
  return /^-? ?[\d.]+$/.test(text) ? toNumber(text) : undefined;
}

function toNumber(text = "") {
  return Number(text.replace(" ", ""));
}
