import { describe, expect, test } from "vitest";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import { createExporter } from "../../shared/formats/exporter.ts";
import { pointers, readContent } from "./reading.ts";

/** Imports a model. Each object has its key as id; `before` contains the ids of renamed objects by key. */
async function readModel(content: unknown, before: Record<string, string> = {}): Promise<ModelDocument> {
  const text = JSON.stringify((await readContent(content)).document);
  return JSON.parse(text, (_, one) => (one?.key ? { ...one, id: before[one.key] ?? one.key } : one));
}

/** Returns the statements of a migration without quotation marks. Those that are commented out begin with `--`. */
async function migrate(left: unknown, right: unknown, before?: Record<string, string>) {
  const documents = { left: await readModel(left), right: await readModel(right, before) };
  const compared = { ...documents, names: ["left", "right"], differences: [] } as const;
  const { content, warnings } = await createExporter().writeDifference(compared, "postgresql");
  const [, body = ""] = /\n\nBEGIN;\n\n(.*)\n\nCOMMIT;\n$/s.exec(content) ?? [];
  return { steps: body.replace(/^---.*\n|"/gm, "").replace(/\n(-- )?\s*/g, " "), warnings };
}

describe("a migration to PostgreSQL", () => {
  test.each([
    ["integer", "bigint", "ALTER TABLE t ALTER COLUMN a TYPE bigint;"],
    ["bigint", "integer", "-- ALTER TABLE t ALTER COLUMN a TYPE integer USING a::integer;"],
    ["numeric(4,2)", "numeric(6,2)", "ALTER TABLE t ALTER COLUMN a TYPE numeric(6,2);"],
    ["numeric(4,2)", "numeric(4,1)", "-- ALTER TABLE t ALTER COLUMN a TYPE numeric(4,1) USING a::numeric(4,1);"],
    ["numeric", "numeric(5)", "-- ALTER TABLE t ALTER COLUMN a TYPE numeric(5) USING a::numeric(5);"],
    ["integer", "date", "-- ALTER TABLE t ALTER COLUMN a TYPE date USING a::text::date;"],
    ["timestamp", "date", "-- ALTER TABLE t ALTER COLUMN a TYPE date USING a::date;"],
    ["timestamptz", "text", "-- ALTER TABLE t ALTER COLUMN a TYPE text USING a::text;"],
    ["uuid", "text", "ALTER TABLE t ALTER COLUMN a TYPE text;"],
    ["varchar(9)", "varchar(8)", "-- ALTER TABLE t ALTER COLUMN a TYPE varchar(8);"],
    ["interval", "inet", "-- ALTER TABLE t ALTER COLUMN a TYPE inet USING a::text::inet;"],
  ])("changes a column from %s to %s, as a comment if values may be lost", async (from, to, steps) =>
    expect((await migrate(`CREATE TABLE t (a ${from});`, `CREATE TABLE t (a ${to});`)).steps).toBe(steps));

  test.each<[title: string, left: string, right: string, steps: readonly string[], before?: Record<string, string>]>([
    [
      "adds new values to an enum, or replaces it if its order changes or if defaults or converted columns may use them",
      `CREATE TYPE e AS ENUM ('x', 'y'); CREATE TYPE f AS ENUM ('x'); CREATE TYPE g AS ENUM ('x');
      CREATE TYPE h AS ENUM ('x'); CREATE TYPE i AS ENUM ('x'); CREATE TABLE t (a e, b f, c e, d g, e g, f h, g i, h f);`,
      `CREATE TYPE e AS ENUM ('y', 'x'); CREATE TYPE f AS ENUM ('x'); CREATE TYPE g AS ENUM ('x', 'z');
      CREATE TYPE h AS ENUM ('x', 'z'); CREATE TYPE i AS ENUM ('x', 'z');
      CREATE TABLE t (a e, b e, c f, d g DEFAULT 'x', e g, f h DEFAULT 'z', g i, h i);`,
      [
        "ALTER TYPE e RENAME TO metaction_aside_1; ALTER TYPE h RENAME TO metaction_aside_2;",
        "ALTER TYPE i RENAME TO metaction_aside_3; CREATE TYPE e AS ENUM ('y', 'x'); ALTER TYPE g ADD VALUE 'z' AFTER 'x';",
        "CREATE TYPE h AS ENUM ('x', 'z'); CREATE TYPE i AS ENUM ('x', 'z'); ALTER TABLE t ALTER COLUMN a TYPE e USING a::text::e;",
        "ALTER TABLE t ALTER COLUMN b TYPE e USING b::text::e; -- ALTER TABLE t ALTER COLUMN c TYPE f USING c::text::f;",
        "ALTER TABLE t ALTER COLUMN d SET DEFAULT 'x';",
        "ALTER TABLE t ALTER COLUMN f TYPE h USING f::text::h, ALTER COLUMN f SET DEFAULT 'z';",
        "ALTER TABLE t ALTER COLUMN g TYPE i USING g::text::i; ALTER TABLE t ALTER COLUMN h TYPE i USING h::text::i;",
        "-- DROP TYPE metaction_aside_1; DROP TYPE metaction_aside_2; DROP TYPE metaction_aside_3;",
      ],
    ],
    [
      "drops a foreign key while the type of its columns changes",
      "CREATE TABLE b (id integer PRIMARY KEY); CREATE TABLE t (id integer REFERENCES b (id));",
      "CREATE TABLE b (id text PRIMARY KEY); CREATE TABLE t (id text REFERENCES b (id));",
      [
        "ALTER TABLE t DROP CONSTRAINT t_id_fkey; ALTER TABLE b ALTER COLUMN id TYPE text;",
        "ALTER TABLE t ALTER COLUMN id TYPE text; ALTER TABLE t ADD FOREIGN KEY (id) REFERENCES b (id);",
      ],
    ],
    [
      "comments out changes of keys, except a new unique key of a new empty column",
      "CREATE TABLE t (a integer, b integer, PRIMARY KEY (a, b));",
      "CREATE TABLE t (a integer, b integer, c integer UNIQUE, d integer DEFAULT 1 UNIQUE, PRIMARY KEY (a));",
      [
        "-- ALTER TABLE t DROP CONSTRAINT t_pkey; ALTER TABLE t ADD COLUMN c integer;",
        "ALTER TABLE t ADD COLUMN d integer DEFAULT 1; -- ALTER TABLE t ALTER COLUMN b DROP NOT NULL;",
        "-- ALTER TABLE t ADD PRIMARY KEY (a); ALTER TABLE t ADD UNIQUE (c); -- ALTER TABLE t ADD UNIQUE (d);",
      ],
    ],
    [
      "renames a table to the former name of a table that moves to another schema with its key",
      "CREATE TABLE hr.x (a integer PRIMARY KEY); CREATE TABLE hr.y (b integer); CREATE TABLE pay.z (c integer);",
      "CREATE TABLE pay.y (a integer PRIMARY KEY); CREATE TABLE hr.x (b integer); CREATE TABLE pay.z (c integer);",
      [
        "ALTER TABLE hr.x RENAME TO metaction_aside_1; ALTER TABLE hr.metaction_aside_1 SET SCHEMA pay;",
        "ALTER TABLE hr.y RENAME TO x; ALTER TABLE pay.metaction_aside_1 RENAME TO y;",
        "ALTER TABLE pay.y RENAME CONSTRAINT x_pkey TO y_pkey;",
      ],
      { "pay.y": "hr.x", "hr.x": "hr.y" },
    ],
    [
      "comments out steps that need a name of another step that is commented out",
      "CREATE TABLE x (a text); CREATE TABLE t (a bigint CHECK (a >= 0), c integer CHECK (c >= 0));",
      `CREATE TYPE x AS ENUM ('x'); CREATE TABLE y (a x);
      CREATE TABLE t (b integer CHECK (b >= 0), a bigint CHECK (a >= 0));`,
      [
        "-- ALTER TABLE t DROP CONSTRAINT t_a_check; -- ALTER TABLE t DROP CONSTRAINT t_c_check; -- DROP TABLE x;",
        "ALTER TABLE t RENAME COLUMN a TO metaction_aside_1; ALTER TABLE t RENAME COLUMN metaction_aside_1 TO b;",
        "ALTER TABLE t RENAME COLUMN c TO a; -- CREATE TYPE x AS ENUM ('x'); -- CREATE TABLE y ( a x );",
        "-- ALTER TABLE t ALTER COLUMN b TYPE integer USING b::integer; -- ALTER TABLE t ALTER COLUMN a TYPE bigint;",
        "-- ALTER TABLE t ADD CHECK (b >= 0); -- ALTER TABLE t ADD CHECK (a >= 0);",
      ],
      { b: "a", a: "c" },
    ],
    [
      "comments out what loses values or may fail on rows, and repeats no comment",
      "CREATE TABLE t (a integer, b integer, d text); COMMENT ON COLUMN t.a IS 'x';",
      `CREATE TYPE e AS ENUM ('x'); CREATE TABLE t (a integer, c integer NOT NULL, d e);
      COMMENT ON COLUMN t.a IS 'x';`,
      [
        "-- ALTER TABLE t DROP COLUMN b; CREATE TYPE e AS ENUM ('x'); ALTER TABLE t ADD COLUMN c integer;",
        "-- ALTER TABLE t ALTER COLUMN c SET NOT NULL; -- ALTER TABLE t ALTER COLUMN d TYPE e USING d::text::e;",
      ],
    ],
    [
      "renames the foreign key of a renamed table, and creates no table with the name of a key before that is dropped",
      `CREATE TABLE x (a integer PRIMARY KEY); CREATE TABLE b (id integer PRIMARY KEY);
      CREATE TABLE t (a integer REFERENCES b (id));`,
      `CREATE TABLE x_pkey (b integer); CREATE TABLE b (id integer PRIMARY KEY);
      CREATE TABLE s (a integer REFERENCES b (id));`,
      [
        "-- DROP TABLE x; ALTER TABLE t RENAME TO s; ALTER TABLE s RENAME CONSTRAINT t_a_fkey TO s_a_fkey;",
        "-- CREATE TABLE x_pkey ( b integer );",
      ],
      { s: "t", s_a: "t_a" },
    ],
    [
      "does not rename a foreign key that is dropped while the type of its columns changes",
      "CREATE TABLE b (id integer PRIMARY KEY); CREATE TABLE t (id integer REFERENCES b (id));",
      "CREATE TABLE b (id text PRIMARY KEY); CREATE TABLE s (id text REFERENCES b (id));",
      [
        "ALTER TABLE t DROP CONSTRAINT t_id_fkey; ALTER TABLE t RENAME TO s; ALTER TABLE b ALTER COLUMN id TYPE text;",
        "ALTER TABLE s ALTER COLUMN id TYPE text; ALTER TABLE s ADD FOREIGN KEY (id) REFERENCES b (id);",
      ],
      { s: "t", s_id: "t_id" },
    ],
  ])("%s", async (_title, left, right, steps, before) =>
    expect((await migrate(left, right, before)).steps).toBe(steps.join(" ")));

  test("warns about new defaults that a column cannot have, and not about constraints that both sides have", async () => {
    const columns = [
      { type: "string", pattern: "^x" },
      ...[3, 2].map((value) => ({ type: "number", exclusiveMaximum: 3, default: value })),
      ...[3, 4].map((value) => ({ type: "integer", multipleOf: 2, default: value })),
      ...[1e30, 1e29].map((value) => ({ type: "number", default: value })),
    ];
    const $schema = "https://json-schema.org/draft/2020-12/schema";
    const [left, right] = [columns.slice(0, 1), columns].map((all) => ({ $schema, properties: { ...all } }));
    const lost = pointers((await migrate(left, right)).warnings).filter((one) => one.includes("/constraints/"));
    expect(lost).toEqual([1, 3, 5].map((i) => `/right/entities/0/attributes/${i}/constraints/default`));
    const again = pointers((await migrate(right, left)).warnings);
    expect(again).toEqual(expect.arrayContaining(lost.map((one) => one.replace("right", "left"))));
    const moved = await migrate("CREATE TABLE t (a int, b int);", "CREATE TABLE t (b int, a int);");
    expect(pointers(moved.warnings)).toContain("/right/entities/0/attributes");
  });
});
