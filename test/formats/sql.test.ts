import { describe, expect, test } from "vitest";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import type { SourceFormat } from "../../shared/domain/values/source-formats.ts";
import { problemOf, readContent } from "./reading.ts";

/** A model in short lines: tables with their columns, relationships, keys. */
function lines({ entities, relationships, businessKeys }: ModelDocument): readonly string[] {
  return [
    ...entities.map(({ key, attributes, primaryKey }) => {
      const columns = attributes.map((one) => `${one.key} ${one.type.slice(4)}${one.optional ? "?" : ""}`);
      return `${key} (${columns.join(", ")}) ${primaryKey.map((ref) => ref.slice(4)).join("+")}`;
    }),
    ...relationships.map(
      ({ key, roles }) => `${key}: ${roles.map((r) => `${r.entity.slice(4)} ${r.cardinality}`).join(" - ")}`,
    ),
    ...businessKeys.map(({ key }) => `unique ${key}`),
  ];
}

async function read(content: string, format: SourceFormat, lenient = false) {
  const { document, warnings } = await readContent(content, { format, modelKey: "m", source: "s", lenient });
  const attribute = (path: string) => {
    const [entity, key] = path.split("/");
    return document.entities.find((one) => one.key === entity)?.attributes.find((one) => one.key === key);
  };
  const said = warnings.map(({ detail, count }) => `${count} ${detail}`);
  return { document, lines: lines(document), attribute, said, warnings };
}

