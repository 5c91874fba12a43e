import {
  type AnyObject,
  type Attribute,
  type BusinessKey,
  type Entity,
  type GlobalTag,
  getOwnerId,
  type Model,
  type Relationship,
  type Tag,
  type TagGroup,
  type Type,
} from "./objects.ts";

/** All objects of one model at one revision, without objects of deleted owners. */
export interface ModelContent {
  readonly model: Model;
  readonly types: readonly Type[];
  readonly entities: readonly Entity[];
  readonly relationships: readonly Relationship[];
  readonly businessKeys: readonly BusinessKey[];
  readonly tags: readonly Tag[];
  readonly attributes: ReadonlyMap<string, readonly Attribute[]>;
}

export interface GroupedTag {
  readonly group: TagGroup;
  readonly tag: GlobalTag;
}

export type GlobalTags = ReadonlyMap<string, GroupedTag>;

/** Returns all objects of a model, the model first, otherwise in no particular order. */
export function listObjects(content: ModelContent): AnyObject[] {
  const { model, types, entities, relationships, businessKeys, tags, attributes } = content;
  return [model, ...types, ...entities, ...relationships, ...businessKeys, ...tags, ...[...attributes.values()].flat()];
}

/** Returns the objects whose owner exists. */
export function removeOrphans(objects: Iterable<AnyObject>): AnyObject[] {
  const all = [...objects];
  const ids = new Set(all.map((object) => object.id));
  return all.filter((object) => {
    const owner = getOwnerId(object);
    return owner === undefined || ids.has(owner);
  });
}

/** Groups objects by kind into a model's content, without objects of deleted owners. */
export function toModelContent(objects: Iterable<AnyObject>): ModelContent | undefined {
  const alive = removeOrphans(objects);
  const listKind = <N extends AnyObject["kind"]>(kind: N) =>
    // The filter returns objects of that kind only.
    (alive.filter((object) => object.kind === kind) as Extract<AnyObject, { kind: N }>[]).sort(compareByKey);
  const [model] = listKind("model");
  if (!model) return undefined;
  const [entities, relationships] = [listKind("entity"), listKind("relationship")];
  const attributes = new Map<string, Attribute[]>([...entities, ...relationships].map(({ id }) => [id, []]));
  for (const one of listKind("attribute")) attributes.get(one.owner)?.push(one);
  for (const list of attributes.values()) list.sort((a, b) => a.order - b.order);
  return {
    model,
    types: listKind("type"),
    entities,
    relationships,
    businessKeys: listKind("business_key"),
    tags: listKind("tag"),
    attributes,
  };
}

/** Indexes the global tags of the tags ledger by id, with their groups. */
export function indexGlobalTags(objects: Iterable<AnyObject>): GlobalTags {
  const all = [...objects];
  const groups = new Map(all.flatMap((object) => (object.kind === "tag_group" ? [[object.id, object] as const] : [])));
  const tags = new Map<string, GroupedTag>();
  for (const tag of all) {
    const group = tag.kind === "global_tag" ? groups.get(tag.owner) : undefined;
    if (tag.kind === "global_tag" && group) tags.set(tag.id, { group, tag });
  }
  return tags;
}

/** Compares by key like DynamoDB: by bytes, which for keys is by code unit. */
export function compareByKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

/** Returns `{ [member]: value }`, or an empty object if the value is undefined. */
export function includeMember<M extends string, V>(member: M, value: V | undefined): { [K in M]?: V } {
  // The computed member name is M.
  return value === undefined ? {} : ({ [member]: value } as { [K in M]: V });
}

type PresentMembers<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns the members of an object that have a value, in their order. */
export function omitUndefined<T extends object>(members: T): PresentMembers<T> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  // Only members whose types include undefined are missing.
  return Object.fromEntries(present) as PresentMembers<T>;
}

/** Distance between positions at the start of a list. */
const STEP = 2 ** 20;

/** Compares attributes of one owner by declared position, then by key. */
export function compareByOrder(a: Attribute, b: Attribute): number {
  return a.order - b.order || compareByKey(a, b);
}

/** Computes the positions that move an attribute to an index: its own, and its neighbours' if no number is free. */
export function computeOrders(
  item: Attribute,
  others: readonly Attribute[],
  index: number,
  nextOrder: () => number,
): ReadonlyMap<Attribute, number> {
  for (let reach = 0; ; reach = reach === 0 ? 1 : 2 * reach) {
    const from = Math.max(0, index - reach);
    const to = Math.min(others.length, index + reach);
    const spread = [...others.slice(from, index), item, ...others.slice(index, to)];
    const orders = spreadOrders(others[from - 1]?.order, others[to]?.order, spread.length, nextOrder);
    if (orders) return new Map(spread.map((one, i) => [one, orders[i] ?? 0]));
  }
}

function spreadOrders(
  low: number | undefined,
  high: number | undefined,
  count: number,
  nextOrder: () => number,
): readonly number[] | undefined {
  const steps = Array.from({ length: count }, (_, i) => i + 1);
  if (high === undefined) return steps.map(nextOrder);
  if (low === undefined) return steps.map((i) => high - STEP * (count + 1 - i));
  const orders = steps.map((i) => low + ((high - low) * i) / (count + 1));
  const numbers = [low, ...orders, high];
  return numbers.every((one, i) => i === 0 || one > (numbers[i - 1] ?? one)) ? orders : undefined;
}
