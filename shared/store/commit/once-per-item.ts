import { isMoved } from "../table/items.ts";
import type { ItemKey } from "../table/keys.ts";
import type { Write } from "../table/table.ts";
import type { GuardedWrite } from "./writes.ts";

/**
 * The writes with at most one per item, because DynamoDB refuses two in a transaction. Where one object leaves a key
 * and another comes to it, the arriving object is written over the item that was read there.
 */
export function oncePerItem(writes: readonly GuardedWrite[]): readonly GuardedWrite[] {
  const byItem = new Map<string, GuardedWrite>();
  for (const one of writes) {
    const name = nameOf(one.write);
    const other = byItem.get(name);
    byItem.set(name, other ? joined(other, one) : one);
  }
  return [...byItem.values()];
}

function joined(a: GuardedWrite, b: GuardedWrite): GuardedWrite {
  if ("check" in a.write) return b;
  if ("check" in b.write) return a;
  const [coming, leaving] = leaves(a.write) ? [b, a] : [a, b];
  if (!leaves(leaving.write)) throw new Error(`${nameOf(a.write)} is written twice`);
  if (leaves(coming.write)) return "anything" in coming.write.expect ? leaving : coming;
  // The item read there has to be there still, unless the arriving object expects that item itself.
  const expect = "equal" in coming.write.expect ? coming.write.expect : leaving.write.expect;
  return { write: { ...coming.write, expect } };
}

/** True for a write after which an object or a model is no longer at a key. */
function leaves(write: Write): boolean {
  return "delete" in write || ("put" in write && isMoved(write.put));
}

function nameOf(write: Write): string {
  const { pk, sk }: ItemKey = "put" in write ? write.put : "delete" in write ? write.delete : write.check;
  return `${pk}\n${sk}`;
}
