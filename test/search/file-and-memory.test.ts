import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FILES } from "../../local/sqlite/data-folder.ts";
import { openSqliteTable, type SqliteTable } from "../../local/sqlite/table.ts";
import type { Searches } from "../../shared/actions/contract/ports.ts";
import { createMemoryIndex } from "../../shared/search/memory-index.ts";
import { createStore } from "../../shared/store/model-store.ts";
import { logPartition, objectsPartition } from "../../shared/store/table/keys.ts";
import { partition } from "../store/support/check-model.ts";
import { sceneDocument } from "../store/support/scene.ts";
import { runProgram } from "../support/run-program.ts";
import { realRuntime } from "../support/runtime.ts";
import { someoneOn } from "../support/someone.ts";
import { type Body, createWorld, type World } from "../support/world.ts";

type OpenSearches = (sqlite: SqliteTable) => () => Promise<Searches>;

const openFileIndex: OpenSearches = (sqlite) =>
  sqlite.searches({ store: () => createStore(toTable(sqlite), realRuntime), say: () => undefined });
const openMemoryIndex: OpenSearches = () => {
  const searches = createMemoryIndex();
  return async () => searches;
};
const toTable = (sqlite: SqliteTable) => sqlite.connect(Number.POSITIVE_INFINITY);

/** Opens a table in SQLite with a service that searches in an index. `earlier` is a world whose table is in the same file. */
async function open(openSearches: OpenSearches, file?: string, earlier?: World) {
  const sqlite = openSqliteTable(file === undefined ? {} : { file }, realRuntime.now);
  const searches = openSearches(sqlite);
  const world = await createWorld({ table: toTable(sqlite), searches, ...(earlier && { beside: earlier }) });
  return {
    world,
    find: async (text: string): Promise<readonly unknown[]> => {
      const filters = { operator: "and", items: [{ type: "text", condition: "contains", value: text }] } as const;
      const asked = { filters, globalTags: new Set<string>(), page: {} };
      const { items } = await (await searches()).find(asked, createStore(world.table, realRuntime));
      return items.map(({ name }) => name);
    },
    close: () => sqlite.close(),
  };
}

async function importSpoilt({ run, table }: World) {
  const { id } = await run("model/import", { content: sceneDocument("crm") });
  const [entry] = await partition(table, logPartition(id));
  const item = await table.get({ pk: objectsPartition(id, String(entry?.generation)), sk: "entity#customer" });
  if (!item) throw new Error("the scene has a customer");
  await table.batchPut([{ ...item, name: "Spoilt" }]);
}

describe.each([
  ["in the store's file", openFileIndex],
  ["in the memory of the process", openMemoryIndex],
])("a search %s", (_, openSearches) => {
  test("finds nothing in models that the caller may not read", async () => {
    const { world, close } = await open(openSearches);
    for (const key of ["crm", "hr"]) {
      await world.run("model/model_create", { key, name: key });
      await world.run("model/entity_create", { modelRef: `key:${key}`, entityKey: `person_of_${key}` });
    }
    const { token } = await someoneOn(world, "eve", { role: "reader", models: "crm" });
    const filters = { operator: "and", items: [{ type: "text", condition: "contains", value: "person" }] };
    const { items } = await world.run("model/search", { filters }, token);
    expect(items.map(({ location }: Body) => location.entityKey)).toEqual(["person_of_crm"]);
    close();
  });

  test("finds the state of a repaired model", async () => {
    const { world, find, close } = await open(openSearches);
    await importSpoilt(world);
    expect(await find("spoilt")).toEqual(["Spoilt"]);
    expect((await world.run("model/maintenance_rebuild_caches", { repair: true })).findings).not.toEqual([]);
    expect(await find("spoilt")).toEqual([]);
    expect(await find("customers")).toContain("Customers");
    close();
  });
});

test("a search in the file index finds the state that npm run fsck repaired", { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "metaction-mended-"));
  const before = await open(openFileIndex, FILES.database(folder));
  await importSpoilt(before.world);
  expect(await before.find("spoilt")).toEqual(["Spoilt"]);
  before.close();
  await runProgram("local/fsck.ts", { METACTION_DATA_DIR: folder }, "--mend");
  const after = await open(openFileIndex, FILES.database(folder), before.world);
  expect(await after.find("spoilt")).toEqual([]);
  expect(await after.find("customers")).toContain("Customers");
  after.close();
});
