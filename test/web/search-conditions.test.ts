import { expect, test } from "vitest";
import {
  buildFilters,
  type Condition,
  formatCondition,
  parseConditions,
  readConditions,
} from "../../ui/parts/search/conditions.ts";

const tags: Condition = { type: "tags", condition: "anyOf", values: ["key:privacy/personal"] };

test("conditions are restored from their address, without invalid ones", () => {
  const given = [formatCondition(tags), ["tags", "like", "x"], ["age", "anyOf", "3"], "tags", ["properties", "empty"]];
  const written = readConditions(given);
  expect(written).toEqual([
    ["tags", "anyOf", "key:privacy/personal"],
    ["properties", "empty"],
  ]);
  expect(parseConditions(written)).toEqual([tags, { type: "properties", condition: "empty", values: [] }]);
  expect([readConditions("tags"), readConditions([])]).toEqual([undefined, undefined]);
  expect(parseConditions(undefined)).toEqual([]);
});

test("text and conditions become the filters of the service", () => {
  expect(buildFilters(" loan ", [tags], "or")).toEqual({
    operator: "or",
    items: [
      { type: "text", condition: "contains", value: "loan" },
      { type: "tags", condition: "anyOf", value: ["key:privacy/personal"] },
    ],
  });
  expect(buildFilters("", [{ type: "constraints", condition: "notEmpty", values: ["left over"] }], "and")).toEqual({
    operator: "and",
    items: [{ type: "constraints", condition: "notEmpty" }],
  });
});

test("the value of a property is JSON if it is valid JSON, and a text otherwise", () => {
  const equals = (value: string) =>
    buildFilters("", [{ type: "properties", condition: "equals", values: ["source", value] }], "and")?.items;
  expect(equals('{"system":"crm"}')).toEqual([
    { type: "properties", condition: "equals", value: { source: { system: "crm" } } },
  ]);
  expect(equals("12")).toEqual([{ type: "properties", condition: "equals", value: { source: 12 } }]);
  expect(equals("crm")).toEqual([{ type: "properties", condition: "equals", value: { source: "crm" } }]);
});

test("an incomplete condition has no filter", () => {
  const unfinished: readonly Condition[] = [
    { type: "tags", condition: "anyOf", values: [] },
    { type: "text", condition: "contains", values: [" "] },
    { type: "properties", condition: "equals", values: ["source", ""] },
  ];
  expect(buildFilters("  ", unfinished, "and")).toBeUndefined();
});
