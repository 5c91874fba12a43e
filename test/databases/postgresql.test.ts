import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createImporter } from "../../shared/formats/importer.ts";
import { listTables, type TableFacts, toSqlSchema } from "../formats/grammar/sql-schema.ts";
import { type Postgres, startPostgres } from "./support/postgres.ts";

const CHINOOK = join(import.meta.dirname, "../../../shared/data/sql/chinook.pg.sql");
const SHOP = join(import.meta.dirname, "support/shop.pg.sql");

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
  postgres.run("postgres", readFileSync(CHINOOK, "utf8"));
  postgres.run("postgres", "CREATE DATABASE shop");
  postgres.run("shop", readFileSync(SHOP, "utf8"));
});
afterAll(() => postgres?.stop());

function reported(database: string): readonly TableFacts[] {
  return postgres.rows<TableFacts>(
    database,
    `select n.nspname || '.' || c.relname as name, coalesce(obj_description(c.oid), '') as comment,
      (select json_agg(case when c.relkind in ('v', 'm') then to_json(a.attname) else json_build_array(a.attname,
          case when t.typtype in ('e', 'd') then t.typname else format_type(a.atttypid, a.atttypmod) end,
          a.attnotnull, a.atthasdef and a.attgenerated = '' or a.attidentity <> '', coalesce(col_description(c.oid, a.attnum), '')) end order by a.attnum)
        from pg_attribute a join pg_type t on t.oid = a.atttypid where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select coalesce(json_agg(a.attname order by k.n), '[]') from pg_index i, unnest(i.indkey) with ordinality k(at, n), pg_attribute a
        where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.at) as "primaryKey",
      (select coalesce(json_agg(u.keys order by u.keys), '[]') from (select string_agg(a.attname, '+' order by a.attname collate "C") as keys
        from pg_index i, unnest(i.indkey) with ordinality k(at, n), pg_attribute a
        where i.indrelid = c.oid and i.indisunique and not i.indisprimary and i.indpred is null and i.indexprs is null
        and a.attrelid = c.oid and a.attnum = k.at group by i.indexrelid) u) as "unique",
      (select coalesce(json_agg(f.t order by f.t), '[]') from (select string_agg(a.attname, '+' order by k.n) || ' > ' ||
          max(m.nspname || '.' || o.relname) || ' ' || string_agg(b.attname, '+' order by k.n) as t
        from pg_constraint f join pg_class o on o.oid = f.confrelid join pg_namespace m on m.oid = o.relnamespace,
          unnest(f.conkey, f.confkey) with ordinality k(x, y, n), pg_attribute a, pg_attribute b
        where f.conrelid = c.oid and f.contype = 'f' and a.attrelid = c.oid and a.attnum = k.x and b.attrelid = f.confrelid and b.attnum = k.y
        group by f.oid) f) as "references"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
     order by name`,
  );
}

const LONG: Readonly<Record<string, string>> = {
  varchar: "character varying",
  char: "character",
  varbit: "bit varying",
  timestamptz: "timestamp with time zone",
  timestamp: "timestamp without time zone",
  _char_: '"char"',
  timetz: "time with time zone",
  time: "time without time zone",
};

/** Returns a type as the catalog names it; a length is after the first word of times, and after the last of others. */
function toLongType(type: string): string {
  const [, name = "", size = "", array = ""] = /^(.*?)(\(.*\))?((?:\[\])*)$/.exec(type) ?? [];
  const long = LONG[name] ?? name;
  return (/^time/.test(long) ? long.replace(/^\w+/, (first) => first + size) : long + size) + array;
}

async function read(content: string): Promise<readonly TableFacts[]> {
  const { document, recognised } = await createImporter({ allowPrivate: false }).read({ content }, { modelKey: "m" });
  expect(recognised.format).toBe("postgresql");
  return listTables(toSqlSchema(document), (one) => [
    ...[one.name, toLongType(one.type), one.required],
    ...[one.default !== undefined || one.isNumbered, one.comment ?? ""],
  ]);
}

describe.each([
  ["chinook", CHINOOK],
  ["shop", SHOP],
])("the model of %s", (database, file) => {
  test("equals the one that PostgreSQL built from the same text", async () =>
    expect(await read(readFileSync(file, "utf8"))).toEqual(reported(database)));

  test("equals the one that PostgreSQL reports, read from its own dump", async () =>
    expect(await read(postgres.dump(database))).toEqual(reported(database)));
});
