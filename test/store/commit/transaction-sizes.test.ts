import { describe, expect, test } from "vitest";
import { beginCall } from "../../../shared/actions/contract/call.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { checkFits, createTransaction, sendCommit } from "../../../shared/store/commit/commit.ts";
import { countChangesBytes, createLogEntry, type LogChange, toLogItem } from "../../../shared/store/log/log.ts";
import { countItemBytes } from "../../../shared/store/table/dynamo-rules.ts";
import { createRetryingTable, createRetryPolicy } from "../../../shared/store/table/retry.ts";
import { FORMAT, type Item, type Write } from "../../../shared/store/table/table.ts";
import { realRuntime } from "../../support/runtime.ts";
import { createWorld } from "../../support/world.ts";
import { createFaultTable } from "../support/fault-table.ts";
import { largeDocument, typeKey } from "../support/large-writes.ts";
import { quickRuntime } from "../support/quick-runtime.ts";
import { serviceOver } from "../support/service-over.ts";

const world = await createWorld();
const table = createRetryingTable(world.table, createRetryPolicy(realRuntime));
for (const key of ["one", "two"]) await world.run("model/import", { content: largeDocument(key) });
let ledgers = 0;

const call = beginCall(
  { requestId: "r", action: "test/size", channel: "http", principal: undefined, deadline: Number.POSITIVE_INFINITY },
  realRuntime,
);

const toLog = (ledger: string, changes: readonly LogChange[]) =>
  toLogItem(ledger, createLogEntry(1, { key: "k", generation: "g", state: "live" }, call, changes));

function sized(item: Item, bytes: number): Item {
  return { ...item, fill: "x".repeat(bytes - countItemBytes({ ...item, fill: "" })) };
}

/** Commits a log entry and items beside it; the code of the problem, or "ok". */
async function commit(items: (ledger: string) => readonly Item[], changes: readonly LogChange[] = []): Promise<string> {
  const ledger = `size-${++ledgers}`;
  const writes = items(ledger).map((put): Write => ({ put, expect: { absent: true } }));
  const transaction = createTransaction(table, toLog(ledger, changes), { writes, before: [] }, undefined, 0);
  const outcome = (async () => {
    checkFits(transaction);
    return sendCommit(table, ledger, 1, transaction, call);
  })();
  return outcome.then((done) => (typeof done === "object" ? "ok" : done)).catch((error) => error.code);
}

const many = (count: number, bytes?: number) => (ledger: string) =>
  Array.from({ length: count }, (_, i) => {
    const item = { pk: ledger, sk: String(i).padStart(4, "0"), v: FORMAT };
    return bytes === undefined ? item : sized(item, bytes);
  });

describe("one transaction", () => {
  test("holds at most transactionItems items, the log entry included", async () => {
    expect(await commit(many(LIMITS.transactionItems - 1))).toBe("ok");
    expect(await commit(many(LIMITS.transactionItems))).toBe("too_large");
  });

  test("holds at most transactionBytes bytes", async () => {
    const each = Math.floor((LIMITS.transactionBytes - countItemBytes(toLog("size-9", []))) / 10);
    expect(await commit(many(10, each))).toBe("ok");
    expect(await commit(many(10, each + 1))).toBe("too_large");
  });

  test("holds a log entry with changes of logBytes bytes, the limit of a log entry", async () => {
    const changed = (text: string): LogChange[] => [
      { does: "update", kind: "type", id: "i", at: "type#t", base: 1, before: {}, after: { description: text } },
    ];
    const left = LIMITS.logBytes - countChangesBytes(changed(""));
    const most = changed("x".repeat(left));
    expect(countChangesBytes(most)).toBeLessThanOrEqual(LIMITS.logBytes);
    expect(countChangesBytes(changed("x".repeat(left + 1)))).toBeGreaterThan(LIMITS.logBytes);
    expect(await commit(many(0), most)).toBe("ok");
  });
});

const batch = (actions: readonly object[], dryRun: boolean) =>
  world.problem("batch/batch_run", { actions }, world.people.admin, { dryRun });
const entry = (action: string, payload: object) => ({ group: "model", action, payload });

/** Descriptions of the largest size, as many for each of two models. */
const described = (count: number): readonly object[] =>
  ["one", "two"].flatMap((key) =>
    Array.from({ length: count }, (_, i) =>
      entry("type_update_description", {
        ...{ modelRef: `key:${key}`, typeRef: `key:${typeKey(i)}` },
        value: "x".repeat(LIMITS.descriptionBytes),
      }),
    ),
  );

describe("a dry run that no transaction can hold is refused in the words of the call", () => {
  test("for too many bytes in two models", async () => {
    const rehearsed = await batch(described(20), true);
    expect(rehearsed.code).toBe("too_large");
    const { message } = await batch(described(20), false);
    expect(rehearsed.message).toBe(message);
    expect(message).toMatch(/needs 44 items and 4\d{6} bytes/);
  });

  test("for too many items in two models", async () => {
    const made = (count: number) =>
      ["one", "two"].flatMap((key) =>
        Array.from({ length: count }, (_, i) =>
          entry("type_create", { modelRef: `key:${key}`, typeKey: `made ${i}`, description: "y".repeat(100) }),
        ),
      );
    // Two log entries, each with a blob of what it changed, and two items for every type.
    const message = expect.stringContaining("needs 124 items");
    for (const dryRun of [true, false])
      expect(await batch(made(30), dryRun)).toMatchObject({ code: "too_large", message });
  });
});

test("a dry run is refused for the present state: it decides again if that changed", async () => {
  const table = createFaultTable(world.table);
  const caller = serviceOver(world, table, quickRuntime());
  const remove = () => world.run("model/model_delete", { modelRef: "key:two" });
  // The last of what the batch reads.
  table.arm({ rules: [{ match: { operation: "get", key: /type#t19/, nth: 2 }, do: { after: remove } }] });
  const { problem } = await caller.call("batch/batch_run", { actions: described(20) }, { dryRun: true });
  expect(problem?.code).toBe("not_found");
});
