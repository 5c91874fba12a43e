import type { Chance } from "../../support/chance.ts";

const NAMES = [
  ...["order_line", "a", "b1", '"Kind of x"', '"it""s"', '"select"', "été", "Total", '"a;b"', '"--"', "value"],
  ...["sum"],
];
const TYPES = [
  ...["int", "INTEGER", "int4", "bigint", "int8", "smallint", "int2", "serial", "BIGSERIAL", "boolean", "bool"],
  ...["real", "float4", "float8", "double precision", "float", "numeric", "numeric(10)", "numeric ( 10 , 2 )"],
  ...["decimal(5,2)", "dec", "text", "varchar", "varchar(160)", "character varying (9)", "char(3)"],
  ...["character(4)", "char", "bpchar", "bytea", "date", "time", "timetz", "time with time zone", "timestamp"],
  ...["timestamp(3)", "timestamp (6) with time zone", "timestamptz", "timestamp without time zone", "interval"],
  ...["interval year to month", "uuid", "json", "jsonb", "inet", "bit(3)", "bit varying(5)", "int[]"],
  ...["text[][]", "varchar(9)[]", "numeric(4,1)[]", "integer ARRAY", "mood", "public.mood", "pg_catalog.int4"],
  ...["tsvector", "xml", "money", "point", "int4range"],
];
const DEFAULTS = [
  ...["1", "-2.50", "+3", "'it''s'", "'x'::text", "'x'::character varying(9)", "E'a\\nb'", "$$a;b$$"],
  ...["$q$it's$q$", "true", "FALSE", "NULL", "NULL::text", "(1)", "('x')", "((-1))", "now()"],
  ...["CURRENT_TIMESTAMP", "current_date", "nextval('s'::regclass)", "1 + 2", "'a' || 'b'", "ARRAY[1,2]"],
  ...["ARRAY[]::text[]", "'{}'::int[]", "(now() at time zone 'utc')", "1e3", "'1'::integer"],
  ...["case when 1 > 0 then 'a' else 'b' end", "coalesce(null, 'x')", "'{\"a\": [1]}'::jsonb"],
  ...["interval '1 day'", "date '2020-01-02'"],
];
const CHECKS = [
  "CHECK (a > 0)",
  "CHECK ((a > 0) AND (b1 < 9 OR a IN (1, 2)))",
  "CONSTRAINT c CHECK (a ~ '^(x|y)$')",
  "CHECK (a > 0) NO INHERIT",
];
const ACTIONS = [
  "",
  " ON DELETE CASCADE",
  " ON UPDATE SET NULL ON DELETE NO ACTION",
  " DEFERRABLE INITIALLY DEFERRED",
  " MATCH FULL",
  " NOT DEFERRABLE",
];
const LIKES = ["", " INCLUDING DEFAULTS", " INCLUDING ALL", " INCLUDING ALL EXCLUDING DEFAULTS", " INCLUDING COMMENTS"];
const NOTES = [" ", "\n  ", "\n/* , ) ' */\n", "\n/* a /* nested */ ; */ ", "\t"];

