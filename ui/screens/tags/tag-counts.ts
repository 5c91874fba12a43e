import type { OutputOf } from "../../api/service.ts";

/** How many things of a model each tag marks, by the ref that the document gives it: `key:<tag>` or `key:<group>/<tag>`. */
export function tagCounts(document: OutputOf<"model/model_export">): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (marked: { readonly tags?: readonly string[] | undefined }): void => {
    for (const ref of marked.tags ?? []) counts.set(ref, (counts.get(ref) ?? 0) + 1);
  };
  count(document);
  for (const owner of [...document.entities, ...document.relationships]) {
    count(owner);
    for (const attribute of owner.attributes) count(attribute);
  }
  return counts;
}
