import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { Problem } from "../../shared/domain/problems.ts";
import type { SearchRow } from "../../shared/domain/search/rows.ts";
import type { SearchedModel } from "../../shared/search/index-writer.ts";
import { createMemoryIndex } from "../../shared/search/memory-index.ts";
import { createModelQuota } from "../../shared/search/model-quota.ts";
import { createOneAtATime } from "../../shared/search/search-index.ts";
import { createStore } from "../../shared/store/model-store.ts";
import { SUMMARIES } from "../../shared/store/table/keys.ts";
import type { Table } from "../../shared/store/table/table.ts";
import { expectProblem, readPages } from "../actions/support/checked-world.ts";
import { realRuntime } from "../support/runtime.ts";
import { freshTable } from "../support/table.ts";
import { type Body, createWorld, type World } from "../support/world.ts";

const row = (text: string): SearchRow => ({
  ...{ kind: "model", id: "i", key: "k", name: undefined, above: undefined, place: "0", text },
  ...{ tags: [], globalTags: [], keywords: [], format: undefined, properties: undefined, logicalType: undefined },
});

const model = (ledgerId: string, objects = 1, text = "short"): SearchedModel => ({
  ...{ ledgerId, revision: 1 },
  rows: Array.from({ length: objects }, () => row(text)),
});

describe("the quota for models in a process", () => {
  test("is searchObjects objects", () => {
    const first = createModelQuota(LIMITS.searchObjects).begin();
    expect(first.take(model("a", LIMITS.searchObjects))).toEqual([]);
    expect(first.take(model("b", 1))).toBe("full");
    const other = createModelQuota(LIMITS.searchObjects).begin();
    expect(other.take(model("a", LIMITS.searchObjects + 1))).toBe("full");
    other.forget("a");
    expect(other.take(model("b", LIMITS.searchObjects))).toEqual([]);
  });

  test("counts a long text as several objects", () => {
    const room = createModelQuota(3).begin();
    expect(room.take(model("a", 1, "x".repeat(1_501)))).toBe("full");
    room.forget("a");
    expect(room.take(model("b", 1, "x".repeat(1_500)))).toEqual([]);
  });

  test("evicts the least recently used models for new ones", () => {
    const room = createModelQuota(3);
    const first = room.begin();
    for (const id of ["a", "b", "c"]) first.take(model(id));
    first.end();
    const second = room.begin();
    second.use("a");
    expect(second.take(model("d"))).toEqual(["b"]);
    expect(second.take(model("e"))).toEqual(["c"]);
    // It uses three by itself now.
    expect(second.take(model("f"))).toBe("full");
  });

  test("is not taken from a running search", () => {
    const room = createModelQuota(3);
    const [first, second] = [room.begin(), room.begin()];
    for (const id of ["a", "b"]) first.take(model(id));
    expect(second.take(model("c"))).toEqual([]);
    expect(second.take(model("d"))).toBe("busy");
    first.end();
    expect(second.take(model("d"))).toEqual(["a"]);
  });

  test("is free again after a model is forgotten or becomes smaller", () => {
    const room = createModelQuota(3).begin();
    expect(room.take(model("a", 3))).toEqual([]);
    expect(room.take(model("a", 2))).toEqual([]);
    expect(room.take(model("b", 1))).toEqual([]);
    room.forget("a");
    expect(room.take(model("c", 2))).toEqual([]);
  });
});

test("updates of one model run one after the other, also after one that failed", async () => {
  const oneAtATime = createOneAtATime();
  const steps: string[] = [];
  const held = Promise.withResolvers<void>();
  const work = (name: string, job: () => Promise<void>) =>
    oneAtATime("a", async (waited) => {
      steps.push(`${name} begins${waited ? " after another" : ""}`);
      await job();
      steps.push(`${name} ends`);
    });
  const first = work("first", async () => {
    await held.promise;
    throw new Error("no answer");
  });
  const second = work("second", async () => undefined);
  const third = work("third", async () => undefined);
  expect(await oneAtATime("b", async (waited) => waited)).toBe(false);
  held.resolve();
  await expect(first).rejects.toThrow("no answer");
  await Promise.all([second, third]);
  expect(steps).toEqual([
    ...["first begins", "second begins after another", "second ends"],
    ...["third begins after another", "third ends"],
  ]);
  expect(await oneAtATime("a", async (waited) => waited)).toBe(false);
});

const keysIn = (items: readonly { readonly location: { readonly modelKey: string } }[]): string =>
  items.map(({ location }) => location.modelKey).join("");

