import { describe, expect, test } from "vitest";
import { LARGE_TEXTS } from "./large/large-texts.ts";
import { problemOf, readContent } from "./reading.ts";

const REFUSED = LARGE_TEXTS.filter(({ format, shape }) =>
  format === "dbml" ? shape === "tables" : /^tables of which each says little|^YAML$/.test(shape),
);

describe("a text of 50 MB", () => {
  test.each(
    REFUSED.map((one) => [one.format, one.shape, one] as const),
  )("of the format %s is refused before it is parsed: %s", async (format, _, { make }) => {
    const problem = await problemOf(readContent(make(), { modelKey: "m", format }));
    expect(["source_not_recognised", "invalid_content"]).toContain(problem.code);
    const said = JSON.stringify([problem.message, problem.members.errors ?? []]);
    expect(said).toMatch(/more than (500000|100000) bytes|more than 250000 members/);
  });

  test("that is one name is refused with a part of it", async () => {
    const found = LARGE_TEXTS.find(({ format, shape }) => format === "metaction" && shape === "a name");
    const problem = await problemOf(readContent(found?.make()));
    expect(problem.code).toBe("invalid_content");
    expect(JSON.stringify([problem.message, problem.members]).length).toBeLessThan(2_000);
  });

  test.each([
    "nothing but semicolons",
    "blank lines",
    "columns added one by one",
    "rows",
  ])("of SQL is read in linear time: %s", async (shape) => {
    // What these took the square of is there in a tenth of the text too, where it takes minutes.
    const found = LARGE_TEXTS.find((one) => one.format === "postgresql" && one.shape === shape);
    const text =
      found
        ?.make()
        .slice(-5_000_000)
        .replace(/^[^\n;]*/, "CREATE TABLE a (b int)") ?? "";
    const { document } = await readContent(text, { modelKey: "m", format: "postgresql" });
    expect(document.entities.length).toBeGreaterThan(0);
  });
});
