import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { createMovedModels, openDatabase } from "../../local/sqlite/open-database.ts";
import type { SearchFilters } from "../../shared/domain/search/filters.ts";
import { createFileIndex } from "../../shared/search/file-index.ts";
import type { Cursor } from "../../shared/search/index-reader.ts";
import { expireTables, makeTables } from "../../shared/search/index-statements.ts";
import { toNamedMark, toValueMark } from "../../shared/search/marks.ts";
import { SearchIndex } from "../../shared/search/search-index.ts";
import { createStore } from "../../shared/store/model-store.ts";
import type { Table } from "../../shared/store/table/table.ts";
import { realRuntime } from "../support/runtime.ts";
import { freshTable } from "../support/table.ts";
import { createWorld } from "../support/world.ts";
import { modelWith } from "./support/search-rows.ts";

type Filter = SearchFilters<string>["items"][number];

function createDatabase(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  makeTables(database);
  return database;
}

async function findIds(index: SearchIndex, filter: Filter, globalTags: readonly string[] = []) {
  const filters = { operator: "and", items: [filter] } as const;
  const after = { key: "", place: "" };
  const { hits } = await index.find({ filters, globalTags: new Set(globalTags), after, most: 100 });
  return hits.map(({ row }) => row.id);
}

const isTagged = (...value: string[]): Filter => ({ type: "tags", condition: "anyOf", value });

test("others run after a hundred thousand characters, even of few rows", async () => {
  const countPauses = async (characters: number) => {
    let pauses = 0;
    const index = new SearchIndex(createDatabase(), async () => {
      pauses += 1;
    });
    await index.put([modelWith("m", Array(10).fill({ text: "x".repeat(characters) }))]);
    return pauses;
  };
  expect([await countPauses(100), await countPauses(50_000)]).toEqual([0, 5]);
});

test.each([3, 201])("a row with links to deleted global tags alone has no tag, with %d global tags", async (count) => {
  const index = new SearchIndex(createDatabase());
  const globalTags = Array.from({ length: count }, (_, i) => `g${i}`);
  await index.put([modelWith("m", [{ globalTags: ["g1"] }, { globalTags: ["deleted"] }, { tags: ["l"] }, {}])]);
  expect(await findIds(index, { type: "tags", condition: "notEmpty" }, globalTags)).toEqual(["m 0", "m 2"]);
  expect(await findIds(index, { type: "tags", condition: "empty" }, globalTags)).toEqual(["m", "m 1", "m 3"]);
});

test("a row is found by each of its facts, and by no fact of another", async () => {
  const index = new SearchIndex(createDatabase());
  const facts = [
    { tags: ["t"], keywords: ["enum"] },
    { globalTags: ["g"], format: "email" },
    { format: "uri" },
    { logicalType: "date" },
  ] as const;
  await index.put([modelWith("m", facts)]);
  expect(await findIds(index, isTagged("t"))).toEqual(["m 0"]);
  expect(await findIds(index, isTagged("g"), ["g"])).toEqual(["m 1"]);
  expect(await findIds(index, isTagged("unknown"))).toEqual([]);
  expect(await findIds(index, { type: "constraints", condition: "anyOf", value: ["enum"] })).toEqual(["m 0"]);
  expect(await findIds(index, { type: "format", condition: "anyOf", value: ["email"] })).toEqual(["m 1"]);
  expect(await findIds(index, { type: "logicalType", condition: "anyOf", value: ["date", "uuid"] })).toEqual(["m 3"]);
  expect(await findIds(index, { type: "format", condition: "anyOf", value: ["uri"] })).toEqual(["m 2"]);
});

test("a write that failed leaves nothing, also for the next process", async () => {
  const database = createDatabase();
  const index = new SearchIndex(database);
  const model = modelWith("m", [{ tags: ["t"] }]);
  const fail = (): never => {
    throw new Error("disk full");
  };
  await expect(index.put([model], fail)).rejects.toThrow("disk full");
  expect(await findIds(index, isTagged("t"))).toEqual([]);
  await index.put([model]);
  for (const each of [index, new SearchIndex(database)]) expect(await findIds(each, isTagged("t"))).toEqual(["m 0"]);
  const next = new SearchIndex(database);
  await next.put([modelWith("other", [{ tags: ["t"] }])]);
  expect(await findIds(next, isTagged("t"))).toEqual(["m 0", "other 0"]);
});

test("a renamed model leaves no row under its former key", async () => {
  const database = createDatabase();
  const index = new SearchIndex(database);
  await index.put([modelWith("a", [{}, {}])]);
  await index.put([{ ...modelWith("b", [{}]), ledgerId: "a", revision: 2 }]);
  expect(index.listModels().map(([, id, key]) => [id, key])).toEqual([["a", "b"]]);
  expect(database.prepare("SELECT count(*) AS rows FROM search_row").get()).toEqual({ rows: 2 });
  await index.put([{ ...modelWith("b", []), ledgerId: "a", revision: 3 }]);
  expect(database.prepare("SELECT count(*) AS rows FROM search_row").get()).toEqual({ rows: 1 });
});