describe("a search in a process without space for all models", () => {
  /** Three models of five objects, in a process with room for eight. */
  async function crowded(): Promise<World> {
    const searches = createMemoryIndex(8);
    const world = await createWorld({ searches: async () => searches });
    for (const key of ["a", "b", "c"]) {
      await world.run("model/model_create", { key, name: key });
      for (const entityKey of ["1", "2", "3", "4"])
        await world.run("model/entity_create", { modelRef: `key:${key}`, entityKey });
    }
    return world;
  }
  const filters = {};

  test("is refused, with the advice to name models", async () => {
    const { problem, run } = await crowded();
    const refusal = await problem("model/search", { filters });
    expectProblem(refusal, "too_large", "8 objects", `name up to ${LIMITS.searchedModels} of them in models`);
    const models = ["key:c", "key:a", "key:c", "key:b"];
    expect(keysIn((await run("model/search", { filters, models })).items)).toBe("aaaaabbbbbccccc");
    // Nobody else's search is in the way of one for itself.
    expect(keysIn((await run("model/search", { filters, models: ["key:b"] })).items)).toBe("bbbbb");
  });

  test("pages through named models, and answers pages that need few models", async () => {
    const world = await crowded();
    const models = ["key:a", "key:b", "key:c"];
    const pages = await readPages((after) => world.answer("model/search", { filters, models, limit: 4, ...after }));
    expect(pages.map(({ body }) => keysIn((body as Body).items))).toEqual(["aaaa", "abbb", "bbcc", "ccc"]);
  });

  test("of missing and of hidden models is 404", async () => {
    const { problem, people } = await crowded();
    const refusal = await problem("model/search", { filters, models: ["key:a", "key:none"] });
    expect(refusal).toMatchObject({ code: "not_found", message: "no model key:none" });
    expect((await problem("model/search", { filters, models: ["key:a"] }, people.nobody)).code).toBe("not_allowed");
  });

  test("accepts an empty list of models, which some clients send by default", async () => {
    const world = await createWorld();
    await world.run("model/model_create", { key: "a", name: "A" });
    const { items } = await world.run("model/search", { filters, models: [] });
    expect(items).toHaveLength(1);
  });

  test("accepts at most searchedModels models", async () => {
    const { run, problem } = await crowded();
    const models = Array.from({ length: LIMITS.searchedModels }, () => "key:a");
    expect((await run("model/search", { filters, models })).items).toHaveLength(5);
    const refusal = await problem("model/search", { filters, models: [...models, "key:a"] });
    expect(refusal).toMatchObject({ code: "bad_parameters", members: { errors: [{ pointer: "/models" }] } });
  });
});

test("the check whether models changed supports more than one batch of them", async () => {
  const table = await freshTable();
  const world = await createWorld({ table });
  const made: { ledgerId: string; revision: number }[] = [];
  for (let i = 0; i < 120; i++) {
    const { id } = await world.run("model/model_create", { key: `m${i}`, name: "M" });
    made.push({ ledgerId: id, revision: 1 });
  }
  const changed = [made[0], made[99], made[100], made[119]].map((one) => String(one?.ledgerId));
  for (const id of changed) await world.run("model/model_update_name", { modelRef: `id:${id}`, name: "N" });
  const store = createStore(table, realRuntime);
  const unmoved = await store.listUnchanged(made);
  expect(made.filter(({ ledgerId }) => !unmoved.has(ledgerId)).map(({ ledgerId }) => ledgerId)).toEqual(changed);
  expect([...(await store.listUnchanged(made.map((one) => ({ ...one, revision: 2 }))))].length).toBe(120);
  expect([...(await store.listUnchanged([]))]).toEqual([]);
});

/** A world whose reads of partitions are written down, and that lets a test step in after one. */
async function watched() {
  const opened = await freshTable();
  const asked: string[] = [];
  let step: { readonly begin: string; run(): Promise<void> } | undefined;
  let calls = 0;
  const counted = <T>(reading: Promise<T>): Promise<T> => {
    calls += 1;
    return reading.finally(() => calls--);
  };
  const table: Table = {
    ...opened,
    get: (key) => counted(opened.get(key)),
    transactGet: (keys) => counted(opened.transactGet(keys)),
    query: async (range) => {
      asked.push(range.pk.split("#")[0] ?? "");
      const page = await counted(opened.query(range));
      await runStep(range.pk);
      return page;
    },
    batchGet: async (keys) => {
      const areLogs = keys.every(({ pk }) => pk.startsWith("log#"));
      if (areLogs) asked.push(`batch of ${keys.length}`);
      const found = await opened.batchGet(keys);
      if (areLogs) await runStep("batch");
      return found;
    },
  };
  const runStep = async (place: string) => {
    const due = step && place.startsWith(step.begin) ? step : undefined;
    if (due) step = undefined;
    await due?.run();
  };
  const world = await createWorld({ table, cachedObjects: 0 });
  for (const key of ["a", "b", "c"]) {
    await world.run("model/model_create", { key, name: key });
    await world.run("model/entity_create", { modelRef: `key:${key}`, entityKey: `e of ${key}` });
  }
  asked.length = 0;
  return {
    world,
    asked,
    /** Runs `work` after the next read of a partition whose key has this prefix, or of a batch of logs. */
    stepIn: (begin: string, run: () => Promise<void>): void => {
      step = { begin, run };
    },
    /** Waits for all running reads, also for those of a call that has ended. */
    rest: async (): Promise<void> => {
      // One call after the other: between two of them nothing is under way for a moment.
      for (let quiet = 0; quiet < 10; quiet = calls === 0 ? quiet + 1 : 0) await realRuntime.sleep(1);
    },
  };
}

