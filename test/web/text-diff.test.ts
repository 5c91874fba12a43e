import { expect, test } from "vitest";
import { addGaps, type DiffLine, diffTexts } from "../../ui/parts/changed/text-diff.ts";
import { findHunks } from "../../ui/parts/text/pieces.ts";

const SIGNS = { same: " ", gone: "-", new: "+" } as const;
const shown = ({ sign, runs }: DiffLine) =>
  `${SIGNS[sign]} ${runs.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join("")}`;

test("unchanged, removed and added lines are distinguished, with their numbers on either side", () => {
  const lines = diffTexts("one\ntwo\nthree\n", "one\nnew\nthree\nfour");
  expect(lines.map(shown)).toEqual(["  one", "- two", "+ new", "  three", "+ four"]);
  expect(lines.map(({ before, after }) => [before, after])).toEqual([
    [1, 1],
    [2, undefined],
    [undefined, 2],
    [3, 3],
    [undefined, 4],
  ]);
});

test("in a changed line the words that differ are marked, unless little is common", () => {
  expect(diffTexts("a copy that is lent", "a copy that can be lent").map(shown)).toEqual([
    "- a copy that[ is] lent",
    "+ a copy that[ can be] lent",
  ]);
  expect(diffTexts("alpha beta", "gamma delta").map(shown)).toEqual(["- alpha beta", "+ gamma delta"]);
});

test("an empty text has no line, and equal texts have no change", () => {
  expect(diffTexts("", "one\ntwo").map(shown)).toEqual(["+ one", "+ two"]);
  expect(diffTexts("one", "").map(shown)).toEqual(["- one"]);
  expect(diffTexts("one\ntwo", "one\ntwo").map(shown)).toEqual(["  one", "  two"]);
  expect(diffTexts("", "")).toEqual([]);
});

test("equal lines far from a change are hidden, but never a single one", () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
  const parts = addGaps(diffTexts(lines.join("\n"), lines.with(19, "another").join("\n")));
  expect(parts.map((part) => ("left" in part ? `… ${part.left} from ${part.at}` : shown(part)))).toEqual([
    ...["… 16 from 0", "  line 17", "  line 18", "  line 19", "- line 20", "+ another", "  line 21", "  line 22"],
    ...["  line 23", "… 17 from 24"],
  ]);
  const near = addGaps(diffTexts("1\n2\n3\n4\n5", "1\n2\n3\n4\nfive"));
  expect(near.map((part) => "left" in part)).toEqual([false, false, false, false, false, false]);
});

test("for any texts, unchanged and removed lines are the old text, and unchanged and added ones the new", () => {
  const words = ["a", "b", "c", "d"];
  let seed = 20261122;
  const draw = (most: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % most;
  };
  for (let round = 0; round < 300; round++) {
    const [before, after] = [0, 0].map(() => Array.from({ length: draw(9) }, () => words[draw(4)]).join("\n"));
    const lines = diffTexts(before ?? "", after ?? "");
    const side = (without: DiffLine["sign"]) =>
      lines
        .filter(({ sign }) => sign !== without)
        .map(({ runs }) => runs.map(({ text }) => text).join(""))
        .join("\n");
    expect(side("new"), `seed 20261122, round ${round}`).toBe(before);
    expect(side("gone"), `seed 20261122, round ${round}`).toBe(after);
  }
});

test("texts that are too long for a full comparison still get a difference", () => {
  const base = ["same", ...Array.from({ length: 3_000 }, (_, at) => `b${at}`), "end"];
  const side = ["same", ...Array.from({ length: 3_000 }, (_, at) => `s${at}`), "end"];
  expect(findHunks(base, side)).toEqual([{ from: 1, to: 3_001, pieces: side.slice(1, -1) }]);
});
