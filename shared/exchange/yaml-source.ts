import type { Node } from "yaml";
import { LIMITS } from "../domain/limits.ts";
import { quoted } from "./quoted.ts";
import { otherTextOf } from "./text-formats.ts";

/** True for the address of a file that calls itself YAML. */
export function isYamlFile({ pathname }: URL): boolean {
  return /\.ya?ml$/i.test(pathname);
}

/**
 * The value of a YAML 1.2 text, anchors and merge keys followed, or a sentence why it is none. What the aliases stand for may be
 * as large as a JSON source, so that few bytes cannot become many; a value that JSON does not have is none.
 */
export async function parseYaml(text: string): Promise<{ readonly value: unknown } | string> {
  if (Buffer.byteLength(text) > LIMITS.yamlBytes) {
    return `it has more than ${LIMITS.yamlBytes} bytes, which is the most a YAML file may have; convert it to JSON`;
  }
  // A parser of 100 kB, which JSON sources do not need.
  const { isAlias, isScalar, parseDocument, visit } = await import("yaml");
  try {
    const document = parseDocument(text, { merge: true, uniqueKeys: false, logLevel: "error", prettyErrors: false });
    let twice: unknown;
    let anchors = 0;
    // The parser compares each key with each other one, which takes half a minute for the largest text.
    const count = (node: Node): void => {
      if (isAlias(node) || node.anchor !== undefined) anchors += 1;
    };
    visit(document, {
      Node: (_, node) => count(node),
      Map: (_, map) => {
        count(map);
        const names = new Set<unknown>();
        for (const { key } of map.items) {
          const name = isScalar(key) ? key.value : key;
          if (names.has(name) && name !== "<<") twice = name;
          names.add(name);
        }
      },
    });
    if (twice !== undefined) return `it has two members of the name ${quoted(String(twice))} in one object`;
    if (anchors > LIMITS.yamlAnchors) {
      return `it has more than ${LIMITS.yamlAnchors} anchors and aliases; write what they stand for`;
    }
    const [error] = document.errors;
    const value: unknown = error ? undefined : document.toJS({ maxAliasCount: LIMITS.yamlAliases });
    // A text of another format often is one long YAML string.
    const other = typeof value === "object" ? undefined : otherTextOf(text);
    if (other !== undefined) return `it is ${other}`;
    if (error) return `it is not YAML (${error.code} at character ${error.pos[0]})`;
    const fault = faultOf(value, { members: LIMITS.jsonMembers, characters: LIMITS.sourceBytes });
    return fault === undefined ? { value } : `it ${fault}`;
  } catch (error) {
    // The parser throws for aliases without an anchor and beyond its limit, and runs out of stack in texts that nest without end.
    if (error instanceof ReferenceError && /^unresolved/i.test(error.message))
      return "it uses an anchor that it does not have";
    if (error instanceof ReferenceError) return `it uses one anchor more than ${LIMITS.yamlAliases} times`;
    if (error instanceof RangeError) return `it is nested deeper than ${LIMITS.jsonDepth} levels`;
    throw error;
  }
}

/** Why a parsed value is no JSON value of a size that is read; counts what aliases repeat. */
function faultOf(value: unknown, left: { members: number; characters: number }, depth = 0): string | undefined {
  if (--left.members < 0) return `has more than ${LIMITS.jsonMembers} members or items, its aliases followed`;
  if (typeof value === "string") {
    left.characters -= value.length;
    return left.characters < 0 ? `is larger than ${LIMITS.sourceBytes} bytes, its aliases followed` : undefined;
  }
  if (value === null || typeof value === "boolean" || Number.isFinite(value)) return undefined;
  const isPlain = Array.isArray(value) || Object.prototype.toString.call(value) === "[object Object]";
  if (typeof value !== "object" || !isPlain || value instanceof Map || value instanceof Set) {
    return "holds a value that JSON does not have: a number without end, a date, a set or binary data";
  }
  if (depth === LIMITS.jsonDepth) return `is nested deeper than ${LIMITS.jsonDepth} levels`;
  for (const [member, inner] of Object.entries(value)) {
    left.characters -= member.length;
    const fault = faultOf(inner, left, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
