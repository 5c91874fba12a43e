import { idItem, idKey } from "../items.ts";
import type { Item } from "../seam.ts";
import { type Finding, putRight, remove } from "./finding.ts";
import { byLog, type Ground, type Place } from "./ground.ts";

/** The place of one id of a living model: it has to lead where the log says that its object is. */
export function idPlace(ground: Ground, id: string): Place {
  const place = { model: ground.model, generation: ground.head.generation };
  return { key: idKey(place, id), judge: (item) => judgeId(ground, id, item) };
}

function judgeId(ground: Ground, id: string, item: Item | undefined): Finding[] {
  const within = { model: ground.model, generation: ground.head.generation };
  const place = idKey(within, id);
  const object = ground.byId.get(id);
  const wanted = object && idItem(within, object, object.revision);
  if (!wanted) {
    if (!item) return [];
    const sentence = `the id ${id} leads to ${item.at}, but by the log there is no such object`;
    return [{ code: "id-unexpected", place, sentence, mend: byLog(ground, "It is deleted.", remove(item)) }];
  }
  const at = wanted.at;
  const mend = byLog(ground, "It is written as the log gives it.", putRight(item, wanted));
  if (!item) return [{ code: "id-missing", place, sentence: `no id leads to ${at}; its object has ${id}`, mend }];
  if (item.at === at) return [];
  return [{ code: "id-differs", place, sentence: `the id ${id} leads to ${item.at}; its object is at ${at}`, mend }];
}
