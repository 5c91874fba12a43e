import {
  checkBatchDelete,
  checkBatchPut,
  checkTransactWrite,
  checkWrite,
} from "../../shared/store/table/dynamo-rules/check-calls.ts";
import { isAsExpected } from "../../shared/store/table/dynamo-rules/expectation.ts";
import { TRANSACTION_FACTOR, writeUnits } from "../../shared/store/table/dynamo-rules/units.ts";
import type { ItemKey } from "../../shared/store/table/keys.ts";
import {
  ConditionFailed,
  type Expectation,
  type Item,
  type Table,
  type Write,
} from "../../shared/store/table/table.ts";
import { TABLE } from "../../shared/store/table/table-schema.ts";
import type { GroupCommit } from "./group-commit.ts";
import { bodyOf, itemOf } from "./item-body.ts";
import type { Statements, StoredItem } from "./statements.ts";

/** The half of a table that writes. */
export type TableWrites = Pick<Table, "transactWrite" | "write" | "batchPut" | "batchDelete">;

/** The dependencies of the writes of a table; `count` gets the units of each call. */
export interface WriteContext {
  readonly statements: Statements;
  readonly commits: GroupCommit;
  readonly count: (operation: string, units: number) => void;
}

/** The writes of a table over a table in SQLite, checked as DynamoDB checks them before anything is queued. */
export function createWrites({ statements, commits, count }: WriteContext): TableWrites {
  /** Writes all steps or, where an expectation fails, none; answers the write units. */
  const run = (steps: readonly Step[]): Promise<number> =>
    commits.run(() => {
      const before = steps.map((step) => lookAt(statements, step));
      const failed = before.map(({ isMet }) => !isMet);
      if (failed.includes(true))
        throw new ConditionFailed(
          failed,
          before.map(({ inTheWay }) => inTheWay),
        );
      for (const step of steps) apply(statements, step);
      return steps.reduce((sum, { put }, i) => sum + writeUnits(before[i]?.bytes ?? 0, put?.bytes ?? 0), 0);
    });
  return {
    transactWrite: async (writes) => {
      const sizes = checkTransactWrite(writes);
      const units = await run(writes.map((write, i) => stepOf(write, sizes[i] ?? 0)));
      count("transactWrite", units * TRANSACTION_FACTOR);
    },
    write: async (write) => {
      const step = stepOf(write, checkWrite(write));
      const units = await run([step]).catch((error: unknown) => {
        // DynamoDB returns the item in the way of a transaction, and not that in the way of a single write.
        throw error instanceof ConditionFailed ? new ConditionFailed([true], [undefined]) : error;
      });
      count("write", units);
    },
    batchPut: async (items) => {
      const sizes = checkBatchPut(items);
      count("batchWrite", await run(items.map((item, i) => stepOf({ put: item, expect: ANYTHING }, sizes[i] ?? 0))));
      return [];
    },
    batchDelete: async (keys) => {
      checkBatchDelete(keys);
      count("batchWrite", await run(keys.map((key) => stepOf({ delete: key, expect: ANYTHING }, 0))));
      return [];
    },
  };
}

const ANYTHING = { anything: true } as const;

/** One write, encoded. */
interface Step {
  readonly key: ItemKey;
  readonly expect: Expectation;
  readonly put?: StoredItem;
  readonly delete?: true;
}

function stepOf(write: Write, bytes: number): Step {
  const { expect } = write;
  if ("check" in write) return { key: write.check, expect };
  if ("delete" in write) return { key: write.delete, expect, delete: true };
  const { pk, sk, [TABLE.timeToLive]: expires } = write.put;
  const put = { pk, sk, body: bodyOf(write.put), bytes, expires: typeof expires === "number" ? expires : undefined };
  return { key: put, expect, put };
}

/**
 * The item at the key of a write: its bytes, 0 where there is none, whether it meets the expectation, and the item
 * where it does not.
 */
function lookAt(statements: Statements, { key, expect }: Step) {
  if ("anything" in expect) return { isMet: true, bytes: statements.bytesAt(key) ?? 0, inTheWay: undefined };
  const row = statements.row(key);
  const found: Item | undefined = row && itemOf(key.pk, key.sk, row.body);
  const isMet = isAsExpected(expect, found);
  return { isMet, bytes: row?.bytes ?? 0, inTheWay: isMet ? undefined : found };
}

function apply(statements: Statements, step: Step): void {
  if (step.put) statements.put(step.put);
  else if (step.delete) statements.delete(step.key);
}
