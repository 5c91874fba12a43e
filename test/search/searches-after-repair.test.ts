import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FILES } from "../../local/sqlite/data-folder.ts";
import { openSqliteTable, type SqliteTable } from "../../local/sqlite/table.ts";
import type { Searches } from "../../shared/actions/contract/ports.ts";
import { createMemoryIndex } from "../../shared/search/memory-index.ts";
import { createStore } from "../../shared/store/model-store.ts";
import { logPartition, objectsPartition } from "../../shared/store/table/keys.ts";
import { partition } from "../store/support/check-model.ts";
import { sceneDocument } from "../store/support/scene.ts";
import { realAmbient } from "../support/ambient.ts";
import { runProgram } from "../support/run-program.ts";
import { createWorld, type World } from "../support/world.ts";

const tableOf = (sqlite: SqliteTable) => sqlite.connect(Number.POSITIVE_INFINITY);
const storeOf = (sqlite: SqliteTable) => createStore(tableOf(sqlite), realAmbient);

const PLACES: Readonly<Record<string, (sqlite: SqliteTable) => () => Promise<Searches>>> = {
  "in the store's file": (sqlite) => sqlite.searches({ store: () => storeOf(sqlite), say: () => undefined }),
  "in the memory of the process": () => {
    const searches = createMemoryIndex();
    return async () => searches;
  },
};

/** The names of what holds a text. */
async function found(
  text: string,
  sqlite: SqliteTable,
  searches: () => Promise<Searches>,
): Promise<readonly unknown[]> {
  const filters = { operator: "and", items: [{ type: "text", condition: "contains", value: text }] } as const;
  const { items } = await (await searches()).find({ filters, globalTags: new Set(), page: {} }, storeOf(sqlite));
  return items.map(({ name }) => name);
}

/** Imports a model, and gives its entity a name that its log does not know. */
async function importSpoilt({ run, table }: World): Promise<void> {
  const { id } = await run("model/import", { content: sceneDocument("crm") });
  const [entry] = await partition(table, logPartition(id));
  const item = await table.get({ pk: objectsPartition(id, String(entry?.generation)), sk: "entity#customer" });
  if (!item) throw new Error("the scene has a customer");
  await table.batchPut([{ ...item, name: "Spoilt" }]);
}

test.each(Object.entries(PLACES))("a search %s finds the state of a repaired model", async (_, place) => {
  const sqlite = openSqliteTable({}, realAmbient.now);
  const searches = place(sqlite);
  const world = await createWorld({ table: tableOf(sqlite), searches });
  await importSpoilt(world);
  expect(await found("spoilt", sqlite, searches)).toEqual(["Spoilt"]);
  expect((await world.run("model/maintenance_rebuild_caches", { mend: true })).findings).not.toEqual([]);
  expect(await found("spoilt", sqlite, searches)).toEqual([]);
  expect(await found("customers", sqlite, searches)).toContain("Customers");
});

test("a search in the file index finds the state that npm run fsck repaired", { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "metaction-mended-"));
  const opened = async (work: (sqlite: SqliteTable, searches: () => Promise<Searches>) => Promise<void>) => {
    const sqlite = openSqliteTable({ file: FILES.database(folder) }, realAmbient.now);
    try {
      await work(sqlite, PLACES["in the store's file"]?.(sqlite) ?? expect.fail());
    } finally {
      sqlite.close();
    }
  };
  await opened(async (sqlite, searches) => {
    await importSpoilt(await createWorld({ table: tableOf(sqlite) }));
    expect(await found("spoilt", sqlite, searches)).toEqual(["Spoilt"]);
  });
  await runProgram("local/fsck.ts", { METACTION_DATA_DIR: folder }, "--mend");
  await opened(async (sqlite, searches) => {
    expect(await found("spoilt", sqlite, searches)).toEqual([]);
    expect(await found("customers", sqlite, searches)).toContain("Customers");
  });
});
