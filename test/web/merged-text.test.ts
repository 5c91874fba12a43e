import { describe, expect, test } from "vitest";
import { mergeTexts } from "../../ui/parts/text/merged-text.ts";

describe("a proposal from two texts with a common ancestor", () => {
  test.each([
    ["lines far from each other", "a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n", "A\nb\nc\nD\n"],
    ["a line added by each at its end of the text", "a\n", "x\na\n", "a\ny\n", "x\na\ny\n"],
    ["a line deleted by one", "a\nb\nc\nd\n", "a\nc\nd\n", "a\nb\nc\nD\n", "a\nc\nD\n"],
    ["the same change by both", "a\nb\n", "a\nX\n", "a\nX\n", "a\nX\n"],
    ["words of one line", "the red car stops", "the blue car stops", "the red car starts", "the blue car starts"],
    ["one side only", "a\nb\n", "a\nb\n", "a\nB\n", "a\nB\n"],
    ["a text that one cleared and the other left", "a\n", "", "a\n", ""],
  ])("has both changes of %s", (_, base, theirs, ours, text) => {
    expect(mergeTexts(base, theirs, ours)).toEqual({ text, clashes: 0 });
    expect(mergeTexts(base, ours, theirs)).toEqual({ text, clashes: 0 });
  });

  test("has theirs and then ours where both changed the same place, and counts it", () => {
    expect(mergeTexts("a\nb\nc\n", "a\nX\nc\n", "a\nY\nc\n")).toEqual({ text: "a\nX\nY\nc\n", clashes: 1 });
    expect(mergeTexts("old", "new", "newer")).toEqual({ text: "new newer", clashes: 1 });
    expect(mergeTexts("", "one\n", "two")).toEqual({ text: "one\ntwo", clashes: 1 });
  });

  test("equals the other side if one changed nothing, for any texts", () => {
    const texts = ["", "a", "a\n", "a\n\nb", " a  b ", "x\ny\nz\n", "\n", "one two three"];
    for (const base of texts) {
      for (const side of texts) {
        expect(mergeTexts(base, side, base), JSON.stringify([base, side])).toEqual({ text: side, clashes: 0 });
        expect(mergeTexts(base, base, side), JSON.stringify([base, side])).toEqual({ text: side, clashes: 0 });
      }
    }
  });
});