const entities = { filters: { items: [{ type: "text", condition: "contains", value: "e of" }] } };

async function entitiesIn(world: World): Promise<readonly string[]> {
  const { items } = await world.run("model/search", entities);
  return items.map(({ location }: { location: { entityLabel: string } }) => location.entityLabel);
}

describe("a search", () => {
  test("reads a model again only if it changed, and checks all others at once", async () => {
    const { world, asked } = await watched();
    expect(await entitiesIn(world)).toEqual(["e of a", "e of b", "e of c"]);
    expect(asked.filter((pk) => pk === "model")).toHaveLength(3);
    asked.length = 0;
    expect(await entitiesIn(world)).toEqual(["e of a", "e of b", "e of c"]);
    expect(asked).toEqual(["models", "batch of 3"]);
    await world.run("model/entity_update_name", { modelRef: "key:b", entityRef: "key:e of b", value: "e of b, named" });
    asked.length = 0;
    expect(await entitiesIn(world)).toEqual(["e of a", "e of b, named", "e of c"]);
    expect(asked).toEqual(["models", "batch of 3", "log", "model"]);
  });

  test("repeated concurrently reads each model once", async () => {
    const { world, asked } = await watched();
    const all = await Promise.all(Array.from({ length: 10 }, () => entitiesIn(world)));
    for (const found of all) expect(found).toEqual(["e of a", "e of b", "e of c"]);
    expect(asked.filter((pk) => pk === "model")).toHaveLength(3);
  });

  test("that timed out keeps the models it read", async () => {
    const { world, asked, stepIn, rest } = await watched();
    const { id } = await world.run("model/model_get", { modelRef: "key:b" });
    stepIn(`log#${id}`, () => Promise.reject(new Problem("out_of_time", "the call ran out of time; try again")));
    expect((await world.problem("model/search", entities)).code).toBe("out_of_time");
    await rest();
    asked.length = 0;
    expect(await entitiesIn(world)).toEqual(["e of a", "e of b", "e of c"]);
    expect(asked.filter((pk) => pk === "model")).toHaveLength(1);
  });

  test("omits a model that is deleted after it was listed, cached or not", async () => {
    for (const before of [true, false]) {
      const { world, stepIn } = await watched();
      if (before) await entitiesIn(world);
      stepIn(SUMMARIES, () => world.run("model/model_delete", { modelRef: "key:b" }));
      expect(await entitiesIn(world)).toEqual(["e of a", "e of c"]);
    }
  });

  test("omits a model that is deleted while it is read", async () => {
    const { world, stepIn } = await watched();
    const { id } = await world.run("model/model_get", { modelRef: "key:b" });
    stepIn(`log#${id}`, () => world.run("model/model_delete", { modelRef: "key:b" }));
    expect((await entitiesIn(world)).join()).toMatch(/^e of a,(e of b,)?e of c$/);
    // Once the deletion was answered, nothing of it is found.
    expect(await entitiesIn(world)).toEqual(["e of a", "e of c"]);
  });

  test("shows the new key of a model that is renamed after it was listed", async () => {
    const { world, stepIn } = await watched();
    stepIn(SUMMARIES, () => world.run("model/model_update_key", { modelRef: "key:a", value: "z" }));
    const { items } = await world.run("model/search", entities);
    expect(keysIn(items)).toBe("zbc");
  });

  test("answers while another search writes a renamed model into the index", async () => {
    const { world, stepIn } = await watched();
    const types = Array.from({ length: 3_000 }, (_, i) => ({ key: `t${i}` }));
    const content = { $schema: "urn:metaction:model:2", key: "d", types, entities: [{ key: "e of d" }] };
    await world.run("model/import", { content });
    await entitiesIn(world);
    let other: Promise<readonly string[]> | undefined;
    stepIn("batch", async () => {
      await world.run("model/model_update_key", { modelRef: "key:d", value: "z" });
      const reading = Promise.withResolvers<void>();
      stepIn("model#", async () => reading.resolve());
      other = entitiesIn(world);
      await reading.promise;
      await new Promise((resolve) => setImmediate(resolve));
    });
    // It began before the renaming, and its key depends on how far the other search is.
    expect(["abcd", "abcz"]).toContain(keysIn((await world.run("model/search", entities)).items));
    expect(await other).toHaveLength(4);
    expect(keysIn((await world.run("model/search", entities)).items)).toBe("abcz");
  });

  test("finds the writes that were answered during the read of a model", async () => {
    const { world, stepIn } = await watched();
    let writes = 0;
    const write = async (): Promise<void> => {
      writes += 1;
      if (writes < 3) stepIn("model#", write);
      await world.run("model/entity_create", { modelRef: "key:c", entityKey: `e of c, ${writes}` });
    };
    stepIn("model#", write);
    await entitiesIn(world);
    expect(writes).toBe(3);
    expect(await entitiesIn(world)).toHaveLength(6);
  });
});
