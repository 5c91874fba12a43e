import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { SqlDialect } from "../../shared/formats/common/source-text.ts";
import { DIALECTS } from "../../shared/formats/sql/dialects.ts";
import { splitStatements } from "../../shared/formats/sql/statements.ts";

function split(text: string, dialect: SqlDialect): readonly string[] {
  return [...splitStatements(text, DIALECTS[dialect])].map(({ line, kind, reason, tokens }) =>
    kind ? `${line} ${kind}: ${tokens.map(({ value }) => value).join(" ")}` : `${line} (${reason})`,
  );
}

describe("statements", () => {
  test("of PostgreSQL end outside of strings, dollar quotes, comments and brackets", () => {
    const text = `-- a; b
/* x; /* nested; */ y; */ CREATE TABLE "a;b" (c text DEFAULT 'x;''y', d text DEFAULT E'\\';');
CREATE FUNCTION f() RETURNS text AS $body$ BEGIN; 'open END; $$ $body$ LANGUAGE plpgsql;
DO $$ BEGIN; END; $$;
\\connect shop
COPY a (c) FROM stdin;
CREATE TABLE no (x int);
\\N	don't; "do
\\.
CREATE TABLE z (a int);
SELECT 1 \\gexec
CREATE TYPE t AS ENUM ('a;');`;
    expect(split(text, "postgresql")).toEqual([
      "2 create table: CREATE TABLE a;b ( c text DEFAULT x;'y , d text DEFAULT '; )",
      ...["3 (routine)", "4 (routine)", "5 use: use shop", "6 (data)"],
      ...["10 create table: CREATE TABLE z ( a int )", "11 (query)"],
      "12 create type: CREATE TYPE t AS ENUM ( a; )",
    ]);
  });

  test("of MySQL end where DELIMITER says, and include the content of its version comments", () => {
    const text = `# a; b
DELIMITER $$
CREATE PROCEDURE p() BEGIN SELECT 1; CREATE TABLE no (a int); END$$
DELIMITER ;
/*!40101 SET NAMES utf8 */;
/*!50001 CREATE TABLE */ \`a\`\`;b\` (c varchar(9) DEFAULT "x;\\"y" /* no; */);
CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN IF 1 THEN SET @a = CASE 1 WHEN 1 THEN 2 END; END IF; END;
USE shop;
INSERT INTO a VALUES ('it\\'s; ''CREATE'), ("); CREATE TABLE no (a int);");`;
    expect(split(text, "mysql")).toEqual([
      ...["3 (routine)", "5 set: SET NAMES utf8"],
      '6 create table: CREATE TABLE a`;b ( c varchar ( 9 ) DEFAULT x;"y )',
      ...["7 (routine)", "8 use: USE shop", "9 (data)"],
    ]);
  });

  test("end at the text that DELIMITER sets, which may have several characters and change again", () => {
    const text = `CREATE TABLE a (x int);
  delimiter //
CREATE TABLE b (x int); CREATE TABLE no (y int)//
CREATE PROCEDURE p() BEGIN SELECT 1; END//CREATE TABLE c (x int)
//
DELIMITER ;;\r
CREATE TABLE d (x int);;
DELIMITER ;
CREATE TABLE e (delimiter int); CREATE TABLE f (x int);`;
    expect(split(text, "mysql")).toEqual([
      "1 create table: CREATE TABLE a ( x int )",
      "3 create table: CREATE TABLE b ( x int ) ; CREATE TABLE no ( y int )",
      "4 (routine)",
      "4 create table: CREATE TABLE c ( x int )",
      "7 create table: CREATE TABLE d ( x int )",
      "9 create table: CREATE TABLE e ( delimiter int )",
      "9 create table: CREATE TABLE f ( x int )",
    ]);
  });

  test("of SQL Server need no separator, and end at GO", () => {
    const text = `USE [shop]
GO
IF OBJECT_ID('a') IS NULL CREATE TABLE [a;b] (x int, [go] int
)
CREATE TABLE c (x int)
ALTER TABLE c ADD
  y int
ALTER TABLE c
ALTER COLUMN y bigint
go 5
CREATE PROCEDURE p AS BEGIN
  SELECT 1; CREATE TABLE #no (a int)
END
GO
:setvar X "y"
PRINT 'CREATE TABLE no (a int)'
EXEC sp_help;`;
    expect(split(text, "tsql")).toEqual([
      ...["1 use: USE shop", "3 (routine)", "3 create table: CREATE TABLE a;b ( x int , go int )"],
      ...["5 create table: CREATE TABLE c ( x int )", "6 alter table: ALTER TABLE c ADD y int"],
      "8 alter table: ALTER TABLE c ALTER COLUMN y bigint",
      ...["11 (routine)", "15 (setting)", "16 (setting)", "17 execute: EXEC sp_help"],
    ]);
  });

  test("of Oracle end at a semicolon, blocks of code at a slash, commands with their line", () => {
    const text = `SET DEFINE OFF
PROMPT it's
CREATE TABLE a (b VARCHAR2(9) DEFAULT q'[it's;]', c NUMBER);
CREATE OR REPLACE PACKAGE BODY p IS
  PROCEDURE x IS v NUMBER; BEGIN v := 1; END;
END p;
/
CREATE OR REPLACE TRIGGER t BEFORE INSERT ON a FOR EACH ROW
DECLARE v NUMBER;
BEGIN v := 1; END;
/
CREATE FUNCTION f RETURN NUMBER IS BEGIN RETURN 1; END;
CREATE TABLE d (e DATE);
BEGIN EXECUTE IMMEDIATE 'CREATE TABLE no (a int)'; END;
/
COMMENT ON TABLE a IS 'x/y';`;
    expect(split(text, "oracle")).toEqual([
      ...["1 (setting)", "2 (setting)"],
      "3 create table: CREATE TABLE a ( b VARCHAR2 ( 9 ) DEFAULT it's; , c NUMBER )",
      ...["4 (routine)", "8 (routine)", "12 (routine)"],
      "13 create table: CREATE TABLE d ( e DATE )",
      "14 (routine)",
      "16 comment: COMMENT ON TABLE a IS x/y",
    ]);
  });

  test("of SQLite may contain blocks, and alternate with commands of its shell", () => {
    const text = `.mode csv
CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET b = CASE WHEN 1 THEN 2 END; DELETE FROM b; END;
CREATE TABLE [a;b] ('c;' int, "d" text);
BEGIN TRANSACTION;
COMMIT;`;
    expect(split(text, "sqlite")).toEqual([
      ...["1 (setting)", "2 (routine)"],
      "3 create table: CREATE TABLE a;b ( c; int , d text )",
      ...["4 (setting)", "5 (setting)"],
    ]);
  });

  test("of BigQuery and Snowflake have their own strings and comments", () => {
    const bigquery = 'CREATE TABLE a (b STRING DEFAULT """x;"y""", c STRING DEFAULT r\'\\\'); # x; y\nSELECT "a\\";b";';
    expect(split(bigquery, "bigquery")).toEqual([
      '1 create table: CREATE TABLE a ( b STRING DEFAULT x;"y , c STRING DEFAULT \\ )',
      "2 (query)",
    ]);
    expect(split("// a; b\nCREATE FUNCTION f() AS $$ x; $$;\nCREATE TABLE a (b int);", "snowflake")).toEqual([
      "2 (routine)",
      "3 create table: CREATE TABLE a ( b int )",
    ]);
  });

  test("that change or drop an object have the kind of the object", () => {
    const text =
      "ALTER TYPE x;ALTER SESSION x;ALTER SEQUENCE x;ALTER INDEX x;DROP VIEW x;DROP INDEX x;DROP SEQUENCE x;";
    const kinds = split(text, "sql").map((one) => one.slice(2).split(":")[0]);
    expect(kinds.join()).toBe("alter type,alter session,(sequence),(database),drop,drop,(sequence)");
  });

  test("without an end, or with two, are split too", () => {
    expect(split(";;CREATE TABLE a (b int);;\n;", "sql")).toEqual(["1 create table: CREATE TABLE a ( b int )"]);
    expect(split("CREATE TABLE a (b int DEFAULT 'open;", "sql")).toHaveLength(1);
    expect(split("/* open", "sql")).toEqual([]);
    expect(split("$x$ open", "postgresql")).toEqual(["1 (other)"]);
  });

  test(`are read with at most ${LIMITS.sqlTokens} words`, () => {
    const values = (count: number) => `CREATE TABLE a (b ${"x ".repeat(count)})`;
    const [read, not] = [LIMITS.sqlTokens - 6, LIMITS.sqlTokens - 5].map((n) => [
      ...splitStatements(values(n), DIALECTS.sql),
    ]);
    expect([read?.[0]?.kind, read?.[0]?.tokens.length]).toEqual(["create table", LIMITS.sqlTokens]);
    expect([not?.[0]?.kind, not?.[0]?.reason]).toEqual([undefined, "long"]);
  });
});