describe("SQL of PostgreSQL", () => {
  const TEXT = `CREATE SCHEMA hr;
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

  test("becomes entities with keys, relationships, enums, domains, comments and views", async () => {
    const { document, lines: found, attribute, said } = await read(TEXT, "postgresql");
    expect(found).toEqual([
      "hr.badge (no integer, customer bigint?) no",
      "hr.named (id bigint, name varchar, n any?, loud any?) ",
      "public.customer (id bigint, Full Name varchar, mail email, state state, score numeric?, tags text[]?, made timestamptz?, size text?, total numeric?, of integer?) id",
      "public.kid (y integer?, extra varchar, w integer?) ",
      "public.log (at date?, x integer?) ",
      "hr.badge_customer: hr.badge zeroOrOne - public.customer zeroOrOne",
      "public.customer_of: public.customer zeroOrOne - public.customer many",
      "unique hr.badge_customer",
      "unique public.customer_Full Name_mail",
    ]);
    expect(attribute("public.customer/id")?.properties).toEqual({ "sql:identity": "always (START WITH 5)" });
    expect(attribute("public.customer/Full Name")).toMatchObject({
      description: "as people say it",
      constraints: { maxLength: 160 },
      origin: "s#/public.customer/Full%20Name",
    });
    expect(attribute("public.customer/mail")).toMatchObject({
      description: "Where they are reached.",
      constraints: { maxLength: 80 },
    });
    expect(attribute("public.customer/state")?.constraints).toEqual({ enum: ["new", "old", "done"], default: "new" });
    expect(attribute("public.customer/score")).toMatchObject({
      constraints: { default: 0.5, minimum: 0 },
      properties: { "sql:precision": 10, "sql:scale": 2 },
    });
    expect(attribute("public.customer/made")?.properties).toEqual({ "sql:arguments": "3", "sql:default": "now()" });
    expect(attribute("public.customer/size")).toMatchObject({
      constraints: { enum: ["S", "M"] },
      properties: { "sql:collation": "C" },
    });
    expect(attribute("public.customer/total")?.properties).toEqual({
      "sql:generated": "(score * 2)",
      "sql:stored": true,
    });
    expect(attribute("public.kid/extra")?.constraints).toEqual({ maxLength: 5, default: "a" });
    const customer = document.entities.find(({ key }) => key === "public.customer");
    expect(customer).toMatchObject({
      description: "People who'd buy.",
      properties: {
        "sql:indexes": [{ name: "some", columns: ["lower(mail)"], unique: true, where: "score > 1" }],
        "sql:checks": [{ check: "score >= 0" }, { check: "size IN ('S', 'M')" }],
      },
    });
    expect(document.relationships[0]?.properties).toEqual({
      "sql:constraint": "badge_customer",
      "sql:onUpdate": "cascade",
      "sql:deferrable": true,
      "sql:initially": "deferred",
      "sql:validated": false,
    });
    expect(document.entities.find(({ key }) => key === "hr.named")?.properties).toMatchObject({ "sql:kind": "view" });
    expect(document.types.find(({ key }) => key === "state")).toMatchObject({
      description: "How far it is.",
      properties: { "sql:values": ["new", "old", "done"] },
    });
    expect(said).toEqual([
      "2 a partition of another table is not an entity",
      "1 a temporary table is not an entity",
      "1 users, roles and grants are not imported",
      "2 rows of data (INSERT, COPY, UPDATE, DELETE, MERGE) are not imported",
    ]);
  });

  test("has no schema in its keys if all tables have the same", async () => {
    const { document } = await read(
      "SET search_path = shop; CREATE TABLE a (b int); CREATE TABLE shop.c (d int);",
      "postgresql",
    );
    expect(document.entities.map(({ key }) => key)).toEqual(["a", "c"]);
    expect(document.properties).toEqual({ "sql:dialect": "postgresql", "sql:schema": "shop" });
  });
});

test("SQL of MySQL becomes entities with lengths, enums, keys, comments and engines", async () => {
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
  const { document, lines: found, attribute, said } = await read(text, "mysql");
  expect(found).toEqual([
    "film (id smallint unsigned, title varchar, rating enum?, flags set?, done tinyint?, lu timestamp, geo geometry, lang int?) id",
    "lang (no bigint, name varchar) no",
    "lang2 (no bigint, name varchar) ",
    "film_lang: film many - lang zeroOrOne",
    "unique film_title_rating",
    "unique lang_name",
  ]);
  expect(attribute("film/id")).toMatchObject({
    description: "it's",
    properties: { "sql:arguments": "5", "sql:identity": true },
  });
  expect(attribute("film/title")).toMatchObject({
    constraints: { maxLength: 255, default: "x" },
    properties: { "sql:charset": "utf8mb4", "sql:collation": "utf8mb4_bin" },
  });
  expect(attribute("film/rating")?.constraints).toEqual({ enum: ["G", "PG"], default: "G" });
  expect(attribute("film/lu")?.properties).toEqual({
    "sql:default": "CURRENT_TIMESTAMP",
    "sql:onUpdate": "CURRENT_TIMESTAMP",
  });
  expect(document.entities[0]).toMatchObject({
    description: "The films",
    properties: {
      "sql:options": "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 PARTITIONS 4",
      "sql:partitionBy": "HASH (id)",
      "sql:indexes": [
        { name: "idx_t", columns: ["title"] },
        { using: "fulltext", name: "ft", columns: ["title"] },
      ],
    },
  });
  expect(document.name).toBe("shop");
  expect(document.relationships[0]?.keyPairs).toEqual([["key:lang", "key:no"]]);
  expect(said).toEqual([]);
});

test("an index of MySQL keeps the method after its columns", async () => {
  const { document } = await read("CREATE TABLE a (b int, KEY k (b) USING BTREE, KEY l USING HASH (b));", "mysql");
  expect(document.entities[0]?.properties).toMatchObject({
    "sql:indexes": [
      { name: "k", columns: ["b"], using: "btree" },
      { name: "l", columns: ["b"] },
    ],
  });
});

test("columns of MySQL have the positions that ALTER TABLE gives them", async () => {
  const { lines: found, attribute } = await read(
    `CREATE TABLE a (b int, c int, d int);
ALTER TABLE a ADD COLUMN first int DEFAULT 1 FIRST, ADD COLUMN e varchar(9) DEFAULT 'x' COMMENT 'y' AFTER \`b\`, ADD f int AFTER e;
ALTER TABLE a MODIFY COLUMN d bigint AFTER first, CHANGE c g int NOT NULL FIRST, ADD h int AFTER g;
ALTER TABLE a ADD (i int, after int);`,
    "mysql",
  );
  expect(found).toEqual(["a (g int, h int?, first int?, d bigint?, b int?, e varchar?, f int?, i int?, after int?) "]);
  expect(attribute("a/e")).toMatchObject({ description: "y", constraints: { maxLength: 9, default: "x" } });
  for (const key of ["g", "h", "first", "d", "e", "f"]) expect(attribute(`a/${key}`)?.properties).toBeUndefined();
});

