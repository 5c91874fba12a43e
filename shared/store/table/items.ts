import type { DeletedModel, Summary } from "../../actions/contract/store.ts";
import { KINDS, type KindName } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { AnyObject, Model } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { countItemBytes } from "./dynamo-rules.ts";
import {
  deletedModelKey,
  hasIdItem,
  type ItemKey,
  idsPartition,
  objectSortKey,
  objectsPartition,
  summaryKey,
} from "./keys.ts";
import { FORMAT, type Item } from "./table.ts";
import { TABLE } from "./table-schema.ts";

/** Partition of a model's objects: its id and a generation. */
export interface Partition {
  readonly model: string;
  readonly generation: string;
}

/** Returns the item of an object after `revision`. */
export function toObjectItem(partition: Partition, object: AnyObject, revision: number): Item {
  // The sort key contains the kind.
  const { kind: _, ...fields } = object;
  return {
    pk: objectsPartition(partition.model, partition.generation),
    sk: objectSortKey(object),
    v: FORMAT,
    ...fields,
    revision,
  };
}

/** Returns the object of an item. Values equal to those of `template` share memory. */
export function toObject(item: Item, template?: AnyObject): AnyObject {
  const values = template as Readonly<Record<string, unknown>> | undefined;
  // Objects built member by member take less memory than spread ones.
  const object: Record<string, unknown> = { kind: parseKind(item.sk) };
  for (const name in item) {
    if (name === "pk" || name === "sk" || name === "v") continue;
    object[name] = item[name] === values?.[name] ? values?.[name] : item[name];
  }
  // Written by `toObjectItem`, so the fields belong to the kind in the sort key.
  return object as unknown as AnyObject;
}

/** Returns the kind in a sort key. */
export function parseKind(sk: string): KindName {
  const hash = sk.indexOf("#");
  const kind = (hash < 0 ? sk : sk.slice(0, hash)) as KindName;
  // All objects of a kind share one string.
  return KINDS[kind]?.name ?? kind;
}

/** Returns the key of an object from its sort key; "" for the model, whose sort key has none. */
export function parseObjectKey(sk: string): string {
  const kind = parseKind(sk);
  if (kind === "model") return "";
  const rest = sk.slice(kind.length + 1);
  // The key of an owned object follows the id of its owner.
  return KINDS[kind].owned ? rest.slice(rest.indexOf("#") + 1) : rest;
}

export function toObjectKey(partition: Partition, object: AnyObject): ItemKey {
  return { pk: objectsPartition(partition.model, partition.generation), sk: objectSortKey(object) };
}

/** Returns the item that maps an object's id to its sort key; undefined for kinds without one. */
export function toIdItem(partition: Partition, object: AnyObject, revision: number): Item | undefined {
  if (!hasIdItem(object.kind)) return undefined;
  return { ...toIdKey(partition, object.id), v: FORMAT, at: objectSortKey(object), revision };
}

export function toIdKey(partition: Partition, id: string): ItemKey {
  return { pk: idsPartition(partition.model, partition.generation), sk: id };
}

/** Returns the row of a model in the list of models. */
export function toSummaryItem(model: Model, revision: number): Item {
  const { id, name, version, authority } = model;
  return { ...summaryKey(model.key), v: FORMAT, id, name, version, authority, revision };
}

/** Seconds for which the row at a former key is kept. It is needed for some seconds only. */
const MOVED_KEPT = 86_400;

/** Returns the row at a former key, for lists read during a rename. `now` is in milliseconds since the epoch. */
export function toMovedItem(key: string, id: string, revision: number, now: number): Item {
  const expiresAt = Math.floor(now / 1000) + MOVED_KEPT;
  return { ...summaryKey(key), v: FORMAT, id, moved: 1, movedAt: now, revision, [TABLE.timeToLive]: expiresAt };
}

/** Expectation for a new row in the list of models: no row, or one of a former key. */
export const NO_SUMMARY = { absentOrEqual: { moved: 1 } } as const;

/** Returns true for the row of a former key. */
export function isMoved(item: Item): boolean {
  return item.moved === 1;
}

/** Returns the row of a model in the list of deleted models. `time` and `revision` are those of its deletion. */
export function toDeletedItem({ id, ...row }: DeletedModel): Item {
  return { ...deletedModelKey(id), v: FORMAT, ...row };
}

export function toDeletedModel(item: Item): DeletedModel {
  // Written by `toDeletedItem`.
  const { pk: _pk, sk: id, v: _v, ...row } = item as unknown as Item & Omit<DeletedModel, "id">;
  return { id, ...row };
}

export function toSummary(item: Item): Summary {
  // Written by `toSummaryItem`.
  const { id, name, version, authority } = item as unknown as Omit<Summary, "key">;
  return { id, key: item.sk, name, version, authority };
}

/** Throws `too_large` for an object that does not fit into one item. */
export function checkObjectSize(item: Item): void {
  if (countItemBytes(item) <= LIMITS.objectBytes) return;
  throw new Problem("too_large", `an object may hold at most ${LIMITS.objectBytes} bytes; shorten its texts`);
}
