import { beforeAll, describe, expect, test } from "vitest";
import type { Table } from "../../../shared/store/table/table.ts";
import { realAmbient } from "../../support/ambient.ts";
import { openTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { checkModel } from "../support/check-model.ts";
import { createFaultTable, type FaultTable } from "../support/fault-table.ts";
import { sceneDocument } from "../support/scene.ts";
import { type Caller, type Outcome, serviceOver } from "../support/service-over.ts";

const CALLERS = 50;

let opened: Table;
let world: World;
let table: FaultTable;
let caller: Caller;

beforeAll(async () => {
  opened = (await openTable()).table;
  world = await createWorld({ table: opened });
  table = createFaultTable(opened);
  caller = serviceOver(world, table, realAmbient);
});

/** Runs calls at once; tells the codes they end in, and prints how hard it was. */
async function race(what: string, calls: readonly (() => Promise<Outcome>)[]): Promise<Map<string, number>> {
  table.arm({});
  let worst = 0;
  const codes = await Promise.all(
    calls.map(async (call) => {
      const begun = performance.now();
      const { problem } = await call();
      worst = Math.max(worst, performance.now() - begun);
      return problem?.code ?? "ok";
    }),
  );
  const commits = table.trace.filter(({ operation }) => operation === "transactWrite").length;
  const done = codes.filter((code) => code === "ok").length;
  process.stdout.write(`${what}: ${commits} commits tried for ${done} made, worst wait ${Math.round(worst)} ms\n`);
  return new Map([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]));
}

const times = (call: (i: number) => Promise<Outcome>, count = CALLERS): (() => Promise<Outcome>)[] =>
  Array.from({ length: count }, (_, i) => () => call(i));

async function newScene(key: string): Promise<string> {
  return (await world.run("model/import", { content: sceneDocument(key) })).id;
}

describe("concurrent callers", () => {
  test("of fifty that create entities with different keys all succeed, without a gap in the revisions", async () => {
    const id = await newScene("many-keys");
    const revisions: number[] = [];
    const codes = await race(
      "fifty entity keys",
      times(async (i) => {
        const outcome = await caller.call("entity_create", { modelRef: "key:many-keys", entityKey: `supplier-${i}` });
        if (outcome.answer) revisions.push((outcome.answer.body as { revision: number }).revision);
        return outcome;
      }),
    );
    expect(Object.fromEntries(codes)).toEqual({ ok: CALLERS });
    expect(revisions.sort((a, b) => a - b)).toEqual(Array.from({ length: CALLERS }, (_, i) => i + 2));
    expect(await checkModel(opened, id)).toEqual([]);
  });

  test("on two models never conflict: every commit succeeds at once", async () => {
    const ids = [await newScene("left"), await newScene("right")];
    const turns = async (key: string): Promise<Outcome> => {
      let last: Outcome | undefined;
      for (let i = 0; i < 10; i++)
        last = await caller.call("type_create", { modelRef: `key:${key}`, typeKey: `t${i}` });
      return last ?? { request: "" };
    };
    await race("two models", [() => turns("left"), () => turns("right")]);
    const commits = table.trace.filter(({ operation }) => operation === "transactWrite");
    expect(commits).toHaveLength(20);
    expect(commits.every(({ outcome }) => outcome === "ok")).toBe(true);
    for (const id of ids) expect(await checkModel(opened, id)).toEqual([]);
  });

  test("that delete a model, change it and create another with its key leave both complete", async () => {
    const id = await newScene("contested");
    const codes = await race("a deleted model", [
      ...times(() => caller.call("model_delete", { modelRef: "key:contested" }), 5),
      ...times((i) => caller.call("type_create", { modelRef: "key:contested", typeKey: `t${i}` }), 10),
      ...times(() => caller.call("model_create", { key: "contested", name: "Another" }), 5),
    ]);
    expect([...codes.keys()].filter((code) => !["ok", "not_found", "key_taken"].includes(code))).toEqual([]);
    expect(await checkModel(opened, id)).toEqual([]);
    const rows = await world.run("model/model_list");
    for (const row of rows) expect(await checkModel(opened, row.id)).toEqual([]);
  });
});
