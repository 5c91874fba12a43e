import { expect, test } from "vitest";
import { checkTable } from "../../../shared/store/fsck/check-table.ts";
import { IDENTITY } from "../../../shared/store/table/keys.ts";
import { openTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { createFaultTable, Killed } from "../support/fault-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { serviceOver } from "../support/service-over.ts";
import { leftOver, sweepAll } from "../support/swept.ts";

const M = { modelRef: "key:m" };

/** A source of the nth time. */
const documentOf = (nth: number, types: number) => ({
  ...{ $schema: "urn:metaction:model:2", key: "m", name: `Time ${nth}` },
  types: Array.from({ length: types }, (_, i) => ({ key: `t${i}`, description: `Time ${nth}, ${i * 7919}.` })),
});

test.each([
  ["in one transaction", 3, "kill"],
  ["in one transaction", 3, "kill-after"],
  ["as a generation", 150, "kill"],
  ["as a generation", 150, "kill-after"],
] as const)(
  "a process that dies at any storage call of an import into a model %s (%i types, %s) leaves all of it or nothing",
  async (_, types, fault) => {
    const opened = await openTable();
    const world = await createWorld({ table: opened.table });
    const table = createFaultTable(opened.table);
    const clock = quickAmbient();
    const caller = serviceOver(world, table, clock);
    await world.run("model/import", { content: documentOf(0, types), source: "s" });
    await world.run("model/model_update_description", { ...M, value: "By people." });
    const exported = async () => JSON.parse(JSON.stringify(await world.run("model/model_export", M)));
    let done = 0;
    for (let nth = 1; ; nth++) {
      const before = await exported();
      const payload = { into: "key:m", source: "s", content: documentOf(nth, types) };
      table.arm({ rules: [{ match: { nth }, do: fault }] });
      const outcome = await caller.call("import", payload).catch((error: unknown) => {
        if (error instanceof Killed) return "killed" as const;
        throw error;
      });
      await table.settle();
      const after = await exported();
      if (JSON.stringify(after) === JSON.stringify(before)) expect(outcome).toBe("killed");
      else {
        done += 1;
        expect(new Set(after.types.map((one: { description: string }) => one.description.split(",")[0]))).toEqual(
          new Set([`Time ${nth}`]),
        );
        // The base is that of the model: nothing of the same document is a change or a conflict.
        expect(await world.run("model/import", payload)).toMatchObject({ changed: false, conflictCount: 0 });
      }
      expect(after.description).toBe("By people.");
      if (outcome !== "killed") break;
    }
    expect(done).toBeGreaterThan(0);
    await sweepAll(opened.table, clock);
    expect(leftOver(await opened.items())).toEqual([]);
    const { violations: findings } = await checkTable(opened.table, { ambient: clock, scan: opened.scan });
    // The people of a world have no log.
    expect(findings.filter(({ place }) => !place.pk.includes(IDENTITY))).toEqual([]);
  },
  120_000,
);

test.each([
  [3, "kill"],
  [3, "kill-after"],
  [150, "kill"],
] as const)(
  "a process that dies at any storage call of an import into a model that ends in a conflict (%i types, %s) leaves nothing",
  async (types, fault) => {
    const opened = await openTable();
    const world = await createWorld({ table: opened.table });
    const table = createFaultTable(opened.table);
    const clock = quickAmbient();
    const caller = serviceOver(world, table, clock);
    await world.run("model/import", { content: documentOf(0, types), source: "s" });
    await world.run("model/type_update_description", { ...M, typeRef: "key:t1", value: "By people." });
    const exported = async () => JSON.stringify(await world.run("model/model_export", M));
    const before = await exported();
    const outcomes: string[] = [];
    for (let nth = 1; outcomes.at(-1) !== "merge_conflict"; nth++) {
      const payload = { into: "key:m", source: "s", content: documentOf(nth, types) };
      table.arm({ rules: [{ match: { nth }, do: fault }] });
      const outcome = await caller.call("import", payload).then(
        ({ problem }) => String(problem?.code),
        (error: unknown) => (error instanceof Killed ? "killed" : String(error)),
      );
      await table.settle();
      outcomes.push(outcome);
      expect(await exported()).toBe(before);
    }
    expect(new Set(outcomes.slice(0, -1))).toEqual(new Set(["killed"]));
    // The base is the one of before, so that what the source says now still contradicts what people wrote.
    const { problem } = await caller.call("import", { into: "key:m", source: "s", content: documentOf(1, types) });
    expect([problem?.code, problem?.members.conflictCount]).toEqual(["merge_conflict", 1]);
    const decided = { into: "key:m", source: "s", content: documentOf(1, types), onConflict: "theirs" };
    expect((await world.run("model/import", decided)).conflictCount).toBe(1);
    await sweepAll(opened.table, clock);
    expect(leftOver(await opened.items())).toEqual([]);
  },
  120_000,
);

test("of two concurrent imports one is refused where users' changes conflict, and where a revision was given", async () => {
  const { table } = await openTable();
  const world = await createWorld({ table });
  const { id, revision } = await world.run("model/import", { content: documentOf(0, 3), source: "s" });
  const callers = [0, 1].map(() => serviceOver(world, table, quickAmbient()));
  const at = async (seen: number, first: number) => {
    const controls = { ifMatch: [{ ledgerId: id, revision: seen }] };
    const outcomes = await Promise.all(
      callers.map((caller, i) =>
        caller.call("import", { into: "key:m", source: "s", content: documentOf(first + i, 3) }, controls),
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
    const content = documentOf(10 + round, 3);
    const [edit, source] = await Promise.all([
      callers[0]?.call("model_update_name", { ...M, value }),
      callers[1]?.call("import", { into: "key:m", source: "s", content }),
    ]);
    expect(edit?.problem).toBeUndefined();
    expect((await world.run("model/model_get", M)).name).toBe(value);
    // The source may have met the name before the edit, which an earlier round left.
    const ours = expect.stringMatching(`^(${value}|${name})$`);
    if (source?.problem) expect(source.problem.members.conflicts).toMatchObject([{ member: "name", ours }]);
  }
}, 60_000);

test("two concurrent imports under one label both succeed, one after the other, and the newest base is that of the last one", async () => {
  const { table } = await openTable();
  const world = await createWorld({ table });
  await world.run("model/import", { content: documentOf(0, 3), source: "s" });
  const callers = [0, 1].map(() => serviceOver(world, table, quickAmbient()));
  for (let round = 1; round <= 5; round++) {
    const payloads = callers.map((_, i) => ({ into: "key:m", source: "s", content: documentOf(round * 2 + i, 3) }));
    const outcomes = await Promise.all(callers.map((caller, i) => caller.call("import", payloads[i])));
    const revisions = outcomes.map(({ answer }) => (answer?.body as { revision: number }).revision);
    const last = revisions[0] === Math.max(...revisions) ? 0 : 1;
    expect(Math.abs((revisions[0] ?? 0) - (revisions[1] ?? 0))).toBe(1);
    expect((await world.run("model/model_export", M)).name).toBe(`Time ${round * 2 + last}`);
    expect(await world.run("model/import", payloads[last] ?? {})).toMatchObject({ changed: false });
  }
}, 60_000);
