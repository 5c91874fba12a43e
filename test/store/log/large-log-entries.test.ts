import { beforeEach, describe, expect, test } from "vitest";
import { LIMITS, SWEEP } from "../../../shared/domain/limits.ts";
import { checkModel as fsckModel } from "../../../shared/store/fsck/check-model.ts";
import { readBlob } from "../../../shared/store/log/blobs.ts";
import {
  countChangesBytes,
  HEAD_ENTRIES,
  type LogChange,
  readHead,
  toLogEntry,
} from "../../../shared/store/log/log.ts";
import { loadObjectsAfter } from "../../../shared/store/log/replay.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { countItemBytes } from "../../../shared/store/table/dynamo-rules.ts";
import { logKey, STAGINGS } from "../../../shared/store/table/keys.ts";
import type { Item } from "../../../shared/store/table/table.ts";
import { openTable, type TestTable } from "../../support/table.ts";
import { createWorld, type World } from "../../support/world.ts";
import { checkModel, partition } from "../support/check-model.ts";
import { createFaultTable, type FaultTable, untilHidden } from "../support/fault-table.ts";
import { LONG_TYPES, largeDocument, longText, typeKey, withLargeWrites } from "../support/large-writes.ts";
import { quickAmbient } from "../support/quick-ambient.ts";
import { type Caller, type Outcome, serviceOver, writtenBody } from "../support/service-over.ts";
import { listLeftovers, sweepAll } from "../support/swept.ts";

const NIL = "00000000-0000-0000-0000-000000000000";
const CRM = { modelRef: "key:crm" };
const AT_T00 = { kind: "type", id: NIL, at: "type#t00", base: 1 };

let opened: TestTable;
let world: World;
let table: FaultTable;
let clock: ReturnType<typeof quickAmbient>;
let caller: Caller;
let quiet: Caller;
let model: string;
/** The units of all reads and writes since the count was set to 0. */
let units = 0;

beforeEach(async () => {
  opened = await openTable((_, spent) => {
    units += spent;
  });
  world = await createWorld({ table: opened.table });
  table = createFaultTable(opened.table);
  clock = quickAmbient();
  caller = serviceOver(world, table, clock, withLargeWrites);
  quiet = serviceOver(world, opened.table, clock, withLargeWrites);
  model = (await world.run("model/import", { content: largeDocument("crm") })).id;
});

const describeAtLength = (by: Caller, value: string): Promise<Outcome> =>
  by.call("test_describe_at_length", { ...CRM, value });

async function entryItem(revision: number): Promise<Item> {
  const item = await opened.table.get(logKey(model, revision));
  if (!item) throw new Error(`there is no revision ${revision}`);
  return item;
}

/** The first words of the long descriptions. */
async function seen(by: Caller): Promise<Set<string>> {
  const words = new Set<string>();
  for (let i = 0; i < LONG_TYPES; i++) {
    const { answer } = await by.call("type_get", { ...CRM, typeRef: `key:${typeKey(i)}` });
    const { description = "" } = answer?.body as { description?: string };
    words.add(description.split(" ")[0] ?? "");
  }
  return words;
}

async function sound(): Promise<void> {
  expect(await checkModel(opened.table, model)).toEqual([]);
  expect(await fsckModel(opened.table, clock, model)).toEqual([]);
}

