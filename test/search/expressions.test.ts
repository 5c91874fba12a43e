import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { createRowTest, type SearchFilters } from "../../shared/domain/search/filters.ts";
import type { SearchRow } from "../../shared/domain/search/rows.ts";
import { convertFilters } from "../../shared/search/expressions.ts";
import { createStatements, makeTables } from "../../shared/search/index-statements.ts";
import { createMarkNumbers } from "../../shared/search/marks.ts";
import { SearchIndex } from "../../shared/search/search-index.ts";
import { modelWith } from "./support/search-rows.ts";

type Items = SearchFilters<string>["items"];

const texts = (...values: string[]): Items =>
  values.map((value) => ({ type: "text", condition: "contains", value }) as const);

/** Indexes rows. Returns a function that converts filters and counts the rows that are read but do not pass. */
async function indexRows(facts: readonly Partial<SearchRow>[], globalTags: ReadonlySet<string> = new Set()) {
  const database = new DatabaseSync(":memory:");
  makeTables(database);
  const model = modelWith("m", facts);
  await new SearchIndex(database).put([model]);
  const statements = createStatements(database);
  const terms = { statements, marks: createMarkNumbers(statements), globalTags };
  const countRead = ({ expression, within }: ReturnType<typeof convertFilters>) => {
    if (expression === false) return 0;
    const rows =
      expression === true ? statements.iterateRows(0, 0, within) : statements.iterateMatches(0, 0, expression, within);
    return [...rows].length;
  };
  return (items: Items) => {
    const filters = { operator: "and", items } as const;
    const candidates = convertFilters(terms, filters);
    const passing = model.rows.filter(createRowTest(filters, globalTags)).length;
    const { expression } = candidates;
    const matched = typeof expression === "string" ? countRead({ expression, within: "" }) : undefined;
    return { ...candidates, passing, matched, surplus: countRead(candidates) - passing };
  };
}

test("one text of three characters or more is found by the index alone", async () => {
  const convert = await indexRows([{ text: "customer" }, { text: "custom" }, { text: "tomcus" }, { text: "xom" }]);
  expect(convert(texts("custom"))).toMatchObject({ within: "", passing: 2, surplus: 0 });
  expect(convert(texts("cus"))).toMatchObject({ within: "", passing: 3, surplus: 0 });
  expect(convert(texts("customs"))).toMatchObject({ passing: 0, surplus: 0 });
});

test("texts that are combined are found by their rarest three characters", async () => {
  const common = Array.from({ length: 1_500 }, () => ({ text: "abcd" }));
  const convert = await indexRows([...common, { text: "abcdxyz" }, { text: "xyabcd" }, { text: "xyz" }]);
  for (const text of ["abcdxyz", "bcdxyz", "cdxyz", "xyabcd"])
    expect(convert(texts(text, "abcd"))).toMatchObject({ matched: 1, passing: 1, surplus: 0 });
  // A text with three characters is one trigram, and no other row has to be read.
  expect(convert(texts("xyz", "abc"))).toMatchObject({ within: "", passing: 1, surplus: 0 });
});

test("a combined text is compared with whole rows, because one trigram does not cover it", async () => {
  const convert = await indexRows([{ text: "abcd wxyz" }, { text: "abcx wxyq" }, { text: "bcd wxy" }]);
  expect(convert(texts("abcd", "wxyz"))).toMatchObject({ passing: 1, surplus: 0 });
  expect(convert(texts("abcd", "wxyz")).within).toHaveLength(4);
  expect(convert(texts("abcd", "wxyz wx")).within).toBe("wxyz wx");
});

/** Texts of rows with this number of different trigrams that begin with `a`. */
const trigrams = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ text: `a${String.fromCodePoint(0x4e00 + i)}-` }));

test.each([
  [1_000, ""],
  [1_001, "a"],
])("a short text is found by %d trigrams that begin with it", async (count, within) => {
  const convert = await indexRows(trigrams(count));
  expect(convert(texts("a"))).toMatchObject({ within, passing: count, surplus: 0 });
  expect(convert(texts("-"))).toMatchObject({ passing: count });
});

test.each([
  [20_000, ""],
  [20_001, "ab"],
])("a short text in %d rows is found by the index up to 20,000 rows", async (count, within) => {
  const convert = await indexRows(Array.from({ length: count }, () => ({ text: "abc" })));
  expect(convert(texts("ab"))).toMatchObject({ within, passing: count, surplus: 0 });
});

test.each([
  [200, 0],
  [201, 1],
])("with %d global tags, %d rows with links to deleted tags are read by a search for rows with tags", async (count, surplus) => {
  const globalTags = new Set(Array.from({ length: count }, (_, i) => `g${i}`));
  const convert = await indexRows(
    [{ globalTags: ["g1"] }, { globalTags: ["deleted"] }, { tags: ["l"] }, {}],
    globalTags,
  );
  expect(convert([{ type: "tags", condition: "notEmpty" }])).toMatchObject({ passing: 2, surplus });
});

test("conditions on facts are found by the index alone, and their opposites too", async () => {
  const convert = await indexRows([
    { tags: ["t"], keywords: ["enum"], text: "one" },
    { tags: ["t", "u"], format: "email", logicalType: "date", text: "two" },
    { properties: '{"a:b":1}', text: "three" },
    {},
  ]);
  const judged: readonly [Items[number], passing: number][] = [
    [{ type: "tags", condition: "allOf", value: ["t", "u"] }, 1],
    [{ type: "tags", condition: "anyOf", value: ["u", "unknown"] }, 1],
    [{ type: "tags", condition: "noneOf", value: ["t"] }, 3],
    [{ type: "tags", condition: "noneOf", value: ["unknown"] }, 5],
    [{ type: "tags", condition: "empty" }, 3],
    [{ type: "constraints", condition: "notEmpty" }, 1],
    [{ type: "constraints", condition: "empty" }, 4],
    [{ type: "properties", condition: "notEmpty" }, 1],
    [{ type: "properties", condition: "empty" }, 4],
    [{ type: "properties", condition: "equals", value: { "a:b": 1 } }, 1],
    [{ type: "format", condition: "noneOf", value: ["email"] }, 4],
    [{ type: "logicalType", condition: "anyOf", value: ["date"] }, 1],
    [{ type: "logicalType", condition: "noneOf", value: ["date"] }, 4],
  ];
  for (const [item, passing] of judged) {
    expect([item, convert([item])]).toMatchObject([item, { within: "", passing, surplus: 0 }]);
    expect([item, convert([item, ...texts("two")])]).toMatchObject([item, { surplus: 0 }]);
  }
});
