import { expect, test } from "vitest";
import {
  at,
  changeOperator,
  keep,
  type Mutation,
  moveBefore,
  mutateSource,
  remove,
  replace,
  swap,
} from "./support/mutation.ts";

const SOURCE = `
export function createCounter(limit: number) {
  let count = 0;
  return {
    add: async (step: number) => {
      if (count + step > limit) return false;
      count += step;
      await save(count, { limit });
      return true;
    },
  };
}
`;

const mutate = (mutation: Mutation, name = "createCounter.add"): string =>
  mutateSource(mutation, { file: "counter.ts", function: name }, SOURCE);

test.each<[string, Mutation, string, string]>([
  ["removes a statement", remove(at("if", "limit")), "if (count + step > limit) return false;", ""],
  ["removes a property", remove(at("property", "limit")), "{ limit }", "{  }"],
  ["replaces a part of a node", replace(at("if", [], { part: "test" }), "$ && false"), "> limit)", "> limit && false)"],
  ["keeps a part of a node", keep("argument", at("await")), "await save(count, { limit })", "(save(count, { limit }))"],
  ["changes an operator", changeOperator(at("binary", ">"), ">="), "step > limit", "step >= limit"],
  ["swaps operands", swap(at("binary", ">"), "left", "right"), "count + step > limit", "limit > count + step"],
])("a mutation %s", (_, mutation, before, after) => {
  expect(mutate(mutation)).toBe(SOURCE.replace(before, after));
});

test("a mutation moves a statement before another one", () => {
  const moved = mutate(moveBefore(at("statement", "save"), at("statement", "+=")));
  expect(moved.indexOf("await save")).toBeLessThan(moved.indexOf("count += step"));
});

test("a mutation that selects no node or several reports its matches", () => {
  expect(() => mutate(remove(at("return")))).toThrow("has 2 of return (lines 6, 9), but exactly one is needed");
  expect(() => mutate(remove(at("loop")))).toThrow("has 0 of loop, but exactly one is needed");
  expect(() => mutate(remove(at("return")), "createCounter.subtract")).toThrow("no function `createCounter.subtract`");
});
