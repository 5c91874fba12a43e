import { expect, test } from "vitest";
import { openSqliteTable } from "../../local/sqlite/table.ts";
import { startSweeper } from "../../local/worker.ts";

const NOW_MS = 1_000_000_500;
const NOW = 1_000_000;
const EXPIRED = 2_500;

test("the sweeper of a local service deletes all expired items, and reports their number", async () => {
  const opened = openSqliteTable({}, () => NOW_MS);
  const table = opened.connect(Number.POSITIVE_INFINITY);
  const at = (sk: string, expiresAt: unknown) => ({ pk: "p", sk, v: 1, expiresAt });
  const over = Array.from({ length: EXPIRED }, (_, i) => at(`over${i}`, NOW - 1 - i));
  const items = [...over, at("kept", NOW), at("kept with a text", "1"), { pk: "p", sk: "without", v: 1 }];
  for (let i = 0; i < items.length; i += 25) await table.batchPut(items.slice(i, i + 25));
  const runtime = { now: () => NOW_MS, newId: () => "id", random: () => 0.5, sleep: async () => undefined };
  const line = await new Promise<string>((resolve) => startSweeper(opened, runtime, resolve));
  expect(JSON.parse(line)).toMatchObject({ level: "info", expired: EXPIRED });
  expect((await table.query({ pk: "p" })).items.map(({ sk }) => sk)).toEqual(["kept", "kept with a text", "without"]);
  opened.close();
});
