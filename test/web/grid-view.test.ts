import { describe, expect, test } from "vitest";
import type { Column } from "../../ui/parts/grid/column.ts";
import { arrangeRows, getNextSort } from "../../ui/parts/grid/grid-view.ts";
import { getMovedPosition } from "../../ui/parts/grid/use-grid-keys.ts";

type Row = { readonly key: string; readonly count: number };

const COLUMNS: readonly Column<Row>[] = [
  { id: "key", title: "Key", getText: (row) => row.key },
  { id: "count", title: "Count", getText: (row) => String(row.count), compareRows: (a, b) => a.count - b.count },
];
const ROWS: readonly Row[] = [
  { key: "Élan", count: 10 },
  { key: "item 10", count: 9 },
  { key: "item 9", count: 100 },
];
const keysOf = (view: Parameters<typeof arrangeRows>[2]) => arrangeRows(ROWS, COLUMNS, view).map((row) => row.key);

describe("the visible rows of a grid", () => {
  test("are all rows in their order by default", () => expect(arrangeRows(ROWS, COLUMNS, {})).toBe(ROWS));

  test("contain every search word, in any column, without regard to case and accents", () => {
    expect(keysOf({ q: "elan" })).toEqual(["Élan"]);
    expect(keysOf({ q: "10" })).toEqual(["Élan", "item 10", "item 9"]);
    expect(keysOf({ q: "9 item 10" })).toEqual(["item 10", "item 9"]);
    expect(keysOf({ q: "no" })).toEqual([]);
  });

  test("match the filter of each column", () => {
    expect(keysOf({ in: { key: "ITEM", count: "10" } })).toEqual(["item 9"]);
    expect(keysOf({ in: { gone: "x" } })).toHaveLength(3);
  });

  test("are sorted by a column, numbers in texts as numbers", () => {
    expect(keysOf({ sort: "key" })).toEqual(["Élan", "item 9", "item 10"]);
    expect(keysOf({ sort: "-count" })).toEqual(["item 9", "Élan", "item 10"]);
    expect(keysOf({ sort: "gone" })).toEqual(ROWS.map((row) => row.key));
  });
});

test("a click on a title sorts ascending, then descending, then not", () => {
  expect([{}, { sort: "key" }, { sort: "-key" }, { sort: "other" }].map((view) => getNextSort(view, "key"))).toEqual([
    ...["key", "-key", undefined, "key"],
  ]);
});

test.each([
  ["ArrowDown", false, { row: 2, column: 1 }],
  ["ArrowUp", true, { row: 0, column: 1 }],
  ["ArrowRight", false, { row: 1, column: 1 }],
  ["Home", false, { row: 1, column: 0 }],
  ["End", true, { row: 2, column: 1 }],
  ["PageDown", false, { row: 2, column: 1 }],
  ["x", false, undefined],
])("%s, with Ctrl: %s, moves as in a spreadsheet", (key, ctrl, position) => {
  expect(getMovedPosition(key, ctrl, { row: 1, column: 1 }, { rows: 3, columns: 2 })).toEqual(position);
});