/** A text of PostgreSQL with tables, keys, comments and indexes, written in the many ways in which one may be. */
export function drawnSql(chance: Chance): string {
  const space = () => chance.pick(NOTES);
  const word = (written: string) => (chance.happens(0.3) ? written.toLowerCase() : written);
  const columnsOf = new Map<string, readonly string[]>();
  const statements = ["CREATE TYPE mood AS ENUM ('sad', 'it''s', 'o;k')"];
  const some = (all: readonly string[]): readonly string[] => {
    const found = all.filter(() => chance.happens(0.4));
    return found.length > 0 ? found : [chance.pick(all)];
  };
  const withName = (name: string, text: string) => (chance.happens(0.4) ? `CONSTRAINT ${name} ${text}` : text);

  for (let i = 0; i < 1 + chance.below(4); i++) {
    const table = chance.pick(["", "public.", '"public".']) + (chance.happens(0.3) ? `"Table ${i}"` : `t${i}`);
    const columns = NAMES.filter(() => chance.happens(0.5)).concat("id");
    const elements = columns.map((name) => [name, chance.pick(TYPES), ...options(name)].join(space()));
    if (chance.happens(0.5))
      elements.push(withName(`pk${i}`, `PRIMARY KEY (${chance.pick(columns)}, id)`.replace("id, id", "id")));
    if (chance.happens(0.4)) elements.push(withName(`u${i}`, `UNIQUE (${some(columns).join(",")})`));
    if (chance.happens(0.3)) elements.push(chance.pick(CHECKS));
    const parents = [...columnsOf.keys()];
    const [parent] = parents;
    if (parent && chance.happens(0.2))
      elements.splice(0, elements.length, "own int", `LIKE ${parent}${chance.pick(LIKES)}`);
    const rest = chance.pick(["", "", " WITH (fillfactor=70)", " TABLESPACE x", " USING heap"]);
    statements.push(
      `${word("CREATE")} ${word("TABLE")} ${chance.pick(["", "IF NOT EXISTS "])}${table} (${space()}${elements.join(`,${space()}`)}${space()})${rest}`,
    );
    columnsOf.set(table, elements[0] === "own int" ? ["own"] : columns);
  }
  const tables = [...columnsOf.keys()];
  for (let i = chance.below(6); i > 0; i--) {
    const table = chance.pick(tables);
    const columns = columnsOf.get(table) ?? [];
    const column = chance.pick(columns);
    const to = chance.pick(tables);
    const referred = columnsOf.get(to) ?? [];
    statements.push(
      chance.pick([
        `ALTER TABLE ONLY ${table} ADD CONSTRAINT k${i} UNIQUE (${some(columns).join(", ")})`,
        `ALTER TABLE ${table} ADD FOREIGN KEY (${column}) REFERENCES ${to} (${chance.pick(referred)})${chance.pick(ACTIONS)}`,
        `ALTER TABLE ${table} ALTER COLUMN ${column} SET NOT NULL, ALTER ${column} SET DEFAULT ${chance.pick(DEFAULTS)}`,
        `ALTER TABLE ${table} ALTER ${column} TYPE ${chance.pick(TYPES.filter((type) => !/serial/i.test(type)))} USING ${column}::text`,
        `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS extra${i} ${chance.pick(TYPES)} ${options(`extra${i}`).join(" ")}`,
        `COMMENT ON TABLE ${table} IS 'It''s; a ${i}'`,
        `COMMENT ON COLUMN ${table}.${column} IS E'two\\nlines ${i}'`,
        `CREATE UNIQUE INDEX i${i} ON ${table} USING btree (${some(columns).join(", ")})`,
        `CREATE UNIQUE INDEX ON ${table} (lower(${column}::text))`,
        `CREATE UNIQUE INDEX ON ${table} (${column}) WHERE ${column} IS NOT NULL`,
        `CREATE INDEX ON ${table} (${column} DESC NULLS LAST)`,
        `CREATE FUNCTION f${i}() RETURNS int AS $$ BEGIN CREATE TABLE no (a int); RETURN 1; END $$ LANGUAGE plpgsql`,
        `INSERT INTO ${table} VALUES ('a; CREATE TABLE no (b int);')`,
        `GRANT SELECT ON ${table} TO PUBLIC`,
        `CREATE TABLE part${i} PARTITION OF ${table} FOR VALUES FROM (1) TO (2)`,
        `CREATE TEMP TABLE temp${i} (a int)`,
      ]),
    );
  }
  return `${statements.join(";\n-- it's (\n")};\n`;

  function options(name: string): readonly string[] {
    const all: string[] = [];
    if (chance.happens(0.15)) all.push('COLLATE "C"');
    if (chance.happens(0.3)) all.push(word("NOT NULL"));
    if (chance.happens(0.4)) all.push(`${word("DEFAULT")} ${chance.pick(DEFAULTS)}`);
    if (chance.happens(0.1)) all.push(withName("u", word("UNIQUE")));
    if (chance.happens(0.1)) all.push(`CHECK (${name} IS NOT NULL)`);
    const [to] = columnsOf.keys();
    if (to && chance.happens(0.05)) all.push(`REFERENCES ${to} (id)${chance.pick(ACTIONS)}`);
    return all;
  }
}
