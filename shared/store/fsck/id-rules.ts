import type { KindName } from "../../domain/kind-names.ts";
import type { SweepNote } from "../log/sweep-notes.ts";
import { idItem, idKey, kindOfSortKey } from "../table/items.ts";
import type { Item } from "../table/table.ts";
import { byLog, type ExpectedState, type ItemRule } from "./expected-state.ts";
import { type Finding, putRight, remove } from "./finding.ts";

/** The rule for one id of a live model: it has to lead where the log says that its object is. */
export function idRule(expected: ExpectedState, id: string, notes: readonly SweepNote[]): ItemRule {
  const place = { model: expected.model, generation: expected.head.generation };
  return { key: idKey(place, id), judge: (item) => judgeId(expected, id, item, notes) };
}

/** Kinds that go with an owner and have an id of their own to look them up by. */
const OWNED = new Set<KindName>(["business_key", "global_tag"]);

/** True for the id of an object whose owner may have been removed, while a sweep of that owner's objects is due. */
function isLeftToSweep({ removed, head }: ExpectedState, { at, sk }: Item, notes: readonly SweepNote[]): boolean {
  // A removed object's own id was deleted with it.
  if (removed.has(sk) || !OWNED.has(kindOfSortKey(String(at)))) return false;
  return (
    removed.size > 0 || notes.some(({ owner, generation }) => owner !== undefined && generation === head.generation)
  );
}

function judgeId(expected: ExpectedState, id: string, item: Item | undefined, notes: readonly SweepNote[]): Finding[] {
  const within = { model: expected.model, generation: expected.head.generation };
  const place = idKey(within, id);
  const object = expected.byId.get(id);
  const wanted = object && idItem(within, object, object.revision);
  if (!wanted) {
    if (!item || isLeftToSweep(expected, item, notes)) return [];
    const sentence = `the id ${id} leads to ${item.at}, but by the log there is no such object`;
    return [{ code: "id-unexpected", place, sentence, mend: byLog(expected, "It is deleted.", remove(item)) }];
  }
  const at = wanted.at;
  const mend = byLog(expected, "It is written as the log gives it.", putRight(item, wanted));
  if (!item) return [{ code: "id-missing", place, sentence: `no id leads to ${at}; its object has ${id}`, mend }];
  if (item.at === at) return [];
  return [{ code: "id-differs", place, sentence: `the id ${id} leads to ${item.at}; its object is at ${at}`, mend }];
}
