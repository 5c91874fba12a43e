import { expect, test } from "vitest";
import { NO_CONTROLS, toUnreadPayload } from "../../shared/actions/contract/call.ts";
import type { Searches } from "../../shared/actions/contract/ports.ts";
import type { Service } from "../../shared/actions/pipeline/call-context.ts";
import { createMemoryIndex } from "../../shared/search/memory-index.ts";
import { createStore } from "../../shared/store/model-store.ts";
import { readPages } from "../actions/support/checked-world.ts";
import { type Condition, type Exported, type Filters, type ListedTag, scanned } from "../store/support/search-scan.ts";
import { PROPERTIES, someDocument, someNeedle, someWrite } from "../store/support/search-writes.ts";
import { type Chance, createChance, seedOf } from "../support/chance.ts";
import { dispatchNamed } from "../support/dispatch-named.ts";
import { realRuntime } from "../support/runtime.ts";
import { openTable } from "../support/table.ts";
import { createWorld, type World } from "../support/world.ts";

const QUERIES = 500;
const WRITES = 0.25;

interface Instance {
  readonly models: readonly Exported[];
  readonly globalTags: readonly ListedTag[];
}

async function exported({ run }: World): Promise<Instance> {
  const listed: readonly Exported[] = await run("model/model_list");
  const models = await Promise.all(listed.map(({ id }) => run("model/model_export", { modelRef: `id:${id}` })));
  const filters = { items: [{ type: "scopeRef", condition: "is", value: { type: "global" } }] };
  return { models, globalTags: (await run("tag/tag_search", { filters })).items };
}

function processWith({ service }: World, searches: Searches): Service {
  return { ...service, ports: (deadline) => ({ ...service.ports(deadline), searches: async () => searches }) };
}

/** A way to search: the models that are named come with a process that has room for few of them. */
interface Searcher {
  readonly service: Service;
  readonly names: boolean;
}

/** All items that a search answers, page by page where there is a limit. */
async function search(
  { service, names }: Searcher,
  token: string,
  { filters, limit, models: all }: { filters: Filters; limit: number | undefined; models: readonly Exported[] },
): Promise<Exported[]> {
  const models = names ? { models: all.map(({ id }) => `id:${id}`) } : {};
  const call = { group: "model", name: "search", token, controls: NO_CONTROLS, channel: "http" as const };
  const pages = await readPages((after) => {
    const payload = toUnreadPayload({ filters, ...models, ...(limit !== undefined && { limit }), ...after });
    return dispatchNamed({ ...call, payload, requestId: "r", deadline: Date.now() + 29_000 }, service);
  });
  return pages.flatMap(({ body }) => (body as { items: Exported[] }).items);
}

function someFilters(chance: Chance, { models, globalTags }: Instance, gone: readonly string[]): Filters {
  const length = Number(chance.weighted(Object.entries({ 0: 1, 1: 8, 2: 6, 3: 2 })));
  const items = Array.from({ length }, () => someCondition(chance, refsOf(models, globalTags), gone));
  return { ...(chance.happens(0.7) && { operator: chance.pick(["and", "or"] as const) }), items };
}

const refsOf = (models: readonly Exported[], globalTags: readonly ListedTag[]): readonly string[] => [
  ...globalTags.flatMap(({ id, key, group }) => [`id:${id}`, `key:${group.key}/${key}`]),
  ...models.flatMap((model) =>
    model.localTags.flatMap((tag: Exported) => [`id:${tag.id}`, `key:model/${model.id}/${tag.key}`]),
  ),
];

function someCondition(chance: Chance, refs: readonly string[], gone: readonly string[]): Condition {
  if (chance.happens(0.5)) return { type: "text", condition: "contains", value: someNeedle(chance) };
  if (chance.happens(0.2)) return { type: "format", condition: chance.pick(["anyOf", "noneOf"]), value: ["email"] };
  const condition = chance.pick(["empty", "notEmpty", "anyOf", "allOf", "noneOf"]);
  const type = chance.weighted(Object.entries({ tags: 5, constraints: 2, properties: 2 }));
  if (condition === "empty" || condition === "notEmpty") return { type, condition };
  if (type === "constraints") return { type, condition, value: ["format", "enum", "maximum"].slice(chance.below(3)) };
  if (type === "properties" && chance.happens(0.3))
    return { type, condition: "equals", value: chance.pick([...PROPERTIES, {}, { c: 1 }]) };
  if (type === "properties") return { type, condition, value: ["a", "b", "c"].filter(() => chance.happens(0.5)) };
  const some = () => chance.pick(gone.length > 0 && chance.happens(0.2) ? gone : refs);
  return { type: "tags", condition, value: Array.from({ length: chance.below(4) }, some) };
}

