import { beforeEach, describe, expect, test } from "vitest";
import { SWEEP } from "../../../shared/domain/limits.ts";
import { checkTable } from "../../../shared/store/fsck/check-table.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { seedOf } from "../../support/chance.ts";
import { realRuntime } from "../../support/runtime.ts";
import { scatterWrites } from "../support/fault-plan.ts";
import { untilHidden } from "../support/fault-table.ts";
import { sceneDocument } from "../support/scene.ts";
import { useFaultyWorld } from "../support/scenes.ts";
import { serviceOver, writtenBody } from "../support/service-over.ts";

const faulty = useFaultyWorld({ start: new Date().toISOString() });

beforeEach(async () => {
  await makeTags();
  await faulty.world.run("model/import", { content: sceneDocument("crm") });
});

const CRM = { modelRef: "key:crm" };
const ON = { ...CRM, entityRef: "key:order" };
const GLOBAL = { ...ON, tagRef: "key:privacy/personal" };
const LOCAL = { ...ON, tagRef: "key:reviewed" };

/** Calls that take a tag away, each with the call that puts a mark on it. */
const DELETIONS = [
  { what: "a global tag", add: GLOBAL, action: "tag/tag_global_delete", payload: { tagRef: GLOBAL.tagRef } },
  { what: "the group of a tag", add: GLOBAL, action: "tag/tag_group_delete", payload: { tagGroupRef: "key:privacy" } },
  { what: "a local tag", add: LOCAL, action: "tag/tag_local_delete", payload: { ...CRM, tagRef: LOCAL.tagRef } },
] as const;

async function makeTags() {
  const make = (action: string, payload: object) => faulty.world.run(action, payload).catch(() => undefined);
  await make("tag/tag_group_create", { key: "privacy" });
  await make("tag/tag_global_create", { groupRef: "key:privacy", key: "personal" });
  await make("tag/tag_local_create", { ...CRM, key: "reviewed" });
}

async function expectGone() {
  const { tags } = await faulty.world.run("model/entity_get", ON);
  expect(tags).toEqual([]);
  const document = await faulty.world.run("model/model_export", CRM);
  expect(document.entities.find(({ key }: { key: string }) => key === "order")).not.toHaveProperty("tags");
  const check = async () => {
    const { violations } = await checkTable(faulty.opened.table, { runtime: faulty.clock, scan: faulty.opened.scan });
    // The people of this world come without a log.
    return violations.filter(({ key }) => key.pk !== "identity");
  };
  expect(await check()).toEqual([]);
  for (const ms of [60_000, SWEEP.secondLookMs + 1]) {
    faulty.clock.advance(ms);
    await sweep(faulty.opened.table, faulty.clock);
  }
  expect(await check()).toEqual([]);
}

describe.each(DELETIONS)("$what that is deleted", ({ add, action, payload }) => {
  const remove = () => faulty.world.run(action, payload);

  test("at any point of a call that links it leaves no link: the call is refused", async () => {
    let moments = 0;
    for (let nth = 1; nth < 40; nth++) {
      faulty.table.arm({ rules: [{ match: { nth }, do: { before: remove } }] });
      const { answer, problem } = await faulty.caller.call("entity_add_tag", add);
      const met = faulty.table.trace.length >= nth;
      await faulty.table.settle();
      if (!met) {
        // The tag was not deleted: the marking went well.
        expect(answer?.body).toMatchObject({ changed: true });
        break;
      }
      moments += 1;
      expect(answer).toBeUndefined();
      expect(problem?.code).toBe("not_found");
      await expectGone();
      await makeTags();
    }
    expect(moments).toBeGreaterThan(4);
  });

  test("just after it was linked removes the link", async () => {
    faulty.table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { after: remove } }] });
    writtenBody(await faulty.caller.call("entity_add_tag", add));
    await faulty.table.settle();
    await expectGone();
  });

  test("while only a part of the link is visible removes the link", async () => {
    faulty.table.arm({ rules: [scatterWrites(3, 1_000, false)] });
    const marking = faulty.caller.call("entity_add_tag", add);
    await untilHidden(faulty.table, marking);
    const removal = faulty.caller.call(action, payload);
    await faulty.table.settle();
    writtenBody(await marking);
    writtenBody(await removal);
    await expectGone();
  });

  test("while the link is only in the log removes the link", async () => {
    faulty.table.arm({ rules: [scatterWrites(3, 1_000, true)] });
    writtenBody(await faulty.caller.call("entity_add_tag", add));
    expect(faulty.table.hides).toBe(true);
    writtenBody(await faulty.caller.call(action, payload));
    expect(faulty.table.hides).toBe(true);
    await faulty.table.settle();
    await expectGone();
  });

  test("while many calls link it leaves no link", async () => {
    const seed = seedOf("marks against a deletion");
    faulty.table.arm({ random: { seed, rate: 0.1, faults: [{ slow: 3 }, "conflict", { slow: 11 }] } });
    const caller = serviceOver(faulty.world, faulty.table, realRuntime);
    const marking = ["order", "person", "customer", "empty"].map(async (key) => {
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
    await faulty.table.settle();
    expect(codes.filter((code) => code !== "ok" && code !== "not_found")).toEqual([]);
    expect((await faulty.caller.call("entity_add_tag", add)).problem?.code).toBe("not_found");
    await expectGone();
  });
});
