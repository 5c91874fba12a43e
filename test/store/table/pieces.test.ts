import { expect, test } from "vitest";
import { type AnswerRecord, beginCall } from "../../../shared/actions/contract/call.ts";
import { createTransaction } from "../../../shared/store/commit/commit.ts";
import { readRecord } from "../../../shared/store/commit/records.ts";
import { createLogEntry, toLogItem } from "../../../shared/store/log/log.ts";
import { recordKey } from "../../../shared/store/table/keys.ts";
import { createChance } from "../../support/chance.ts";
import { freshTable } from "../../support/table.ts";
import { partition } from "../support/check-model.ts";
import { quickRuntime } from "../support/quick-runtime.ts";

test("an answer too large for its record is stored in pieces that exist before it and outlive it", async () => {
  const table = await freshTable();
  const chance = createChance(1);
  // The body has random letters, which hardly compress.
  const letters = Array.from({ length: 900_000 }, () => String.fromCharCode(0x30 + chance.below(64))).join("");
  const answer = { mediaType: "application/json", body: { letters } };
  const record: AnswerRecord = { id: "large", fingerprint: "f", answer, expiresAt: 2_000_000_000 };
  const facts = { requestId: "r", action: "test/large", channel: "http" as const, principal: undefined };
  const call = beginCall({ ...facts, deadline: Number.POSITIVE_INFINITY }, quickRuntime());
  const log = toLogItem("large", createLogEntry(1, { key: "k", generation: "g", state: "live" }, call, []));
  const { writes, before } = createTransaction(table, log, { writes: [], before: [] }, record, 0);
  for (const write of before) await write();
  await table.transactWrite(writes);
  const key = recordKey("large");
  expect(await readRecord(table, await table.get(key), "large", 0)).toEqual(record);
  const pieces = (await partition(table, key.pk)).filter(({ sk }) => sk !== key.sk);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.filter(({ expiresAt }) => Number(expiresAt) <= record.expiresAt)).toEqual([]);
});
