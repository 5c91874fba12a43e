import { describe, expect, test } from "vitest";
import { faultsOfCalls } from "../simulation/support/verdict.ts";
import { ACTIONS } from "../support/actions.ts";
import { realAmbient } from "../support/ambient.ts";
import { countOfRun, seedOf } from "../support/chance.ts";
import { freshTable } from "../support/table.ts";
import { runCrowd } from "./support/checker/clients.ts";
import { createCountingTable } from "./support/checker/table.ts";
import { type ClockedWorld, createClockedWorld, type Outcome } from "./support/history/clocked-world.ts";
import { isInHistories } from "./support/reference/other-suites.ts";

/** Accounts have histories of their own, and what looks back is asked where one call comes after the other. */
const LOOKS_BACK = /^(history_.*|model_export_version|model_restore)$/;
const OF_MODELS = ACTIONS.filter((action) => isInHistories(action) && !LOOKS_BACK.test(action.name));
const CLIENTS = 50;
const OPS = countOfRun("METACTION_CONCURRENT_OPS", 20);
const RUNS = countOfRun("METACTION_CONCURRENT_RUNS", 1);
const MINUTES = 60_000;
const ROLES = {
  ...{ roleAKey: "a", roleAEntityRef: "key:e0", roleACardinality: "one" },
  ...{ roleBKey: "b", roleBEntityRef: "key:e0", roleBCardinality: "many" },
};

const realClock = { ...realAmbient, advance: () => undefined };

describe(`${CLIENTS} clients, ${OPS} calls each`, () => {
  test.each(
    Array.from({ length: RUNS }, (_, run) => [1, 50].map((models) => ({ models, run }))).flat(),
  )("on $models model(s), run $run: every answer fits one order of the writes", { timeout: 30 * MINUTES }, async ({
    models,
    run,
  }) => {
    const seed = seedOf(`clients on ${models} model(s)`) + run;
    const table = createCountingTable(await freshTable());
    const world = await createClockedWorld({ clock: realClock, table });
    const prefix = `c${run}-`;
    const crowd = await runCrowd({
      world,
      actions: OF_MODELS,
      clients: CLIENTS,
      opsPerClient: OPS,
      models,
      seed,
      prefix,
    });
    const { conflicts, commits, calls } = table.counts;
    const ops = [...crowd.codes.values()].reduce((sum, n) => sum + n, 0);
    const began = performance.now();
    const { ops: made, before, sites } = crowd;
    const found = await faultsOfCalls({
      ...{ table, ambient: realAmbient, before, ops: made, sites, committed: table.committed },
    });
    process.stdout.write(
      `  ${ops} calls in ${crowd.seconds.toFixed(1)} s: ${(ops / crowd.seconds).toFixed(0)} calls/s, ` +
        `${(commits / crowd.seconds).toFixed(0)} commits/s, ${(conflicts / commits).toFixed(2)} retries per commit, ` +
        `${(calls / ops).toFixed(1)} store calls per call, worst wait ${crowd.worst.ms.toFixed(0)} ms (${crowd.worst.action}), ` +
        `checked in ${(performance.now() - began).toFixed(0)} ms\n  ${JSON.stringify(Object.fromEntries(crowd.codes))}\n`,
    );
    expect(found.slice(0, 20), `METACTION_SEED=${seed}\n${found.slice(0, 20).join("\n")}`).toEqual([]);
    expect(commits).toBeGreaterThan(OPS);
    expect(crowd.codes.get("out_of_time") ?? 0).toBe(0);
  });
});

