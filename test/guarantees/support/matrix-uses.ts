import { readHead } from "../../../shared/store/head.ts";
import { objectOf } from "../../../shared/store/items.ts";
import { objectsPartition, SWEEPS, usesPartition } from "../../../shared/store/keys.ts";
import type { Seam } from "../../../shared/store/seam.ts";
import { tagIdsOf } from "../../../shared/store/tag-uses.ts";
import { partition } from "../../store/support/check-model.ts";

/** What leads from a living tag of a model to something it does not mark, and marks to which nothing leads. */
export async function usesFaults(seam: Seam, model: string): Promise<readonly string[]> {
  const head = (await readHead(seam, model))?.entry;
  if (head?.state !== "live") return [];
  const objects = (await partition(seam, objectsPartition(model, head.generation))).map(objectOf);
  const swept = (await partition(seam, SWEEPS)).map(({ owner }) => owner);
  const faults: string[] = [];
  for (const tag of objects.filter(({ kind }) => kind === "tag")) {
    const begin = `${model}#${head.generation}#`;
    const uses = (await partition(seam, usesPartition(tag.id))).filter(({ sk }) => sk.startsWith(begin));
    const led = uses.map(({ sk }) => sk.slice(begin.length));
    const marked = objects.filter((object) => tagIdsOf(object).includes(tag.id)).map(({ id }) => id);
    for (const id of led) {
      if (!marked.includes(id) && !swept.includes(id)) faults.push(`the tag ${tag.key} leads to ${id}, unmarked`);
    }
    for (const id of marked) if (!led.includes(id)) faults.push(`nothing leads from the tag ${tag.key} to ${id}`);
  }
  return faults;
}
