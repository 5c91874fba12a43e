import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createExporter } from "../../shared/formats/exporter.ts";
import { createImporter } from "../../shared/formats/importer.ts";
import { countOfRun, createChance, seedOf } from "../support/chance.ts";
import { changedModel, HARSH, MILD, NUMBERED, placedModel } from "./support/changed-models.ts";
import { type Postgres, startPostgres } from "./support/postgres.ts";
import { closed, createDrawing, drawnModel, type OpenModel } from "./support/random-models.ts";
import { drawnRows } from "./support/random-rows.ts";

/** The tables of the database that are no part of PostgreSQL, by a condition on `c` and its schema `n`. */
const OWN = `c.relkind = 'r' and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`;

const KEEP_ROWS = `
CREATE TEMP TABLE kept (tab oid, columns int2[], row text[]);
DO $$ DECLARE t record; BEGIN
  FOR t IN SELECT c.oid, n.nspname, c.relname,
      (SELECT array_agg(a.attnum ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS nums,
      (SELECT string_agg(format('%I::text', a.attname), ', ' ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS names
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${OWN}
  LOOP
    EXECUTE format('INSERT INTO kept SELECT %s, %L, ARRAY[%s]::text[] FROM %I.%I', t.oid, t.nums, coalesce(t.names, ''), t.nspname, t.relname);
  END LOOP;
END $$;`;

/** Counts the kept rows and lists the lost ones, by identity of tables and columns, and equal after a cast. */
const FIND_LOST_ROWS = `
CREATE TEMP TABLE lost (what text);
DO $$ DECLARE t record; place regclass; old text; now text; BEGIN
  FOR t IN SELECT DISTINCT tab, columns FROM kept LOOP
    IF NOT EXISTS (SELECT FROM pg_class WHERE oid = t.tab) THEN INSERT INTO lost VALUES ('a table'); CONTINUE; END IF;
    IF (SELECT count(*) FROM pg_attribute WHERE attrelid = t.tab AND attnum = ANY (t.columns) AND NOT attisdropped) <> coalesce(cardinality(t.columns), 0)
      THEN INSERT INTO lost VALUES (format('a column of %s', t.tab::regclass)); CONTINUE; END IF;
    SELECT coalesce(string_agg(format('(row)[%s]::%s::text', array_position(t.columns, attnum), format_type(atttypid, atttypmod)), ', ' ORDER BY attnum), ''),
        coalesce(string_agg(format('%I::text', attname), ', ' ORDER BY attnum), '')
      INTO old, now FROM pg_attribute WHERE attrelid = t.tab AND attnum = ANY (t.columns) AND NOT attisdropped;
    EXECUTE format('INSERT INTO lost SELECT %L || x::text FROM (SELECT ARRAY[%s]::text[] FROM kept WHERE tab = %s EXCEPT ALL SELECT ARRAY[%s]::text[] FROM %s) x',
      t.tab::regclass || ' ', old, t.tab, now, t.tab::regclass);
  END LOOP;
END $$;
SELECT json_build_object('rows', (SELECT count(*) FROM kept), 'lost', (SELECT coalesce(json_agg(what), '[]') FROM lost));`;

/** Everything of a database that a model contains, row by row, from its catalog, without the order of columns. */
function catalogOf(postgres: Postgres, database: string): readonly unknown[] {
  const own = `n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`;
  return postgres.rows(
    database,
    `select 'table' as sort, n.nspname || '.' || c.relname as name, obj_description(c.oid, 'pg_class') as a, null as b, null as c
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and ${own}
     union all select 'column', n.nspname || '.' || c.relname || '.' || a.attname,
       format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end || a.attidentity::text || a.attgenerated::text,
       pg_get_expr(d.adbin, d.adrelid), col_description(c.oid, a.attnum)
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
       left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
       where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and ${own}
     union all select 'constraint', n.nspname || '.' || c.relname || '.' || o.conname, pg_get_constraintdef(o.oid),
       obj_description(o.oid, 'pg_constraint'), o.convalidated::text
       from pg_constraint o join pg_class c on c.oid = o.conrelid join pg_namespace n on n.oid = c.relnamespace
       where o.contype <> 'n' and ${own}
     union all select 'enum', n.nspname || '.' || t.typname,
       (select json_agg(e.enumlabel order by e.enumsortorder)::text from pg_enum e where e.enumtypid = t.oid), obj_description(t.oid, 'pg_type'), null
       from pg_type t join pg_namespace n on n.oid = t.typnamespace where t.typtype = 'e' and ${own}
     union all select 'index', n.nspname || '.' || c.relname, pg_get_indexdef(c.oid), null, null
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'i' and not exists (select from pg_constraint o where o.conindid = c.oid) and ${own}
     union all select 'view', n.nspname || '.' || c.relname, pg_get_viewdef(c.oid), c.relkind::text, null
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('v', 'm') and ${own}
     order by 1, 2, 3`,
  );
}

