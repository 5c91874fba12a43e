import { expect, test } from "vitest";
import type { Body } from "../support/world.ts";
import { newKey, useWorld } from "./support/checked-world.ts";

const world = useWorld();

test("an import creates local tags from keywords and relationships from foreign keys, which other actions find", async () => {
  const loan = {
    fields: [{ name: "office", constraints: { required: true } }],
    foreignKeys: [{ fields: "office", reference: { resource: "offices", fields: "code" } }],
  };
  const offices = {
    fields: [{ name: "code" }, { name: "city" }, { name: "opened", type: "date" }],
    primaryKey: "code",
  };
  const resources = [
    { name: "offices", schema: offices },
    { name: "loan", schema: loan, keywords: ["money"] },
  ];
  const modelKey = newKey("pack");
  const content = { name: "pack", keywords: ["open data"], resources };
  const { body } = await world.ok("model/import", { content, modelKey });
  expect(body.counts).toMatchObject({ entities: 2, attributes: 4, relationships: 1, businessKeys: 0, tags: 2 });
  const modelRef = `key:${modelKey}`;
  const shown = await world.read("model/relationship_get", { modelRef, relationshipRef: "key:loan_office" });
  expect(shown.roles.map((r: Body) => [r.key, r.cardinality])).toEqual([
    ["loan", "many"],
    ["offices", "one"],
  ]);
  expect((await world.read("model/model_get", { modelRef })).tags).toMatchObject([
    { key: "open_data", name: "open data" },
  ]);
  expect((await world.read("model/entity_get", { modelRef, entityRef: "key:loan" })).tags).toMatchObject([
    { key: "money" },
  ]);
  const problem = await world.refused("model/entity_delete", { modelRef, entityRef: "key:offices" });
  expect(problem.code).toBe("still_used");
  await world.ok("tag/tag_local_delete", { modelRef, tagRef: "key:money" });
  expect((await world.read("model/entity_get", { modelRef, entityRef: "key:loan" })).tags).toEqual([]);
});
