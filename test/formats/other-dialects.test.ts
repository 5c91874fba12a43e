import { expect, test } from "vitest";
import { problemOf, readContent } from "./reading.ts";

const recognise = async (content: string) => {
  const { recognised, document } = await readContent(content, { modelKey: "m" });
  return [recognised.format, recognised.name, document.entities.map(({ key }) => key).join()];
};

test.each([
  ["Hive", "--HIVE DDL\nCREATE TABLE person (id integer, name varchar(max));"],
  ["Hive", "CREATE TABLE person (a string, b array<string>) PARTITIONED BY (d string) STORED AS PARQUET;"],
  ["Impala", "--impala DDL\nCREATE TABLE person (id INTEGER, d TIMESTAMP);"],
  ["Spark", "CREATE TABLE person (a STRING, b BIGINT) USING DELTA;"],
  ["Databricks", "-- databricks\nCREATE TABLE person (a STRING);"],
  ["Db2", "-- DB2\nCREATE TABLE person (a VARCHAR(80) NOT NULL);"],
  ["Db2", "CREATE TABLE person (a VARCHAR(80) NOT NULL) ORGANIZE BY ROW;"],
  ["Derby", "-- Derby\nCREATE TABLE person (a VARCHAR(80) NOT NULL);"],
  ["SAP HANA", "CREATE COLUMN TABLE person (a NVARCHAR(80));"],
  ["Informix", "{ Thanks to\n  Informix users }\ncreate table person (a varchar(80) not null);"],
  ["Informix", "{ Thanks }\ncreate table person (a lvarchar(10));"],
])("a text in the SQL of %s is recognised by name, and read as standard SQL: %s", async (name, content) => {
  expect(await recognise(content)).toEqual([
    "sql",
    `a text in the SQL of ${name}, which is read as standard SQL`,
    "person",
  ]);
});

test.each([
  '/* a sample */\n-- by us\n:setvar DatabaseName "AW"\n:on error exit\nGO\nCREATE TABLE [dbo].[person] ([Id] [int]);\nGO\n',
  ":on error exit\nGO\nCREATE TABLE [dbo].[person] ([Id] [int]);\nGO\n",
])("a script for sqlcmd is SQL: %j", async (content) => {
  expect(await recognise(content)).toEqual(["tsql", "a text in the SQL of SQL Server", "person"]);
});

test("a text in braces without SQL after them is broken JSON", async () => {
  for (const content of ["{ a: 1 }\ntext", "{ Thanks }\nhello: world", '{"a": {"b": 1} ']) {
    expect((await problemOf(readContent(content, { modelKey: "m" }))).message).toContain("it is not JSON");
  }
});
