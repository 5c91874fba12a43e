import { expect, test } from "vitest";
import { createWorld } from "../../support/world.ts";
import { quickRuntime } from "../support/quick-runtime.ts";
import { sceneDocument } from "../support/scene.ts";
import { openFaultyWorld } from "../support/scenes.ts";
import { serviceOver } from "../support/service-over.ts";

const M = { modelRef: "key:m" };

async function openWorld() {
  const world = await createWorld();
  return { world, callers: [0, 1].map(() => serviceOver(world, world.table, quickRuntime())) };
}

const documentOf = (text: string, types: number) => ({
  ...{ $schema: "urn:metaction:model:2", key: "m", name: text },
  types: Array.from({ length: types }, (_, i) => ({ key: `t${i}`, description: text })),
});

test("concurrent commits to two models never conflict: every one succeeds at once", async () => {
  const { world, table, caller } = await openFaultyWorld();
  const keys = ["left", "right"];
  for (const key of keys) await world.run("model/import", { content: sceneDocument(key) });
  table.arm({});
  const write = async (key: string) => {
    for (let i = 0; i < 10; i++) await caller.call("type_create", { modelRef: `key:${key}`, typeKey: `t${i}` });
  };
  await Promise.all(keys.map(write));
  const commits = table.trace.filter(({ operation }) => operation === "transactWrite");
  expect(commits).toHaveLength(20);
  expect(commits.every(({ outcome }) => outcome === "ok")).toBe(true);
});

test.each([
  ["small", 3],
  ["so large that a generation is published", 150],
])(
  "of two %s documents that are applied at once by the plan that each was shown, one succeeds and the other gets a problem",
  async (_, types) => {
    const { world, callers } = await openWorld();
    await world.run("model/model_create", { key: "m", name: "M" });
    for (let round = 0; round < 5; round++) {
      const payloads = callers.map((_, i) => ({ ...M, content: documentOf(`Round ${round}, caller ${i}.`, types) }));
      const planOf = async (i: number): Promise<string> =>
        Object((await callers[i]?.call("model_apply", payloads[i], { dryRun: true }))?.answer?.body).plan;
      const plans = await Promise.all([planOf(0), planOf(1)]);
      const outcomes = await Promise.all(
        callers.map((caller, i) => caller.call("model_apply", { ...payloads[i], plan: plans[i] })),
      );
      const winner = outcomes.findIndex(({ answer }) => answer);
      const loser = outcomes[1 - winner]?.problem;
      expect(loser?.code).toBe("plan_outdated");
      // The plan that it is told is that of the call which it may make now.
      expect(loser?.members.plan).toBe(await planOf(1 - winner));
      const { types: found } = await world.run("model/model_export", M);
      const said = found.map(({ description }: { description: string }) => description);
      expect(new Set(said)).toEqual(new Set([`Round ${round}, caller ${winner}.`]));
    }
  },
  120_000,
);

test("two documents that are applied at once without a plan are both applied, one after the other", async () => {
  const { world, callers } = await openWorld();
  await world.run("model/model_create", { key: "m", name: "M" });
  const outcomes = await Promise.all(
    callers.map((caller, i) => {
      const content = { $schema: "urn:metaction:model:2", key: "m", types: [{ key: `own${i}` }, { key: "shared" }] };
      return caller.call("model_apply", { ...M, content });
    }),
  );
  expect(outcomes.map(({ answer }) => (answer?.body as { changed: boolean }).changed)).toEqual([true, true]);
  const { types } = await world.run("model/model_export", M);
  expect(types.map(({ key }: { key: string }) => key)).toEqual(["own0", "own1", "shared"]);
});

test("of two concurrent imports one is refused where users' changes conflict, and where a revision was given", async () => {
  const { world, callers } = await openWorld();
  const { id, revision } = await world.run("model/import", { content: documentOf("Time 0", 3), source: "s" });
  const at = async (seen: number, first: number) => {
    const controls = { ifMatch: [{ ledgerId: id, revision: seen }] };
    const outcomes = await Promise.all(
      callers.map((caller, i) =>
        caller.call("import", { into: "key:m", source: "s", content: documentOf(`Time ${first + i}`, 3) }, controls),
      ),
    );
    return outcomes.map(({ problem }) => problem?.code ?? "ok").sort();
  };
  expect(await at(revision, 1)).toEqual(["ok", "precondition_failed"]);
  expect(await at(revision + 1, 3)).toEqual(["ok", "precondition_failed"]);
  // An import and an edit of the same member at once: the edit is never lost, and either it or the import comes second.
  for (let round = 0; round < 5; round++) {
    const { name } = await world.run("model/model_get", M);
    const value = `People ${round}`;
    const [edit, source] = await Promise.all([
      callers[0]?.call("model_update_name", { ...M, value }),
      callers[1]?.call("import", { into: "key:m", source: "s", content: documentOf(`Time ${10 + round}`, 3) }),
    ]);
    expect(edit?.problem).toBeUndefined();
    expect((await world.run("model/model_get", M)).name).toBe(value);
    // The source may have met the name before the edit, which an earlier round left.
    const ours = expect.stringMatching(`^(${value}|${name})$`);
    if (source?.problem) expect(source.problem.members.conflicts).toMatchObject([{ member: "name", ours }]);
  }
}, 60_000);

test("two concurrent imports under one label both succeed, one after the other, and the newest base is that of the last one", async () => {
  const { world, callers } = await openWorld();
  await world.run("model/import", { content: documentOf("Time 0", 3), source: "s" });
  for (let round = 1; round <= 5; round++) {
    const documents = callers.map((_, i) => documentOf(`Time ${round * 2 + i}`, 3));
    const payloads = documents.map((content) => ({ into: "key:m", source: "s", content }));
    const outcomes = await Promise.all(callers.map((caller, i) => caller.call("import", payloads[i])));
    const revisions = outcomes.map(({ answer }) => (answer?.body as { revision: number }).revision);
    const last = revisions[0] === Math.max(...revisions) ? 0 : 1;
    expect(Math.abs((revisions[0] ?? 0) - (revisions[1] ?? 0))).toBe(1);
    expect((await world.run("model/model_export", M)).name).toBe(`Time ${round * 2 + last}`);
    expect(await world.run("model/import", payloads[last] ?? {})).toMatchObject({ changed: false });
  }
}, 60_000);
