import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatCsv, formatTsv, parsePastedRows, parseTsv } from "../../ui/parts/grid/paste-rows.ts";

describe("rows from a spreadsheet", () => {
  const FOUR_CELLS = [
    ["a", "b"],
    ["c", "d"],
  ];

  test.each([
    ["a\tb\nc\td", FOUR_CELLS],
    ["a\tb\r\nc\td\r\n", FOUR_CELLS],
    ['"a\nb"\tc', [["a\nb", "c"]]],
    ['"say ""hi"""\tx', [['say "hi"', "x"]]],
    ['5" disk\tx', [['5" disk', "x"]]],
    ['"unclosed\tx', [['"unclosed', "x"]]],
    ["a\t\tb\n\n\t\n", [["a", "", "b"]]],
    ["", []],
  ])("%j is split into cells", (text, cells) => expect(parseTsv(text)).toEqual(cells));

  test("are unchanged after printing and parsing", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", '"', "\t", "\n", " ", "é") });
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }), (cells) => {
        const kept = cells.filter((row) => row.some((one) => one.trim() !== ""));
        expect(parseTsv(formatTsv(kept))).toEqual(kept);
      }),
    );
  });

  test("may begin with titles, which determine the order", () => {
    const columns = [
      { id: "key", title: "Key", getText: () => "" },
      { id: "type", title: "Type", getText: () => "" },
    ];
    expect(parsePastedRows("Type\tkey\ntext\tname", ["key", "type"], columns)).toEqual([{ type: "text", key: "name" }]);
    expect(parsePastedRows("name\ttext\textra", ["key", "type"], columns)).toEqual([{ key: "name", type: "text" }]);
  });
});

test("an exported cell is quoted if necessary, and never a formula", () => {
  const rows = [
    ["a,b", 'say "x"', "two\nlines"],
    ["=1+1", "-5", "@cmd"],
  ];
  expect(formatCsv(rows)).toBe('\uFEFF"a,b","say ""x""","two\nlines"\r\n\'=1+1,-5,\'@cmd\r\n');
});
