import { describe, expect, test } from "vitest";
import type { SourceFormat } from "../../shared/domain/values/source-formats.ts";
import { problemOf, readContent } from "./reading.ts";

describe("the dialect of a text", () => {
  test.each<[SourceFormat, string, string]>([
    ["postgresql", "certain", "-- PostgreSQL database dump\nCREATE TABLE a (b jsonb);"],
    ["mysql", "certain", "/*!40101 SET NAMES utf8 */;\nCREATE TABLE `a` (b int AUTO_INCREMENT) ENGINE=InnoDB;"],
    ["sqlite", "certain", "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE a (b INTEGER PRIMARY KEY);"],
    ["tsql", "certain", "CREATE TABLE [dbo].[a] ([b] [int] IDENTITY(1,1))\nGO\n"],
    ["oracle", "certain", "PROMPT a\nCREATE TABLE a (b VARCHAR2(9));\n/\n"],
    ["snowflake", "certain", "create or replace transient table a (b variant);"],
    ["bigquery", "certain", "CREATE TABLE d.a (b INT64, c STRUCT<d STRING>);"],
    ["redshift", "certain", "CREATE TABLE a (b character varying(9) ENCODE lzo) DISTSTYLE KEY DISTKEY (b);"],
    ["postgresql", "likely", "CREATE TABLE a (b timestamp with time zone);"],
    ["sql", "likely", "CREATE TABLE a (b int);"],
  ])("is %s, %s: %#", async (format, sure, content) => {
    const { recognised } = await readContent(content, { modelKey: "m" });
    expect(recognised).toMatchObject({ format, sure });
  });

  test("is the given one, and another likely one is reported", async () => {
    const content = "CREATE TABLE A (b VARCHAR2(9));";
    const { recognised, document } = await readContent(content, { modelKey: "m", format: "postgresql" });
    expect(recognised).toMatchObject({
      format: "postgresql",
      sure: "possible",
      because: expect.stringMatching(/^format says so/),
    });
    expect(recognised.others.map(({ format }) => format)).toEqual(["oracle"]);
    expect(document.entities[0]?.key).toBe("a");
  });

  test("cannot be requested for a text of another format", async () => {
    const problem = await problemOf(readContent("CREATE TABLE a (b int);", { format: "dbml" }));
    expect(problem.message).toContain("it is a text in standard SQL (sql)");
  });
});
