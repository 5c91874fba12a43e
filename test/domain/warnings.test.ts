import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { createWarningCollector, WARNINGS, type WarningCode } from "../../shared/domain/warnings.ts";

function rowsOf(count: number, detail: (i: number) => string, pointer = (i: number) => `/${i}`) {
  const warnings = createWarningCollector();
  for (let i = 0; i < count; i++) warnings.add("key_made", detail(i), pointer(i));
  return warnings.listRows();
}

describe("warnings", () => {
  test("that are equal are one row with their count and the first pointers", () => {
    const warnings = createWarningCollector();
    for (let i = 0; i < LIMITS.warningPointers + 1; i++) warnings.add("not_carried_over", "lost", `/a/${i}`);
    warnings.add("key_made", "lost", "/b");
    warnings.add("not_carried_over", "lost otherwise", "/c");
    expect(warnings.listRows()).toEqual([
      {
        code: "not_carried_over",
        detail: "lost",
        count: LIMITS.warningPointers + 1,
        pointers: Array.from({ length: LIMITS.warningPointers }, (_, i) => `/a/${i}`),
      },
      { code: "key_made", detail: "lost", count: 1, pointers: ["/b"] },
      { code: "not_carried_over", detail: "lost otherwise", count: 1, pointers: ["/c"] },
    ]);
    expect(createWarningCollector().listRows()).toEqual([]);
  });

  test(`with the same code and other details share one row after ${LIMITS.warningDetails}, and other codes keep theirs`, () => {
    expect(rowsOf(LIMITS.warningDetails, (i) => `d${i}`)).toHaveLength(LIMITS.warningDetails);
    const warnings = createWarningCollector();
    for (let i = 0; i < 20_000; i++) warnings.add("key_made", `d${i}`, `/${i}`);
    for (let i = 0; i < 30; i++) warnings.add("key_made", "d0", "/again");
    warnings.add("not_carried_over", "the only loss", "/last");
    const rows = warnings.listRows();
    expect(rows).toHaveLength(LIMITS.warningDetails + 2);
    expect(rows[0]).toMatchObject({ detail: "d0", count: 31 });
    expect(rows.at(-2)).toEqual({
      code: "key_made",
      detail: "more warnings with this code and different details",
      count: 20_000 - LIMITS.warningDetails,
      pointers: Array.from({ length: LIMITS.warningPointers }, (_, i) => `/${LIMITS.warningDetails + i}`),
    });
    expect(rows.at(-1)).toMatchObject({ code: "not_carried_over", detail: "the only loss", count: 1 });
  });

  test("keep every row and omit pointers that do not fit an answer", () => {
    const long = (i: number) => `/${i}${"x".repeat(100_000)}`;
    expect(rowsOf(2, () => "d", long)[0]?.pointers).toHaveLength(2);
    const rows = rowsOf(7, (i) => `d${i}`, long);
    expect(rows.map(({ count }) => count)).toEqual(Array(7).fill(1));
    expect(rows.filter(({ pointers }) => pointers.length > 0)).toHaveLength(2);
    expect(JSON.stringify(rows).length).toBeLessThanOrEqual(LIMITS.importWarningBytes);
  });

  test("of all codes with their longest sentences fit an answer", () => {
    const warnings = createWarningCollector();
    for (const code of Object.keys(WARNINGS) as WarningCode[]) {
      for (let i = 0; i < 100; i++) warnings.add(code, `${i}${"d".repeat(600)}`, `/${i}${"x".repeat(100_000)}`);
    }
    expect(JSON.stringify(warnings.listRows()).length).toBeLessThanOrEqual(LIMITS.importWarningBytes);
  });
});
