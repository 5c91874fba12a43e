import { describe, expect, test } from "vitest";
import type { Table } from "../../../shared/store/table/table.ts";
import { readPages } from "../../actions/support/checked-world.ts";
import { ACTIONS } from "../../support/actions.ts";
import { createWorld } from "../../support/world.ts";
import { quickRuntime } from "../support/quick-runtime.ts";
import { readPayload, readyScene, sceneDocument, WRITE_CASES } from "../support/scene.ts";
import { serviceOver, writtenBody } from "../support/service-over.ts";

const world = await createWorld();
const { table } = world;
// A page ends at one megabyte, and so after few rows where they are large.
const short: Table = { ...table, query: (range) => table.query({ ...range, limit: Math.min(range.limit ?? 2, 2) }) };
for (const key of ["a", "b", "c", "d", "e"]) await world.run("model/import", { content: sceneDocument(key) });
for (const value of ["One", "Two", "Three"])
  await world.run("model/entity_update_name", { modelRef: "key:c", entityRef: "key:customer", value });

describe("with two rows on each page of the table", () => {
  // The scene has no run.
  const reads = ACTIONS.filter(
    ({ group, intent, name }) => group === "model" && intent === "read" && name !== "run_get",
  );

  test.each(reads.map((action) => [action.name, action] as const))("%s answers as usual", async (name, action) => {
    const [whole, paged] = [table, short].map((one) => serviceOver(world, one, quickRuntime()));
    const payload = readPayload(action.example, "c");
    const { answer } = (await whole?.call(name, payload)) ?? {};
    expect(answer).toBeDefined();
    expect((await paged?.call(name, payload))?.answer).toEqual(answer);
  });

  test("model_list in pages shows every model once", async () => {
    const { call } = serviceOver(world, short, quickRuntime());
    for (const limit of [1, 2, 3, 4, 5, 6]) {
      const pages = await readPages(async (after) => Object(await call("model_list", { limit, ...after })).answer);
      const keys = pages.flatMap(({ body }) => body.map(({ key }: { key: string }) => key));
      expect(keys, `${limit} rows a page`).toEqual(["a", "b", "c", "d", "e"]);
    }
  });

  test.each(WRITE_CASES.map((one) => [one.name, one] as const))("%s writes as usual", async (name, one) => {
    const models = [table, short].map(async (over, i) => {
      const key = `${name} ${i}`;
      const { id } = await world.run("model/import", { content: sceneDocument(key) });
      await readyScene(name, key, (action, payload) => world.run(`model/${action}`, payload));
      writtenBody(await serviceOver(world, over, quickRuntime()).call(name, one.payload(key, `${key} new`, id)));
      const made = await Promise.all([key, `${key} new`].map((modelRef) => exported(`key:${modelRef}`)));
      return made.join("\n").replaceAll(key, "the key");
    });
    const [whole, paged] = await Promise.all(models);
    expect(paged).toBe(whole);
  });
});

async function exported(modelRef: string): Promise<string> {
  const document = await world.run("model/model_export", { modelRef }).catch(() => "nothing");
  return JSON.stringify(document, (name, value) => (name === "id" ? undefined : value));
}
