import type { ModelDocument } from "../document/document.ts";
import { type GlobalTagIds, readStateObjects } from "../document/read-document.ts";
import { type Change, createChange, deleteChange, updateChanges } from "../model/changes.ts";
import { compareByOrder, computeOrders, listObjects, type ModelContent } from "../model/content.ts";
import type { AnyObject, Attribute, BusinessKey, Relationship } from "../model/objects.ts";
import { isSameValue } from "../text/json-values.ts";

/** Ledger of a model, as far as new states of the model need it. */
interface ModelLedger {
  takeNextOrder(): number;
  /** Finds a business key of a deleted entity with this key, which counts as free. */
  findOrphan(kind: "business_key", key: string): Promise<BusinessKey | undefined>;
}

/** Computes the changes of a model to the state `target`. */
export async function computeChanges(
  content: ModelContent,
  current: ModelDocument,
  target: ModelDocument,
  globalTags: GlobalTagIds,
  ledger: ModelLedger,
): Promise<readonly Change[]> {
  const records = new Map(listObjects(content).map((object) => [object.id, object]));
  const before = indexById(readStateObjects(current, globalTags));
  const after = readStateObjects(target, globalTags);
  const orders = assignOrders(content, after, () => ledger.takeNextOrder());
  const changes: Change[] = [];
  for (const object of after) {
    const record = records.get(object.id);
    const base = before.get(object.id);
    const result = object.kind === "attribute" ? { ...object, order: orders.get(object.id) ?? object.order } : object;
    if (record && base) changes.push(...createUpdate(record, base, result, await findOrphan(result, record, ledger)));
    else changes.push(createChange(result, await findOrphan(result, undefined, ledger)));
  }
  const objectsById = indexById(after);
  for (const object of records.values()) if (!objectsById.has(object.id)) changes.push(deleteChange(object, false));
  return changes;
}

function indexById(objects: readonly AnyObject[]): ReadonlyMap<string, AnyObject> {
  return new Map(objects.map((object) => [object.id, object]));
}

async function findOrphan(
  object: AnyObject,
  record: AnyObject | undefined,
  ledger: ModelLedger,
): Promise<BusinessKey | undefined> {
  if (object.kind !== "business_key" || record?.key === object.key) return undefined;
  return ledger.findOrphan("business_key", object.key);
}

type Fields = Readonly<Record<string, unknown>>;

function createUpdate(
  record: AnyObject,
  before: AnyObject,
  after: AnyObject,
  orphan: AnyObject | undefined,
): readonly Change[] {
  const oldFields: Fields = { ...keepRoleOrder(before, record) };
  const newFields: Fields = { ...keepRoleOrder(after, record) };
  const names = new Set([...Object.keys(oldFields), ...Object.keys(newFields)]);
  for (const internal of ["kind", "id", "revision", "owner", "order"]) names.delete(internal);
  const members = [...names].filter((name) => !isSameValue(oldFields[name], newFields[name]));
  const fields: Record<string, unknown> = Object.fromEntries(members.map((name) => [name, newFields[name]]));
  if (after.kind === "attribute") fields.order = after.order;
  return updateChanges<AnyObject>(record, fields, orphan);
}

/** Sorts the roles and key pairs of a relationship like the stored one; new roles come last. */
function keepRoleOrder(object: AnyObject, record: AnyObject): AnyObject {
  if (object.kind !== "relationship" || record.kind !== "relationship") return object;
  const indexes = new Map(record.roles.map(({ id }, i) => [id, i]));
  const getPosition = ({ id }: Relationship["roles"][number]) => indexes.get(id) ?? indexes.size;
  const roles = object.roles.toSorted((a, b) => getPosition(a) - getPosition(b));
  if (!object.keyPairs) return { ...object, roles };
  const from = roles.map((role) => object.roles.indexOf(role));
  const keyPairs = object.keyPairs.map((pair) => from.map((i) => pair[i] ?? "") as unknown as typeof pair);
  return { ...object, roles, keyPairs };
}

/** Assigns positions: keeps existing ones; created and moved attributes get new ones. */
function assignOrders(
  { attributes }: ModelContent,
  after: readonly AnyObject[],
  nextOrder: () => number,
): ReadonlyMap<string, number> {
  const byOwner = Map.groupBy(
    after.filter((object) => object.kind === "attribute"),
    ({ owner }) => owner,
  );
  const orders = new Map<string, number>();
  for (const [owner, targets] of byOwner) {
    const byId = new Map((attributes.get(owner) ?? []).map((one) => [one.id, one]));
    const members = targets.flatMap(({ id }) => byId.get(id) ?? []).sort(compareByOrder);
    const additions = targets.flatMap((one) => (byId.has(one.id) ? [] : [{ ...one, order: nextOrder() }]));
    for (const { id, order } of applyMoves([...members, ...additions], targets, nextOrder)) orders.set(id, order);
  }
  return orders;
}

function applyMoves(
  attributes: readonly Attribute[],
  targets: readonly Attribute[],
  nextOrder: () => number,
): readonly Attribute[] {
  let list = attributes;
  const listIds = (all: readonly Attribute[]) => all.map(({ id }) => id);
  for (const move of findMoves(listIds(attributes), listIds(targets))) {
    const item = list.find(({ id }) => id === move.item);
    if (!item) continue;
    const others = list.filter((one) => one !== item);
    const neighbour = "after" in move ? move.after : move.before;
    const index = others.findIndex(({ id }) => id === neighbour) + ("after" in move ? 1 : 0);
    const orders = computeOrders(item, others, index, nextOrder);
    list = [...others.slice(0, index), item, ...others.slice(index)].map((one) => {
      const order = orders.get(one);
      return order === undefined ? one : { ...one, order };
    });
  }
  return list;
}

type Move<T> = { readonly item: T } & ({ readonly after: T } | { readonly before: T });

/** Returns the minimal moves, in order of execution, that sort a list like another one. */
export function findMoves<T>(current: readonly T[], targets: readonly T[]): readonly Move<T>[] {
  const indexes = new Map(current.map((item, i) => [item, i]));
  const stay = findLongestIncreasingRun(targets.map((item) => indexes.get(item) ?? 0));
  const moves: Move<T>[] = [];
  for (const [i, item] of targets.entries()) {
    if (stay.has(i)) continue;
    const after = targets[i - 1];
    if (after !== undefined) moves.push({ item, after });
    else {
      const first = targets.find((_, at) => stay.has(at));
      if (first !== undefined) moves.push({ item, before: first });
    }
  }
  return moves;
}

function findLongestIncreasingRun(numbers: readonly number[]): ReadonlySet<number> {
  const ends: number[] = [];
  const before = numbers.map((number, i) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    ends[low] = i;
    return ends[low - 1];
  });
  const run = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before[at]) run.add(at);
  return run;
}
