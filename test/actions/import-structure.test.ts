import { expect, test } from "vitest";
import type { Body } from "../support/world.ts";
import { newKey, useStage } from "./support/stage.ts";

const stage = useStage();

test("an import makes local tags of keywords and relationships of foreign keys, which other actions then find", async () => {
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
  const { body } = await stage.ok("model/import", { content, modelKey });
  expect(body.counts).toMatchObject({ entities: 2, attributes: 4, relationships: 1, businessKeys: 0, tags: 2 });
  const modelRef = `key:${modelKey}`;
  const shown = await stage.read("model/relationship_get", { modelRef, relationshipRef: "key:loan_office" });
  expect(shown.roles.map((r: Body) => [r.key, r.cardinality])).toEqual([
    ["loan", "many"],
    ["offices", "one"],
  ]);
  expect((await stage.read("model/model_get", { modelRef })).tags).toMatchObject([
    { key: "open_data", name: "open data" },
  ]);
  expect((await stage.read("model/entity_get", { modelRef, entityRef: "key:loan" })).tags).toMatchObject([
    { key: "money" },
  ]);
  const problem = await stage.refused("model/entity_delete", { modelRef, entityRef: "key:offices" });
  expect(problem.code).toBe("still_used");
  await stage.ok("tag/tag_local_delete", { modelRef, tagRef: "key:money" });
  expect((await stage.read("model/entity_get", { modelRef, entityRef: "key:loan" })).tags).toEqual([]);
});