test("a search finds the same objects as a full scan of every export, in the same order", {
  timeout: 240_000,
}, async () => {
  const chance = createChance(seedOf("search"));
  const { table, searches } = await openTable();
  const world = await createWorld({ table });
  const answered = await searches?.({ store: () => createStore(table, realRuntime), say: () => undefined })();
  const processes: readonly Searcher[] = [
    { service: world.service, names: false },
    { service: processWith(world, createMemoryIndex(60)), names: true },
    ...(answered ? [false, true].map((names) => ({ service: processWith(world, answered), names })) : []),
  ];
  const token = world.people.admin;
  await world.run("tag/tag_group_create", { key: "privacy" });
  for (const key of ["personal", "secret"]) await world.run("tag/tag_global_create", { groupRef: "key:privacy", key });
  let there = await exported(world);
  for (let i = 0; i < 5; i++)
    await world.run("model/import", { content: someDocument(chance, `m ${i}`, there.globalTags) });
  there = await exported(world);
  const gone = new Set<string>();
  const counts = { writes: 0, rows: 0, none: 0, all: 0 };
  for (let query = 0; query < QUERIES; query++) {
    if (chance.happens(WRITES)) {
      const before = refsOf(there.models, there.globalTags).filter((ref) => ref.startsWith("id:"));
      await someWrite(world, chance, there.models, there.globalTags);
      there = await exported(world);
      const after = new Set(refsOf(there.models, there.globalTags));
      for (const ref of before) if (!after.has(ref)) gone.add(ref);
      counts.writes += 1;
    }
    const filters = someFilters(chance, there, [...gone]);
    const expected = scanned(there.models, there.globalTags, filters);
    const limits = expected.length < 12 ? [1, 2, 7] : [40, 150, 1000];
    const limit = chance.happens(0.3) ? chance.pick(limits) : undefined;
    const by = chance.below(processes.length);
    const { models } = there;
    const found = await search(processes[by] as Searcher, token, { filters, limit, models });
    expect(found, `query ${query} of process ${by}: ${JSON.stringify(filters)}, limit ${limit}`).toEqual(expected);
    counts.rows += found.length;
    if (found.length === 0) counts.none += 1;
    if (found.length === scanned(there.models, there.globalTags, {}).length) counts.all += 1;
  }
  // Queries that all find nothing, or everything, would show little.
  expect(counts.writes).toBeGreaterThan(80);
  expect(gone.size).toBeGreaterThan(3);
  expect(counts.none + counts.all).toBeLessThan(QUERIES / 2);
});

test.each([
  ["emoji", "🚀🎉🧭🛰"],
  ["CJK", "日本語表"],
  ["letters beyond 16 bits", "𝒜𝒷𝒸𝒹"],
  ["Latin letters", "qxzj"],
])("a search finds each part of a name in %s, one character or more", async (_, name) => {
  const { table, searches } = await openTable();
  const world = await createWorld({ table });
  const answered = await searches?.({ store: () => createStore(table, realRuntime), say: () => undefined })();
  const services = [
    world.service,
    processWith(world, createMemoryIndex(60)),
    ...(answered ? [processWith(world, answered)] : []),
  ];
  await world.run("model/model_create", { key: "m", name: "Other" });
  await world.run("model/entity_create", { modelRef: "key:m", entityKey: "named", name });
  await world.run("model/entity_create", { modelRef: "key:m", entityKey: "other", name: "Kept" });
  const characters = [...name];
  for (const service of services) {
    for (let from = 0; from < characters.length; from++) {
      for (let to = from + 1; to <= characters.length; to++) {
        const value = characters.slice(from, to).join("");
        const filters: Filters = { items: [{ type: "text", condition: "contains", value }] };
        const asked = { filters, limit: undefined, models: [] };
        const found = await search({ service, names: false }, world.people.admin, asked);
        expect(found, value).toMatchObject([{ location: { entityKey: "named" } }]);
      }
    }
  }
});
