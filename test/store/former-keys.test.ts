import { beforeAll, expect, test } from "vitest";
import { openTable, type TestTable } from "../support/table.ts";
import { createWorld, type World } from "../support/world.ts";
import { quickAmbient } from "./support/quick-ambient.ts";
import { sceneDocument } from "./support/scene.ts";
import { serviceOver, writtenBody } from "./support/service-over.ts";

const HOUR = 3_600_000;

let table: TestTable;
let world: World;

beforeAll(async () => {
  table = await openTable();
  world = await createWorld({ seam: table.seam });
});

interface Row {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}

// The row of a former key lies before or behind that of the new one, and it is younger or older than a transaction may take.
test.each([
  ["m-b", "m-a"],
  ["m-b", "m-c"],
])("a model renamed from %s to %s is listed under its new key alone, at once and later, page by page too", async (from, to) => {
  const clock = quickAmbient();
  const { call } = serviceOver(world, table.seam, clock);
  const { id } = writtenBody(await call("import", { content: sceneDocument(from) }));
  const listed = async (limit?: number): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    let cursor: string | undefined;
    do {
      const { answer } = await call("model_list", { ...(limit && { limit }), ...(cursor !== undefined && { cursor }) });
      rows.push(...(answer?.body as Row[]));
      cursor = answer?.next;
    } while (cursor !== undefined);
    return rows.map(({ id, key, name }) => ({ id, key, name }));
  };
  const before = (await listed()).filter((row) => row.id !== id);
  writtenBody(await call("model_update_key", { modelRef: `key:${from}`, value: to }));
  const wanted = [...before, { id, key: to, name: "Customers" }].sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const passing of [0, 9_000, 2_000, HOUR]) {
    clock.advance(passing);
    for (const limit of [undefined, 1, 2]) expect(await listed(limit)).toEqual(wanted);
  }
  expect((await call("model_get", { modelRef: `key:${from}` })).problem?.code).toBe("not_found");
  writtenBody(await call("model_create", { key: from, name: "Another" }));
  expect((await listed()).map(({ key }) => key)).toEqual([...wanted.map(({ key }) => key), from].sort());
  writtenBody(await call("model_delete", { modelRef: `key:${from}` }));
});
