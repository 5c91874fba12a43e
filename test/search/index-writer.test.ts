import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { createRowTest, type SearchFilter, type SearchFilters } from "../../shared/domain/search/filters.ts";
import type { SearchRow } from "../../shared/domain/search/rows.ts";
import { foldText, SEPARATOR } from "../../shared/domain/text/characters.ts";
import type { Cursor, Hit } from "../../shared/search/index-reader.ts";
import { makeTables } from "../../shared/search/index-statements.ts";
import {
  chooseNumberBetween,
  MAX_NUMBER,
  type SearchedModel,
  spreadNumbers,
} from "../../shared/search/index-writer.ts";
import { SearchIndex } from "../../shared/search/search-index.ts";
import { type Chance, createChance, seedOf } from "../support/chance.ts";

function emptyIndex(): SearchIndex {
  const database = new DatabaseSync(":memory:");
  makeTables(database);
  return new SearchIndex(database);
}

const TAGS = ["t1", "t2", "t3", "t4"];
/** A needle of each length, with signs that mean something to FTS5, and letters beyond the first plane. */
const WORDS = [
  'a"b',
  "ab",
  "abc",
  "ABCD",
  "x",
  "yz",
  "*",
  "AND",
  "é",
  "Straße",
  "日",
  "日本語",
  "🙂",
  "🙂x",
  "-",
  "%",
  "",
];

function modelOf(
  chance: Chance,
  ledgerId: string,
  key: string,
  revision: number,
  places: readonly number[],
): SearchedModel {
  const some = (all: readonly string[], share: number) => all.filter(() => chance.happens(share));
  const row = (place: string, above: SearchRow | undefined): SearchRow => ({
    ...{
      kind: above ? "type" : "model",
      id: above ? `${ledgerId} ${place}` : ledgerId,
      key,
      name: chance.happens(0.5) ? "Name" : undefined,
      above,
      place,
    },
    text: [key, chance.pick(WORDS) + chance.pick(WORDS)].map(foldText).join(SEPARATOR),
    tags: some(TAGS, 0.2),
    globalTags: some(["g1", "g2", "gone"], 0.2),
    keywords: some(["enum", "format"], 0.3),
    format: chance.happens(0.3) ? "email" : undefined,
    properties: chance.happens(0.5) ? chance.pick(['{"a":1}', '{"a":"1","b":null}', '{"b":{"c":[2]}}']) : undefined,
  });
  const model = row("0", undefined);
  const rows = places.toSorted((a, b) => a - b).map((n) => row(`1\n${String(n).padStart(9, "0")}`, model));
  return { ledgerId, revision, rows: [model, ...rows] };
}

function someFilter(chance: Chance): SearchFilter<string> {
  const condition = chance.pick(["anyOf", "allOf", "noneOf"] as const);
  const some = (all: readonly string[]) => all.filter(() => chance.happens(0.4));
  return chance.pick<SearchFilter<string>>([
    { type: "text", condition: "contains", value: chance.pick(WORDS) },
    { type: "text", condition: "contains", value: chance.pick(WORDS) + chance.pick(WORDS) },
    { type: "text", condition: "contains", value: chance.pick(["m", "m1", "k", "z"]) },
    { type: "tags", condition, value: some([...TAGS, "g1", "gone", "none"]) },
    { type: "tags", condition: chance.pick(["empty", "notEmpty"]) },
    { type: "constraints", condition: chance.pick(["empty", "notEmpty"]) },
    { type: "constraints", condition, value: chance.pick([["enum"], ["enum", "format"], []]) },
    { type: "properties", condition: chance.pick(["empty", "notEmpty"]) },
    { type: "properties", condition, value: some(["a", "b", "c"]) },
    {
      type: "properties",
      condition: "equals",
      value: chance.pick([{}, { a: 1 }, { a: "1" }, { b: { c: [2] } }, { z: 1 }]),
    },
    { type: "format", condition: chance.pick(["anyOf", "noneOf"]), value: chance.pick([["email"], ["date"], []]) },
  ]);
}

/** The ids that an index finds, page by page. */
async function found(index: SearchIndex, filters: SearchFilters<string>, most: number, among?: ReadonlySet<string>) {
  const hits: Hit[] = [];
  let after: Cursor | undefined = { key: "", place: "" };
  while (after) {
    const page = await index.find({ filters, globalTags: new Set(["g1", "g2"]), after, most, ...(among && { among }) });
    hits.push(...page.hits);
    after = page.more;
  }
  return hits.map(({ row }) => row.id);
}

