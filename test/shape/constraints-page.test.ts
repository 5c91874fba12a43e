import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compareModels } from "../../shared/domain/compare/compare.ts";
import {
  type Constraints,
  KEYWORD_NAMES,
  KEYWORDS,
  type KeywordName,
  type Shape,
} from "../../shared/domain/constraints/keywords.ts";
import type { ModelDocument } from "../../shared/domain/document/document.ts";

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

/** Creates a model with one optional attribute that has the constraints. */
function createModel(constraints: Constraints | undefined): ModelDocument {
  const attribute = { id: "a", key: "a", type: "key:t", optional: true, ...(constraints && { constraints }) };
  const lists = { types: [{ id: "t", key: "t" }], relationships: [], businessKeys: [], localTags: [], tagGroups: [] };
  const entities = [{ id: "e", key: "e", attributes: [attribute], primaryKey: [] }];
  const own = { $schema: "urn:metaction:model:2", id: "m", key: "m", name: "M", version: "1.0.0" } as const;
  return { ...own, authority: "system", ...lists, entities };
}

function cell(name: KeywordName, before: unknown, after: unknown): string {
  const one = (value: unknown): Constraints | undefined => (value === undefined ? undefined : { [name]: value });
  const options = { sameModel: true, scope: "complete" } as const;
  const [entry] = compareModels(createModel(one(before)), createModel(one(after)), options);
  const { impact = "", reasons = [] } = entry ?? {};
  return reasons.join().includes("unclear") ? `${impact}: unclear` : impact;
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
  const wanted = KEYWORD_NAMES.filter((name) =>
    ["none", "meaning", "silent", "fallback"].includes(KEYWORDS[name].order),
  ).map((name) => [`\`${name}\``, cell(name, ...VALUES[KEYWORDS[name].shape])]);
  expect(told).toEqual(wanted);
});