const SEED = seedOf("migrations");
const PAIRS = countOfRun("METACTION_MIGRATED_PAIRS", 200);

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
  for (const name of ["old", "new"]) postgres.run("postgres", `CREATE DATABASE ${name}`);
});
afterAll(() => postgres?.stop());

const EMPTY = `DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA IF EXISTS sales, "it's" CASCADE;`;
const exporter = createExporter();

async function made(model: OpenModel): Promise<string> {
  const { content } = await exporter.write(closed(model), "postgresql");
  return `SET client_min_messages = error;\n${EMPTY}\n${content}`;
}

async function written(left: OpenModel, right: OpenModel) {
  const names = ["the left", "the right"] as const;
  return exporter.writeDifference({ left: closed(left), right: closed(right), names, differences: [] }, "postgresql");
}

const draftOf = async (left: OpenModel, right: OpenModel): Promise<string> => (await written(left, right)).content;

const uncommented = (draft: string) => draft.replaceAll(/^-- /gm, "");
const isHeld = (draft: string) => /^-- /m.test(draft);

function run(database: string, text: string, at: string): string {
  try {
    return postgres.run(database, text);
  } catch (error) {
    throw new Error(`${String(error)}\n${at}`);
  }
}

/** A schema with objects that the random models do not have, and a later version of it. */
const VERSIONS = [
  `CREATE TABLE customer (id serial PRIMARY KEY, mail text NOT NULL, made timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP);
   CREATE TABLE orders (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, net numeric(10,2), vat numeric(4,2) DEFAULT 19,
     note varchar(10), customer_id integer REFERENCES customer (id) ON DELETE CASCADE, gross numeric(12,2) GENERATED ALWAYS AS (net * 2) STORED,
     CONSTRAINT orders_net CHECK (net > vat OR vat IS NULL));
   CREATE INDEX customer_made ON customer (made);
   CREATE UNIQUE INDEX customer_mail ON customer (lower(mail));
   CREATE INDEX orders_customer ON orders (customer_id) WHERE net > 0;
   CREATE VIEW large AS SELECT id, net FROM orders WHERE net > 100;
   CREATE MATERIALIZED VIEW sums AS SELECT count(*) AS total, sum(net) AS net FROM large;`,
  `CREATE TABLE customer (id serial PRIMARY KEY, mail text NOT NULL, made timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP);
   CREATE TABLE orders (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, net numeric(10,2), vat numeric(4,2) DEFAULT 19,
     note varchar(20), customer_id integer REFERENCES customer (id) ON DELETE SET NULL ON UPDATE CASCADE,
     gross numeric(12,2) GENERATED ALWAYS AS (net * 2) STORED, twice numeric GENERATED ALWAYS AS (vat * 2) STORED);
   CREATE TABLE line (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, order_id bigint REFERENCES orders (id) ON DELETE RESTRICT);
   CREATE INDEX customer_made ON customer (made, mail);
   CREATE UNIQUE INDEX customer_mail ON customer (lower(mail));
   CREATE INDEX orders_customer ON orders (customer_id) WHERE net > 0;
   CREATE INDEX line_order ON line USING hash (order_id);
   CREATE VIEW large AS SELECT id, net FROM orders WHERE net > 1000;
   CREATE MATERIALIZED VIEW sums AS SELECT count(*) AS total, sum(net) AS net FROM large;`,
] as const;

async function readVersion(content: string): Promise<OpenModel> {
  const importer = createImporter({ allowPrivate: false });
  const { document } = await importer.read({ content }, { modelKey: "m", format: "postgresql" });
  return document as unknown as OpenModel;
}

function* pairs(changes: Parameters<typeof changedModel>[2], salt: number) {
  for (let i = 0; i < PAIRS; i++) {
    const drawing = createDrawing(createChance(SEED * 1_000_003 + i * 2 + salt));
    const left = drawnModel(drawing);
    yield { i, left, right: changedModel(drawing, left, changes) };
  }
}

/** Pairs of which every other one has several schemas, between which tables and enums move. */
function* placedPairs(changes: Parameters<typeof changedModel>[2], salt: number) {
  for (const { i, left, right } of pairs(changes, salt)) {
    const chance = createChance(SEED * 1_000_003 + i);
    const [before, after] = [new Map<string, string>(), new Map<string, string>()];
    const schemaOf = (schemas: Map<string, string>, id: string, otherwise?: string) => {
      const schema = schemas.get(id) ?? otherwise ?? chance.pick(["sales", "it's"]);
      schemas.set(id, schema);
      return schema;
    };
    if (i % 2 === 0) yield { i, chance, left, right };
    else
      yield {
        ...{ i, chance, left: placedModel(left, (id) => schemaOf(before, id)) },
        right: placedModel(right, (id) => schemaOf(after, id, chance.happens(0.7) ? before.get(id) : undefined)),
      };
  }
}