describe("one of 50 concurrent writers of a key succeeds:", () => {
  const send = (world: ClockedWorld, name: string, body: object): Promise<Outcome> => {
    const action = name.includes("/") ? name : `model/${name}`;
    return world.call({ action, caller: "admin", payload: { query: [], body }, controls: {} });
  };

  const modelRef = "key:home";
  const races: readonly (readonly [string, (n: number) => readonly [string, object]])[] = [
    ["a new type", () => ["type_create", { modelRef, typeKey: "won" }]],
    ["a new entity", () => ["entity_create", { modelRef, entityKey: "won" }]],
    [
      "a new attribute",
      () => [
        "entity_attribute_create",
        { modelRef, entityRef: "key:e0", attributeKey: "won", type: "key:t0", optional: true },
      ],
    ],
    ["a new relationship", () => ["relationship_create", { modelRef, relationshipKey: "won", ...ROLES }]],
    [
      "a new role",
      () => [
        "relationship_role_create",
        {
          ...{ modelRef, relationshipRef: "key:r0", roleKey: "won" },
          ...{ roleEntityRef: "key:e0", roleCardinality: "many" },
        },
      ],
    ],
    [
      "a new attribute of a relationship",
      () => [
        "relationship_attribute_create",
        { modelRef, relationshipRef: "key:r0", attributeKey: "won", type: "key:t0", optional: true },
      ],
    ],
    [
      "a new business key",
      () => ["business_key_create", { modelRef, key: "won", entityRef: "key:e0", participants: [] }],
    ],
    ["a new tag of a model", () => ["tag/tag_local_create", { modelRef, key: "won" }]],
    ["a new tag group", () => ["tag/tag_group_create", { key: "won" }]],
    ["a new tag of a group", () => ["tag/tag_global_create", { groupRef: "key:g0", key: "won" }]],
    [
      "a new type, in a batch or by itself",
      (n) => {
        const entry = { group: "model", action: "type_create", payload: { modelRef, typeKey: "won" } };
        const other = { group: "model", action: "model_update_name", payload: { modelRef, name: `N${n}` } };
        return n % 2 === 0 ? ["batch/batch_run", { actions: [other, entry] }] : ["type_create", entry.payload];
      },
    ],
    ["a new model", (n) => ["model_create", { key: "new model", name: `N${n}` }]],
    ["a copy", () => ["model_copy", { modelRef, modelNewKey: "copy" }]],
    ["an import", () => ["import", { content: { fields: [{ name: "a" }] }, modelKey: "import" }]],
    ["a renamed type", (n) => ["type_update_key", { modelRef, typeRef: `key:t${n}`, value: "renamed" }]],
    ["a renamed entity", (n) => ["entity_update_key", { modelRef, entityRef: `key:e${n}`, value: "renamed" }]],
    ["a renamed model", (n) => ["model_update_key", { modelRef: `key:m${n}`, value: "renamed model" }]],
    [
      "a new, a copied, an imported and a renamed model",
      (n) =>
        (
          [
            ["model_create", { key: "any", name: "N" }],
            ["model_copy", { modelRef, modelNewKey: "any" }],
            ["import", { content: { fields: [{ name: "a" }] }, modelKey: "any" }],
            ["model_update_key", { modelRef: `key:n${n}`, value: "any" }],
          ] as const
        )[n % 4] ?? ["", {}],
    ],
  ];

  test.each(races)("%s", { timeout: 2 * MINUTES }, async (_, callOf) => {
    const world = await createClockedWorld({ clock: realClock });
    await send(world, "model_create", { key: "home", name: "Home" });
    await send(world, "tag/tag_group_create", { key: "g0" });
    await send(world, "type_create", { modelRef, typeKey: "t0" });
    await send(world, "entity_create", { modelRef, entityKey: "e0" });
    await send(world, "relationship_create", { modelRef, relationshipKey: "r0", ...ROLES });
    for (let n = 0; n < CLIENTS; n++) {
      const [action] = callOf(n);
      if (action === "type_update_key") await send(world, "type_create", { modelRef, typeKey: `t${n}` });
      if (action === "entity_update_key") await send(world, "entity_create", { modelRef, entityKey: `e${n}` });
      if (action === "model_update_key")
        for (const key of [`m${n}`, `n${n}`]) await send(world, "model_create", { key, name: key });
    }
    const outcomes = await Promise.all(
      Array.from({ length: CLIENTS }, (_, n) => {
        const [action, body] = callOf(n);
        return send(world, action, body);
      }),
    );
    const codes = outcomes.map((o) => ("problem" in o ? o.problem.code : "ok"));
    expect(codes.filter((code) => code === "ok")).toHaveLength(1);
    // A call that could not find out in time that it lost may answer `contention`.
    expect(codes.filter((code) => code !== "ok" && code !== "key_taken" && code !== "contention")).toEqual([]);
  });
});
