import type { Summary } from "../../actions/contract/store.ts";
import { KINDS, type KindName } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { AnyObject, Model } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { countItemBytes } from "./dynamo-rules.ts";
import { hasIdItem, type ItemKey, idsPartition, objectSortKey, objectsPartition, summaryKey } from "./keys.ts";
import { FORMAT, type Item } from "./table.ts";
import { TABLE } from "./table-schema.ts";

/** The partition of one model's objects: its id and the generation that is published or being written. */
export interface Partition {
  readonly model: string;
  readonly generation: string;
}

/** The item of an object as it is after revision `revision`. */
export function toObjectItem(partition: Partition, object: AnyObject, revision: number): Item {
  // The sort key tells the kind.
  const { kind: _, ...fields } = object;
  return {
    pk: objectsPartition(partition.model, partition.generation),
    sk: objectSortKey(object),
    v: FORMAT,
    ...fields,
    revision,
  };
}

/** The object an item holds; a value equal to that of `like`, such as the owner, is in memory once. */
export function toObject(item: Item, like?: AnyObject): AnyObject {
  const known = like as Readonly<Record<string, unknown>> | undefined;
  // Objects that are filled one by one take less memory than those of a spread.
  const object: Record<string, unknown> = { kind: parseKind(item.sk) };
  for (const name in item) {
    if (name === "pk" || name === "sk" || name === "v") continue;
    object[name] = item[name] === known?.[name] ? known?.[name] : item[name];
  }
  // Written by `objectItem`, so the fields are those of the kind the sort key tells.
  return object as unknown as AnyObject;
}

/** The kind a sort key belongs to. */
export function parseKind(sk: string): KindName {
  const hash = sk.indexOf("#");
  const kind = (hash < 0 ? sk : sk.slice(0, hash)) as KindName;
  // One name for all objects of the kind.
  return KINDS[kind]?.name ?? kind;
}

/** The caller's key in a sort key; "" for the model, whose sort key has none. */
export function parseObjectKey(sk: string): string {
  const kind = parseKind(sk);
  if (kind === "model") return "";
  const rest = sk.slice(kind.length + 1);
  // An owned key stands behind its owner's id.
  return KINDS[kind].owned ? rest.slice(rest.indexOf("#") + 1) : rest;
}

export function toObjectKey(partition: Partition, object: AnyObject): ItemKey {
  return { pk: objectsPartition(partition.model, partition.generation), sk: objectSortKey(object) };
}

/** The item that leads from an object's id to its sort key; undefined for kinds that need none. */
export function toIdItem(partition: Partition, object: AnyObject, revision: number): Item | undefined {
  if (!hasIdItem(object.kind)) return undefined;
  return { ...toIdKey(partition, object.id), v: FORMAT, at: objectSortKey(object), revision };
}

export function toIdKey(partition: Partition, id: string): ItemKey {
  return { pk: idsPartition(partition.model, partition.generation), sk: id };
}

/** The row of a model in the list of models. */
export function toSummaryItem(model: Model, revision: number): Item {
  const { id, name, version, authority } = model;
  return { ...summaryKey(model.key), v: FORMAT, id, name, version, authority, revision };
}

/** Seconds for which the row of a model's former key is kept; after some seconds nobody needs it. */
const MOVED_KEPT = 86_400;

/**
 * The row that stays at a model's former key: whoever lists models while a rename becomes visible sees the model here
 * or under its new key, and never nowhere. Other readers take it for absent. `now` in milliseconds since the epoch.
 */
export function toMovedItem(key: string, id: string, revision: number, now: number): Item {
  const expiresAt = Math.floor(now / 1000) + MOVED_KEPT;
  return { ...summaryKey(key), v: FORMAT, id, moved: 1, movedAt: now, revision, [TABLE.timeToLive]: expiresAt };
}

/** The expectation under which a model's row may be put into the list: no row, or that of a former key. */
export const NO_SUMMARY = { absentOrEqual: { moved: 1 } } as const;

/** True for the row of a former key. */
export function isMoved(item: Item): boolean {
  return item.moved === 1;
}

export function toSummary(item: Item): Summary {
  // Written by `summaryItem`.
  const { id, name, version, authority } = item as unknown as Omit<Summary, "key">;
  return { id, key: item.sk, name, version, authority };
}

/** `too_large` for an object that would not fit one item. */
export function checkObjectSize(item: Item): void {
  if (countItemBytes(item) <= LIMITS.objectBytes) return;
  throw new Problem("too_large", `an object may hold at most ${LIMITS.objectBytes} bytes; shorten its texts`);
}
