import type { ModelDocument } from "../document/document.ts";
import { type GlobalTagIds, readStateObjects } from "../document/read-document.ts";
import { type Change, createChange, deleteChange, updateChanges } from "../model/changes.ts";
import { compareByOrder, computeOrders, listObjects, type ModelContent } from "../model/content.ts";
import type { AnyObject, Attribute, BusinessKey, Relationship } from "../model/objects.ts";
import { isSameValue } from "../text/json-values.ts";

/** What the changes from one state of a model to another need beside the two. */
export interface ChangeContext {
  /** The ids of all global tags that either state links to. */
  readonly globalTags: GlobalTagIds;
  /** The place in order of the next attribute that is made. */
  readonly nextOrder: () => number;
  /** The business key that a removed entity left at a key, which counts as free. */
  readonly orphanAt: (key: string) => Promise<BusinessKey | undefined>;
}

/**
 * The changes that make a model, whose document is `current`, what `target` says. Objects keep what the two documents have in
 * common as it is stored: links to tags that are gone, and the order of roles.
 */
export async function computeChanges(
  content: ModelContent,
  current: ModelDocument,
  target: ModelDocument,
  terms: ChangeContext,
): Promise<readonly Change[]> {
  const stored = new Map(listObjects(content).map((object) => [object.id, object]));
  const before = indexById(readStateObjects(current, terms.globalTags));
  const after = readStateObjects(target, terms.globalTags);
  const orders = assignOrders(content, after, terms.nextOrder);
  const changes: Change[] = [];
  for (const object of after) {
    const known = stored.get(object.id);
    const was = before.get(object.id);
    const made = setOrder(object, orders);
    if (known && was) changes.push(...createUpdate(known, was, made, await findOrphan(made, known, terms)));
    else changes.push(createChange(made, await findOrphan(made, undefined, terms)));
  }
  const kept = indexById(after);
  for (const object of stored.values()) if (!kept.has(object.id)) changes.push(deleteChange(object, false));
  return changes;
}

function indexById(objects: readonly AnyObject[]): ReadonlyMap<string, AnyObject> {
  return new Map(objects.map((object) => [object.id, object]));
}

/** The object that a removed owner left at the key to which a business key comes. */
async function findOrphan(
  object: AnyObject,
  known: AnyObject | undefined,
  { orphanAt }: ChangeContext,
): Promise<BusinessKey | undefined> {
  if (object.kind !== "business_key" || known?.key === object.key) return undefined;
  return orphanAt(object.key);
}

type Fields = Readonly<Record<string, unknown>>;

/** The update that sets the members in which two documents show an object differently. */
function createUpdate(
  stored: AnyObject,
  before: AnyObject,
  after: AnyObject,
  orphan: AnyObject | undefined,
): readonly Change[] {
  const was: Fields = { ...keepRoleOrder(before, stored) };
  const is: Fields = { ...keepRoleOrder(after, stored) };
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  for (const internal of ["kind", "id", "revision", "owner", "order"]) names.delete(internal);
  const changed = [...names].filter((name) => !isSameValue(was[name], is[name]));
  const fields: Record<string, unknown> = Object.fromEntries(changed.map((name) => [name, is[name]]));
  if (after.kind === "attribute") fields.order = after.order;
  return updateChanges<AnyObject>(stored, fields, orphan);
}

/** A relationship with its roles, and the sides of its key pairs, in the order in which the stored one has them; new ones at the end. */
function keepRoleOrder(object: AnyObject, stored: AnyObject): AnyObject {
  if (object.kind !== "relationship" || stored.kind !== "relationship") return object;
  const places = new Map(stored.roles.map(({ id }, i) => [id, i]));
  const placeOf = ({ id }: Relationship["roles"][number]): number => places.get(id) ?? places.size;
  const roles = object.roles.toSorted((a, b) => placeOf(a) - placeOf(b));
  if (!object.keyPairs) return { ...object, roles };
  const from = roles.map((role) => object.roles.indexOf(role));
  const keyPairs = object.keyPairs.map((pair) => from.map((i) => pair[i] ?? "") as unknown as typeof pair);
  return { ...object, roles, keyPairs };
}

/** The places in order of attributes: those that they have as far as they stand so, new ones for those that are made or moved. */
function assignOrders(
  { attributes: stored }: ModelContent,
  after: readonly AnyObject[],
  nextOrder: () => number,
): ReadonlyMap<string, number> {
  const byOwner = Map.groupBy(
    after.filter((object) => object.kind === "attribute"),
    ({ owner }) => owner,
  );
  const orders = new Map<string, number>();
  for (const [owner, wanted] of byOwner) {
    const known = new Map((stored.get(owner) ?? []).map((one) => [one.id, one]));
    const there = wanted.flatMap(({ id }) => known.get(id) ?? []).sort(compareByOrder);
    const made = wanted.flatMap((one) => (known.has(one.id) ? [] : [{ ...one, order: nextOrder() }]));
    for (const { id, order } of applyMoves([...there, ...made], wanted, nextOrder)) orders.set(id, order);
  }
  return orders;
}

/** Attributes with the orders that sort them as others are sorted, made by one move after the other. */
function applyMoves(
  attributes: readonly Attribute[],
  wanted: readonly Attribute[],
  nextOrder: () => number,
): readonly Attribute[] {
  let list = attributes;
  const ids = (all: readonly Attribute[]) => all.map(({ id }) => id);
  for (const move of findMoves(ids(attributes), ids(wanted))) {
    const moved = list.find(({ id }) => id === move.item);
    if (!moved) continue;
    const others = list.filter((one) => one !== moved);
    const neighbour = "after" in move ? move.after : move.before;
    const place = others.findIndex(({ id }) => id === neighbour) + ("after" in move ? 1 : 0);
    const orders = computeOrders(moved, others, place, nextOrder);
    list = [...others.slice(0, place), moved, ...others.slice(place)].map((one) => {
      const order = orders.get(one);
      return order === undefined ? one : { ...one, order };
    });
  }
  return list;
}

function setOrder(object: AnyObject, orders: ReadonlyMap<string, number>): AnyObject {
  return object.kind === "attribute" ? { ...object, order: orders.get(object.id) ?? object.order } : object;
}

/** One item that is put at another place of its list: behind `after`, or before `before` where it comes first. */
type Move<T> = { readonly item: T } & ({ readonly after: T } | { readonly before: T });

/**
 * The fewest moves that bring a list into another order, to be made one after the other. Both lists have the same items,
 * each once.
 */
export function findMoves<T>(current: readonly T[], wanted: readonly T[]): readonly Move<T>[] {
  const places = new Map(current.map((item, i) => [item, i]));
  const stay = findLongestRisingRun(wanted.map((item) => places.get(item) ?? 0));
  const moves: Move<T>[] = [];
  for (const [i, item] of wanted.entries()) {
    if (stay.has(i)) continue;
    const after = wanted[i - 1];
    if (after !== undefined) moves.push({ item, after });
    else {
      const first = wanted.find((_, at) => stay.has(at));
      if (first !== undefined) moves.push({ item, before: first });
    }
  }
  return moves;
}

/** The indices of the longest rising run of numbers, with others between them. */
function findLongestRisingRun(numbers: readonly number[]): ReadonlySet<number> {
  /** The index of the lowest last number of a run of each length. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [i, number] of numbers.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    before[i] = ends[low - 1];
    ends[low] = i;
  }
  const run = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before[at]) run.add(at);
  return run;
}