test("SQL of SQL Server becomes entities with identities, extended properties and user-defined types", async () => {
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
  const { document, lines: found, attribute, said } = await read(text, "tsql");
  expect(found).toEqual([
    "B (c int, d int?, e datetime2, f int) c",
    "Order Details (Id int, Text nvarchar?, Price money, Total any?, rowguid uniqueidentifier, Called Name?) Id",
    "B_d: B many - Order Details zeroOrOne",
  ]);
  expect([document.name, document.entities[0]?.description, attribute("B/d")?.description]).toEqual([
    "Shop",
    "Bees",
    "All of it",
  ]);
  expect(attribute("B/f")?.constraints).toEqual({ minimum: 1, maximum: 9 });
  expect(attribute("Order Details/Price")?.constraints).toEqual({ default: 0 });
  expect(attribute("Order Details/rowguid")?.properties).toEqual({
    "sql:rowguidcol": true,
    "sql:default": "(newid())",
  });
  expect(attribute("Order Details/Called")?.constraints).toEqual({ maxLength: 50 });
  expect(attribute("Order Details/Text")?.properties).toEqual({
    "sql:arguments": "max",
    "sql:collation": "Latin1_General_CI_AS",
  });
  expect(said).toEqual(["1 a temporary table is not an entity"]);
});

test("SQL of Oracle has names in upper case unless they are quoted", async () => {
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
  const { lines: found, attribute, document, said } = await read(text, "oracle");
  expect(found).toEqual([
    "DEPT (ID NUMBER) ID",
    "Emp (ID NUMBER, N VARCHAR2, R RAW?, TS TIMESTAMP WITH LOCAL TIME ZONE?, DEPT NUMBER, EXTRA DATE?) ID",
    "Emp_DEPT: DEPT one - Emp many",
  ]);
  expect(attribute("Emp/N")).toMatchObject({
    constraints: { maxLength: 20 },
    properties: { "sql:lengthUnit": "char" },
  });
  expect(attribute("DEPT/ID")?.description).toBe("x");
  expect(document.relationships[0]?.properties).toEqual({ "sql:constraint": "FK", "sql:onDelete": "set null" });
  expect(said).toEqual([]);
});

test("SQL of BigQuery has structures as paths, and lists of structures as entities", async () => {
  const text = `CREATE TABLE \`p.shop.sale\` (id INT64 NOT NULL OPTIONS(description='x'),
  home STRUCT<street STRING, geo STRUCT<lat FLOAT64 NOT NULL, lon FLOAT64>> NOT NULL,
  items ARRAY<STRUCT<sku STRING NOT NULL, tags ARRAY<STRING>>>, words ARRAY<STRING(10)>, PRIMARY KEY (id) NOT ENFORCED
) PARTITION BY DATE(ts) CLUSTER BY id OPTIONS (description='Sales', labels=[('a','b')])`;
  const { lines: found, document, attribute, said } = await read(text, "bigquery");
  expect(found).toEqual([
    "sale (id INT64, home.street STRING?, home.geo.lat FLOAT64?, home.geo.lon FLOAT64?, words ARRAY?) id",
    "sale_items (sku STRING, tags ARRAY?) ",
    "sale_items: sale one - sale_items many",
  ]);
  expect(document.entities[0]).toMatchObject({ description: "Sales", properties: { "sql:options": "CLUSTER BY id" } });
  expect(attribute("sale/words")?.properties).toEqual({ "sql:items": "STRING(10)" });
  expect(said).toEqual([]);
});

