import { expect, test } from "vitest";
import { openTable } from "../../support/table.ts";
import { createWorld } from "../../support/world.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { serviceOver } from "../support/service-over.ts";

const M = { modelRef: "key:m" };

/** A source of the nth time. */
const documentOf = (nth: number, types: number) => ({
  ...{ $schema: "urn:metaction:model:2", key: "m", name: `Time ${nth}` },
  types: Array.from({ length: types }, (_, i) => ({ key: `t${i}`, description: `Time ${nth}, ${i * 7919}.` })),
});

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
