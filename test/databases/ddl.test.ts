import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import { findLogicalType } from "../../shared/domain/types/find-logical-type.ts";
import { formatLogicalType } from "../../shared/domain/types/logical/format-logical-type.ts";
import { holdsEveryValueOf } from "../../shared/domain/types/logical/holding.ts";
import type { LogicalType } from "../../shared/domain/types/logical/logical-type.ts";
import { createImporter } from "../../shared/formats/importer.ts";
import { exported, models } from "../formats/documents.ts";
import { type Written, writeWithWarnings } from "../formats/reading.ts";
import { sqlTools } from "../interop/support/toolbox.ts";
import { countOfRun, seedOf } from "../support/chance.ts";
import { type MariaDb, startMariaDb } from "./support/mariadb.ts";
import { type Postgres, startPostgres } from "./support/postgres.ts";

const DATA = join(import.meta.dirname, "../../../shared/data");
const PARSER = join(import.meta.dirname, "support/parse_sql.py");
const DIALECTS = ["postgresql", "mysql", "sqlite", "tsql", "snowflake", "bigquery"] as const;
type Dialect = (typeof DIALECTS)[number];

/** A real file, its model, and the model as statements of each dialect, with the places of all warnings. */
interface WrittenFile extends Written {
  readonly file: string;
  readonly document: ModelDocument;
  readonly dialect: Dialect;
}

const importer = createImporter({ allowPrivate: false });
const files: WrittenFile[] = [];
let postgres: Postgres;
let mariadb: MariaDb;

beforeAll(async () => {
  [postgres, mariadb] = await Promise.all([startPostgres(), startMariaDb()]);
  const patterns = ["{sql,drift,dbml,dbt,odcs,frictionless}/**/*.{sql,dbml,yml,yaml,json}", "version-pairs/*/*.sql"];
  const paths = await Array.fromAsync(glob(patterns.map((pattern) => join(DATA, pattern))));
  // The versions of a schema differ little, so that one of each is enough.
  const versions = Map.groupBy(paths.toSorted(), (path) => (path.includes("version-pairs") ? dirname(path) : path));
  for (const [path = ""] of [...versions.values()].map((list) => list.slice(-1))) {
    const content = readFileSync(path, "utf8");
    const read = await importer.read({ content }, { modelKey: "m" }).catch(() => undefined);
    if (!read) continue;
    const file = relative(DATA, path);
    for (const dialect of DIALECTS)
      files.push({ file, dialect, document: read.document, ...(await writeWithWarnings(read.document, dialect)) });
  }
}, 600_000);

afterAll(() => Promise.all([postgres?.stop(), mariadb?.stop()]));

type Run = (texts: readonly string[]) => Promise<readonly (string | undefined)[]>;

/** Runs each text on its own; answers why a text is refused. */
const runEach =
  (run: (text: string) => unknown): Run =>
  async (texts) =>
    texts.map((text) => {
      try {
        run(text);
        return undefined;
      } catch (error) {
        return String(error).slice(0, 400);
      }
    });

/** Parses all texts with sqlglot, because this machine has no server of the dialect. */
const parseAll =
  (dialect: string): Run =>
  async (texts) => {
    const input = JSON.stringify(texts.map((text) => [dialect, text]));
    const { stdout, stderr, status } = spawnSync(await sqlTools(), [PARSER], {
      ...{ input, encoding: "utf8", maxBuffer: 100_000_000 },
    });
    if (status !== 0) throw new Error(stderr);
    const faults: readonly (readonly string[])[] = JSON.parse(stdout);
    return faults.map(([first]) => first);
  };

const VALIDATORS: Readonly<Record<Dialect, Run>> = {
  postgresql: runEach((text) => postgres.run("postgres", `BEGIN;\n${text}\nROLLBACK;`)),
  mysql: runEach((text) => {
    mariadb.run(`DROP DATABASE IF EXISTS written; CREATE DATABASE written;`);
    mariadb.run(`USE written;\n${text}`);
  }),
  sqlite: runEach((text) => {
    const database = new DatabaseSync(":memory:");
    database.exec(text);
    database.close();
  }),
  tsql: parseAll("tsql"),
  snowflake: parseAll("snowflake"),
  bigquery: parseAll("bigquery"),
};

