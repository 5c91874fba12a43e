import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { modelKeyPattern } from "../../shared/domain/accounts/account-types.ts";
import { findPatternFault, matchesPattern, patternsOverlap } from "../../shared/domain/refs.ts";

const ID = "0198c0de-0000-7000-8000-00000000000a";

/** A key pattern as a regular expression: slow where there are many stars, but plainly right. */
function asRegExp(pattern: string): RegExp {
  const pieces = [...pattern.matchAll(/\\[\\*]|./gs)].map(([piece]) => {
    if (piece === "*") return ".*";
    return (piece.startsWith("\\") ? piece.slice(1) : piece).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  });
  return new RegExp(`^${pieces.join("")}$`, "s");
}

describe("a pattern of model keys", () => {
  test.each([
    ["crm", ["crm"], ["crm2", "acrm", "", "CRM"]],
    ["crm_*", ["crm_", "crm_sales"], ["crm", "xcrm_1"]],
    ["*", ["", "anything at all"], []],
    ["*_draft", ["_draft", "crm_draft"], ["crm_drafts"]],
    ["a*a", ["aa", "aba"], ["a"]],
    ["a*b*c", ["abc", "a-b-c", "abbc"], ["acb", "ab"]],
    ["crm\\*", ["crm*"], ["crm", "crmx", "crm\\x"]],
    ["a\\\\b", ["a\\b"], ["ab", "a\\\\b"]],
    ["key:crm", ["crm"], ["crm2", "key:crm"]],
    ["key:crm_*", ["crm_*"], ["crm_1", "crm_"]],
    ["key:key:crm", ["key:crm"], ["crm"]],
    ["key*", ["key:crm", "keys"], ["crm"]],
    ["Key:crm", ["Key:crm"], ["crm"]],
    ["*key:crm", ["key:crm", "monkey:crm"], ["crm"]],
  ])("%s matches %j and none of %j", (pattern, fitting, others) => {
    expect(findPatternFault(pattern)).toBeUndefined();
    for (const key of fitting) expect(matchesPattern(pattern, { key }), key).toBe(true);
    for (const key of others) expect(matchesPattern(pattern, { key }), key).toBe(false);
  });

  test.each([
    ...["", "a\\", "a\\b", "\\", "key:", "key:a\\*", "key:'", "id:", "id:crm"],
    `id:${ID}0`,
  ])("%j is invalid", (text) =>
    expect(findPatternFault(text)).toMatch(/must not be empty|backslash|is not a valid key|is not a UUID/));

  test("that begins like a ref by id matches that model with any key, and no other with that key", () => {
    expect(findPatternFault(`id:${ID}`)).toBeUndefined();
    expect(matchesPattern(`id:${ID}`, { id: ID, key: "crm" })).toBe(true);
    expect(matchesPattern(`id:${ID}`, { id: `${ID.slice(0, -1)}2`, key: "crm" })).toBe(false);
    // A model that is still to be made has no id, so no ref by id fits it.
    expect(matchesPattern(`id:${ID}`, { key: `id:${ID}` })).toBe(false);
    expect(z.parse(modelKeyPattern.schema(), `id:${ID.toUpperCase()}`)).toBe(`id:${ID}`);
    expect(z.parse(modelKeyPattern.schema(), "Key:CRM_*")).toBe("Key:CRM_*");
  });

  test("matches like the equivalent regular expression", () => {
    const letters = fc.array(fc.constantFrom("a", "b", "_"), { maxLength: 8 }).map((all) => all.join(""));
    const pattern = fc.array(fc.constantFrom("a", "b", "_", "*", "\\*"), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(pattern, letters, (pieces, key) => {
        expect(matchesPattern(pieces.join(""), { key })).toBe(asRegExp(pieces.join("")).test(key));
      }),
      { numRuns: 5_000 },
    );
  });

  test("needs time linear in its length, for any number of stars", () => {
    const pattern = "*a".repeat(128);
    // A matcher with backtracking would not end here.
    expect(matchesPattern(pattern, { key: `${"a".repeat(127)}b` })).toBe(false);
    expect(matchesPattern(`${pattern}*`, { key: "a".repeat(128) })).toBe(true);
  });
});

test.each([
  ["crm*", "c*", true],
  ["a*c", "*b*", true],
  ["a*", "*b", true],
  ["a*", "b*", false],
  ["crm", "crm", true],
  ["crm", "crm_", false],
  ["a\\*", "a*", true],
  ["a\\*", "ab", false],
  ["*", "", true],
  ["a*b*c", "a*d", false],
])("%s and %s can match the same key: %s", (one, other, expected) => {
  expect(patternsOverlap(one, other)).toBe(expected);
  expect(patternsOverlap(other, one)).toBe(expected);
});
