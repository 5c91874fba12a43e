import { beforeAll, describe, expect, test } from "vitest";
import { beginCall } from "../../../shared/actions/contract/call.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { checkFits, createTransaction, sendCommit } from "../../../shared/store/commit/commit.ts";
import { countChangesBytes, createLogEntry, type LogChange, toLogItem } from "../../../shared/store/log/log.ts";
import { countItemBytes } from "../../../shared/store/table/dynamo-rules.ts";
import { createRetryingTable, createRetryPolicy, type RetryingTable } from "../../../shared/store/table/retry.ts";
import { FORMAT, type Item, type Write } from "../../../shared/store/table/table.ts";
import { realAmbient } from "../../support/ambient.ts";
import { freshTable } from "../../support/table.ts";

let table: RetryingTable;
let ledgers = 0;

beforeAll(async () => {
  table = createRetryingTable(await freshTable(), createRetryPolicy(realAmbient));
});

const call = beginCall(
  { requestId: "r", action: "test/size", channel: "http", principal: undefined, deadline: Number.POSITIVE_INFINITY },
  realAmbient,
);

/** An item of exactly so many bytes. */
function sized(item: Item, bytes: number): Item {
  return { ...item, fill: "x".repeat(bytes - countItemBytes({ ...item, fill: "" })) };
}

/** Commits a log entry and items beside it; the code of the problem, or "ok". */
async function commit(items: (ledger: string) => readonly Item[], changes: readonly LogChange[] = []): Promise<string> {
  const ledger = `size-${++ledgers}`;
  const log = toLogItem(ledger, createLogEntry(1, { key: "k", generation: "g", state: "live" }, call, changes));
  const writes = items(ledger).map((put): Write => ({ put, expect: { absent: true } }));
  const transaction = createTransaction(table, log, { writes, before: [] }, undefined, 0);
  const outcome = (async () => {
    checkFits(transaction);
    return sendCommit(table, ledger, 1, transaction, call);
  })();
  return outcome.then(
    (done) => (typeof done === "object" ? "ok" : done),
    (error) => error.code,
  );
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
    const log = countItemBytes(
      toLogItem("size-9", createLogEntry(1, { key: "k", generation: "g", state: "live" }, call, [])),
    );
    const each = Math.floor((LIMITS.transactionBytes - log) / 10);
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