describe.each(DIALECTS)("the models of all real files, written as %s", (dialect) => {
  test("are accepted by the database, or by sqlglot for dialects without a server", async () => {
    const own = files.filter((one) => one.dialect === dialect);
    const faults = await VALIDATORS[dialect](own.map(({ content }) => content));
    const refused = own.flatMap(({ file }, i) => (faults[i] === undefined ? [] : [`${file}: ${faults[i]}`]));
    process.stdout.write(`${dialect}: ${own.length - refused.length} of ${own.length} files accepted\n`);
    expect(own.length).toBeGreaterThan(50);
    expect(refused).toEqual([]);
  }, 1_200_000);

  test("have types that hold the same values when they are read again, or a warning says which do not", async () => {
    const types: ComparedType[] = [];
    for (const written of files.filter((one) => one.dialect === dialect)) types.push(...(await compareTypes(written)));
    const share = (state: ComparedType["state"]) => {
      const count = types.filter((one) => one.state === state).length;
      return `${((100 * count) / types.length).toFixed(1)} % ${state}`;
    };
    process.stdout.write(`${dialect}: ${types.length} types, ${STATES.map(share).join(", ")}\n`);
    const silent = types.filter(({ state, isWarned }) => state === "other" && !isWarned);
    expect(silent.map(({ detail }) => detail)).toEqual([]);
  }, 600_000);
});

/** Facts of a database in PostgreSQL: columns, keys, checks, foreign keys with actions, indexes and views. */
const FACTS = `
  select 'column' as kind, c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || case when a.attnotnull then ' not null' else '' end || a.attgenerated::text as fact
    from pg_attribute a join pg_class c on c.oid = a.attrelid where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped and OWN
  union all select 'default', c.relname || '.' || a.attname || ' '
    || case when a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval%' then 'numbered' else replace(pg_get_expr(d.adbin, d.adrelid), 'now()', 'CURRENT_TIMESTAMP') end
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind in ('r', 'p') and (pg_get_expr(d.adbin, d.adrelid) not like 'NULL::%' or a.attidentity <> '') and OWN
  union all select case o.contype when 'c' then 'check' when 'f' then 'foreign key' else 'key' end, c.relname || ' ' || pg_get_constraintdef(o.oid)
    from pg_constraint o join pg_class c on c.oid = o.conrelid where o.contype <> 'n' and OWN
  union all select 'index', regexp_replace(pg_get_indexdef(i.indexrelid), 'INDEX \\S+ ON', 'INDEX ON')
    from pg_index i join pg_class c on c.oid = i.indrelid
    where not i.indisunique and OWN
  union all select 'view', c.relname || ' ' || pg_get_viewdef(c.oid) from pg_class c where c.relkind in ('v', 'm') and OWN`.replaceAll(
  "OWN",
  "c.relnamespace = 'public'::regnamespace",
);

test("the files of PostgreSQL have the same columns, defaults, keys, checks, indexes and views there after an export", async () => {
  const counts = new Map<string, { all: number; kept: number }>();
  const lost: string[] = [];
  const own = files.filter(({ file, dialect }) => dialect === "postgresql" && /drift\/postgresql\/.*dump/.test(file));
  const readFacts = (text: string) => {
    postgres.run("postgres", "DROP DATABASE IF EXISTS facts");
    postgres.run("postgres", "CREATE DATABASE facts");
    postgres.run("facts", text);
    return postgres.rows<{ readonly kind: string; readonly fact: string }>("facts", FACTS);
  };
  for (const { file, content } of own) {
    const written = new Set(readFacts(content).map(({ kind, fact }) => `${kind} ${fact}`));
    for (const { kind, fact } of readFacts(readFileSync(join(DATA, file), "utf8"))) {
      const count = counts.get(kind) ?? { all: 0, kept: 0 };
      const isKept = written.has(`${kind} ${fact}`);
      counts.set(kind, { all: count.all + 1, kept: count.kept + (isKept ? 1 : 0) });
      // The import reads neither the operator class nor the order of a column in an index.
      if (!isKept && !/_pattern_ops|DESC/.test(fact)) lost.push(`${file} ${kind} ${fact}`);
    }
  }
  for (const [kind, { all, kept }] of counts) process.stdout.write(`${kind}: ${kept} of ${all} kept\n`);
  expect(own.length).toBeGreaterThan(8);
  expect(lost).toEqual([]);
});

