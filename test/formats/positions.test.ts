import { describe, expect, test } from "vitest";
import { Problem } from "../../shared/domain/problems.ts";
import { compilePattern } from "../../shared/domain/text/linear-pattern.ts";
import type { SourceFormat } from "../../shared/domain/values/source-formats.ts";
import { readContent } from "./reading.ts";

const DIALECTS = ["postgresql", "mysql", "tsql", "sqlite", "oracle", "bigquery", "sql"] as const;

async function readPositions(content: string, format?: SourceFormat): Promise<string> {
  const told = await readContent(content, format === undefined ? {} : { format }).catch((error: unknown) => error);
  return JSON.stringify(
    told instanceof Problem ? [told.message, told.members] : (told as { warnings: unknown }).warnings,
  );
}

describe.each([0, 1, 2])("with %i lines before it, a position counts from 1", (before) => {
  const above = "\n".repeat(before);

  test.each(DIALECTS)("in a text of %s that is broken or has unknown statements", async (format) => {
    expect(await readPositions(`${above}CREATE TABLE a (id int;`, format)).toContain(`/lines/${before + 1}"`);
    const second = await readPositions(`${above}CREATE TABLE a (id int);\n\nGRANT SELECT ON a TO b;`, format);
    expect(second).toContain(`/lines/${before + 3}"`);
  });

  test("in DBML", async () => {
    const broken = `${above}Table a {\n id int [ref: > b.id]\n}`;
    expect(await readPositions(broken, "dbml")).toContain(`line ${before + 2}: `);
  });

  test("in YAML", async () => {
    const text = `${above}kind: DataContract\nname: @x\n`;
    expect(await readPositions(text)).toContain(`at character ${text.indexOf("@") + 1})`);
  });

  test("in a pattern", () =>
    expect(compilePattern(`${"a".repeat(before)})`)).toMatch(new RegExp(` at character ${before + 1}$`)));
});