function rowsKept(
  text: string,
  draft: string,
  at: string,
): { readonly rows: number; readonly lost: readonly string[] } {
  const said = run("old", [text, KEEP_ROWS, draft, FIND_LOST_ROWS].join("\n"), at);
  return JSON.parse(said.trim().split("\n").at(-1) ?? "");
}

test("a schema with indexes, views, identity columns, computed columns and actions is written as it was read", async () => {
  for (const [i, version] of VERSIONS.entries()) {
    run("old", `${EMPTY}\n${version}`, `version ${i}`);
    const model = await readVersion(version);
    run("new", await made(model), `version ${i}`);
    // A serial column is written as an identity column, with a default of another form.
    const list = (database: string) =>
      JSON.stringify(catalogOf(postgres, database))
        .replaceAll(/"nextval\([^"]*"/g, "null")
        .replaceAll('not nulld"', 'not null"');
    expect(JSON.parse(list("new"))).toEqual(JSON.parse(list("old")));
  }
});

test("a draft changes indexes, views, identity columns, computed columns and actions", async () => {
  for (const [from, to] of [[0, 1] as const, [1, 0] as const]) {
    const [left, right] = await Promise.all([readVersion(VERSIONS[from]), readVersion(VERSIONS[to])]);
    const draft = await draftOf(left, right);
    run("new", await made(right), draft);
    for (const text of [draft, uncommented(draft)]) run("old", `${await made(left)}\n${text}`, text);
    expect(catalogOf(postgres, "old"), draft).toEqual(catalogOf(postgres, "new"));
  }
});

describe("the draft of a migration, run in a database with the old schema", () => {
  test(`creates the new schema for ${PAIRS} random differences without loss (seed ${SEED})`, async () => {
    let steps = 0;
    for (const { i, left, right } of pairs(MILD, 0)) {
      const draft = await draftOf(left, right);
      steps += draft.split(/;\n/).length - 1;
      const at = `pair ${i}\n${draft}`;
      expect(isHeld(draft), at).toBe(false);
      run("new", await made(right), at);
      run("old", `${await made(left)}\n${draft}`, at);
      expect(catalogOf(postgres, "old"), at).toEqual(catalogOf(postgres, "new"));
    }
    process.stdout.write(`${PAIRS} pairs, ${steps} statements\n`);
  }, 1_200_000);

  test(`runs without its commented statements, and creates the new schema with them, for ${PAIRS} differences with loss (seed ${SEED})`, async () => {
    let held = 0;
    for (const { i, left, right } of pairs({ ...MILD, ...HARSH }, 1)) {
      const draft = await draftOf(left, right);
      if (isHeld(draft)) held++;
      const at = `pair ${i}\n${draft}`;
      run("new", await made(right), at);
      for (const text of [draft, uncommented(draft)]) run("old", `${await made(left)}\n${text}`, at);
      expect(catalogOf(postgres, "old"), at).toEqual(catalogOf(postgres, "new"));
    }
    process.stdout.write(`${PAIRS} pairs, ${held} of them with steps that are held back\n`);
    expect(held).toBeGreaterThan(PAIRS / 3);
  }, 1_200_000);

  test.each([
    ["lose nothing", MILD, 2],
    ["lose something", { ...MILD, ...HARSH }, 3],
  ] as const)(
    `keeps every row and every value for ${PAIRS} random differences that %s, in tables with rows (seed ${SEED})`,
    async (_, changes, salt) => {
      let total = 0;
      for (const { i, chance, left, right } of placedPairs({ ...changes, ...NUMBERED }, salt)) {
        const { content: draft, warnings } = await written(left, right);
        const inserts = drawnRows(chance, left);
        const at = `pair ${i}\n${draft}\n${inserts}`;
        const { rows, lost } = rowsKept(`${await made(left)}\n${inserts}`, draft, at);
        total += rows;
        expect(lost, at).toEqual([]);
        // A column does not begin to number its rows by the draft, which says so.
        const isWhole = !warnings.some(({ detail }) => detail.includes("serial"));
        if (isHeld(draft) || !isWhole) continue;
        run("new", await made(right), at);
        expect(catalogOf(postgres, "old"), at).toEqual(catalogOf(postgres, "new"));
      }
      process.stdout.write(`${PAIRS} pairs, ${total} rows\n`);
      expect(total).toBeGreaterThan(PAIRS * 4);
    },
    1_200_000,
  );
});
