import { isDeepStrictEqual } from "node:util";
import { isMap, isNode, isScalar, isSeq, parseDocument } from "yaml";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { SourceObject } from "../input/source-text.ts";
import { isObject } from "../input/values.ts";

/** Members whose lists have no order in the model, so that the file keeps its own. */
const UNORDERED: ReadonlySet<string> = new Set([
  ...["types", "entities", "relationships", "businessKeys", "localTags", "tagGroups", "tags"],
  ...["resources", "keywords"],
]);

/** Members of a descriptor that contain data, which a model does not keep. */
const DATA: ReadonlySet<string> = new Set(["data"]);

/** Merges a document into a file: keeps the file's order and empty members, and adds no unused ids. */
export function mergeValues(file: SourceObject, model: SourceObject): SourceObject {
  const extras = ["id", "origin"].filter((member) => !hasMember(file, member));
  // Objects stay objects.
  return merge(file, extras.length > 0 ? removeMembers(model, new Set(extras)) : model, "") as SourceObject;
}

function merge(file: unknown, model: unknown, member: string): unknown {
  if (Array.isArray(file) && Array.isArray(model)) return mergeLists(file, model, member);
  if (isObject(file) && isObject(model)) return member === "properties" ? model : mergeObjects(file, model);
  return model;
}

function mergeObjects(file: SourceObject, model: SourceObject): SourceObject {
  const fileNames = Object.keys(file).filter((name) => name in model || isEmpty(file[name]) || DATA.has(name));
  const modelNames = Object.keys(model).filter((name) => name in file || !isEmpty(model[name]));
  const names = insertMember(fileNames, modelNames);
  const isFiles = (name: string): boolean => !(name in model) || (DATA.has(name) && name in file);
  return Object.fromEntries(
    names.map((name) => [name, isFiles(name) ? file[name] : merge(file[name], model[name], name)]),
  );
}

function mergeLists(file: readonly unknown[], model: readonly unknown[], member: string): readonly unknown[] {
  const pairs = matchItems(file, model);
  const all = model.map((one) => (pairs.has(one) ? merge(pairs.get(one), one, "") : one));
  if (!UNORDERED.has(member)) return all;
  const byMatch = new Map(model.flatMap((one, i) => (pairs.has(one) ? [[pairs.get(one), all[i]] as const] : [])));
  const items = file.flatMap((one) => (byMatch.has(one) ? [byMatch.get(one)] : []));
  return isInOrder(items, all) ? insertMember(items, all) : [...new Set([...items, ...all])];
}

function insertMember<T>(items: readonly T[], all: readonly T[]): readonly T[] {
  const result = [...items];
  const lookup = new Set(items);
  all.forEach((one, i) => {
    if (lookup.has(one)) return;
    const before = i > 0 ? result.indexOf(all[i - 1] as T) : -1;
    result.splice(before + 1, 0, one);
  });
  return result;
}

function isInOrder<T>(items: readonly T[], all: readonly T[]): boolean {
  const indexes = items.map((one) => all.indexOf(one));
  return indexes.every((index, i) => i === 0 || index > (indexes[i - 1] ?? 0));
}

/** Matches items of the file's list to items of the model's list: by id, then by key or name; texts by value. */
export function matchItems(file: readonly unknown[], model: readonly unknown[]): ReadonlyMap<unknown, unknown> {
  const pairs = new Map<unknown, unknown>();
  const free = new Set(file);
  for (const toName of [getId, getKeyOrName]) {
    const index = new Map([...free].flatMap((one) => (toName(one) === undefined ? [] : [[toName(one), one] as const])));
    for (const one of model) {
      const match = pairs.has(one) ? undefined : index.get(toName(one));
      if (match === undefined || !free.delete(match)) continue;
      pairs.set(one, match);
    }
  }
  return pairs;
}

const getId = (one: unknown): unknown => (isObject(one) ? one.id : undefined);
const getKeyOrName = (one: unknown): unknown => (isObject(one) ? (one.key ?? one.name) : one);

function isEmpty(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function hasMember(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.some((one) => hasMember(one, name));
  if (!isObject(value)) return false;
  return name in value || Object.values(value).some((one) => hasMember(one, name));
}

function removeMembers(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => removeMembers(one, names));
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !names.has(name));
  return Object.fromEntries(
    members.map(([name, one]) => [
      name,
      name === "properties" || name === "constraints" ? one : removeMembers(one, names),
    ]),
  );
}

interface TreeNode {
  readonly value: unknown;
  readonly text: string;
  readonly members: ReadonlyMap<unknown, TreeNode>;
  readonly items: readonly TreeNode[];
}

/** Formats an object as JSON text; unchanged values keep the form they have in the old text. */
export async function formatJsonLike(old: string, object: SourceObject): Promise<string> {
  const [, indent = "  "] = /^\s*\{\s*\n([ \t]+)/.exec(old) ?? [];
  const end = /\n\s*$/.test(old) ? "\n" : "";
  const oldTree = await parseTree(old);
  const text = `${oldTree ? formatJsonText(object, oldTree, "", indent) : ""}${end}`;
  const isSame = oldTree !== undefined && isDeepStrictEqual(JSON.parse(text), object);
  return isSame ? text : `${JSON.stringify(object, undefined, indent)}${end}`;
}

async function parseTree(old: string): Promise<TreeNode | undefined> {
  if (old.length > LIMITS.yamlBytes) return undefined;
  const document = parseDocument(old, { logLevel: "error" });
  if (document.errors.length > 0) return undefined;
  const read = (node: unknown): TreeNode => {
    const [start = 0, stop = 0] = (isNode(node) && node.range) || [];
    const text = old.slice(start, stop);
    const pairs = isMap(node) ? node.items : [];
    const members = new Map(pairs.map(({ key, value }) => [isScalar(key) ? key.value : key, read(value)]));
    const items = isSeq(node) ? node.items.map(read) : [];
    return { value: isNode(node) ? node.toJS(document) : node, text, members, items };
  };
  return read(document.contents);
}

function formatJsonText(value: unknown, old: TreeNode | undefined, at: string, indent: string, sample = old) {
  if (old && JSON.stringify(old.value) === JSON.stringify(value)) return old.text;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const margin = at + indent;
  const parts = Array.isArray(value)
    ? formatItems(value, old, margin, indent)
    : formatMembers(value, old, margin, indent);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return `${open}${close}`;
  if (sample && sample.text.length > 2 && !sample.text.includes("\n")) {
    const pad = /^.\s/.test(sample.text) ? " " : "";
    return `${open}${pad}${parts.join(", ")}${pad}${close}`;
  }
  return `${open}\n${parts.map((part) => `${margin}${part}`).join(",\n")}\n${at}${close}`;
}

function formatItems(
  value: readonly unknown[],
  old: TreeNode | undefined,
  at: string,
  indent: string,
): readonly string[] {
  const { items = [] } = old ?? {};
  const byValue = new Map(items.map((item) => [item.value, item]));
  const pairs = matchItems([...byValue.keys()], value);
  return value.map((one) =>
    formatJsonText(one, byValue.get(pairs.get(one)), at, indent, byValue.get(pairs.get(one)) ?? items[0]),
  );
}

function formatMembers(value: object, old: TreeNode | undefined, at: string, indent: string): readonly string[] {
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return members.map(
    ([name, one]) => `${JSON.stringify(name)}: ${formatJsonText(one, old?.members.get(name), at, indent)}`,
  );
}
