import { isDeepStrictEqual } from "node:util";
import { LIMITS } from "../shared/domain/limits.ts";
import { twinsOf } from "./pulled-value.ts";
import type { SourceObject } from "./source-text.ts";

/** A value of the old text: what it says, how it is written, and the values in it. */
interface Written {
  readonly value: unknown;
  readonly text: string;
  readonly members: ReadonlyMap<unknown, Written>;
  readonly items: readonly Written[];
}

/** A JSON text that says what an object does, in the order of that; what did not change is written as in the old text. */
export async function jsonWith(old: string, object: SourceObject): Promise<string> {
  const [, indent = "  "] = /^\s*\{\s*\n([ \t]+)/.exec(old) ?? [];
  const end = /\n\s*$/.test(old) ? "\n" : "";
  const written = await writtenIn(old);
  const text = `${written ? textOf(object, written, "", indent) : ""}${end}`;
  const isSame = written !== undefined && isDeepStrictEqual(JSON.parse(text), object);
  return isSame ? text : `${JSON.stringify(object, undefined, indent)}${end}`;
}

/** The values of a JSON text with their places, found by the parser of YAML, which reads JSON too; undefined of a long text. */
async function writtenIn(old: string): Promise<Written | undefined> {
  if (old.length > LIMITS.yamlBytes) return undefined;
  const { isMap, isNode, isScalar, isSeq, parseDocument } = await import("yaml");
  const document = parseDocument(old, { logLevel: "error" });
  if (document.errors.length > 0) return undefined;
  const read = (node: unknown): Written => {
    const [start = 0, stop = 0] = (isNode(node) && node.range) || [];
    const text = old.slice(start, stop);
    const pairs = isMap(node) ? node.items : [];
    const members = new Map(pairs.map(({ key, value }) => [isScalar(key) ? key.value : key, read(value)]));
    const items = isSeq(node) ? node.items.map(read) : [];
    return { value: isNode(node) ? node.toJS(document) : node, text, members, items };
  };
  return read(document.contents);
}

/** The text of a value at an indent: the old one where it says the same, on one line where the old one, or `like`, was. */
function textOf(value: unknown, old: Written | undefined, at: string, indent: string, like = old): string {
  if (old && JSON.stringify(old.value) === JSON.stringify(value)) return old.text;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = at + indent;
  const parts = Array.isArray(value) ? itemTexts(value, old, inner, indent) : memberTexts(value, old, inner, indent);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return `${open}${close}`;
  if (like && like.text.length > 2 && !like.text.includes("\n")) {
    const pad = /^.\s/.test(like.text) ? " " : "";
    return `${open}${pad}${parts.join(", ")}${pad}${close}`;
  }
  return `${open}\n${parts.map((part) => `${inner}${part}`).join(",\n")}\n${at}${close}`;
}

function itemTexts(value: readonly unknown[], old: Written | undefined, at: string, indent: string): readonly string[] {
  const { items = [] } = old ?? {};
  const byValue = new Map(items.map((item) => [item.value, item]));
  const twins = twinsOf([...byValue.keys()], value);
  return value.map((one) =>
    textOf(one, byValue.get(twins.get(one)), at, indent, byValue.get(twins.get(one)) ?? items[0]),
  );
}

function memberTexts(value: object, old: Written | undefined, at: string, indent: string): readonly string[] {
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return members.map(([name, one]) => `${JSON.stringify(name)}: ${textOf(one, old?.members.get(name), at, indent)}`);
}
