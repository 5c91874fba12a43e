import type { SearchRow } from "../../../shared/domain/search/rows.ts";

/** Creates a model with one row for itself and one for each of these facts. */
export function modelWith(key: string, facts: readonly Partial<SearchRow>[]) {
  const plain = {
    ...{ name: undefined, tags: [], globalTags: [], keywords: [] },
    ...{ format: undefined, properties: undefined, logicalType: undefined },
  };
  const root: SearchRow = { ...plain, kind: "model", id: key, key, above: undefined, place: "0", text: key };
  const rows = facts.map((fact, i): SearchRow => {
    const place = `1\n${String(i).padStart(9, "0")}`;
    return { ...plain, kind: "type", id: `${key} ${i}`, key: `t${i}`, above: root, place, text: "", ...fact };
  });
  return { ledgerId: key, revision: 1, rows: [root, ...rows] };
}
