import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fits, patternFault } from "../../shared/domain/key-pattern.ts";

/** The same pattern as a regular expression: slow where there are many stars, but plainly right. */
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
  ])("%s fits %j and none of %j", (pattern, fitting, others) => {
    expect(patternFault(pattern)).toBeUndefined();
    for (const key of fitting) expect(fits(pattern, key), key).toBe(true);
    for (const key of others) expect(fits(pattern, key), key).toBe(false);
  });

  test.each(["", "a\\", "a\\b", "\\"])("%j is none", (text) => {
    expect(patternFault(text)).toMatch(/must not be empty|backslash/);
  });

  test("fits what the same regular expression fits", () => {
    const letters = fc.array(fc.constantFrom("a", "b", "_"), { maxLength: 8 }).map((all) => all.join(""));
    const pattern = fc.array(fc.constantFrom("a", "b", "_", "*", "\\*"), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(pattern, letters, (pieces, key) => {
        expect(fits(pieces.join(""), key)).toBe(asRegExp(pieces.join("")).test(key));
      }),
      { numRuns: 5_000 },
    );
  });

  test("takes its time from lengths alone, however many stars there are", () => {
    const pattern = "*a".repeat(128);
    // With backtracking this would not end.
    expect(fits(pattern, `${"a".repeat(127)}b`)).toBe(false);
    expect(fits(`${pattern}*`, "a".repeat(128))).toBe(true);
  });
});
