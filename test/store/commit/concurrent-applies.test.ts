import { expect, test } from "vitest";
import { openTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { serviceOver } from "../support/service-over.ts";

const M = { modelRef: "key:m" };
const saying = (types: number, description: string) => ({
  $schema: "urn:metaction:model:2",
  key: "m",
  types: Array.from({ length: types }, (_, i) => ({ key: `t${i}`, description })),
});

test.each([
  ["small", 3],
  ["so large that a generation is published", 150],
])(
  "of two %s documents that are applied at once by the plan that each was shown, one succeeds and the other gets a problem",
  async (_, types) => {
    const { table } = await openTable();
    const world = await createWorld({ table });
    await world.run("model/model_create", { key: "m", name: "M" });
    const callers = [0, 1].map(() => serviceOver(world, table, quickAmbient()));
    for (let round = 0; round < 5; round++) {
      const payloads = callers.map((_, i) => ({ ...M, content: saying(types, `Round ${round}, caller ${i}.`) }));
      const plans = await Promise.all(
        callers.map(async (caller, i) => {
          const { answer } = await caller.call("model_apply", payloads[i], { dryRun: true });
          return (answer?.body as { plan: string }).plan;
        }),
      );
      const outcomes = await Promise.all(
        callers.map((caller, i) => caller.call("model_apply", { ...payloads[i], plan: plans[i] })),
      );
      const winner = outcomes.findIndex(({ answer }) => answer);
      const loser = outcomes[1 - winner]?.problem;
      expect(loser?.code).toBe("plan_outdated");
      // The plan that it is told is that of the call which it may make now.
      const other = callers[1 - winner];
      const again = await other?.call("model_apply", payloads[1 - winner], { dryRun: true });
      expect(loser?.members.plan).toBe((again?.answer?.body as { plan: string }).plan);
      const { types: found } = await world.run("model/model_export", M);
      const said = found.map(({ description }: { description: string }) => description);
      expect(new Set(said)).toEqual(new Set([`Round ${round}, caller ${winner}.`]));
    }
  },
  120_000,
);

test("two documents that are applied at once without a plan are both applied, one after the other", async () => {
  const { table } = await openTable();
  const world = await createWorld({ table });
  await world.run("model/model_create", { key: "m", name: "M" });
  const callers = [0, 1].map(() => serviceOver(world, table, quickAmbient()));
  const outcomes = await Promise.all(
    callers.map((caller, i) =>
      caller.call("model_apply", {
        ...M,
        content: { $schema: "urn:metaction:model:2", key: "m", types: [{ key: `own${i}` }, { key: "shared" }] },
      }),
    ),
  );
  expect(outcomes.map(({ answer }) => (answer?.body as { changed: boolean }).changed)).toEqual([true, true]);
  const { types } = await world.run("model/model_export", M);
  expect(types.map(({ key }: { key: string }) => key)).toEqual(["own0", "own1", "shared"]);
});
