import { beforeAll, expect, test } from "vitest";
import { openTable, type TestTable } from "../support/table.ts";
import { createWorld, type World } from "../support/world.ts";
import { createFaultSeam } from "./support/fault-seam.ts";
import { quickAmbient } from "./support/quick-ambient.ts";
import { sceneDocument } from "./support/scene.ts";
import { type Caller, type Outcome, serviceOver, writtenBody } from "./support/service-over.ts";

let table: TestTable;
let world: World;
let quiet: Caller;

beforeAll(async () => {
  table = await openTable();
  world = await createWorld({ seam: table.seam });
  quiet = serviceOver(world, table.seam, quickAmbient());
});

const keysOf = ({ answer }: Outcome): readonly string[] =>
  (answer?.body as { items: { key: string }[] }).items.map(({ key }) => key);

test.each([
  0, 1, 2, 5, 8,
])("a list of several pages is whole, though %i commits that do not concern it come before the one that does", async (unconcerned) => {
  const scene = `scene-${unconcerned}`;
  const modelRef = `key:${scene}`;
  await world.run("model/import", { content: sceneDocument(scene) });
  const seam = createFaultSeam(table.seam);
  const disturb = async (): Promise<void> => {
    for (let i = 0; i < unconcerned; i++) {
      writtenBody(await quiet.call("entity_update_name", { modelRef, entityRef: "key:order", value: `Name ${i}` }));
    }
    // From a page that is still to come to one that was read.
    writtenBody(await quiet.call("type_update_key", { modelRef, typeRef: "key:unused", value: "a" }));
  };
  const second = { operation: "query", key: /^model#/, nth: 2 } as const;
  seam.arm({ pageRows: 1, rules: [{ match: second, do: { before: disturb } }] });
  const given = await serviceOver(world, seam, quickAmbient()).call("type_list", { modelRef });
  expect(keysOf(given)).toEqual(["a", "integer", "string"]);
  expect(given.answer).toEqual((await quiet.call("type_list", { modelRef })).answer);
});