test("an index finds the rows that match the rule, in order, after any sequence of writes", {
  timeout: 120_000,
}, async () => {
  const chance = createChance(seedOf("index of rows"));
  const index = emptyIndex();
  const models = new Map<string, SearchedModel>();
  const places = new Map<string, readonly number[]>();
  let hits = 0;
  for (let round = 0; round < 300; round++) {
    const id = `model ${chance.below(12)}`;
    if (models.has(id) && chance.happens(0.15)) {
      await index.remove([id]);
      models.delete(id);
    } else {
      const before = places.get(id) ?? [];
      // Mostly one row comes, often behind the one that came last.
      const last = before.at(-1) ?? 0;
      const more = chance.happens(0.7) ? [last + 1] : Array.from({ length: chance.below(30) }, () => chance.below(1e6));
      const now = [...new Set([...before.filter(() => chance.happens(0.9)), ...more])];
      places.set(id, now);
      const known = models.get(id);
      const key = known && chance.happens(0.9) ? String(known.rows[0]?.key) : `m${chance.below(1_000)} ${id}`;
      const model = modelOf(chance, id, key, round + 1, now);
      models.set(id, model);
      await index.put([model]);
      expect(index.getRevision(id)).toBe(round + 1);
    }
    const operator = chance.pick(["and", "and", "or"] as const);
    const filters = { operator, items: Array.from({ length: chance.below(4) }, () => someFilter(chance)) };
    const among = chance.happens(0.4) ? new Set([...models.keys()].filter(() => chance.happens(0.5))) : undefined;
    const passes = createRowTest(filters, new Set(["g1", "g2"]));
    const sorted = [...models.values()].sort((a, b) => (String(a.rows[0]?.key) < String(b.rows[0]?.key) ? -1 : 1));
    const looked = sorted.filter(({ ledgerId }) => among?.has(ledgerId) ?? true);
    const expected = looked.flatMap(({ rows }) => rows.filter(passes).map((row) => row.id));
    const actual = await found(index, filters, chance.pick([1, 3, 1_000]), among);
    expect(actual, `round ${round}: ${JSON.stringify(filters)}`).toEqual(expected);
    hits += actual.length;
  }
  expect(hits).toBeGreaterThan(5_000);
});

describe("order numbers", () => {
  const model = (key: string, places: readonly number[], revision = 1): SearchedModel =>
    modelOf(createChance(1), key, key, revision, places);
  const everything = { operator: "and", items: [] } as const;

  test("of models are spread when each comes before the one before", async () => {
    const index = emptyIndex();
    const keys = Array.from({ length: 200 }, (_, i) => `m${String(500 - i)}`);
    for (const key of ["m", "z", ...keys]) await index.put([model(key, [])]);
    // Always between the last one and "z": half of what is left each time.
    for (let i = 0; i < 200; i++) await index.put([model(`n${String(i).padStart(3, "0")}`, [])]);
    const sorted = index.listModels();
    expect(sorted.map(([, id]) => id)).toEqual(sorted.map(([, id]) => id).toSorted());
    expect(sorted).toHaveLength(402);
    expect(await found(index, everything, 7)).toEqual(sorted.map(([, id]) => id));
  });

  test("of rows are spread when each comes behind the one before, or before it", async () => {
    const index = emptyIndex();
    for (const places of [(i: number) => i + 1, (i: number) => 5_000 - i]) {
      const all = [0, 9_999];
      for (let i = 0; i < 150; i++) {
        all.push(places(i));
        await index.put([
          model("m", all, index.getRevision("m") === undefined ? 1 : Number(index.getRevision("m")) + 1),
        ]);
      }
      const expected = all.toSorted((a, b) => a - b).map((n) => `m 1\n${String(n).padStart(9, "0")}`);
      expect(await found(index, everything, 100)).toEqual(["m", ...expected]);
      await index.remove(["m"]);
    }
  });

  test("are refused when no number is free", () => {
    expect(chooseNumberBetween(4, 5)).toBeUndefined();
    expect(chooseNumberBetween(undefined, 1)).toBeUndefined();
    expect(chooseNumberBetween(MAX_NUMBER, undefined)).toBeUndefined();
    expect(chooseNumberBetween(4, 6)).toBe(5);
    expect(spreadNumbers(2, 4, 6)).toBeUndefined();
    expect(spreadNumbers(1, 4, 6)).toEqual([5]);
  });
});
