import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import type { SearchRow } from "../../shared/domain/search/rows.ts";
import type { Cursor } from "../../shared/search/index-reader.ts";
import { makeTables } from "../../shared/search/index-statements.ts";
import {
  chooseNumberBetween,
  MAX_NUMBER,
  type SearchedModel,
  spreadNumbers,
} from "../../shared/search/index-writer.ts";
import { SearchIndex } from "../../shared/search/search-index.ts";

function emptyIndex(): SearchIndex {
  const database = new DatabaseSync(":memory:");
  makeTables(database);
  return new SearchIndex(database);
}

function modelAt(key: string, places: readonly number[], revision = 1): SearchedModel {
  const row = (id: string, place: string, above: SearchRow | undefined): SearchRow => ({
    ...{ kind: above ? "type" : "model", id, key, name: undefined, above, place, text: key },
    ...{ tags: [], globalTags: [], keywords: [], format: undefined, properties: undefined, logicalType: undefined },
  });
  const root = row(key, "0", undefined);
  const toPlace = (n: number) => `1\n${String(n).padStart(9, "0")}`;
  const types = places.toSorted((a, b) => a - b).map((n) => row(`${key} ${toPlace(n)}`, toPlace(n), root));
  return { ledgerId: key, revision, rows: [root, ...types] };
}

async function listIds(index: SearchIndex, most: number): Promise<readonly string[]> {
  const ids: string[] = [];
  let after: Cursor | undefined = { key: "", place: "" };
  while (after) {
    const filters = { operator: "and", items: [] } as const;
    const page = await index.find({ filters, globalTags: new Set(), after, most });
    ids.push(...page.hits.map(({ row }) => row.id));
    after = page.more;
  }
  return ids;
}

describe("order numbers", () => {
  test("of models are spread when each comes before the one before", async () => {
    const index = emptyIndex();
    const keys = Array.from({ length: 200 }, (_, i) => `m${String(500 - i)}`);
    for (const key of ["m", "z", ...keys]) await index.put([modelAt(key, [])]);
    // Always between the last one and "z": half of what is left each time.
    for (let i = 0; i < 200; i++) await index.put([modelAt(`n${String(i).padStart(3, "0")}`, [])]);
    const sorted = index.listModels();
    expect(sorted.map(([, id]) => id)).toEqual(sorted.map(([, id]) => id).toSorted());
    expect(sorted).toHaveLength(402);
    expect(await listIds(index, 7)).toEqual(sorted.map(([, id]) => id));
  });

  test("of rows are spread when each comes behind the one before, or before it", async () => {
    const index = emptyIndex();
    for (const places of [(i: number) => i + 1, (i: number) => 5_000 - i]) {
      const all = [0, 9_999];
      for (let i = 0; i < 150; i++) {
        all.push(places(i));
        await index.put([modelAt("m", all, Number(index.getRevision("m") ?? 0) + 1)]);
      }
      const expected = all.toSorted((a, b) => a - b).map((n) => `m 1\n${String(n).padStart(9, "0")}`);
      expect(await listIds(index, 100)).toEqual(["m", ...expected]);
      await index.remove(["m"]);
    }
  });

  test("are refused when no number is free", () => {
    expect(chooseNumberBetween(4, 5)).toBeUndefined();
    expect(chooseNumberBetween(undefined, 1)).toBeUndefined();
    expect(chooseNumberBetween(MAX_NUMBER, undefined)).toBeUndefined();
    expect(chooseNumberBetween(4, 6)).toBe(5);
    expect(chooseNumberBetween(MAX_NUMBER - 3, undefined)).toBe(MAX_NUMBER - 1);
    expect(spreadNumbers(2, 4, 6)).toBeUndefined();
    expect(spreadNumbers(1, 4, 6)).toEqual([5]);
  });
});
