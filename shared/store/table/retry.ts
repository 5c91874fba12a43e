import type { Runtime } from "../../actions/contract/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import type { ItemKey } from "./keys.ts";
import {
  ConditionFailed,
  Contention,
  FORMAT,
  type Item,
  OutcomeUnknown,
  type Table,
  Unread,
  type Write,
} from "./table.ts";

/*
 * Requests are repeated only here; the client below sends every request once.
 *
 * |                                  | a read                | a write               | a commit              |
 * |----------------------------------|-----------------------|-----------------------|-----------------------|
 * | throttled                        | repeat, for a token   | repeat, for a token   | repeat, for a token   |
 * | in conflict with a transaction   | repeat                | repeat                | error to the sender   |
 * | no answer                        | repeat, for a token   | error to the sender   | error to the sender   |
 * | after all repeats                | 429 or 503            | 429 or 503            | 429                   |
 *
 * A write without an answer may have been applied; only its sender knows where to check. A commit in conflict has most
 * likely met the commit that takes its revision, so its sender decides again. Batches of writes keep their errors:
 * `batch-writes.ts` repeats the unprocessed rows.
 */

export const MAX_REPEATS = 8;
/** Repeats of a read without an answer: the connection may have been cut while the process was suspended. */
const MAX_UNANSWERED_REPEATS = 2;
/** Keys of one request, the limit of BatchGetItem. */
const KEYS_PER_REQUEST = 100;

/** Budget of repeats for one process, as in the AWS SDK, so that repeats do not overload a busy table. */
export class RetryBudget {
  static readonly #full = LIMITS.retryTokens * LIMITS.successesPerRetryToken;
  #left = RetryBudget.#full;

  take(): boolean {
    if (this.#left < LIMITS.successesPerRetryToken) return false;
    this.#left -= LIMITS.successesPerRetryToken;
    return true;
  }

  /** Records a success: returns the token of a repeated request, or adds a fraction of a token. */
  earn(isRepeat: boolean): void {
    this.#left = Math.min(RetryBudget.#full, this.#left + (isRepeat ? LIMITS.successesPerRetryToken : 1));
  }
}

/** Pauses between repeats, and the budget that pays for the repeats. */
export interface RetryPolicy {
  /** Waits a random time of up to 20 ms, doubled with each repeat, at most one second (full jitter). */
  pause(repeats: number): Promise<void>;
  readonly budget: RetryBudget;
}

/** Creates a policy. `budget` is the one of the process if several calls share it. */
export function createRetryPolicy(
  runtime: Pick<Runtime, "random" | "sleep">,
  budget: RetryBudget = new RetryBudget(),
): RetryPolicy {
  return { pause: (repeats) => runtime.sleep(runtime.random() * Math.min(1_000, 20 * 2 ** repeats)), budget };
}

/** Table that repeats failed requests by the rules of this file. */
export interface RetryingTable extends Table {
  /** Reads any number of keys. Returns the items found, in no order. */
  batchGet(keys: readonly ItemKey[]): Promise<readonly Item[]>;
  /** Sends the transaction of a commit. Throws `ConditionFailed`, `OutcomeUnknown`, or `Contention` on a conflict. */
  commit(writes: readonly Write[]): Promise<void>;
}

/** Creates a table that repeats requests and converts lasting errors to problems. */
export function createRetryingTable(table: Table, policy: RetryPolicy): RetryingTable {
  return {
    ...table,
    get: async (key) => {
      const item = await runWithRetry(policy, READ, () => table.get(key));
      requireKnownFormat([item]);
      return item;
    },
    query: async (range) => {
      const page = await runWithRetry(policy, READ, () => table.query(range));
      requireKnownFormat(page.items);
      return page;
    },
    transactGet: async (keys) => {
      const items = await runWithRetry(policy, READ, () => table.transactGet(keys));
      requireKnownFormat(items);
      return items;
    },
    batchGet: async (keys) => {
      const items: Item[] = [];
      for (let left = keys; left.length > 0; ) {
        const batch = left.slice(0, KEYS_PER_REQUEST);
        const part = await runWithRetry(policy, READ, () => readPart(table, batch));
        requireKnownFormat(part.items);
        items.push(...part.items);
        left = [...part.left, ...left.slice(batch.length)];
        // The table read some of the keys, so that the rest costs no token.
        if (part.left.length > 0) await policy.pause(0);
      }
      return items;
    },
    write: (one) => runWithRetry(policy, WRITE, () => table.write(one)),
    transactWrite: (writes) => runWithRetry(policy, WRITE, () => table.transactWrite(writes)),
    commit: (writes) => runWithRetry(policy, COMMIT, () => table.transactWrite(writes)),
  };
}

/** Throws `newer_format` for an item of a later version of the service, which would lose members if written back. */
export function requireKnownFormat(items: readonly (Item | undefined)[]): void {
  const newer = items.find((item) => item !== undefined && item.v > FORMAT);
  if (!newer) return;
  const formats = `format ${newer.v}, and this version of the service reads formats up to ${FORMAT}`;
  throw new Problem("newer_format", `the store has data of ${formats}; try again after the update`, { retryAfter: 5 });
}

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

/** Returns the number of repeats after an error; 0 if the error is thrown. */
type Repeatable = (error: unknown) => number;

const READ: Repeatable = (error) => (error instanceof OutcomeUnknown ? MAX_UNANSWERED_REPEATS : WRITE(error));
const WRITE: Repeatable = (error) => (error instanceof Contention ? MAX_REPEATS : 0);
const COMMIT: Repeatable = (error) => (error instanceof Contention && error.throttled ? MAX_REPEATS : 0);

async function runWithRetry<T>(policy: RetryPolicy, repeatable: Repeatable, ask: () => Promise<T>): Promise<T> {
  let isPaid = false;
  for (let repeats = 0; ; repeats++) {
    try {
      const answer = await ask();
      policy.budget.earn(isPaid);
      return answer;
    } catch (error) {
      if (error instanceof ConditionFailed) requireKnownFormat(error.items);
      const most = repeatable(error);
      if (most === 0) throw error;
      if (repeats >= most) throw toRetryProblem(error);
      if (!isConflict(error)) {
        spendRetryToken(policy, error);
        isPaid = true;
      }
      await policy.pause(repeats);
    }
  }
}

/** Returns true for a conflict with a transaction under way. Waiting for it costs no token. */
const isConflict = (error: unknown) => error instanceof Contention && !error.throttled;

/** Takes the token for one repeat. Throws the problem of the error if no token is left. */
export function spendRetryToken({ budget }: RetryPolicy, error: unknown = new Contention(true)): void {
  if (!budget.take()) throw toRetryProblem(error);
}

/** Converts an error that repeats did not resolve to a problem for callers. */
export function toRetryProblem(error: unknown): Problem {
  if (error instanceof OutcomeUnknown) return createNoAnswerProblem();
  return isConflict(error)
    ? new Problem("unavailable", "the store is busy; try again", { retryAfter: 1 })
    : new Problem("throttled", "the store accepts no more requests now; try again", { retryAfter: 1 });
}

/** Creates the problem of a read or a repeatable write that got no answer. */
export function createNoAnswerProblem(): Problem {
  return new Problem("unavailable", "the store did not answer; try again", { retryAfter: 1 });
}
