import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LIMITS, SWEEP } from "../../../shared/domain/limits.ts";
import { readBlob } from "../../../shared/store/log/blobs.ts";
import { countChangesBytes, HEAD_ENTRIES, readHead, toLogEntry } from "../../../shared/store/log/log.ts";
import { loadObjectsAfter } from "../../../shared/store/log/replay.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { countItemBytes } from "../../../shared/store/table/dynamo-rules.ts";
import { logKey, STAGINGS } from "../../../shared/store/table/keys.ts";
import type { Item } from "../../../shared/store/table/table.ts";
import { checkModel, getItem, partition } from "../support/check-model.ts";
import { scatterWrites } from "../support/fault-plan.ts";
import { untilHidden } from "../support/fault-table.ts";
import { LONG_TYPES, largeDocument, longText, typeKey } from "../support/large-writes.ts";
import { useFaultyWorld } from "../support/scenes.ts";
import { type Caller, type Outcome, writtenBody } from "../support/service-over.ts";
import { sweepAll } from "../support/swept.ts";

const NIL = "00000000-0000-0000-0000-000000000000";
const CRM = { modelRef: "key:crm" };
const AT_T00 = { kind: "type", id: NIL, at: "type#t00", base: 1 };

let units = 0;
const faulty = useFaultyWorld({ onCapacity: (_, spent) => (units += spent) });
let model: string;

beforeEach(async () => ({ id: model } = await faulty.world.run("model/import", { content: largeDocument("crm") })));

afterEach(() => faulty.expectSwept());

const describeAtLength = (by: Caller, value: string): Promise<Outcome> =>
  by.call("test_describe_many", { ...CRM, value, small: "yes", long: "yes" });

const entryItem = (revision: number): Promise<Item> => getItem(faulty.opened.table, logKey(model, revision));

async function seen(by: Caller): Promise<Set<string>> {
  const words = new Set<string>();
  for (let i = 0; i < LONG_TYPES; i++) {
    const { answer } = await by.call("type_get", { ...CRM, typeRef: `key:${typeKey(i)}` });
    const { description = "" } = answer?.body as { description?: string };
    words.add(description.split(" ")[0] ?? "");
  }
  return words;
}

const updateDescription = async (typeRef: string, value: string) =>
  writtenBody(await faulty.caller.call("type_update_description", { ...CRM, typeRef, value }));

