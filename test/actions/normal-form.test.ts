import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Body } from "../support/world.ts";
import { newKey, useWorld } from "./support/checked-world.ts";

const world = useWorld();

const FOLDER = join(import.meta.dirname, "../formats/normal-form/former");
const readFile = (name: string) => readFileSync(join(FOLDER, name), "utf8");
const run = async (action: string, payload: object): Promise<Body> => (await world.ok(`model/${action}`, payload)).body;
const listTypes = async (modelRef: string): Promise<string[]> =>
  (await world.read("model/model_export", { modelRef })).types.map(({ key }: Body) => key);

/** Stores the document of a former version as it was, which the import does only for a model without a dialect. */
async function storeFormer(dialect: string): Promise<string> {
  const { properties, ...content } = JSON.parse(readFile(`shop.${dialect}.json`)) as Body;
  const { id } = await run("import", { content, modelKey: newKey("former") });
  for (const [name, value] of Object.entries(properties)) {
    await run("model_update_property", { modelRef: `id:${id}`, property: name, value });
  }
  return `id:${id}`;
}

test.each(["postgresql", "mysql"])("a text of %s is applied to a model in its former form", async (dialect) => {
  const modelRef = await storeFormer(dialect);
  const content = readFile(`shop.${dialect}.sql`);
  const types = await listTypes(modelRef);
  expect(types).toEqual(expect.arrayContaining([dialect === "mysql" ? "integer unsigned" : "public.citext"]));
  const payload = { modelRef, format: dialect };
  const same = await run("model_apply", { ...payload, content });
  expect(same).toMatchObject({ changed: false, stepCount: 0, breaking: 0 });
  expect(await listTypes(modelRef)).toEqual(types);
  const changed = content.replace("score int", "extra int, score int");
  const added = await run("model_apply", { ...payload, content: changed });
  expect(added).toMatchObject({ changed: true, breaking: 0, additive: 1 });
  // The commit also brings the model into its normal form.
  expect(await listTypes(modelRef)).not.toEqual(types);
  expect(await run("model_apply", { ...payload, content: changed })).toMatchObject({ changed: false, stepCount: 0 });
});

test("a dump changes nothing in a model that follows the file of the same schema", async () => {
  const source = "shop.sql";
  const file =
    "CREATE TABLE t (id serial PRIMARY KEY, a int4 DEFAULT '0', -- how many\n b text CHECK (b IN ('x','y')));";
  const dump = `CREATE TABLE public.t (id integer NOT NULL, a integer DEFAULT 0, b text,
    CONSTRAINT t_b_check CHECK ((b = ANY (ARRAY['x'::text, 'y'::text]))));
    ALTER TABLE ONLY public.t ALTER COLUMN id SET DEFAULT nextval('public.t_id_seq'::regclass);
    ALTER TABLE ONLY public.t ADD CONSTRAINT t_pkey PRIMARY KEY (id);`;
  const names = { format: "postgresql", source };
  const { id } = await run("import", { content: file, ...names, modelKey: newKey("follows") });
  const payload = { into: `id:${id}`, ...names };
  const answer = await run("import", { ...payload, content: dump });
  expect(answer).toMatchObject({ changed: false, stepCount: 0, conflictCount: 0 });
  const other = await run("import", { ...payload, content: dump.replace("DEFAULT 0", "DEFAULT 1") });
  expect(other).toMatchObject({ changed: true, stepCount: 1, conflictCount: 0 });
  const [entity] = (await world.read("model/model_export", { modelRef: `id:${id}` })).entities;
  expect(entity.attributes.find(({ key }: Body) => key === "a")).toMatchObject({
    description: "how many",
    constraints: { default: 1 },
  });
});

test("a comparison shows what the normal form replaced if it is asked for", async () => {
  const sides = {
    leftContent: "CREATE TABLE t (a int(11) unsigned);",
    rightContent: "CREATE TABLE t (a int unsigned);",
  };
  const compare = async (physical?: boolean): Promise<Body[]> =>
    (await world.read("model/model_compare", { ...sides, ...(physical !== undefined && { physical }) })).entries;
  expect(await compare()).toEqual([]);
  expect(await compare(false)).toEqual([]);
  const [entry, ...others] = await compare(true);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ attributeKey: "a", members: ["properties.sql:physical"], impact: "operational" });
  expect(entry?.left.properties).toEqual({ "sql:physical": { arguments: "11" } });
});

test("a document that states a part of a SQL model is applied to it", async () => {
  const content = "CREATE TABLE t (a int4 DEFAULT '0', b varchar(5)); CREATE TABLE u (c int);";
  const { id } = await run("import", { content, format: "postgresql", modelKey: newKey("parts") });
  const part = {
    ...{ $schema: "urn:metaction:model:2", key: "parts", properties: { "sql:dialect": "postgresql" } },
    entities: [
      {
        key: "t",
        attributes: [
          { key: "a", description: "How many." },
          { key: "d", type: "key:int4", optional: true },
        ],
      },
    ],
  };
  const answer = await run("model_apply", { modelRef: `id:${id}`, content: part });
  expect(answer).toMatchObject({ changed: true, breaking: 0 });
  const { entities, types } = await world.read("model/model_export", { modelRef: `id:${id}` });
  expect(types.map(({ key }: Body) => key)).toEqual(["integer", "varchar"]);
  expect(entities[0].attributes).toMatchObject([
    { key: "a", description: "How many.", type: "key:integer", constraints: { default: 0 } },
    { key: "b", type: "key:varchar" },
    { key: "d", type: "key:integer" },
  ]);
  expect(await run("model_apply", { modelRef: `id:${id}`, content: { ...part, relationships: [] } })).toMatchObject({
    changed: false,
  });
});
