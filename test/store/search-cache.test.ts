import { describe, expect, test } from "vitest";
import type { SearchedModel } from "../../shared/actions/contract/search-cache.ts";
import { createSearchCache } from "../../shared/actions/model/search-cache.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { Problem } from "../../shared/domain/problems.ts";
import type { SearchRow } from "../../shared/domain/search/rows.ts";
import { createStore } from "../../shared/store/model-store.ts";
import { SUMMARIES } from "../../shared/store/table/keys.ts";
import type { Table } from "../../shared/store/table/table.ts";
import { realAmbient } from "../support/ambient.ts";
import { freshTable } from "../support/table.ts";
import { createWorld, type World } from "../support/world.ts";

const row = (text: string): SearchRow => ({
  ...{ kind: "model", id: "i", key: "k", name: undefined, above: undefined, place: "0", text },
  ...{ tags: [], globalTags: [], keywords: [], format: undefined, properties: undefined },
});

/** A model of so many objects. */
const model = (ledgerId: string, objects = 1, revision = 1, text = "short"): SearchedModel => ({
  ...{ ledgerId, revision },
  rows: Array.from({ length: objects }, () => row(text)),
});

describe("the cache of searches", () => {
  test("has room for searchObjects objects, and not for one more", () => {
    const cache = createSearchCache();
    cache.begin().keep(model("a", LIMITS.searchObjects));
    expect(cache.begin().get("a")).toBeDefined();
    cache.begin().keep(model("b", LIMITS.searchObjects + 1));
    expect(cache.begin().get("b")).toBeUndefined();
    // A model that can never fit drops no other.
    expect(cache.begin().get("a")).toBeDefined();
    cache.begin().keep(model("c", 1));
    expect(cache.begin().get("a")).toBeUndefined();
    expect(cache.begin().get("c")).toBeDefined();
  });

  test("counts a long text as several objects", () => {
    const cache = createSearchCache(3);
    cache.begin().keep(model("a", 1, 1, "x".repeat(1_500)));
    expect(cache.begin().get("a")).toBeDefined();
    cache.begin().keep(model("b", 1, 1, "x".repeat(1_501)));
    expect(cache.begin().get("b")).toBeUndefined();
  });

  test("drops what was not used for the longest time, but nothing the same search used", () => {
    const cache = createSearchCache(3);
    const first = cache.begin();
    for (const id of ["a", "b", "c"]) first.keep(model(id));
    const second = cache.begin();
    second.get("a");
    second.keep(model("d"));
    const kept = (): readonly string[] => {
      const looking = cache.begin();
      return ["a", "b", "c", "d", "e", "f", "g"].filter((id) => looking.get(id));
    };
    expect(kept()).toEqual(["a", "c", "d"]);
    const third = cache.begin();
    for (const id of ["a", "c", "e", "f", "g"]) {
      third.get(id);
      third.keep(model(id));
    }
    // Dropped was d, which it had not used; f and g found no room.
    expect(kept()).toEqual(["a", "c", "e"]);
  });

  test("keeps the newest revision of a model, whoever comes last", () => {
    const cache = createSearchCache(9);
    const search = cache.begin();
    search.keep(model("a", 1, 5));
    search.keep(model("a", 2, 4));
    expect(search.get("a")).toMatchObject({ revision: 5 });
    search.keep(model("a", 9, 6));
    expect(search.get("a")).toMatchObject({ revision: 6 });
    search.forget("a");
    expect(search.get("a")).toBeUndefined();
    // Nothing is counted that was replaced or forgotten.
    search.keep(model("b", 9));
    expect(search.get("b")).toBeDefined();
  });

  test("lets one read a model after the other, also after one that failed", async () => {
    const cache = createSearchCache();
    const steps: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const read = (name: string, work: () => Promise<void>) =>
      cache.begin().exclusively("a", async (waited) => {
        steps.push(`${name} begins${waited ? " after another" : ""}`);
        await work();
        steps.push(`${name} ends`);
      });
    const first = read("first", async () => {
      await held;
      throw new Error("no answer");
    });
    const second = read("second", async () => undefined);
    const third = read("third", async () => undefined);
    const other = cache.begin().exclusively("b", async (waited) => waited);
    expect(await other).toBe(false);
    release();
    await expect(first).rejects.toThrow("no answer");
    await Promise.all([second, third]);
    expect(steps).toEqual([
      ...["first begins", "second begins after another", "second ends"],
      ...["third begins after another", "third ends"],
    ]);
    expect(await cache.begin().exclusively("a", async (waited) => waited)).toBe(false);
  });
});

describe("the question whether models moved", () => {
  test("is answered for more than one batch of them", async () => {
    const table = await freshTable();
    const world = await createWorld({ table });
    const made: { ledgerId: string; revision: number }[] = [];
    for (let i = 0; i < 120; i++) {
      const { id } = await world.run("model/model_create", { key: `m${i}`, name: "M" });
      made.push({ ledgerId: id, revision: 1 });
    }
    const changed = [made[0], made[99], made[100], made[119]].map((one) => String(one?.ledgerId));
    for (const id of changed) await world.run("model/model_update_name", { modelRef: `id:${id}`, name: "N" });
    const store = createStore(table, realAmbient);
    const unmoved = await store.unmoved(made);
    expect(made.filter(({ ledgerId }) => !unmoved.has(ledgerId)).map(({ ledgerId }) => ledgerId)).toEqual(changed);
    expect([...(await store.unmoved(made.map((one) => ({ ...one, revision: 2 }))))].length).toBe(120);
    expect([...(await store.unmoved([]))]).toEqual([]);
  });
});

