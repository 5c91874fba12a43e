import { isDeepStrictEqual } from "node:util";

export interface Condition {
  readonly type: string;
  readonly condition: string;
  readonly value?: string | readonly string[] | Readonly<Record<string, unknown>>;
}

/** Filters as callers write them. */
export interface Filters {
  readonly operator?: "and" | "or";
  readonly items?: readonly Condition[];
}

/** An exported object, looked into without types. */
// biome-ignore lint/suspicious/noExplicitAny: exports are read as callers read them
export type Exported = any;

/** A global tag as `tag_search` lists it. */
export interface ListedTag {
  readonly id: string;
  readonly key: string;
  readonly group: { readonly key: string };
}

interface Thing {
  readonly id: string;
  readonly path: readonly (readonly [kind: string, object: Exported])[];
  readonly texts: readonly string[];
  readonly tags: ReadonlySet<string>;
  readonly constraints: Readonly<Record<string, unknown>>;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The letters of the tests with what is left of them without accents and in lower case. */
const PLAIN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [..."éeÉeèeÈeàaÀaäaÄaöoÖoñnÑnçcÇcΣσςσΌοόοΟοΛλЙийиИиОоДд".matchAll(/(.)(.)/gu)].map(([, ...pair]) => pair),
  ),
  ...{ ß: "ss", ẞ: "ss", "\u0301": "", "\u0308": "" },
};

const plain = (text: string) =>
  [...text].map((c) => PLAIN[c] ?? (c >= "A" && c <= "Z" ? String.fromCharCode(c.charCodeAt(0) + 32) : c)).join("");

/** Finds the rows of a search by reading every object of every export: ids and locations, in order. */
export function scanned(models: readonly Exported[], globalTags: readonly ListedTag[], filters: Filters): Exported[] {
  const { operator = "and", items = [] } = filters;
  const ids = idsByRef(models, globalTags);
  return models
    .flatMap((model) => thingsIn(model, globalTags))
    .filter((thing) => {
      const results = items.map((condition) => holds(thing, condition, ids));
      return operator === "and" ? !results.includes(false) : results.includes(true);
    })
    .map(({ id, path }) => {
      const location: Record<string, string> = { objectType: path.at(-1)?.[0] ?? "" };
      for (const [kind, object] of path) {
        location[`${kind}Id`] = object.id;
        location[`${kind}Key`] = object.key;
        location[`${kind}Label`] = object.name ?? object.key;
      }
      const [model, ...parts] = path.map(([, object]) => object.key);
      return { id, location, path: [model, parts.join(".")].filter((keys) => keys !== "").join("/") };
    });
}

function idsByRef(models: readonly Exported[], globalTags: readonly ListedTag[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const { id, key, group } of globalTags) ids.set(`key:${group.key}/${key}`, id);
  for (const model of models) for (const { id, key } of model.localTags) ids.set(`key:model/${model.id}/${key}`, id);
  return ids;
}

function holds(thing: Thing, { type, condition, value }: Condition, ids: ReadonlyMap<string, string>): boolean {
  const { texts, constraints, properties } = thing;
  if (condition === "equals") {
    return Object.entries(value ?? {}).every(
      ([name, one]) => Object.hasOwn(properties, name) && isDeepStrictEqual(properties[name], one),
    );
  }
  const named: Readonly<Record<string, ReadonlySet<string>>> = {
    tags: thing.tags,
    constraints: new Set(Object.keys(constraints)),
    properties: new Set(Object.keys(properties)),
    format: new Set(typeof constraints.format === "string" ? [constraints.format] : []),
  };
  const has = named[type] ?? new Set();
  if (condition === "contains") {
    const needle = plain(String(value)).trim();
    return needle === "" || texts.some((text) => plain(text).includes(needle));
  }
  if (condition === "empty") return has.size === 0;
  if (condition === "notEmpty") return has.size > 0;
  const refs = Array.isArray(value) ? value : [];
  const marked = refs.filter((ref) => has.has(type === "tags" ? (ids.get(ref) ?? ref.slice("id:".length)) : ref));
  if (condition === "anyOf") return marked.length > 0;
  return condition === "allOf" ? marked.length === refs.length : marked.length === 0;
}

function thingsIn(model: Exported, globalTags: readonly ListedTag[]): readonly Thing[] {
  const tagId = (ref: string) =>
    model.localTags.find((tag: Exported) => `key:${tag.key}` === ref)?.id ??
    globalTags.find(({ group, key }) => `key:${group.key}/${key}` === ref)?.id;
  const things: Thing[] = [];
  const add = (...path: Thing["path"]) => {
    const [, object] = path.at(-1) ?? [];
    things.push({
      id: object.id,
      path,
      texts: [object.key, object.name ?? "", object.description ?? ""],
      tags: new Set((object.tags ?? []).map(tagId)),
      constraints: object.constraints ?? {},
      properties: object.properties ?? {},
    });
  };
  const root = ["model", model] as const;
  const byKey = (list: readonly Exported[]) => [...list].sort((a, b) => (a.key < b.key ? -1 : 1));
  add(root);
  for (const type of byKey(model.types)) add(root, ["type", type]);
  for (const entity of byKey(model.entities)) {
    add(root, ["entity", entity]);
    for (const attribute of entity.attributes) add(root, ["entity", entity], ["entityAttribute", attribute]);
  }
  for (const relationship of byKey(model.relationships)) {
    const owner = ["relationship", relationship] as const;
    add(root, owner);
    const roles = [...relationship.roles].sort((a: Exported, b: Exported) => (a.id < b.id ? -1 : 1));
    for (const role of roles) add(root, owner, ["relationshipRole", role]);
    for (const attribute of relationship.attributes) add(root, owner, ["relationshipAttribute", attribute]);
  }
  for (const businessKey of byKey(model.businessKeys)) {
    const entity = model.entities.find(({ key }: Exported) => `key:${key}` === businessKey.entity);
    add(root, ["entity", entity], ["businessKey", businessKey]);
  }
  for (const tag of byKey(model.localTags)) add(root, ["tag", tag]);
  return things;
}
