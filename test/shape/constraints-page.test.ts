import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { assessConstraints } from "../../shared/domain/constraints/assess.ts";
import {
  type Constraints,
  KEYWORD_NAMES,
  KEYWORDS,
  type KeywordName,
  type Shape,
} from "../../shared/domain/constraints/keywords.ts";

const PAGE = readFileSync(new URL("../../docs/constraints.md", import.meta.url), "utf8");
const ROWS = PAGE.split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.slice(2, -2).split(" | "));

const VALUES: { readonly [S in Shape]: readonly [unknown, unknown] } = {
  number: [1, 2],
  positive: [4, 6],
  count: [1, 2],
  flag: [true, true],
  line: ["a", "b"],
  pattern: ["a", "b"],
  value: ["a", "b"],
  values: [["a"], ["b"]],
  choices: [["a"], ["b"]],
};

function cell(name: KeywordName, before: unknown, after: unknown): string {
  const one = (value: unknown): Constraints | undefined => (value === undefined ? undefined : { [name]: value });
  const [{ impact, reason } = { impact: "", reason: "" }] = assessConstraints(one(before), one(after));
  return reason.includes("unclear") ? `${impact}: unclear` : impact;
}

test("docs/constraints.md has a row for every keyword, with the impact of adding and removing it", () => {
  const wanted = KEYWORD_NAMES.map((name) => {
    const [value] = VALUES[KEYWORDS[name].shape];
    return [`\`${name}\``, cell(name, undefined, value), cell(name, value, undefined)];
  });
  expect(ROWS.map(([name, , added, gone]) => [name, added, gone])).toEqual(wanted);
});

test("docs/constraints.md has the impact of a change of keywords without an order", () => {
  const told = ROWS.flatMap(([name, , , , changed]) =>
    /^\w+(: unclear)?$/.test(String(changed)) ? [[name, changed]] : [],
  );
  const wanted = KEYWORD_NAMES.filter((name) => ["none", "meaning", "silent"].includes(KEYWORDS[name].order)).map(
    (name) => [`\`${name}\``, cell(name, ...VALUES[KEYWORDS[name].shape])],
  );
  expect(told).toEqual(wanted);
});
