import { expect, test } from "vitest";
import { openSqliteTable, type SqliteTable } from "../../local/sqlite/table.ts";
import type { Searches } from "../../shared/actions/contract/ports.ts";
import { createMemoryIndex } from "../../shared/search/memory-index.ts";
import { createStore } from "../../shared/store/model-store.ts";
import { realAmbient } from "../support/ambient.ts";
import { someoneOn } from "../support/someone.ts";
import { type Body, createWorld } from "../support/world.ts";

const openTable = (sqlite: SqliteTable) => sqlite.connect(Number.POSITIVE_INFINITY);

const INDEXES: Readonly<Record<string, (sqlite: SqliteTable) => () => Promise<Searches>>> = {
  "in the store's file": (sqlite) =>
    sqlite.searches({ store: () => createStore(openTable(sqlite), realAmbient), say: () => undefined }),
  "in the memory of the process": () => {
    const searches = createMemoryIndex();
    return async () => searches;
  },
};

test.each(
  Object.entries(INDEXES),
)("a search %s finds nothing in models that the caller may not read", async (_, open) => {
  const sqlite = openSqliteTable({}, realAmbient.now);
  const world = await createWorld({ table: openTable(sqlite), searches: open(sqlite) });
  for (const key of ["crm", "hr"]) {
    await world.run("model/model_create", { key, name: key });
    await world.run("model/entity_create", { modelRef: `key:${key}`, entityKey: `person_of_${key}` });
  }
  const { token } = await someoneOn(world, "eve", { role: "reader", models: "crm" });
  const filters = { operator: "and", items: [{ type: "text", condition: "contains", value: "person" }] };
  const { items } = await world.run("model/search", { filters }, token);
  expect(items.map(({ location }: Body) => location.entityKey)).toEqual(["person_of_crm"]);
  sqlite.close();
});
