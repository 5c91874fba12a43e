import { describe, expect, test } from "vitest";
import { newKey, useWorld } from "./support/checked-world.ts";

const world = useWorld();

const SCHEMA = { properties: { id: {} } };
const NEXT = { name: "next", type: ["null", "sale"] };

/** A source of each format that describes tables, with a key or a reference where the format has them. */
const SOURCES: readonly (readonly [format: string, content: string | object])[] = [
  [
    "odcs",
    "kind: DataContract\napiVersion: v3.1.0\nname: shop\ntags: [a]\nschema:\n  - name: sale\n    properties:\n      - {name: id, logicalType: string, primaryKey: true, unique: true}\n      - {name: lines, logicalType: array, items: {properties: [{name: sku}]}}\n",
  ],
  ["dbml", "Project shop {\n}\nTable sale {\n  id int [pk]\n  of int [ref: > sale.id]\n  name text [unique]\n}\n"],
  [
    "postgresql",
    "CREATE TYPE state AS ENUM ('new');\nCREATE TABLE sale (id serial PRIMARY KEY, of int REFERENCES sale, name jsonb UNIQUE, s state);\nCOMMENT ON TABLE sale IS 'x';\n",
  ],
  ["mysql", "CREATE TABLE `sale` (`id` int AUTO_INCREMENT, KEY (`id`), PRIMARY KEY (`id`)) ENGINE=InnoDB;\n"],
  ["tsql", "CREATE TABLE [dbo].[sale] ([id] int IDENTITY(1,1) PRIMARY KEY CLUSTERED)\nGO\n"],
  ["bigquery", "CREATE TABLE d.sale (id INT64, items ARRAY<STRUCT<sku STRING>>);\n"],
  [
    "dbt",
    "version: 2\nmodels:\n  - name: sale\n    columns:\n      - {name: id, tests: [unique]}\n      - {name: of, tests: [{relationships: {to: ref('sale'), field: id}}]}\n",
  ],
  ["jsonschema", { $id: "sale", properties: { id: { type: "string" }, next: { $ref: "#" } } }],
  ["openapi", { openapi: "3.1.0", info: { title: "shop" }, components: { schemas: { sale: SCHEMA } } }],
  ["avro", { type: "record", name: "sale", fields: [NEXT, { name: "id", type: "int" }] }],
];

describe.each(SOURCES)("a source of the format %s", (format, content) => {
  test("is imported, and changes nothing when it is applied again, with prune or without", async () => {
    const modelKey = newKey(format);
    const made = await world.ok("model/import", { content, modelKey });
    expect(made.body).toMatchObject({ changed: true, recognised: { format } });
    const modelRef = `key:${modelKey}`;
    for (const prune of [false, true]) {
      const { body } = await world.ok("model/model_apply", { modelRef, content, prune });
      expect(body).toMatchObject({ changed: false, stepCount: 0, revision: 1, recognised: { format } });
    }
    const compared = await world.read("model/model_compare", { leftModelRef: modelRef, rightContent: content });
    const ofContent = compared.entries.filter(({ objectType }: { objectType: string }) => objectType !== "model");
    expect([ofContent, compared.right.recognised.format]).toEqual([[], format]);
  });

  test("is answered in a dry run, which writes nothing", async () => {
    const payload = { content, modelKey: newKey("dry") };
    const { body } = await world.keepsEveryByte(() => world.ok("model/import", payload, { dryRun: true }));
    expect(body).toMatchObject({ dryRun: true, recognised: { format, because: expect.any(String) } });
  });
});