test("a model that is written in several transactions has no revision until the last one", async () => {
  const database = createDatabase();
  const index = new SearchIndex(database);
  await index.put([modelWith("m", [{}])]);
  const writing = index.put([{ ...modelWith("m", Array(2_500).fill({})), revision: 2 }]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(new SearchIndex(database).getRevision("m")).toBeUndefined();
  await writing;
  expect(new SearchIndex(database).getRevision("m")).toBe(2);
});

test("tables of the present version are kept, and missing ones cannot expire", async () => {
  const database = createDatabase();
  await new SearchIndex(database).put([modelWith("m", [{}])]);
  makeTables(database, () => expect.unreachable());
  expect(new SearchIndex(database).getRevision("m")).toBe(1);
  expireTables(database);
  makeTables(database);
  expect(new SearchIndex(database).getRevision("m")).toBeUndefined();
  const empty = new DatabaseSync(":memory:");
  expireTables(empty);
  expect(empty.prepare("SELECT count(*) AS tables FROM sqlite_schema").get()).toEqual({ tables: 0 });
});

test("words of the query language in a text are not taken for conditions", async () => {
  const index = new SearchIndex(createDatabase());
  await index.put([modelWith("m", [{ text: "false" }, { text: "true NOT" }])]);
  expect(await findIds(index, { type: "tags", condition: "empty" })).toEqual(["m", "m 0", "m 1"]);
});

test("one read of the index checks at most 5,000 rows, and continues after them", async () => {
  const index = new SearchIndex(createDatabase());
  const facts = Array.from({ length: 5_500 }, (_, i) => ({ text: i === 5_400 ? "last" : "x" }));
  await index.put([modelWith("m", facts)]);
  const filters = { operator: "and", items: [{ type: "text", condition: "contains", value: "" }] } as const;
  const find = (after: Cursor) => index.find({ filters, globalTags: new Set(), after, most: 10_000 });
  const first = await find({ key: "", place: "" });
  expect(first.hits).toHaveLength(5_000);
  const second = await find(first.more ?? { key: "", place: "" });
  expect(second.hits).toHaveLength(501);
  expect(second.more).toBeUndefined();
});

test("a page continues with the whole next model if the model of its cursor was deleted", async () => {
  const index = new SearchIndex(createDatabase());
  await index.put([modelWith("b", [{}, {}])]);
  const filters = { operator: "and", items: [] } as const;
  const find = async (key: string) => {
    const after = { key, place: "1\n000000000" };
    const { hits } = await index.find({ filters, globalTags: new Set(), after, most: 9 });
    return hits.map(({ row }) => row.id);
  };
  expect(await find("a")).toEqual(["b", "b 0", "b 1"]);
  expect(await find("b")).toEqual(["b 1"]);
});

test("different names have different marks", () => {
  const numbers = [0, 1, 2_047, 2_048, 2_049, 2_048 ** 2 - 1, 2_048 ** 2, 2_048 ** 2 + 1];
  expect(new Set(numbers.map(toNamedMark)).size).toBe(numbers.length);
  expect(new Set(["a", "b"].map((value) => toValueMark("p", value))).size).toBe(2);
});

describe("an index in a file", () => {
  const unknownModels = (count: number) => Array.from({ length: count }, (_, i) => `m${i}`);

  /** Opens an index with outdated models. Each read of its clock advances it by `step` milliseconds. */
  async function openIndex(models: readonly string[], step: number, table?: Table) {
    const database = openDatabase();
    const moves = createMovedModels(database);
    const said: string[] = [];
    let time = 0;
    const now = () => {
      time += step;
      return time;
    };
    const store = createStore(table ?? (await freshTable()), realRuntime);
    const index = createFileIndex({ database, moves, store: () => store, now, say: (line) => said.push(line) });
    for (const id of models) moves.note(id);
    const find = () => {
      const filters = { operator: "and", items: [] } as const;
      return index.find({ filters, globalTags: new Set<string>(), page: {} }, store);
    };
    return { index, find, said, listMoved: () => moves.list() };
  }

  test("reports every five seconds how many models are left, and refuses a search that waited for 20 seconds", async () => {
    const { find, said, listMoved } = await openIndex(unknownModels(1_250), 2_000);
    await expect(find()).rejects.toMatchObject({ code: "out_of_time", members: { retryAfter: 5 } });
    expect(said).toEqual(["The search index is being built: 1150 models are left."]);
    expect(listMoved()).toHaveLength(650);
    expect((await find().catch(() => find())).items).toEqual([]);
    expect(listMoved()).toEqual([]);
  });

  test("indexes a model once", async () => {
    const { run, table } = await createWorld();
    const { id } = await run("model/model_create", { key: "crm", name: "CRM" });
    const { find, listMoved } = await openIndex([id, "unknown"], 0, table);
    expect((await find()).items.map(({ key }) => key)).toEqual(["crm"]);
    expect(listMoved()).toEqual([]);
  });

  test("indexes all models in the background after a round without commits, unless it was stopped", async () => {
    const { index, listMoved } = await openIndex(unknownModels(450), 300);
    await index.keepUp();
    expect(listMoved()).toHaveLength(450);
    await index.keepUp();
    expect(listMoved()).toEqual([]);
    const stopped = await openIndex(unknownModels(450), 300);
    await stopped.index.keepUp();
    stopped.index.stop();
    await stopped.index.keepUp();
    expect(stopped.listMoved()).toHaveLength(450);
  });
});
