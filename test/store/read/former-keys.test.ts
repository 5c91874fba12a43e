import { expect, test } from "vitest";
import type { ItemKey } from "../../../shared/store/table/keys.ts";
import { readPages } from "../../actions/support/checked-world.ts";
import { directTable } from "../../simulation/support/direct-table.ts";
import { createSimulatedTable } from "../../simulation/support/simulated-table.ts";
import { runtimeAt } from "../../support/runtime.ts";
import { type Body, createWorld } from "../../support/world.ts";
import { createFaultTable } from "../support/fault-table.ts";
import { createLateWorld } from "../support/partly-visible.ts";
import { quickRuntime } from "../support/quick-runtime.ts";
import { sceneDocument } from "../support/scene.ts";
import { serviceOver, writtenBody } from "../support/service-over.ts";

const HOUR = 3_600_000;

const world = await createWorld();

// The row of a former key lies before or behind that of the new one, and it is younger or older than a transaction may take.
test.each([
  ["m-b", "m-a"],
  ["m-b", "m-c"],
])("a model renamed from %s to %s is listed under its new key only, at once and later, in pages too", async (from, to) => {
  const clock = quickRuntime();
  const { call } = serviceOver(world, world.table, clock);
  const { id } = writtenBody(await call("import", { content: sceneDocument(from) }));
  const listed = async (limit?: number): Promise<Body[]> => {
    const pages = await readPages(async (after) => Object(await call("model_list", { limit, ...after })).answer);
    return pages.flatMap(({ body }) => body).map(({ id, key, name }) => ({ id, key, name }));
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

const LATE_MS = 5_000;

test.each<[title: string, late: string, onLate?: (clock: ReturnType<typeof quickRuntime>) => void]>([
  ["its new row is not visible yet", "m-z"],
  [
    "its new row is not visible yet, and was written long after the call began",
    "m-z",
    ({ advance }) => advance(25_000),
  ],
  ["that it left its former key is not visible yet", "m-a"],
])("a model with a key behind the page is listed once under it while %s", async (_, late, onLate) => {
  const isLate = ({ pk, sk }: ItemKey) => pk === "models" && sk === late;
  const { clock, world } = await createLateWorld({ isLate, lateMs: LATE_MS, pageRows: 2, ...(onLate && { onLate }) });
  for (const key of ["m-a", "m-b", "m-c"]) await world.run("model/model_create", { key, name: key });
  clock.advance(LATE_MS);
  await world.run("model/model_update_key", { modelRef: "key:m-a", value: "m-z" });
  for (const passing of [0, LATE_MS]) {
    clock.advance(passing);
    const listed: Body[] = await world.run("model/model_list");
    expect(listed.map(({ key }) => key)).toEqual(["m-b", "m-c", "m-z"]);
  }
});

test("a model that is restored to a key which it gets again concurrently is not refused because of another model", async () => {
  const clock = runtimeAt("2027-03-01T12:00:00Z");
  const table = createFaultTable(directTable(createSimulatedTable({ now: clock.now })));
  const own = await createWorld({ table, runtime: clock });
  const { id } = await own.run("model/model_create", { key: "m-a", name: "A" });
  const rename = (value: string) => own.run("model/model_update_key", { modelRef: `id:${id}`, value });
  await rename("m-b");
  table.arm({ rules: [{ match: { operation: "get", key: /^models\|m-a$/ }, do: { before: () => rename("m-a") } }] });
  const restored = await own.run("model/model_restore", { modelRef: `id:${id}`, revision: 1 });
  expect(restored).toMatchObject({ key: "m-a", revision: 3, changed: false, losses: [] });
});
