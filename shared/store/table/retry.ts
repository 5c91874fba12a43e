import type { Ambient } from "../../actions/contract/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import type { ItemKey } from "./keys.ts";
import { Contended, type Item, OutcomeUnknown, type Table, Unread, type Write } from "./table.ts";

/*
 * The one place where the table is asked again; the client below sends every request once.
 *
 * |                                  | a read                | a write               | a commit              |
 * |----------------------------------|-----------------------|-----------------------|-----------------------|
 * | throttled                        | again, for a token    | again, for a token    | again, for a token    |
 * | in conflict with a transaction   | again                 | again                 | its sender is told    |
 * | no answer                        | again, for a token    | its sender is told    | its sender is told    |
 * | still so after all repeats       | 429 or 503            | 429 or 503            | 429                   |
 *
 * A write without an answer may have been applied: only its sender knows where to look for it. A commit in conflict has
 * most likely met the one that takes its revision, so that its sender decides anew. Batches of writes keep their errors:
 * `pace.ts` says when what is left of them is sent again.
 */

/** Number of repeats while the table is busy. */
export const MAX_REPEATS = 8;
/** Number of repeats of a read without an answer: a connection may have been cut while the process was frozen. */
const MAX_UNANSWERED_REPEATS = 2;
/** Keys that one request reads; the limit of BatchGetItem. */
const KEYS_PER_REQUEST = 100;

/**
 * The repeats that one process can pay for, as the AWS SDK has it: a table that takes nothing is not asked ever more
 * often because ever more calls repeat what they asked.
 */
export interface RetryBudget {
  /** Takes a token for one repeat; false when none is left. */
  take(): boolean;
  /** Notes a success: the token of its repeat comes back, or a part of one where it took none. */
  earn(repeated: boolean): void;
}

/** A full budget. */
export function createRetryBudget(): RetryBudget {
  const token = LIMITS.successesPerRetryToken;
  const full = LIMITS.retryTokens * token;
  let left = full;
  return {
    take: () => {
      if (left < token) return false;
      left -= token;
      return true;
    },
    earn: (repeated) => {
      left = Math.min(full, left + (repeated ? token : 1));
    },
  };
}

/** The pauses between repeats, and the budget that pays for them. */
export interface RetryPolicy {
  /** Full jitter: anything up to 20 ms doubled with each repeat, at most one second. */
  pause(repeats: number): Promise<void>;
  readonly budget: RetryBudget;
}

/** A policy whose `budget` is that of the process, where several calls share it. */
export function createRetryPolicy(
  ambient: Pick<Ambient, "random" | "sleep">,
  budget: RetryBudget = createRetryBudget(),
): RetryPolicy {
  return { pause: (repeats) => ambient.sleep(ambient.random() * Math.min(1_000, 20 * 2 ** repeats)), budget };
}

/** A table that asks again by itself, as the table of this file says. */
export interface RetryingTable extends Table {
  /** Reads any number of keys; absent items are left out, in no order. */
  batchGet(keys: readonly ItemKey[]): Promise<readonly Item[]>;
  /** Sends the transaction of a commit. `ConditionFailed`, `OutcomeUnknown`, and `Contended` where it met another transaction. */
  commit(writes: readonly Write[]): Promise<void>;
}

/** A table that repeats requests whose error may pass, and turns a lasting error into a problem for callers. */
export function createRetryingTable(table: Table, policy: RetryPolicy): RetryingTable {
  const read = <T>(ask: () => Promise<T>): Promise<T> => runWithRetry(policy, READ, ask);
  const write = <T>(ask: () => Promise<T>): Promise<T> => runWithRetry(policy, WRITE, ask);
  return {
    ...table,
    get: (key) => read(() => table.get(key)),
    query: (range) => read(() => table.query(range)),
    transactGet: (keys) => read(() => table.transactGet(keys)),
    batchGet: async (keys) => {
      const found: Item[] = [];
      for (let left = keys; left.length > 0; ) {
        const asked = left.slice(0, KEYS_PER_REQUEST);
        const part = await read(() => readPart(table, asked));
        found.push(...part.items);
        left = [...part.left, ...left.slice(asked.length)];
        // The table read some of the keys, so the rest costs no token.
        if (part.left.length > 0) await policy.pause(0);
      }
      return found;
    },
    write: (one) => write(() => table.write(one)),
    transactWrite: (writes) => write(() => table.transactWrite(writes)),
    commit: (writes) => runWithRetry(policy, COMMIT, () => table.transactWrite(writes)),
  };
}

/** The items and the unread keys of one request; `Contended` where the table looked at none of the keys. */
async function readPart(
  table: Table,
  keys: readonly ItemKey[],
): Promise<{ readonly items: readonly Item[]; readonly left: readonly ItemKey[] }> {
  try {
    return { items: await table.batchGet(keys), left: [] };
  } catch (error) {
    if (error instanceof Unread && error.left.length < keys.length) return error;
    throw error;
  }
}

/** Number of repeats after an error; 0 where the sender gets the error. */
type Repeatable = (error: unknown) => number;

const READ: Repeatable = (error) => (error instanceof OutcomeUnknown ? MAX_UNANSWERED_REPEATS : WRITE(error));
const WRITE: Repeatable = (error) => (error instanceof Contended ? MAX_REPEATS : 0);
const COMMIT: Repeatable = (error) => (error instanceof Contended && error.throttled ? MAX_REPEATS : 0);

/**
 * Repeats a request after growing random pauses. The problem of the last error when there are too many repeats or no
 * token is left.
 */
async function runWithRetry<T>(policy: RetryPolicy, repeatable: Repeatable, ask: () => Promise<T>): Promise<T> {
  let paid = false;
  for (let repeats = 0; ; repeats++) {
    try {
      const answer = await ask();
      policy.budget.earn(paid);
      return answer;
    } catch (error) {
      const most = repeatable(error);
      if (most === 0) throw error;
      if (repeats >= most) throw toRetryProblem(error);
      if (!isConflict(error)) {
        spendRetryToken(policy, error);
        paid = true;
      }
      await policy.pause(repeats);
    }
  }
}

/** True for a conflict with a transaction under way: waiting for it costs the table nothing, and so no token. */
const isConflict = (error: unknown): boolean => error instanceof Contended && !error.throttled;

/** Takes the token for one repeat. The problem of the error when no token is left. */
export function spendRetryToken({ budget }: RetryPolicy, error: unknown = new Contended(true)): void {
  if (!budget.take()) throw toRetryProblem(error);
}

/** The problem that callers get for an error that repeats did not cure. */
export function toRetryProblem(error: unknown): Problem {
  if (error instanceof OutcomeUnknown) return createNoAnswerProblem();
  return isConflict(error)
    ? new Problem("unavailable", "the store is busy; try again", { retryAfter: 1 })
    : new Problem("throttled", "the store takes no more requests now; try again", { retryAfter: 1 });
}

/** The problem where a read, or a write that can simply be sent again, got no answer. */
export function createNoAnswerProblem(): Problem {
  return new Problem("unavailable", "the store did not answer; try again", { retryAfter: 1 });
}
