import { expect, test } from "vitest";
import { isTokenMinutes } from "../../shared/domain/accounts/sessions.ts";
import { LIMITS } from "../../shared/domain/limits.ts";

const { leastTokenMinutes: least, mostTokenMinutes: most } = LIMITS;

test("the minutes of a token are a number in digits, within its bounds", () => {
  for (const text of [least, most]) expect(isTokenMinutes(String(text))).toBe(true);
  for (const text of [least - 1, most + 1, "1e2", "", " 60"])
    expect(isTokenMinutes(String(text)), `${text}`).toBe(false);
});