describe("SQL", () => {
  test("of an unknown dialect is read as written", async () => {
    const { recognised, document } = await readContent(
      "CREATE TABLE A (b INT, [c d] TEXT, `e` DATE, PRIMARY KEY (b));",
      { modelKey: "m" },
    );
    expect(recognised).toMatchObject({ format: "sql", sure: "likely", others: [] });
    expect(lines(document)).toEqual(["A (b int, c d text?, e date?) b"]);
  });

  test.each([
    ["@cdm.person", "cdm"],
    ["$" + "{cdm}.person", "cdm"],
    ["$(cdm).person", "cdm"],
    ["{{ cdm }}.person", "cdm"],
    [":cdm.person", "cdm"],
  ])("loses a placeholder before a name, with a warning: %s", async (name, placeholder) => {
    const { lines: found, said } = await read(
      `CREATE TABLE ${name} (id int); ALTER TABLE ${name} ADD PRIMARY KEY (id);`,
      "sql",
    );
    expect(found).toEqual(["person (id int) id"]);
    expect(said).toEqual([`2 the placeholder ${placeholder} before a name is omitted`]);
  });

  test("is read with warnings that have the line of each unknown part", async () => {
    const text =
      "CREATE TABLE a (b int, ?, CONSTRAINT x WHAT (b));\nFROBNICATE b;\nALTER TABLE nothing ADD c int;\nALTER TABLE a ADD c int;";
    const { lines: found, warnings } = await read(text, "sql");
    expect(found).toEqual(["a (b int?, c int?) "]);
    expect(warnings.map(({ detail, pointers }) => [detail, ...pointers])).toEqual([
      ["unknown part of a table", "/lines/1"],
      ["unknown constraint clause", "/lines/1"],
      ['ignored: not a table definition: "FROBNICATE b"', "/lines/2"],
      ["the changed table is not in the source", "/lines/3"],
    ]);
  });

  test("of a view has the columns that its query selects from tables", async () => {
    const {
      lines: found,
      attribute,
      said,
    } = await read(
      `CREATE TABLE a (b varchar(9) NOT NULL UNIQUE, c numeric(5,2) DEFAULT 1); CREATE TABLE sqlite_stat1 (tbl);
CREATE VIEW v AS SELECT x.*, 1 AS one FROM a x; CREATE VIEW w (p, q) AS SELECT * FROM a; CREATE VIEW lost AS SELECT * FROM nothing;`,
      "sqlite",
    );
    expect(found).toEqual([
      "a (b varchar, c numeric?) ",
      "lost () ",
      "v (b varchar, c numeric?, one any?) ",
      "w (p varchar, q numeric?) ",
      "unique a_b",
    ]);
    expect([attribute("v/b")?.constraints, attribute("w/q")?.properties, attribute("v/c")?.constraints]).toEqual([
      { maxLength: 9 },
      { "sql:precision": 5, "sql:scale": 2 },
      undefined,
    ]);
    expect(said).toEqual([
      "1 an internal table of SQLite is not an entity",
      "1 some columns of the query are unknown: they have no name, or are all columns of an unknown table",
    ]);
  });

  test("with an unclosed quote is reported, and arguments of any type are kept", async () => {
    const {
      lines: found,
      attribute,
      said,
    } = await read("CREATE TABLE a (b xml(CONTENT [x].[y]));\nCREATE TABLE c (d text DEFAULT 'x); ", "tsql", true);
    expect(found[0]).toBe("a (b xml?) ");
    expect(attribute("a/b")?.properties).toEqual({ "sql:arguments": "CONTENT [x].[y]" });
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
    expect((await read(text, "postgresql")).lines.map((line) => line.split(" ")[0])).toEqual(["a", "c", "d", "v"]);
  });

  test("with two definitions of a table keeps the first, unless the second replaces it", async () => {
    const text =
      "CREATE TABLE a (b int); CREATE TABLE a (c int); CREATE TABLE IF NOT EXISTS a (d int); CREATE OR REPLACE TABLE x (y int); CREATE OR REPLACE TABLE x (z int);";
    const { lines: found, said } = await read(text, "sql");
    expect(found).toEqual(["a (b int?) ", "x (z int?) "]);
    expect(said).toEqual(["1 the table a is created twice; the first definition is used"]);
  });
});
