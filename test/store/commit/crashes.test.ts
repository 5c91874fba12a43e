import { describe, expect, test } from "vitest";
import { checkTable } from "../../../shared/store/fsck/check-table.ts";
import { IDENTITY } from "../../../shared/store/table/keys.ts";
import type { World } from "../../support/world.ts";
import { orKilled } from "../support/fault-table.ts";
import { largeDocument, TYPES } from "../support/large-writes.ts";
import { openFaultyWorld } from "../support/scenes.ts";
import type { Outcome } from "../support/service-over.ts";
import { listLeftovers, sweepAll } from "../support/swept.ts";

const DEATHS = ["kill", "kill-after"] as const;

/** One call of a process that may die, with the exports of the model before and after it. */
interface Attempt {
  readonly nth: number;
  readonly world: World;
  readonly outcome: Outcome | "killed";
  readonly before: string;
  readonly after: string;
}

interface Crashes {
  prepare(world: World): Promise<unknown>;
  call(nth: number): readonly [action: string, payload: object];
  check(attempt: Attempt): unknown;
}

/** Repeats a call whose process dies at one storage call after the other, until it survives. Returns the deaths. */
async function dieAtEachCall(death: (typeof DEATHS)[number], crashes: Crashes): Promise<number> {
  const { opened, world, table, clock, caller } = await openFaultyWorld();
  await crashes.prepare(world);
  const exported = async (): Promise<string> => JSON.stringify(await world.run("model/inspect_models_json"));
  let nth = 1;
  for (; ; nth++) {
    const before = await exported();
    table.arm({ rules: [{ match: { nth }, do: death }] });
    const outcome = await orKilled(caller.call(...crashes.call(nth)));
    await table.settle();
    await crashes.check({ nth, world, outcome, before, after: await exported() });
    await sweepAll(opened.table, clock);
    expect(listLeftovers(await opened.items())).toEqual([]);
    if (outcome !== "killed") break;
  }
  const { violations } = await checkTable(opened.table, { runtime: clock, scan: opened.scan });
  // The users of a world have no log.
  expect(violations.filter(({ key }) => !key.pk.includes(IDENTITY))).toEqual([]);
  return nth - 1;
}

const M = { modelRef: "key:m" };
const modelOf = (state: string) => JSON.parse(state).models.find(({ key }: { key: string }) => key === "m");

/** Requires that a dead call changed nothing or everything, as `check` says, and a surviving one everything. */
const allOrNothing =
  (check: (attempt: Attempt) => unknown) =>
  (attempt: Attempt): unknown => {
    if (attempt.after !== attempt.before) return check(attempt);
    expect(attempt.outcome).toBe("killed");
    return undefined;
  };

const source = (nth: number, types: number) => ({
  ...{ $schema: "urn:metaction:model:2", key: "m", name: `Time ${nth}` },
  types: Array.from({ length: types }, (_, i) => ({ key: `t${i}`, description: `Time ${nth}, ${i * 7919}.` })),
});

function renaming(nth: number, types: number) {
  const document = source(nth, types);
  const turn = [
    { key: nth % 2 === 0 ? "even" : "odd", renamedFrom: nth % 2 === 0 ? "odd" : "even", name: `Turn ${nth}` },
    { key: `only${nth}` },
  ];
  const attributes = [
    { key: `a${nth}`, type: `key:only${nth}` },
    { key: "b", type: "key:t0" },
  ];
  const entities = [{ key: "e", attributes: nth % 2 === 0 ? attributes : attributes.toReversed() }];
  return { ...document, types: [...document.types, ...turn], entities };
}

describe.each(DEATHS)("a process that dies at any storage call (%s) leaves all of it or nothing", (death) => {
  test.each([3, 150])("of model_apply of a document of %i types", { timeout: 120_000 }, async (types) => {
    const payload = (nth: number) => ({ ...M, prune: true, content: renaming(nth, types) });
    const turnedId = (state: string) =>
      modelOf(state).types.find(({ key }: { key: string }) => key === "even" || key === "odd").id;
    const deaths = await dieAtEachCall(death, {
      prepare: async (world) => {
        await world.run("model/model_create", { key: "m", name: "Time 0" });
        await world.run("model/model_apply", payload(0));
      },
      call: (nth) => ["model_apply", payload(nth)],
      check: allOrNothing(async ({ nth, world, before, after }) => {
        expect(modelOf(after).name).toBe(`Time ${nth}`);
        expect(turnedId(after)).toBe(turnedId(before));
        expect(await world.run("model/model_apply", payload(nth))).toMatchObject({ changed: false });
      }),
    });
    expect(deaths).toBeGreaterThan(3);
  });

  test.each([3, 150])("of an import of %i types into a model", { timeout: 120_000 }, async (types) => {
    const payload = (nth: number) => ({ into: "key:m", source: "s", content: source(nth, types) });
    const deaths = await dieAtEachCall(death, {
      prepare: async (world) => {
        await world.run("model/import", { content: source(0, types), source: "s" });
        await world.run("model/model_update_description", { ...M, value: "By users." });
      },
      call: (nth) => ["import", payload(nth)],
      check: allOrNothing(async ({ nth, world, after }) => {
        const { description, types: all } = modelOf(after);
        expect(description).toBe("By users.");
        expect(all.every((one: { description: string }) => one.description.startsWith(`Time ${nth},`))).toBe(true);
        // The base is that of the model: the same document has no change and no conflict.
        expect(await world.run("model/import", payload(nth))).toMatchObject({ changed: false, conflictCount: 0 });
      }),
    });
    expect(deaths).toBeGreaterThan(3);
  });

  test.each([3, 150])("of an import of %i types that ends in a conflict: nothing", {
    timeout: 120_000,
  }, async (types) => {
    const payload = (nth: number) => ({ into: "key:m", source: "s", content: source(nth, types) });
    await dieAtEachCall(death, {
      prepare: async (world) => {
        await world.run("model/import", { content: source(0, types), source: "s" });
        await world.run("model/type_update_description", { ...M, typeRef: "key:t1", value: "By users." });
      },
      call: (nth) => ["import", payload(nth)],
      check: async ({ nth, world, outcome, before, after }) => {
        expect(after).toBe(before);
        if (outcome === "killed") return;
        expect(outcome.problem?.code).toBe("merge_conflict");
        // The base is the one of before, so the source still contradicts the user.
        expect((await world.run("model/import", { ...payload(nth), onConflict: "theirs" })).conflictCount).toBe(1);
      },
    });
  });

  test.each<[string, (nth: number) => readonly [action: string, payload: object]]>([
    ["import", (nth) => ["import", { content: largeDocument("source"), modelKey: `made${nth}` }]],
    ["copy", (nth) => ["model_copy", { modelRef: "key:source", modelNewKey: `made${nth}` }]],
  ])("of a new model by %s, whose key is free at once", { timeout: 60_000 }, async (_, call) => {
    await dieAtEachCall(death, {
      prepare: (world) => world.run("model/import", { content: largeDocument("source") }),
      call,
      check: async ({ nth, world, before, after, outcome }) => {
        const [action, payload] = call(nth);
        if (after === before) {
          expect(outcome).toBe("killed");
          await world.run(`model/${action}`, payload);
        }
        const { types, entities } = await world.run("model/model_export", { modelRef: `key:made${nth}` });
        expect([types.length, entities.length]).toEqual([TYPES + 3, 4]);
      },
    });
  });
});
