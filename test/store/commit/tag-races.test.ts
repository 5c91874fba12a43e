import { beforeEach, describe, expect, test } from "vitest";
import { SWEEP } from "../../../shared/domain/limits.ts";
import { checkTable } from "../../../shared/store/fsck/check-table.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { realAmbient } from "../../support/ambient.ts";
import { seedOf } from "../../support/chance.ts";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { checkModel } from "../support/check-model.ts";
import { createFaultTable, type FaultTable, untilHidden } from "../support/fault-table.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { sceneDocument } from "../support/scene.ts";
import { type Caller, serviceOver, writtenBody } from "../support/service-over.ts";

let opened: TestTable;
let world: World;
let table: FaultTable;
let caller: Caller;
let model: string;

beforeEach(async () => {
  opened = await openTable();
  world = await createWorld({ table: opened.table });
  table = createFaultTable(opened.table);
  caller = serviceOver(world, table, realAmbient);
  await world.run("tag/tag_group_create", { key: "privacy" });
  await world.run("tag/tag_global_create", { groupRef: "key:privacy", key: "personal" });
  model = (await world.run("model/import", { content: sceneDocument("crm") })).id;
});

const ON = { modelRef: "key:crm", entityRef: "key:order" };
const GLOBAL = { ...ON, tagRef: "key:privacy/personal" };
const LOCAL = { ...ON, tagRef: "key:reviewed" };

/** Calls that take a tag away, each with the call that puts a mark on it. */
const DELETIONS = [
  { what: "a global tag", add: GLOBAL, action: "tag/tag_global_delete", payload: { tagRef: GLOBAL.tagRef } },
  { what: "the group of a tag", add: GLOBAL, action: "tag/tag_group_delete", payload: { tagGroupRef: "key:privacy" } },
  {
    what: "a local tag",
    add: LOCAL,
    action: "tag/tag_local_delete",
    payload: { modelRef: "key:crm", tagRef: LOCAL.tagRef },
  },
] as const;

/** Expects that no read shows the tag, nothing is left of it after the sweep, and the table is whole. */
async function expectGone(): Promise<void> {
  const { tags } = await world.run("model/entity_get", ON);
  expect(tags).toEqual([]);
  const document = await world.run("model/model_export", { modelRef: "key:crm" });
  expect(document.entities.find(({ key }: { key: string }) => key === "order")).not.toHaveProperty("tags");
  const clock = quickAmbient(new Date(Date.now() + 60_000).toISOString());
  const check = async () => {
    const { violations: findings } = await checkTable(opened.table, { ambient: clock, scan: opened.scan });
    // The people of this world come without a log.
    return findings.filter(({ place }) => place.pk !== "identity");
  };
  expect(await check()).toEqual([]);
  await sweep(opened.table, clock);
  clock.advance(SWEEP.secondLookMs + 1);
  await sweep(opened.table, clock);
  expect(await check()).toEqual([]);
  expect(await checkModel(opened.table, model)).toEqual([]);
}

describe.each(DELETIONS)("$what that is deleted", ({ add, action, payload }) => {
  const remove = () => world.run(action, payload);

  test("at any point of a call that links it leaves no link: the call is refused", async () => {
    let moments = 0;
    for (let nth = 1; nth < 40; nth++) {
      table.arm({ rules: [{ match: { nth }, do: { before: remove } }] });
      const { answer, problem } = await caller.call("entity_add_tag", add);
      const met = table.trace.length >= nth;
      await table.settle();
      if (!met) {
        // The tag was not deleted: the marking went well.
        expect(answer?.body).toMatchObject({ changed: true });
        break;
      }
      moments += 1;
      expect(answer).toBeUndefined();
      expect(problem?.code).toBe("not_found");
      await expectGone();
      await makeAgain();
    }
    expect(moments).toBeGreaterThan(4);
  });

  test("just after it was linked removes the link", async () => {
    table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { after: remove } }] });
    writtenBody(await caller.call("entity_add_tag", add));
    await table.settle();
    await expectGone();
  });

  test("while only a part of the link is visible removes the link", async () => {
    table.arm({
      rules: [{ match: { operation: "transactWrite" }, do: { scatter: 3, hold: 1_000, answered: false } }],
    });
    const marking = caller.call("entity_add_tag", add);
    await untilHidden(table, marking);
    const removal = caller.call(action, payload);
    await table.settle();
    writtenBody(await marking);
    writtenBody(await removal);
    await expectGone();
  });

  test("while the link is only in the log removes the link", async () => {
    table.arm({
      rules: [{ match: { operation: "transactWrite" }, do: { scatter: 3, hold: 1_000, answered: true } }],
    });
    writtenBody(await caller.call("entity_add_tag", add));
    expect(table.hides).toBe(true);
    writtenBody(await caller.call(action, payload));
    expect(table.hides).toBe(true);
    await table.settle();
    await expectGone();
  });

  test("while many calls link it leaves no link", async () => {
    const seed = seedOf("marks against a deletion");
    table.arm({ random: { seed, rate: 0.1, faults: [{ slow: 3 }, "conflict", { slow: 11 }] } });
    const entities = ["order", "person", "customer", "empty"];
    const marking = entities.map(async (key) => {
      const codes: string[] = [];
      for (let i = 0; i < 4; i++) {
        const { problem } = await caller.call("entity_add_tag", { ...add, entityRef: `key:${key}` });
        codes.push(problem?.code ?? "ok");
      }
      return codes;
    });
    const removal = remove();
    const codes = (await Promise.all(marking)).flat();
    await removal;
    await table.settle();
    expect(codes.filter((code) => code !== "ok" && code !== "not_found")).toEqual([]);
    expect((await caller.call("entity_add_tag", add)).problem?.code).toBe("not_found");
    await expectGone();
  });
});

/** Makes the deleted tags and their group once more. */
async function makeAgain(): Promise<void> {
  const made = async (action: string, payload: object) => world.run(action, payload).catch(() => undefined);
  await made("tag/tag_group_create", { key: "privacy" });
  await made("tag/tag_global_create", { groupRef: "key:privacy", key: "personal" });
  await made("tag/tag_local_create", { modelRef: "key:crm", key: "reviewed" });
}
