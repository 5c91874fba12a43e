import { expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { createPage } from "../../shared/search/pages.ts";

/** Rows that one answer can hold, by the bytes that one row has on average. */
const MOST = Math.floor(LIMITS.inflatedResponseBytes / 150);
const row = { kind: "model", id: "1", key: "m", name: "M", above: undefined } as const;
const rows = Array.from({ length: MOST }, (_, i) => ({ row, at: { key: "m", place: String(i) } }));

test("a page without a limit has as many rows as fit into an answer, and one with a limit may be filled with more", () => {
  const page = createPage({});
  page.add(rows);
  expect([page.isFull(), page.toPage().items.length]).toEqual([false, MOST]);
  expect(() => page.add(rows.slice(0, 1))).toThrow("the result is larger than one answer; use limit");
  const limited = createPage({ limit: MOST });
  limited.add([...rows, ...rows.slice(0, 1)]);
  expect([limited.isFull(), limited.toPage().items.length]).toEqual([true, MOST]);
});
