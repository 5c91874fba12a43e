import type { DatabaseSync } from "node:sqlite";
import { ConditionFailed, OutcomeUnknown } from "../../shared/store/table/table.ts";

/** Work that reads and writes the database. A `ConditionFailed` it throws before it has written anything. */
type Work<T> = () => T;

/** Writes of many callers, which one transaction of the database commits together. */
export interface GroupCommit {
  /** Resolves when what `work` wrote is on the disk. Rejects with its `ConditionFailed`, or with `OutcomeUnknown` where the disk failed. */
  run<T>(work: Work<T>): Promise<T>;
  /** Commits the work that waits. */
  flush(): void;
}

interface Waiting {
  readonly work: Work<unknown>;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers the work that arrives in one turn of the event loop: a commit waits for the disk, and nothing else runs
 * meanwhile. Every answer, a refusal too, waits until the data it rests on is on the disk.
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
    // A full disk, for example. The writes of the transaction are gone, unless the disk failed after it took all.
    if (database.isTransaction) database.exec("ROLLBACK");
    for (const { reject } of group) reject(new OutcomeUnknown(error));
    return;
  }
  for (const answer of answers) answer();
}

/** Runs one piece of work and tells how its caller is answered once the transaction is on the disk. */
function runWork(work: Work<unknown>, resolve: Waiting["resolve"], reject: Waiting["reject"]): () => void {
  try {
    const answer = work() as never;
    return () => resolve(answer);
  } catch (error) {
    // Any other error may have come between two writes.
    if (!(error instanceof ConditionFailed)) throw error;
    return () => reject(error);
  }
}
