import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { findLikelyRenames, matchDocuments } from "../../shared/domain/compare/match-documents.ts";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import { Problem } from "../../shared/domain/problems.ts";
import { compilePattern } from "../../shared/domain/text/linear-pattern.ts";
import type { SourceFormat } from "../../shared/domain/values/source-formats.ts";
import { createExporter } from "../../shared/formats/exporter.ts";
import { readContent } from "./reading.ts";

const DIALECTS = ["postgresql", "mysql", "tsql", "sqlite", "oracle", "bigquery", "sql"] as const;

/** Collects the texts in which a refusal or a warning can name a position. */
async function readPositions(content: string, format?: SourceFormat): Promise<string> {
  const names = format === undefined ? {} : { format };
  const told = await readContent(content, names).catch((error: unknown) => error);
  return JSON.stringify(
    told instanceof Problem ? [told.message, told.members] : (told as { warnings: unknown }).warnings,
  );
}

describe.each([0, 1, 2])("with %i lines before it, a position counts from 1", (before) => {
  const above = "\n".repeat(before);

  test.each(DIALECTS)("in a text of %s that is broken or has unknown statements", async (format) => {
    const first = await readPositions(`${above}CREATE TABLE a (id int;`, format);
    expect(first).toContain(`/lines/${before + 1}"`);
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

  test("in a pattern", () => {
    expect(compilePattern(`${"a".repeat(before)})`)).toMatch(new RegExp(` at character ${before + 1}$`));
  });
});

const createModel = (...keys: readonly string[]): ModelDocument => ({
  ...{ $schema: "urn:metaction:model:2", key: "m", name: "M", version: "1.0.0", authority: "system" },
  ...{ types: [{ key: "text" }, { key: "date" }], relationships: [], businessKeys: [], localTags: [], tagGroups: [] },
  entities: [
    {
      key: "e",
      attributes: keys.map((key, i) => ({ key, type: i === 0 ? "key:text" : "key:date", optional: false })),
      primaryKey: [`key:${keys[1]}`, `key:${keys[0]}`],
    },
  ],
});

test("the positions of a primary key in ODCS are in its order, and count from 1", async () => {
  const { content } = await createExporter().write(createModel("a", "b"), "odcs");
  const { properties } = parse(content).schema[0];
  const positions = properties.map((one: Readonly<Record<string, unknown>>) => [one.name, one.primaryKeyPosition]);
  expect(positions).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
  const { document } = await readContent(content, { format: "odcs" });
  expect(document.entities[0]?.primaryKey).toEqual(["key:b", "key:a"]);
});

test("the position of an attribute in the reason of a likely rename counts from 1", () => {
  const found = findLikelyRenames(matchDocuments(createModel("a", "b"), createModel("c", "b")));
  expect(found.map(({ reason }) => reason)).toEqual(["both have the type text at position 1"]);
});
