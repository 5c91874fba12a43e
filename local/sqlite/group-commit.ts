import type { DatabaseSync } from "node:sqlite";
import { ConditionFailed, OutcomeUnknown } from "../../shared/store/table/table.ts";

/** Work that reads and writes the database. It may throw `ConditionFailed` before it writes anything. */
type Work<T> = () => T;

/** Commits the writes of many callers in one transaction. */
export interface GroupCommit {
  /**
   * Resolves when the writes of `work` are on disk. Rejects with its `ConditionFailed`, or with `OutcomeUnknown` if the
   * disk failed.
   */
  run<T>(work: Work<T>): Promise<T>;
  /** Commits the waiting work. */
  flush(): void;
}

interface Waiting {
  readonly work: Work<unknown>;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Creates a group commit for the work of one turn of the event loop, because a commit blocks until the disk has it.
 * Every answer, including a refusal, waits until the data it depends on is on disk.
 */
export function createGroupCommit(database: DatabaseSync): GroupCommit {
  let waiting: Waiting[] = [];
  const flush = (): void => {
    const group = waiting;
    waiting = [];
    if (group.length > 0) commitGroup(database, group);
  };
  return {
    flush,
    run: (work) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ work, resolve, reject });
      }),
  };
}

function commitGroup(database: DatabaseSync, group: readonly Waiting[]): void {
  const answers: (() => void)[] = [];
  try {
    database.exec("BEGIN IMMEDIATE");
    for (const { work, resolve, reject } of group) answers.push(runWork(work, resolve, reject));
    database.exec("COMMIT");
  } catch (error) {
    // For example a full disk. The writes are lost, unless the disk failed after it took them.
    if (database.isTransaction) database.exec("ROLLBACK");
    for (const { reject } of group) reject(new OutcomeUnknown(error));
    return;
  }
  for (const answer of answers) answer();
}

/** Runs one piece of work. Returns the function that answers its caller once the transaction is on disk. */
function runWork(work: Work<unknown>, resolve: Waiting["resolve"], reject: Waiting["reject"]): () => void {
  try {
    const answer = work() as never;
    return () => resolve(answer);
  } catch (error) {
    // Another error may have come between two writes.
    if (!(error instanceof ConditionFailed)) throw error;
    return () => reject(error);
  }
}
