import { beforeAll, expect, test } from "vitest";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { createFaultTable } from "../support/fault-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";
import { type Caller, type Outcome, serviceOver, writtenBody } from "../support/service-over.ts";

let opened: TestTable;
let world: World;
let quiet: Caller;

beforeAll(async () => {
  opened = await openTable();
  world = await createWorld({ table: opened.table });
  quiet = serviceOver(world, opened.table, quickAmbient());
});

const keysOf = ({ answer }: Outcome): readonly string[] =>
  (answer?.body as { items: { key: string }[] }).items.map(({ key }) => key);

test.each([
  0, 1, 2, 5, 8,
])("a list of several pages is consistent, though %i unrelated commits come before a related one", async (unconcerned) => {
  const scene = `scene-${unconcerned}`;
  const modelRef = `key:${scene}`;
  await world.run("model/import", { content: sceneDocument(scene) });
  const table = createFaultTable(opened.table);
  const disturb = async (): Promise<void> => {
    for (let i = 0; i < unconcerned; i++) {
      writtenBody(await quiet.call("entity_update_name", { modelRef, entityRef: "key:order", value: `Name ${i}` }));
    }
    // The type moves from a page that is still to come to one that was read.
    writtenBody(await quiet.call("type_update_key", { modelRef, typeRef: "key:unused", value: "a" }));
  };
  const second = { operation: "query", key: /^model#/, nth: 2 } as const;
  table.arm({ pageRows: 1, rules: [{ match: second, do: { before: disturb } }] });
  const given = await serviceOver(world, table, quickAmbient()).call("type_list", { modelRef });
  expect(keysOf(given)).toEqual(["a", "integer", "string"]);
  expect(given.answer).toEqual((await quiet.call("type_list", { modelRef })).answer);
});