const SEED = seedOf("statements");
const MODELS = countOfRun("METACTION_WRITTEN_MODELS", 150);

describe.each(DIALECTS)(`random models with every kind of object, written as %s (seed ${SEED})`, (dialect) => {
  test("are accepted by the database, or by sqlglot for dialects without a server", async () => {
    const documents = fc.sample(models, { seed: SEED, numRuns: MODELS }).map(exported);
    const texts = await Promise.all(documents.map(async (one) => (await writeWithWarnings(one, dialect)).content));
    const faults = await VALIDATORS[dialect](texts);
    const refused = texts.flatMap((text, i) => (faults[i] === undefined ? [] : [`${faults[i]}\n${text}`]));
    expect(refused).toEqual([]);
  }, 1_200_000);
});

/**
 * A type that was written and read again: `sized` has a size that the model does not state, `wider` holds every value
 * of the type of the model, and `other` does not, or the column was not written.
 */
interface ComparedType {
  readonly state: (typeof STATES)[number];
  readonly isWarned: boolean;
  readonly detail: string;
}

const STATES = ["equal", "sized", "wider", "other"] as const;

/** Compares the logical types of a model with those of its statements. */
async function compareTypes({
  file,
  document,
  dialect,
  content,
  warned,
}: WrittenFile): Promise<readonly ComparedType[]> {
  const { document: back } = await importer.read({ content }, { modelKey: "m", format: dialect });
  const byKey = new Map(back.entities.map((one) => [one.key.toLowerCase(), one]));
  const all = new Set(warned);
  return document.entities.flatMap((entity, i) => {
    const path = `/entities/${i}`;
    const other = byKey.get(entity.key.toLowerCase());
    const attributes = new Map(other?.attributes.map((one) => [one.key.toLowerCase(), one]));
    return entity.attributes.map((attribute, k): ComparedType => {
      const at = `${path}/attributes/${k}`;
      const same = attributes.get(attribute.key.toLowerCase());
      const [wanted, found] = [findLogicalType(attribute, document), same && findLogicalType(same, back)];
      const places = ["", "/key", "/properties/sql:kind"].map((one) => path + one);
      const parts = ["", "/key", "/type", "/constraints/enum", "/constraints/maxLength"].map((one) => at + one);
      const names = [wanted, found].map((type) => (type ? formatLogicalType(type) : "nothing"));
      return {
        state: wanted && found ? compareType(wanted, found) : wanted === found ? "equal" : "other",
        isWarned: [...places, ...parts].some((one) => all.has(one)),
        detail: `${file}${at}: ${attribute.type} is ${names[0]} and became ${names[1]}`,
      };
    });
  });
}

function compareType(wanted: LogicalType, found: LogicalType): ComparedType["state"] {
  if (formatPlain(wanted) === formatPlain(found)) return "equal";
  const isUnsized = !/\d/.test(formatLogicalType(wanted)) && wanted.type === found.type;
  if (isUnsized && holdsEveryValueOf(wanted, found).answer !== "no") return "sized";
  return holdsEveryValueOf(found, wanted).answer === "yes" ? "wider" : "other";
}

/** Formats a type without the unit of its length, which is that of the database. */
function formatPlain(type: LogicalType): string {
  return formatLogicalType(type.type === "string" ? ({ ...type, unit: undefined } as unknown as LogicalType) : type);
}
