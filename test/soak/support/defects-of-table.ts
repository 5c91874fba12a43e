import { type Defects, suite } from "./defect.ts";
import { at, changeOperator, keep, moveBefore, remove, replace } from "./mutation.ts";

/** Defects in retries, timeouts and batches at the table, and in the transaction of a commit. */
export const TABLE_DEFECTS: Defects = {
  "waiting-for-a-transaction-paid-for": {
    planted: ["runWithRetry", replace(at("unary"), "true")],
    caughtBy: [suite("test/store/table/retry.test.ts", "is not used to wait for another")],
  },
  "repeats-that-succeed-never-paid-back": {
    planted: ["createRetryBudget.earn", replace(at("conditional", "repeated", { part: "consequent" }), "0")],
    caughtBy: [suite("test/store/table/retry.test.ts", "gets the token of a retry back when it")],
  },
  "commit-in-conflict-sent-again": {
    planted: ["COMMIT", keep("left", at("logical", "throttled"))],
    caughtBy: [suite("test/store/table/retry.test.ts", "is sent once")],
  },
  "pauses-that-do-not-grow": {
    planted: ["createRetryPolicy.pause", replace(at("binary", "repeats", { part: "right" }), "Math.min($, 0)")],
    caughtBy: [suite("test/store/table/retry.test.ts", "the backoff grows up to a second")],
  },
  "rest-of-a-batch-of-reads-forgotten": {
    planted: ["createRetryingTable.batchGet", keep("elements.1.argument", at("array", "left"))],
    caughtBy: [suite("test/store/table/batch-writes.wire.test.ts", "a batch of reads")],
  },
  "batch-sent-after-a-failure": {
    planted: ["sendInBatches.work", changeOperator(at("binary", "length"), "<")],
    caughtBy: [suite("test/store/table/retry.test.ts", "nothing more is sent")],
  },
  "lanes-of-a-partition-that-takes-nothing": {
    planted: ["Throttle.admit", keep("alternate", at("conditional", "fruitless"))],
    caughtBy: [suite("test/store/table/batch-writes.test.ts")],
  },
  "stalled-partition-asked-for-ever": {
    planted: ["Throttle.noteStall", remove(at("if", "toRetryProblem"))],
    caughtBy: [suite("test/store/table/batch-writes.test.ts", "a partition that accepts nothing")],
  },
  "repeats-of-a-batch-not-paid-for": {
    planted: ["Throttle.noteStall", remove(at("statement", "spendRetryToken"))],
    caughtBy: [suite("test/store/table/batch-writes.test.ts", "gets no further request without retry")],
  },
  "conflict-taken-for-a-throttle": {
    planted: ["translateCancellation", replace(at("unary", "TransactionConflict"), "true")],
    caughtBy: [suite("test/store/table/retry.wire.test.ts", "is distinguished from a throttled one")],
  },
  "item-in-the-way-not-asked-for": {
    planted: ["toTransactItem", remove(at("property", "ReturnValuesOnConditionCheckFailure"))],
    caughtBy: [suite("test/store/table/dynamo-answers.wire.test.ts", "report which of them failed")],
  },
  "no-time-left-to-settle": {
    planted: ["createTimeout", keep("left", at("binary", "2"))],
    caughtBy: [suite("test/store/table/dynamo-answers.wire.test.ts", "is given up before the deadline")],
  },
  "pieces-expire-before-their-item": {
    planted: ["splitValue", changeOperator(at("binary", "expiresAt"), "-")],
    caughtBy: [suite("test/store/table/pieces.test.ts")],
  },
  "large-value-held-in-one-item": {
    planted: ["splitValue", replace(at("binary", "most", { part: "right" }), "$ * 1_000")],
    caughtBy: [suite("test/store/jobs/job-store.test.ts", "replays its answer, and no item")],
  },
  "absence-in-the-log-taken-for-not-done": {
    planted: ["readOutcome", replace(at("literal", "unknown", { nth: 1 }), '"moved"')],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "record-not-last": {
    planted: ["createTransaction", moveBefore(at("spread", "write"), at("spread", "writes"))],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "answer-kept-without-its-pieces": {
    planted: ["createTransaction", keep("alternate", at("conditional", "before"))],
    caughtBy: [suite("test/store/table/pieces.test.ts")],
  },
  "large-transaction-taken-for-one-that-fits": {
    planted: ["transaction.fits", keep("left", at("logical", "length"))],
    caughtBy: [suite("test/store/commit/transaction-sizes.test.ts", "transactionBytes")],
  },
  "newcomer-forgets-what-it-read": {
    planted: ["mergeWrites", keep("consequent", at("conditional", "equal"))],
    caughtBy: [suite("test/actions/batch.test.ts", "refuses a key that an earlier entry")],
  },
  "sweep-of-one-place-for-another-model": {
    planted: ["createDeletionWrites", replace(at("identifier", "id", { nth: 5 }), "kind")],
    caughtBy: [suite("test/actions/batch.test.ts", "deletes several models at once")],
  },
  "tag-seen-before-its-commit": {
    planted: ["readTagsRevision", remove(at("spread"))],
    caughtBy: [suite("test/store/read/partly-visible-commits.test.ts", "a link to a tag that is visible before")],
  },
  "newest-tags-not-asked-for": {
    planted: ["readTagsRevision", changeOperator(at("binary", "before"), "<")],
    caughtBy: [suite("test/store/read/past-properties.test.ts")],
  },
  "settled-before-it-shows": {
    planted: ["readOperation", replace(at("await", "logKey"), "[await table.get(logKey(ledger, revision))]")],
    caughtBy: [suite("test/store/read/partly-visible-commits.test.ts", "after a lost answer")],
  },
  "replayed-before-it-shows": {
    planted: ["replayAnswer", remove(at("if", "isListed"))],
    caughtBy: [suite("test/store/read/partly-visible-commits.test.ts", "the same idempotency key")],
  },
};