describe("changes that are too large for a log entry", () => {
  test("are stored in a blob beside it, replayed from there, and kept", async () => {
    writtenBody(await describeAtLength(faulty.caller, "first"));
    writtenBody(await describeAtLength(faulty.caller, "second"));
    const item = await entryItem(3);
    expect(countItemBytes(item)).toBeLessThan(2_000);
    const changes = (await readBlob(faulty.opened.table, String(item.blob))) as readonly object[];
    expect(changes).toHaveLength(LONG_TYPES);
    expect(changes[0]).toMatchObject({
      before: { description: longText("first") },
      after: { description: longText("second") },
    });
    expect(await seen(faulty.caller)).toEqual(new Set(["second"]));
    const past = await loadObjectsAfter(faulty.opened.table, model, toLogEntry(await entryItem(2)));
    expect(past.get(`type#${typeKey(0)}`)).toMatchObject({ description: longText("first") });
  });

  test("are in the entry up to logBytes, and above it leave the head as small as before", async () => {
    const empty = countChangesBytes([
      { does: "update", ...AT_T00, before: { description: null }, after: { description: "" } },
    ]);
    const most = "x".repeat(LIMITS.logBytes - empty);
    await updateDescription("key:t00", most);
    expect((await entryItem(2)).blob).toBeUndefined();
    await updateDescription("key:t01", `${most}x`);
    expect((await entryItem(3)).blob).toBeDefined();
    for (const letter of "abcd") await updateDescription("key:t00", letter.repeat(LIMITS.descriptionBytes));
    units = 0;
    expect((await readHead(faulty.opened.table, model))?.recent).toHaveLength(HEAD_ENTRIES);
    expect(units).toBe(1);
  });

  test("are committed in one transaction if they compress well: nothing is staged, and every reader waits for them", async () => {
    faulty.table.arm({});
    await updateDescription("key:t00", "a".repeat(9_000));
    const { blob } = toLogEntry(await entryItem(2));
    const writes = faulty.table.trace.filter(({ operation }) => /write|batchPut/i.test(operation));
    expect(writes.map(({ keys }) => keys.filter((key) => key.startsWith("blob#")))).toEqual([[`blob#${blob}|000000`]]);
    for (const [hold, letter] of [..."bcdefghi"].entries()) {
      faulty.table.arm({ rules: [scatterWrites(11 * hold, hold, true)] });
      await updateDescription("key:t00", letter.repeat(9_000));
      const { answer } = await faulty.caller.call("type_get", { ...CRM, typeRef: "key:t00" });
      expect((answer?.body as { description: string }).description[0]).toBe(letter);
      await faulty.table.settle();
    }
  });

  test("are read once by a call that reads an older state, and by no other", async () => {
    writtenBody(await describeAtLength(faulty.quiet, "first"));
    const blobsRead = async (action: string): Promise<number> => {
      const before = faulty.table.trace.length;
      const { answer } = await faulty.caller.call(action, CRM);
      expect(answer).toBeDefined();
      return faulty.table.trace.slice(before).filter(({ keys }) => keys.some((key) => key.startsWith("blob#"))).length;
    };
    faulty.table.arm({ rules: [] });
    for (const action of ["type_list", "entity_list", "model_export"]) expect(await blobsRead(action)).toBe(0);
    faulty.table.arm({ rules: [scatterWrites(7, 1_000, true)] });
    writtenBody(await describeAtLength(faulty.caller, "second"));
    expect(faulty.table.hides).toBe(true);
    expect(await blobsRead("type_list")).toBe(1);
    expect(await blobsRead("model_export")).toBe(1);
    expect(await blobsRead("entity_list")).toBe(0);
    await faulty.table.settle();
  });

  test("are applied to reads that do not show the commit yet", async () => {
    writtenBody(await describeAtLength(faulty.quiet, "first"));
    for (const answered of [true, false]) {
      const value = `shown-${answered}`;
      faulty.table.arm({ rules: [scatterWrites(7, 1_000, answered)] });
      const writing = describeAtLength(faulty.caller, value);
      await untilHidden(faulty.table, writing);
      // Whoever sees the log entry sees all of the commit.
      const entry = await readHead(faulty.table, model);
      const head = entry?.entry.revision;
      const words = await seen(faulty.caller);
      expect(words).toEqual(new Set([head === (answered ? 3 : 4) ? value : `shown-${!answered}`]));
      await faulty.table.settle();
      writtenBody(await writing);
      expect(await seen(faulty.caller)).toEqual(new Set([value]));
    }
  });

  test("are part of the decisions and answers of later commits", async () => {
    const other = async () => void writtenBody(await describeAtLength(faulty.quiet, "other"));
    faulty.table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { before: other } }] });
    writtenBody(await faulty.caller.call("type_update_name", { ...CRM, typeRef: "key:t00", value: "Named" }));
    const type = await faulty.world.run("model/type_get", { ...CRM, typeRef: "key:t00" });
    expect(type).toMatchObject({ name: "Named", description: longText("other") });
    const stale = { ifMatch: [{ ledgerId: model, revision: 1 }] };
    const { problem } = await faulty.caller.call("type_update_name", { ...CRM, typeRef: "key:t01", value: "x" }, stale);
    const objects = ["type t00", "type t01", "type t02", "type t03"];
    expect(problem?.code).toBe("precondition_failed");
    expect(problem?.members).toMatchObject({ changesSince: [{ revision: 2, objects }, { revision: 3 }] });
  });

  test("of a writer that paused too long are not committed without their blob", async () => {
    let blob = "";
    const asleep = async () => {
      blob = (await partition(faulty.opened.table, STAGINGS)).find(({ state }) => state === "open")?.sk ?? "";
      faulty.clock.advance(SWEEP.stagingMs + 1);
      await sweep(faulty.opened.table, faulty.clock);
    };
    faulty.table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { before: asleep } }] });
    const { problem } = await describeAtLength(faulty.caller, "asleep");
    expect(blob).not.toBe("");
    expect(problem?.code ?? "ok").toMatch(/ok|contention|out_of_time/);
    const log = await partition(faulty.opened.table, logKey(model, 0).pk);
    expect(log.map((item) => toLogEntry(item).blob)).not.toContain(blob);
  });

  test("and a leftover staging record of a committed one, as in a restored table, are harmless", async () => {
    let staging: Item | undefined;
    const keep = async () => {
      staging = (await partition(faulty.opened.table, STAGINGS)).find(({ state }) => state === "open");
    };
    faulty.table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { before: keep } }] });
    writtenBody(await describeAtLength(faulty.caller, "kept"));
    if (!staging) throw new Error("nothing was staged");
    await faulty.opened.table.batchPut([staging]);
    expect(await checkModel(faulty.opened.table, model)).toEqual([expect.stringContaining("staging-alive")]);
    await sweepAll(faulty.opened.table, faulty.clock);
  });
});
