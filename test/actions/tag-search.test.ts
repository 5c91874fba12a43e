import { beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { expectFaults, expectProblem, NO_ID, readPages, useWorld } from "./support/checked-world.ts";
import { aGlobalTag, aLocalTag, aModel, aTagGroup, type Made } from "./support/models.ts";

const world = useWorld();

let one: Made;
let two: Made;
type Row = { readonly id: string; readonly key: string };

async function search(payload: object = {}): Promise<readonly Row[]> {
  return (await world.read("tag/tag_search", payload)).items;
}

const keysOf = (rows: readonly Row[]): readonly string[] => rows.map(({ key }) => key);
const item = (value: object) => ({ type: "scopeRef", condition: "is", value });
const global = item({ type: "global" });
const inModel = ({ id }: Made) => item({ type: "model", id });

beforeAll(async () => {
  one = await aModel(world, "one");
  two = await aModel(world, "two");
  const [x, y] = [await aTagGroup(world, "x"), await aTagGroup(world, "y")];
  for (const key of ["b", "same", "a-b"]) await aGlobalTag(world, x, key);
  for (const key of ["a", "same"]) await aGlobalTag(world, y, key);
  for (const key of ["same", "c"]) await aLocalTag(world, one, key);
  await aLocalTag(world, two, "B");
});

describe("tag_search", () => {
  test("without filters finds every tag, sorted by key", async () => {
    expect(keysOf(await search())).toEqual(["B", "a", "a-b", "b", "c", "same", "same", "same"]);
    expect(await search({ filters: {} })).toEqual(await search());
    expect(await search({ filters: { operator: "or", items: [] } })).toEqual(await search());
  });

  test("answers the same rows as the actions that get a tag", async () => {
    for (const row of await search()) {
      const local = "model" in row ? (row.model as Made) : undefined;
      const alone = local
        ? await world.read("tag/tag_local_get", { modelRef: `id:${local.id}`, tagRef: `id:${row.id}` })
        : await world.read("tag/tag_global_get", { tagRef: `id:${row.id}` });
      expect(row).toEqual(alone);
    }
  });

  test("finds the tags of the named scopes", async () => {
    const found = async (...items: object[]) => keysOf(await search({ filters: { operator: "or", items } }));
    expect(await found(global)).toEqual(["a", "a-b", "b", "same", "same"]);
    expect(await found(item({ type: "global", id: null }))).toEqual(["a", "a-b", "b", "same", "same"]);
    expect(await found(inModel(one))).toEqual(["c", "same"]);
    expect(await found(inModel(two), inModel(one))).toEqual(["B", "c", "same"]);
    expect(await found(global, inModel(two))).toEqual(["B", "a", "a-b", "b", "same", "same"]);
    expect(await found(global, global)).toEqual(["a", "a-b", "b", "same", "same"]);
    expect(await found(item({ type: "model", id: one.id.toUpperCase() }))).toEqual(["c", "same"]);
  });

  test("finds nothing if a tag would need two scopes, which `and`, the default, requires", async () => {
    expect(await search({ filters: { items: [global, inModel(one)] } })).toEqual([]);
    expect(await search({ filters: { operator: "and", items: [inModel(two), inModel(one)] } })).toEqual([]);
    expect(keysOf(await search({ filters: { items: [global, global] } }))).toHaveLength(5);
  });

  test("reads tags of one key in pages, each once", async () => {
    for (const limit of [1, 2, 3, 7, 8, 9]) {
      const pages = await readPages((after) => world.ok("tag/tag_search", { limit, ...after }));
      expect(pages.flatMap(({ body }) => body.items)).toEqual(await search());
      expect(pages.filter(({ body }) => body.items.length > limit)).toEqual([]);
    }
  });

  test("reports an id of an unknown or deleted model", async () => {
    const gone = await aModel(world);
    await world.ok("model/model_delete", { modelRef: gone.ref });
    for (const id of [NO_ID, gone.id]) {
      const problem = await world.refused("tag/tag_search", { filters: { items: [item({ type: "model", id })] } });
      expect(problem).toMatchObject({ code: "not_found", message: `no model id:${id}` });
    }
  });

  test("shows tags of models to callers who may read models, and refuses their filter to others", async () => {
    const { nobody, reader } = world.people;
    const asked = async (caller: string) => keysOf((await world.okAs(caller, "tag/tag_search")).body.items);
    expect(await asked(reader)).toHaveLength(8);
    expect(await asked(nobody)).toEqual(["a", "a-b", "b", "same", "same"]);
    for (const id of [one.id, NO_ID]) {
      const filters = { operator: "or", items: [global, item({ type: "model", id })] };
      expectProblem(await world.problem("tag/tag_search", { filters }, nobody), "not_allowed", "model_read");
    }
  });

  test.each<[object | string, string]>([
    ["global", "/filters"],
    [{ operator: "nor" }, "/filters/operator"],
    [{ items: {} }, "/filters/items"],
    [{ items: [{ type: "text", condition: "is", value: { type: "global" } }] }, "/filters/items/0/type"],
    [{ items: [{ type: "scopeRef", condition: "isnt", value: { type: "global" } }] }, "/filters/items/0/condition"],
    [{ items: [{ type: "scopeRef", condition: "is" }] }, "/filters/items/0/value"],
    [{ items: [item({ type: "entity", id: NO_ID })] }, "/filters/items/0/value/type"],
    [{ items: [item({ type: "model" })] }, "/filters/items/0/value/id"],
    [{ items: [item({ type: "model", id: null })] }, "/filters/items/0/value/id"],
    [{ items: [item({ type: "model", id: "one" })] }, "/filters/items/0/value/id"],
    [{ items: [item({ type: "global", id: NO_ID })] }, "/filters/items/0/value/id"],
    [{ items: [global], scope: "global" }, "/filters"],
    [{ items: Array.from({ length: LIMITS.searchFilters + 1 }, () => global) }, "/filters/items"],
  ])("given the filters %j, points at the fault", async (filters, pointer) => {
    expectFaults(await world.refused("tag/tag_search", { filters }), pointer);
  });
});