describe("changes that are too large for a log entry", () => {
  test("are stored in a blob beside it, replayed from there, and kept", async () => {
    writtenBody(await describeAtLength(caller, "first"));
    writtenBody(await describeAtLength(caller, "second"));
    const item = await entryItem(3);
    expect(countItemBytes(item)).toBeLessThan(2_000);
    const changes = (await readBlob(opened.table, String(item.blob))) as readonly LogChange[];
    expect(changes).toHaveLength(LONG_TYPES);
    expect(changes[0]).toMatchObject({
      before: { description: longText("first") },
      after: { description: longText("second") },
    });
    expect(await seen(caller)).toEqual(new Set(["second"]));
    await sound();
    await sweepAll(opened.table, clock);
    expect(listLeftovers(await opened.items())).toEqual([]);
    const past = await loadObjectsAfter(opened.table, model, toLogEntry(await entryItem(2)));
    expect(past.get(`type#${typeKey(0)}`)).toMatchObject({ description: longText("first") });
    await sound();
  });

  test("are in the entry up to logBytes, and above it leave the head as small as before", async () => {
    const on = { ...CRM, typeRef: "key:t00" };
    const empty = countChangesBytes([
      { does: "update", ...AT_T00, before: { description: null }, after: { description: "" } },
    ]);
    const most = "x".repeat(LIMITS.logBytes - empty);
    writtenBody(await caller.call("type_update_description", { ...on, value: most }));
    expect((await entryItem(2)).blob).toBeUndefined();
    writtenBody(await caller.call("type_update_description", { ...CRM, typeRef: "key:t01", value: `${most}x` }));
    expect((await entryItem(3)).blob).toBeDefined();
    for (const letter of "abcd") {
      writtenBody(
        await caller.call("type_update_description", { ...on, value: letter.repeat(LIMITS.descriptionBytes) }),
      );
    }
    units = 0;
    expect((await readHead(opened.table, model))?.recent).toHaveLength(HEAD_ENTRIES);
    expect(units).toBe(1);
  });

  test("are committed in one transaction if they compress well: nothing is staged, and every reader waits for them", async () => {
    const describe = (by: Caller, letter: string): Promise<Outcome> =>
      by.call("type_update_description", { ...CRM, typeRef: "key:t00", value: letter.repeat(9_000) });
    table.arm({ rules: [] });
    writtenBody(await describe(caller, "a"));
    const { blob } = toLogEntry(await entryItem(2));
    const writes = table.trace.filter(({ operation }) => /write|batchPut/i.test(operation));
    expect(writes.map(({ keys }) => keys.filter((key) => key.startsWith("blob#")))).toEqual([[`blob#${blob}|000000`]]);
    for (const [letter, hold] of [..."bcdefghi"].map((one, i) => [one, i] as const)) {
      table.arm({
        rules: [{ match: { operation: "transactWrite" }, do: { scatter: 11 * hold, hold, answered: true } }],
      });
      writtenBody(await describe(caller, letter));
      const { answer, problem } = await caller.call("type_get", { ...CRM, typeRef: "key:t00" });
      expect(problem).toBeUndefined();
      expect((answer?.body as { description: string }).description[0]).toBe(letter);
      await table.settle();
    }
    await sound();
    await sweepAll(opened.table, clock);
    expect(listLeftovers(await opened.items())).toEqual([]);
    await sound();
  });

  test("are read once by a call that reads an older state, and by no other", async () => {
    writtenBody(await describeAtLength(quiet, "first"));
    const blobsRead = async (action: string): Promise<number> => {
      const before = table.trace.length;
      const { answer } = await caller.call(action, CRM);
      expect(answer).toBeDefined();
      return table.trace.slice(before).filter(({ keys }) => keys.some((key) => key.startsWith("blob#"))).length;
    };
    table.arm({ rules: [] });
    for (const action of ["type_list", "entity_list", "model_export"]) expect(await blobsRead(action)).toBe(0);
    const match = { operation: "transactWrite" } as const;
    table.arm({ rules: [{ match, do: { scatter: 7, hold: 1_000, answered: true } }] });
    writtenBody(await describeAtLength(caller, "second"));
    expect(table.hides).toBe(true);
    expect(await blobsRead("type_list")).toBe(1);
    expect(await blobsRead("model_export")).toBe(1);
    expect(await blobsRead("entity_list")).toBe(0);
    await table.settle();
  });

  test("are applied to reads that do not show the commit yet", async () => {
    writtenBody(await describeAtLength(quiet, "first"));
    for (const answered of [true, false]) {
      const value = `shown-${answered}`;
      table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { scatter: 7, hold: 1_000, answered } }] });
      const writing = describeAtLength(caller, value);
      await untilHidden(table, writing);
      // Whoever sees the log entry sees all of the commit.
      const entry = await readHead(table, model);
      const head = entry?.entry.revision;
      const words = await seen(caller);
      expect(words).toEqual(new Set([head === (answered ? 3 : 4) ? value : `shown-${!answered}`]));
      await table.settle();
      writtenBody(await writing);
      expect(await seen(caller)).toEqual(new Set([value]));
    }
    await sound();
  });

  test("are part of the decisions and answers of later commits", async () => {
    const other = async (): Promise<void> => void writtenBody(await describeAtLength(quiet, "other"));
    table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { before: other } }] });
    writtenBody(await caller.call("type_update_name", { ...CRM, typeRef: "key:t00", value: "Named" }));
    const type = await world.run("model/type_get", { ...CRM, typeRef: "key:t00" });
    expect(type).toMatchObject({ name: "Named", description: longText("other") });
    const stale = { ifMatch: [{ ledgerId: model, revision: 1 }] };
    const { problem } = await caller.call("type_update_name", { ...CRM, typeRef: "key:t01", value: "x" }, stale);
    expect(problem?.code).toBe("precondition_failed");
    expect(problem).toMatchObject({
      members: {
        changesSince: [{ revision: 2, objects: ["type t00", "type t01", "type t02", "type t03"] }, { revision: 3 }],
      },
    });
    await sound();
  });

  test("of a writer that paused too long are not committed without their blob", async () => {
    let blob = "";
    const asleep = async (): Promise<void> => {
      blob = (await partition(opened.table, STAGINGS)).find(({ state }) => state === "open")?.sk ?? "";
      clock.advance(SWEEP.stagingMs + 1);
      await sweep(opened.table, clock);
    };
    table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { before: asleep } }] });
    const { problem } = await describeAtLength(caller, "asleep");
    expect(blob).not.toBe("");
    expect(problem?.code ?? "ok").toMatch(/ok|contention|out_of_time/);
    expect((await partition(opened.table, logKey(model, 0).pk)).map((item) => toLogEntry(item).blob)).not.toContain(
      blob,
    );
    await sweepAll(opened.table, clock);
    await sound();
  });

  test("and a leftover staging record of a committed one, as in a restored table, are harmless", async () => {
    let staging: Item | undefined;
    const keep = async (): Promise<void> => {
      staging = (await partition(opened.table, STAGINGS)).find(({ state }) => state === "open");
    };
    table.arm({ rules: [{ match: { operation: "transactWrite" }, do: { before: keep } }] });
    writtenBody(await describeAtLength(caller, "kept"));
    if (!staging) throw new Error("nothing was staged");
    await opened.table.batchPut([staging]);
    expect(await fsckModel(opened.table, clock, model)).toMatchObject([{ code: "staging-alive" }]);
    await sweepAll(opened.table, clock);
    await sound();
  });
});
