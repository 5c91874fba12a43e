import { expect, test } from "vitest";
import { isTokenMinutes, LIMITS, REFERENCE_MEGABYTES, scaleLimit } from "../../shared/domain/limits.ts";

const { leastTokenMinutes: least, mostTokenMinutes: most } = LIMITS;

test("the caches of a process grow with its memory, from their limits at 512 MB", () =>
  expect([undefined, REFERENCE_MEGABYTES, 1_024, 128].map((size) => scaleLimit(100, size))).toEqual([
    100, 100, 200, 25,
  ]));

test("the minutes of a token are a number in digits, within its bounds", () => {
  for (const text of [least, most]) expect(isTokenMinutes(String(text))).toBe(true);
  for (const text of [least - 1, most + 1, "1e2", "", " 60"])
    expect(isTokenMinutes(String(text)), `${text}`).toBe(false);
});