/** A world whose reads of partitions are written down, and that lets a test step in after one. */
async function watched(): Promise<{
  world: World;
  asked: string[];
  stepIn: (step: (pk: string) => Promise<void>) => void;
  /** Waits until no read is under way any more, those of a call that ended without them included. */
  rest: () => Promise<void>;
}> {
  const opened = await freshTable();
  const asked: string[] = [];
  let step: (pk: string) => Promise<void> = async () => undefined;
  let calls = 0;
  const counted = <T>(reading: Promise<T>): Promise<T> => {
    calls += 1;
    return reading.finally(() => {
      calls -= 1;
    });
  };
  const table: Table = {
    ...opened,
    get: (key) => counted(opened.get(key)),
    transactGet: (keys) => counted(opened.transactGet(keys)),
    query: async (range) => {
      asked.push(range.pk.split("#")[0] ?? "");
      const page = await counted(opened.query(range));
      await step(range.pk);
      return page;
    },
    batchGet: (keys) => {
      if (keys.every(({ pk }) => pk.startsWith("log#"))) asked.push(`batch of ${keys.length}`);
      return opened.batchGet(keys);
    },
  };
  const world = await createWorld({ table });
  for (const key of ["a", "b", "c"]) {
    await world.run("model/model_create", { key, name: key });
    await world.run("model/entity_create", { modelRef: `key:${key}`, entityKey: `e of ${key}` });
  }
  asked.length = 0;
  return {
    world,
    asked,
    stepIn: (made) => {
      step = made;
    },
    rest: async () => {
      // One call after the other: between two of them nothing is under way for a moment.
      for (let quiet = 0; quiet < 10; quiet = calls === 0 ? quiet + 1 : 0) await realAmbient.sleep(1);
    },
  };
}

const entities = { filters: { items: [{ type: "text", condition: "contains", value: "e of" }] } };

async function entitiesIn(world: World): Promise<readonly string[]> {
  const { items } = await world.run("model/search", entities);
  return items.map(({ location }: { location: { entityLabel: string } }) => location.entityLabel);
}

describe("a search", () => {
  test("reads a model again only when it changed, and asks for all others at once", async () => {
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

  test("of several at once reads each model once", async () => {
    const { world, asked } = await watched();
    const all = await Promise.all(Array.from({ length: 10 }, () => entitiesIn(world)));
    for (const found of all) expect(found).toEqual(["e of a", "e of b", "e of c"]);
    expect(asked.filter((pk) => pk === "model")).toHaveLength(3);
  });

  test("that ran out of time has kept what it read", async () => {
    const { world, asked, stepIn, rest } = await watched();
    const { id } = await world.run("model/model_get", { modelRef: "key:b" });
    stepIn(async (pk) => {
      if (pk === `log#${id}`) throw new Problem("out_of_time", "the call ran out of time; try again");
    });
    expect((await world.problem("model/search", entities)).code).toBe("out_of_time");
    stepIn(async () => undefined);
    await rest();
    asked.length = 0;
    expect(await entitiesIn(world)).toEqual(["e of a", "e of b", "e of c"]);
    expect(asked.filter((pk) => pk === "model")).toHaveLength(1);
  });

  test("leaves out a model that is deleted after it was listed, read before or not", async () => {
    for (const before of [true, false]) {
      const { world, stepIn } = await watched();
      if (before) await entitiesIn(world);
      stepIn(async (pk) => {
        if (pk !== SUMMARIES) return;
        stepIn(async () => undefined);
        await world.run("model/model_delete", { modelRef: "key:b" });
      });
      expect(await entitiesIn(world)).toEqual(["e of a", "e of c"]);
    }
  });

  test("leaves out a model that is deleted while it is read", async () => {
    const { world, stepIn } = await watched();
    const { id } = await world.run("model/model_get", { modelRef: "key:b" });
    stepIn(async (pk) => {
      if (pk !== `log#${id}`) return;
      stepIn(async () => undefined);
      await world.run("model/model_delete", { modelRef: "key:b" });
    });
    const found = await entitiesIn(world);
    expect([
      ["e of a", "e of c"],
      ["e of a", "e of b", "e of c"],
    ]).toContainEqual(found);
    // Once the deletion was answered, nothing of it is found.
    expect(await entitiesIn(world)).toEqual(["e of a", "e of c"]);
  });

  test("shows a model under its new key when it is given one after it was listed", async () => {
    const { world, stepIn } = await watched();
    stepIn(async (pk) => {
      if (pk !== SUMMARIES) return;
      stepIn(async () => undefined);
      await world.run("model/model_update_key", { modelRef: "key:a", value: "z" });
    });
    const { items } = await world.run("model/search", entities);
    const keys = items.map(({ location }: { location: { modelKey: string } }) => location.modelKey);
    expect(keys).toEqual(["z", "b", "c"]);
  });

  test("finds what is written while a model is read, once that is answered", async () => {
    const { world, stepIn } = await watched();
    let writes = 0;
    stepIn(async (pk) => {
      if (!pk.startsWith("model#") || writes >= 3) return;
      writes += 1;
      await world.run("model/entity_create", { modelRef: "key:c", entityKey: `e of c, ${writes}` });
    });
    await entitiesIn(world);
    expect(writes).toBe(3);
    expect(await entitiesIn(world)).toHaveLength(6);
  });
});
