import { describe, expect, test } from "vitest";
import type { SourceFormat } from "../../shared/domain/values/source-formats.ts";
import { getDetails, listParts, problemOf, readContent } from "./reading.ts";

async function read(content: string, format: SourceFormat, lenient = false) {
  const { document, warnings } = await readContent(content, { format, modelKey: "m", source: "s", lenient });
  const said = warnings.map(({ detail, count }) => `${count} ${detail}`);
  const origins = document.entities.flatMap(({ attributes }) => attributes.map(({ origin }) => origin));
  return { document, parts: listParts(document), details: getDetails(document), origins, said, warnings };
}

function expectDetails(details: Readonly<Record<string, object>>, wanted: Readonly<Record<string, object>>) {
  expect(details).toEqual(expect.objectContaining(wanted));
}

describe("SQL", () => {
  test("of PostgreSQL becomes entities with keys, relationships, enums, domains, comments and views", async () => {
    const text = `CREATE SCHEMA hr;
CREATE TYPE public.state AS ENUM ('new', 'done');
ALTER TYPE state ADD VALUE 'old' BEFORE 'done';
CREATE DOMAIN email AS character varying(80) NOT NULL CHECK (VALUE ~ '@');
CREATE TABLE public.Customer (
    id bigint GENERATED ALWAYS AS IDENTITY (START WITH 5) PRIMARY KEY,
    "Full Name" character varying(160) NOT NULL, -- as people say it
    mail email,
    state state DEFAULT 'new'::state NOT NULL,
    score numeric(10,2) DEFAULT 0.5 CHECK (score >= 0),
    tags text[] DEFAULT '{}'::text[],
    made timestamp(3) with time zone DEFAULT now(),
    size text COLLATE "C" CHECK (size IN ('S', 'M')),
    total numeric GENERATED ALWAYS AS (score * 2) STORED,
    "of" int REFERENCES customer ON DELETE CASCADE
);
CREATE TABLE hr.badge (no serial, customer bigint, CONSTRAINT one UNIQUE (customer));
ALTER TABLE ONLY hr.badge ADD CONSTRAINT badge_pkey PRIMARY KEY (no);
ALTER TABLE ONLY hr.badge ADD CONSTRAINT badge_customer FOREIGN KEY (customer) REFERENCES public.customer(id) ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED NOT VALID;
CREATE UNIQUE INDEX by_name ON customer USING btree ("Full Name", mail DESC);
CREATE UNIQUE INDEX some ON customer (lower(mail)) WHERE score > 1;
COMMENT ON TABLE customer IS 'People who''d buy.';
COMMENT ON COLUMN public.customer.mail IS 'Where they are reached.';
COMMENT ON TYPE state IS 'How far it is.';
CREATE VIEW hr.named AS SELECT c.id, c."Full Name" AS name, count(*) AS n, upper(mail) loud FROM customer c JOIN hr.badge b ON b.customer = c.id;
CREATE TABLE log (at date, x int) PARTITION BY RANGE (at);
CREATE TABLE log_1 PARTITION OF log FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
CREATE TABLE log_2 (at date, x int);
ALTER TABLE ONLY log ATTACH PARTITION log_2 FOR VALUES FROM ('2021-01-01') TO ('2022-01-01');
CREATE TEMP TABLE scratch (a int);
CREATE TABLE gone (a int);
DROP TABLE IF EXISTS gone, never;
CREATE TABLE kid (extra int) INHERITS (log);
ALTER TABLE kid RENAME COLUMN x TO y;
ALTER TABLE kid ALTER COLUMN extra TYPE varchar(5), ALTER extra SET NOT NULL, ALTER extra SET DEFAULT 'a', ADD COLUMN w int, DROP COLUMN at;
GRANT ALL ON customer TO x;
INSERT INTO kid VALUES (1);
INSERT INTO kid VALUES (2);`;
    const { parts, details, said, origins } = await read(text, "postgresql");
    expect(parts).toEqual([
      "hr.badge (no integer, customer bigint?) no",
      "hr.named (id bigint, name varchar, n any?, loud any?) ",
      "public.customer (id bigint, Full Name varchar, mail email, state state, score numeric?, tags text[]?, made timestamptz?, size text?, total numeric?, of integer?) id",
      "public.kid (y integer?, extra varchar, w integer?) ",
      "public.log (at date?, x integer?) ",
      "hr.badge_customer: hr.badge zeroOrOne - public.customer zeroOrOne (customer = id)",
      "public.customer_of: public.customer as of zeroOrOne - public.customer many (id = of)",
      "unique hr.badge_customer: customer",
      "unique public.customer_Full Name_mail: Full Name+mail",
    ]);
    expectDetails(details, {
      "hr.named": { properties: { "sql:kind": "view", "sql:query": expect.stringMatching(/^SELECT/) } },
      "public.customer": {
        description: "People who'd buy.",
        properties: {
          "sql:keyNames": { by_name: ["Full Name", "mail"] },
          "sql:indexes": [{ name: "some", unique: true, columns: ["lower(mail)"], where: "score > 1" }],
          "sql:checks": [{ check: "score >= 0" }, { check: "size IN ('S', 'M')" }],
        },
      },
      "public.customer/id": { properties: { "sql:identity": "always (START WITH 5)" } },
      "public.customer/Full Name": { description: "as people say it", constraints: { maxLength: 160 } },
      "public.customer/mail": { description: "Where they are reached.", constraints: { maxLength: 80 } },
      "public.customer/state": { constraints: { enum: ["new", "old", "done"], default: "new" } },
      "public.customer/score": {
        constraints: { minimum: 0, default: 0.5 },
        properties: { "sql:precision": 10, "sql:scale": 2 },
      },
      "public.customer/made": { properties: { "sql:arguments": "3", "sql:default": "CURRENT_TIMESTAMP" } },
      "public.customer/size": { constraints: { enum: ["S", "M"] }, properties: { "sql:collation": "C" } },
      "public.customer/total": { properties: { "sql:generated": "score * 2", "sql:stored": true } },
      "public.kid/extra": { constraints: { maxLength: 5, default: "a" } },
      "hr.badge_customer": {
        properties: {
          ...{ "sql:constraint": "badge_customer", "sql:onUpdate": "cascade", "sql:deferrable": true },
          ...{ "sql:initially": "deferred", "sql:validated": false },
        },
      },
      "type state": { description: "How far it is.", properties: { "sql:values": ["new", "old", "done"] } },
    });
    expect(origins).toContain("s#/public.customer/Full%20Name");
    expect(said).toEqual([
      "2 a partition of another table is not an entity",
      "1 a temporary table is not an entity",
      "1 users, roles and grants are not imported",
      "2 rows of data (INSERT, COPY, UPDATE, DELETE, MERGE) are not imported",
    ]);
  });

  test("of MySQL becomes entities with lengths, enums, keys, comments and engines", async () => {
    const text = `CREATE DATABASE shop; USE shop;
CREATE TABLE \`film\` (
  \`id\` smallint(5) unsigned NOT NULL AUTO_INCREMENT COMMENT 'it''s',
  title NVARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'x',
  rating ENUM('G','PG') DEFAULT 'G', flags SET('a','b'),
  done BOOLEAN DEFAULT TRUE,
  lu TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  geo GEOMETRY /*!80003 SRID 0 */ NOT NULL, lang int,
  PRIMARY KEY (\`id\`), UNIQUE KEY uk (title,rating), KEY idx_t (title(10)), FULLTEXT KEY ft (title),
  CONSTRAINT fk FOREIGN KEY (lang) REFERENCES LANG (ID) ON DELETE RESTRICT, CHECK (id>0)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='The films' PARTITION BY HASH (id) PARTITIONS 4;
CREATE TABLE lang (id int PRIMARY KEY, name varchar(20));
ALTER TABLE lang MODIFY name varchar(30) NOT NULL, CHANGE COLUMN id no bigint NOT NULL, ADD UNIQUE (name);
CREATE TABLE copy LIKE lang;
RENAME TABLE copy TO lang2;`;
    const { document, parts, details, said } = await read(text, "mysql");
    expect(document.name).toBe("shop");
    expect(parts).toEqual([
      "film (id smallint unsigned, title varchar, rating enum?, flags set?, done tinyint?, lu timestamp, geo geometry, lang int?) id",
      "lang (no bigint, name varchar) no",
      "lang2 (no bigint, name varchar) ",
      "film_lang: film many - lang zeroOrOne (lang = no)",
      "unique film_title_rating: title+rating",
      "unique lang_name: name",
    ]);
    expectDetails(details, {
      film: {
        description: "The films",
        properties: {
          "sql:options": "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 PARTITIONS 4",
          "sql:partitionBy": "HASH (id)",
          "sql:keyNames": { uk: ["title", "rating"] },
          "sql:checks": [{ check: "id > 0" }],
          "sql:indexes": [
            { name: "ft", using: "fulltext", columns: ["title"] },
            { name: "idx_t", columns: ["title"] },
          ],
        },
      },
      "film/id": {
        description: "it's",
        constraints: { exclusiveMinimum: 0 },
        properties: { "sql:identity": true },
      },
      "film/title": {
        constraints: { maxLength: 255, default: "x" },
        properties: { "sql:collation": "utf8mb4_bin" },
      },
      "film/rating": { constraints: { enum: ["G", "PG"], default: "G" } },
      "film/lu": { properties: { "sql:default": "CURRENT_TIMESTAMP", "sql:onUpdate": "CURRENT_TIMESTAMP" } },
    });
    expect(said).toEqual([]);
  });

  test("of SQL Server becomes entities with identities, extended properties and user-defined types", async () => {
    const text = `CREATE DATABASE [Shop]
GO
CREATE TYPE [dbo].[Name] FROM nvarchar(50) NULL
GO
CREATE TABLE [dbo].[Order Details] (
  [Id] [int] IDENTITY(1,1) NOT FOR REPLICATION NOT NULL,
  [Text] nvarchar(max) COLLATE Latin1_General_CI_AS NULL,
  [Price] [money] NOT NULL CONSTRAINT [DF_x] DEFAULT ((0)),
  Total AS ([Price]*2) PERSISTED,
  rowguid uniqueidentifier ROWGUIDCOL NOT NULL, Called [dbo].[Name],
  CONSTRAINT [PK_x] PRIMARY KEY CLUSTERED ([Id] ASC) WITH (PAD_INDEX = OFF) ON [PRIMARY]
) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY]
CREATE TABLE B (c int PRIMARY KEY, d int, e date)
ALTER TABLE [dbo].[B] WITH NOCHECK ADD CONSTRAINT [FK_B] FOREIGN KEY([d]) REFERENCES [dbo].[Order Details] ([id]) NOT FOR REPLICATION
ALTER TABLE [dbo].[B] CHECK CONSTRAINT [FK_B]
ALTER TABLE [dbo].[Order Details] ADD CONSTRAINT [DF] DEFAULT (newid()) FOR [rowguid]
ALTER TABLE B ADD f int NOT NULL, CONSTRAINT ck CHECK (f BETWEEN 1 AND 9)
ALTER TABLE B
ALTER COLUMN e datetime2(3) NOT NULL
GO
EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'All of it', @level0type=N'SCHEMA',@level0name=N'dbo', @level1type=N'TABLE',@level1name=N'B', @level2type=N'COLUMN',@level2name=N'd'
EXECUTE sp_addextendedproperty N'MS_Description', N'Bees', N'SCHEMA', [dbo], N'TABLE', [B], NULL, NULL;
GO
CREATE TABLE #no (a int)`;
    const { document, parts, details, said } = await read(text, "tsql");
    expect(document.name).toBe("Shop");
    expect(parts).toEqual([
      "B (c int, d int?, e datetime2, f int) c",
      "Order Details (Id int, Text nvarchar?, Price money, Total any?, rowguid uniqueidentifier, Called Name?) Id",
      "B_d: B many - Order Details zeroOrOne (d = Id)",
    ]);
    expectDetails(details, {
      B: { description: "Bees", properties: { "sql:checks": [{ name: "ck", check: "f >= 1 AND f <= 9" }] } },
      "B/d": { description: "All of it" },
      "B/f": { constraints: { minimum: 1, maximum: 9 } },
      "Order Details/Text": { properties: { "sql:arguments": "max", "sql:collation": "Latin1_General_CI_AS" } },
      "Order Details/Price": { constraints: { default: 0 } },
      "Order Details/rowguid": { properties: { "sql:rowguidcol": true, "sql:default": "newid()" } },
      "Order Details/Called": { constraints: { maxLength: 50 } },
    });
    expect(said).toEqual(["1 a temporary table is not an entity"]);
  });

  test("of Oracle has names in upper case unless they are quoted", async () => {
    const text = `CREATE TABLE "HR"."Emp" ("ID" NUMBER(10,0) GENERATED BY DEFAULT ON NULL AS IDENTITY,
  n VARCHAR2(20 CHAR) CONSTRAINT nn NOT NULL ENABLE, r RAW(16) default sys_guid(), ts TIMESTAMP(6) WITH LOCAL TIME ZONE, dept NUMBER,
  CONSTRAINT pk PRIMARY KEY (ID) USING INDEX TABLESPACE x ENABLE)
  SEGMENT CREATION IMMEDIATE STORAGE(INITIAL 65536) TABLESPACE USERS
/
CREATE TABLE hr.dept (id NUMBER);
ALTER TABLE hr.dept ADD (CONSTRAINT dept_pk PRIMARY KEY (id));
ALTER TABLE hr."Emp" ADD (CONSTRAINT fk FOREIGN KEY (dept) REFERENCES hr.dept (id) ON DELETE SET NULL, extra DATE);
ALTER TABLE hr."Emp" MODIFY (dept NOT NULL ENABLE);
COMMENT ON COLUMN hr.dept.id IS 'x';`;
    const { parts, details, said } = await read(text, "oracle");
    expect(parts).toEqual([
      "DEPT (ID NUMBER) ID",
      "Emp (ID NUMBER, N VARCHAR2, R RAW?, TS TIMESTAMP WITH LOCAL TIME ZONE?, DEPT NUMBER, EXTRA DATE?) ID",
      "Emp_DEPT: DEPT one - Emp many (ID = DEPT)",
    ]);
    expectDetails(details, {
      "DEPT/ID": { description: "x" },
      "Emp/N": { constraints: { maxLength: 20 }, properties: { "sql:lengthUnit": "char" } },
      Emp_DEPT: { properties: { "sql:constraint": "FK", "sql:onDelete": "set null" } },
    });
    expect(said).toEqual([]);
  });

  test("of BigQuery has structures as paths, and lists of structures as entities", async () => {
    const text = `CREATE TABLE \`p.shop.sale\` (id INT64 NOT NULL OPTIONS(description='x'),
  home STRUCT<street STRING, geo STRUCT<lat FLOAT64 NOT NULL, lon FLOAT64>> NOT NULL,
  items ARRAY<STRUCT<sku STRING NOT NULL, tags ARRAY<STRING>>>, words ARRAY<STRING(10)>, PRIMARY KEY (id) NOT ENFORCED
) PARTITION BY DATE(ts) CLUSTER BY id OPTIONS (description='Sales', labels=[('a','b')])`;
    const { parts, details, said } = await read(text, "bigquery");
    expect(parts).toEqual([
      "sale (id INT64, home.street STRING?, home.geo.lat FLOAT64?, home.geo.lon FLOAT64?, words ARRAY?) id",
      "sale_items (sku STRING, tags ARRAY?) ",
      "sale_items: sale one - sale_items many",
    ]);
    expectDetails(details, {
      sale: {
        description: "Sales",
        properties: { "sql:partitionBy": "DATE(ts)", "sql:labels": "[('a','b')]", "sql:options": "CLUSTER BY id" },
      },
      "sale/words": { properties: { "sql:items": "STRING(10)" } },
    });
    expect(said).toEqual([]);
  });

  test("of PostgreSQL has no schema in its keys if all tables have the same", async () => {
    const text = "SET search_path = shop; CREATE TABLE a (b int); CREATE TABLE shop.c (d int);";
    const { document } = await read(text, "postgresql");
    expect(document.entities.map(({ key }) => key)).toEqual(["a", "c"]);
    expect(document.properties).toEqual({ "sql:dialect": "postgresql", "sql:schema": "shop" });
  });

  test("columns of MySQL have the positions that ALTER TABLE gives them", async () => {
    const { parts, details } = await read(
      `CREATE TABLE a (b int, c int, d int);
ALTER TABLE a ADD COLUMN first int DEFAULT 1 FIRST, ADD COLUMN e varchar(9) DEFAULT 'x' COMMENT 'y' AFTER \`b\`, ADD f int AFTER e;
ALTER TABLE a MODIFY COLUMN d bigint AFTER first, CHANGE c g int NOT NULL FIRST, ADD h int AFTER g;
ALTER TABLE a ADD (i int, after int);`,
      "mysql",
    );
    expect(parts).toEqual([
      "a (g int, h int?, first int?, d bigint?, b int?, e varchar?, f int?, i int?, after int?) ",
    ]);
    expect(details).toEqual({
      "a/first": { constraints: { default: 1 } },
      "a/e": { description: "y", constraints: { maxLength: 9, default: "x" } },
    });
  });

  test("of an unknown dialect is read as written", async () => {
    const text = "CREATE TABLE A (b INT, [c d] TEXT, `e` DATE, PRIMARY KEY (b));";
    const { recognised, document } = await readContent(text, { modelKey: "m" });
    expect(recognised).toMatchObject({ format: "sql", sure: "likely", others: [] });
    expect(listParts(document)).toEqual(["A (b int, c d text?, e date?) b"]);
  });

  test.each([
    ["@cdm.person", "cdm"],
    ["$" + "{cdm}.person", "cdm"],
    ["$(cdm).person", "cdm"],
    ["$(cdm)..person", "cdm"],
    ["&cdm..person", "cdm"],
    ["{{ cdm }}.person", "cdm"],
    [":cdm.person", "cdm"],
  ])("loses a placeholder before a name, with a warning: %s", async (name, placeholder) => {
    const text = `CREATE TABLE ${name} (id int); ALTER TABLE ${name} ADD PRIMARY KEY (id);`;
    const { parts, said } = await read(text, "sql");
    expect(parts).toEqual(["person (id int) id"]);
    expect(said).toEqual([`2 the placeholder ${placeholder} before a name is omitted`]);
  });

  test("is read with warnings that have the line of each unknown part", async () => {
    const text =
      "CREATE TABLE a (b int, ?, CONSTRAINT x WHAT (b));\nFROBNICATE b;\nALTER TABLE nothing ADD c int;\nALTER TABLE a ADD c int;";
    const { parts, warnings } = await read(text, "sql");
    expect(parts).toEqual(["a (b int?, c int?) "]);
    expect(warnings.map(({ detail, pointers }) => [detail, ...pointers])).toEqual([
      ["unknown part of a table", "/lines/1"],
      ["unknown constraint clause", "/lines/1"],
      ['ignored: not a table definition: "FROBNICATE b"', "/lines/2"],
      ["the changed table is not in the source", "/lines/3"],
    ]);
  });

  test("of a view has the columns that its query selects from tables", async () => {
    const { parts, details, said } = await read(
      `CREATE TABLE a (b varchar(9) NOT NULL UNIQUE, c numeric(5,2) DEFAULT 1); CREATE TABLE sqlite_stat1 (tbl);
CREATE VIEW v AS SELECT x.*, 1 AS one FROM a x; CREATE VIEW w (p, q) AS SELECT * FROM a; CREATE VIEW lost AS SELECT * FROM nothing;`,
      "sqlite",
    );
    expect(parts).toEqual([
      "a (b varchar, c numeric?) ",
      "lost () ",
      "v (b varchar, c numeric?, one any?) ",
      "w (p varchar, q numeric?) ",
      "unique a_b: b",
    ]);
    const numeric = { properties: { "sql:precision": 5, "sql:scale": 2 } };
    expect(details).toMatchObject({ "v/b": { constraints: { maxLength: 9 } }, "v/c": numeric, "w/q": numeric });
    expect(details["v/c"]).not.toHaveProperty("constraints");
    expect(said).toEqual([
      "1 an internal table of SQLite is not an entity",
      "1 some columns of the query are unknown: they have no name, or are all columns of an unknown table",
    ]);
  });

  test("with an unclosed quote is reported, and arguments of any type are kept", async () => {
    const text = "CREATE TABLE a (b xml(CONTENT [x].[y]));\nCREATE TABLE c (d text DEFAULT 'x); ";
    const { parts, details, said } = await read(text, "tsql", true);
    expect(parts[0]).toBe("a (b xml?) ");
    expect(details["a/b"]).toEqual({ properties: { "sql:arguments": "CONTENT [x].[y]" } });
    expect(said).toEqual(["1 a quote or comment is not closed, so the rest of the text is ignored"]);
  });

  test.each([
    ["CREATE TABLE x (a int, b text", "a bracket is not closed"],
    ["CREATE TABLE x (a int, b text;\nCREATE TABLE y (c int);", "a bracket is not closed"],
    ["CREATE TABLE x (a int DEFAULT 'b);", "a quote or comment is not closed, so the rest of the text is ignored"],
    ["CREATE TABLE y (c int);\nCREATE TABLE;", "CREATE TABLE without a name"],
    ["CREATE TABLE y (c int);\nCREATE TABLE x;", 'CREATE TABLE "x" has no columns'],
    ["CREATE TABLE y (c int);\nCREATE TABLE x (,,);", 'no column of the table "x" can be read'],
  ])("with a fault is refused, unless the import is lenient: %s", async (text, detail) => {
    for (const format of ["postgresql", "mysql", "sqlite", "tsql", "sql"] as const) {
      const { code, members } = await problemOf(read(text, format));
      expect([format, code, members.errors?.map((one) => one.detail)]).toEqual([
        format,
        "invalid_content",
        expect.arrayContaining([`${detail}; repair the text, or import what can be read with lenient`]),
      ]);
      const { said } = await read(text, format, true);
      expect(said).toContainEqual(`1 ${detail}`);
    }
  });

  test("may have a table without columns, with brackets or from another table", async () => {
    const text =
      "CREATE TABLE v ();\nCREATE TABLE a (b int);\nCREATE TABLE c (LIKE a);\nCREATE TABLE d AS SELECT b FROM a;";
    expect((await read(text, "postgresql")).parts.map((line) => line.split(" ")[0])).toEqual(["a", "c", "d", "v"]);
  });

  test("with two definitions of a table keeps the first, unless the second replaces it", async () => {
    const text =
      "CREATE TABLE a (b int); CREATE TABLE a (c int); CREATE TABLE IF NOT EXISTS a (d int); CREATE OR REPLACE TABLE x (y int); CREATE OR REPLACE TABLE x (z int);";
    const { parts, said } = await read(text, "sql");
    expect(parts).toEqual(["a (b int?) ", "x (z int?) "]);
    expect(said).toEqual(["1 the table a is created twice; the first definition is used"]);
  });
});
