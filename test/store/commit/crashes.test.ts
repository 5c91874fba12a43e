import { describe, expect, test } from "vitest";
import { type Attempt, DEATHS, dieAtEachCall } from "../support/crashes.ts";
import { largeDocument, TYPES, withLargeWrites } from "../support/large-writes.ts";
import { writtenBody } from "../support/service-over.ts";

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

/** A document of the nth call: many types with a new text. */
const source = (nth: number, types: number) => ({
  ...{ $schema: "urn:metaction:model:2", key: "m", name: `Time ${nth}` },
  types: Array.from({ length: types }, (_, i) => ({ key: `t${i}`, description: `Time ${nth}, ${i * 7919}.` })),
});

/** The same with a renamed type, a new one, and none of the one before. */
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
        const decided = { ...payload(nth), onConflict: "theirs" };
        expect((await world.run("model/import", decided)).conflictCount).toBe(1);
      },
    });
  });

  test.each([
    ["tag/tag_group_delete", (nth: number) => ({ tagGroupRef: `key:g${nth}` })],
    ["tag/tag_group_update_key", (nth: number) => ({ tagGroupRef: `key:g${nth}`, value: `moved${nth}` })],
  ] as const)("of %s", { timeout: 60_000 }, async (action, payload) => {
    await dieAtEachCall(death, {
      prepare: async (world) => {
        await world.run("model/model_create", { key: "m", name: "M" });
        for (let n = 1; n < 12; n++) {
          await world.run("tag/tag_group_create", { key: `g${n}` });
          await world.run("tag/tag_global_create", { groupRef: `key:g${n}`, key: "t" });
          await world.run("model/model_add_tag", { ...M, tagRef: `key:g${n}/t` });
        }
      },
      call: (nth) => [action, payload(nth)],
      check: allOrNothing(({ nth, before, after }) => {
        const others = (state: string) => modelOf(state).tags.filter((ref: string) => !ref.includes(`${nth}/`));
        expect(others(after)).toEqual(others(before));
      }),
    });
  });

  const publications = ["test_describe_many", "test_reset_all"].flatMap((action) => [
    { action, overtaken: false },
    { action, overtaken: true },
  ]);
  test.each(publications)("of $action as a publication, overtaken: $overtaken", async ({ action, overtaken }) => {
    await dieAtEachCall(death, {
      extended: withLargeWrites,
      prepare: (world) => world.run("model/import", { content: largeDocument("m") }),
      call: (nth) => [action, { ...M, value: `value ${nth}` }],
      rules: (nth, caller) => {
        const before = async () =>
          writtenBody(await caller.call("entity_update_name", { ...M, entityRef: "key:order", value: `value ${nth}` }));
        return overtaken ? [{ match: { operation: "transactWrite" }, do: { before } }] : [];
      },
      check: ({ nth, table, outcome, after }) => {
        const isCommitted = table.trace.some(
          (one) =>
            one.operation === "transactWrite" &&
            one.keys[0]?.startsWith("log#") &&
            one.fault === "kill-after" &&
            one.outcome === "Killed",
        );
        const changed = modelOf(after).types.filter(
          (one: { description?: string }) => one.description === `value ${nth}`,
        );
        expect(changed).toHaveLength(outcome !== "killed" || isCommitted ? TYPES : 0);
      },
    });
  });
});
