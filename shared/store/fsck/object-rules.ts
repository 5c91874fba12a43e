import { isDeepStrictEqual } from "node:util";
import { ownerOf } from "../../domain/objects.ts";
import type { SweepNote } from "../log/sweep-notes.ts";
import { objectItem, objectOf } from "../table/items.ts";
import { objectsPartition } from "../table/keys.ts";
import type { Item } from "../table/table.ts";
import { byLog, type ExpectedState, type ItemRule } from "./expected-state.ts";
import { type Finding, type FindingCode, putRight, remove } from "./finding.ts";

/** The rule for one object of a live model: the item has to be what the log gives. */
export function objectRule(expected: ExpectedState, sk: string, notes: readonly SweepNote[]): ItemRule {
  const key = { pk: objectsPartition(expected.model, expected.head.generation), sk };
  return { key, judge: (item) => judgeObject(expected, sk, item, notes) };
}

function judgeObject(
  expected: ExpectedState,
  sk: string,
  item: Item | undefined,
  notes: readonly SweepNote[],
): Finding[] {
  const place = { pk: objectsPartition(expected.model, expected.head.generation), sk };
  const found = (code: FindingCode, sentence: string, mend: Finding["mend"]): Finding[] => [
    { code, place, sentence, ...(mend && { mend }) },
  ];
  const object = expected.objects.get(sk);
  if (!object) {
    if (!item || isLeftToSweep(expected, item, notes)) return [];
    const owner = ownerOf(objectOf(item));
    const orphaned = owner !== undefined && !expected.byId.has(owner);
    return found(
      orphaned ? "object-orphaned" : "object-unexpected",
      orphaned
        ? `${sk} belonged to ${owner}, which is gone, and no sweep is noted for it`
        : `${sk} is stored at revision ${item.revision}, but by the log there is no such object`,
      byLog(expected, "It is deleted.", remove(item)),
    );
  }
  const wanted = objectItem({ model: expected.model, generation: expected.head.generation }, object, object.revision);
  const mend = byLog(expected, "It is written as the log gives it.", putRight(item, wanted));
  if (!item)
    return found("object-missing", `${sk} is not stored; the log made it at revision ${object.revision}`, mend);
  const fields = [...new Set([...Object.keys(item), ...Object.keys(wanted)])].filter(
    (name) => name !== "v" && !isDeepStrictEqual(item[name], wanted[name]),
  );
  if (fields.length === 0) return [];
  return found("object-differs", `${sk} and the log differ in ${fields.sort().join(", ")}`, mend);
}

/** True for an object of a removed owner while a sweep of it is due. */
function isLeftToSweep(expected: ExpectedState, item: Item, notes: readonly SweepNote[]): boolean {
  const owner = ownerOf(objectOf(item));
  if (owner === undefined || expected.byId.has(owner)) return false;
  if (expected.removed.has(owner)) return true;
  return notes.some((note) => note.owner === owner && note.generation === expected.head.generation);
}
