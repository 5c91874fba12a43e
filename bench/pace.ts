import { LIMITS } from "../shared/domain/limits.ts";
import { putAll, Throttle } from "../shared/store/table/batch-writes.ts";
import { createRetryPolicy } from "../shared/store/table/retry.ts";
import { FORMAT, type Item, type Table } from "../shared/store/table/table.ts";
import { type Partitioning, partitioned } from "../test/store/support/partitioned-table.ts";
import { createVirtualTime } from "../test/store/support/virtual-time.ts";

/** Minimum share of the full pace of a partition. */
const LEAST = 0.9;
const UNITS = 20_000;

/** Amounts to write, and the behaviour of the partition. */
const KINDS: readonly { readonly what: string; readonly unitsOfEach: number; readonly partition: Partitioning }[] = [
  { what: "1 unit each, 8 ms a batch", unitsOfEach: 1, partition: { keeps: 0.1 } },
  { what: "1 unit each, 3 ms a batch", unitsOfEach: 1, partition: { keeps: 0.1, callMs: 3 } },
  { what: "1 unit each, 40 ms a batch", unitsOfEach: 1, partition: { keeps: 0.1, callMs: 40 } },
  { what: "1 unit each, taken second by second", unitsOfEach: 1, partition: { bySecond: true } },
  { what: "10 units each", unitsOfEach: 10, partition: { keeps: 0.1 } },
  { what: "300 units each, 60 ms a batch", unitsOfEach: 300, partition: { keeps: 0.1, callMs: 60 } },
];

/** A table that stores nothing: only the pace counts. */
const FORGETFUL = { batchPut: async () => [] } as unknown as Table;

/**
 * Writes 20,000 units to a partition that takes 1,000 a second, in virtual time. Measures the share of its pace that is used,
 * and the share of requests with unprocessed items.
 */
export async function benchPace(): Promise<readonly string[]> {
  const rows = [];
  for (const { what, unitsOfEach, partition } of KINDS) {
    const time = createVirtualTime();
    const table = partitioned(FORGETFUL, time, { unitsPerSecond: LIMITS.partitionUnits, ...partition });
    const fill = "x".repeat((unitsOfEach - 1) * 1_024);
    const items = Array.from(
      { length: UNITS / unitsOfEach },
      (_, i): Item => ({ pk: "p", sk: `${i}`, v: FORMAT, fill }),
    );
    await time.during(putAll(table, items, new Throttle(time.runtime, createRetryPolicy(time.runtime))));
    const [use] = table.use("p");
    if (!use) throw new Error("nothing was written");
    const share = (use.units / use.ms) * (1_000 / LIMITS.partitionUnits);
    rows.push({ what, seconds: use.ms / 1_000, share: round(share), leftOver: round(use.refused / use.requests) });
  }
  console.table(rows);
  console.log(JSON.stringify({ bench: "pace", rows }));
  return rows.filter(({ share }) => share < LEAST).map(({ what, share }) => `${what}: ${share} of the pace`);
}

const round = (share: number): number => Math.round(share * 1_000) / 1_000;
