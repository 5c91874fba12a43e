import { type Defect, suite } from "./defect.ts";
import { at, changeOperator, keep, moveBefore, remove, replace } from "./mutation.ts";

/** Defects in retries, timeouts and batches at the table, and in the transaction of a commit. */
export const TABLE_DEFECTS: readonly Defect[] = [
  {
    name: "waiting-for-a-transaction-paid-for",
    where: "runWithRetry",
    mutation: replace(at("unary"), "true"),
    caughtBy: [suite("test/store/table/retry.test.ts", "is not used to wait for another")],
  },
  {
    name: "repeats-that-succeed-never-paid-back",
    where: "createRetryBudget.earn",
    mutation: replace(at("conditional", "repeated", { part: "consequent" }), "0"),
    caughtBy: [suite("test/store/table/retry.test.ts", "gets the token of a retry back when it")],
  },
  {
    name: "commit-in-conflict-sent-again",
    where: "COMMIT",
    mutation: keep("left", at("logical", "throttled")),
    caughtBy: [suite("test/store/table/retry.test.ts", "is sent once")],
  },
  {
    name: "pauses-that-do-not-grow",
    where: "createRetryPolicy.pause",
    mutation: replace(at("binary", "repeats", { part: "right" }), "Math.min($, 0)"),
    caughtBy: [suite("test/store/table/retry.test.ts", "the backoff grows up to a second")],
  },
  {
    name: "rest-of-a-batch-of-reads-forgotten",
    where: "createRetryingTable.batchGet",
    mutation: keep("elements.1.argument", at("array", "left")),
    caughtBy: [suite("test/store/table/batch-writes.wire.test.ts", "a batch of reads")],
  },
  {
    name: "batch-sent-after-a-failure",
    where: "sendInBatches.work",
    mutation: changeOperator(at("binary", "length"), "<"),
    caughtBy: [suite("test/store/table/retry.test.ts", "nothing more is sent")],
  },
  {
    name: "lanes-of-a-partition-that-takes-nothing",
    where: "Throttle.admit",
    mutation: keep("alternate", at("conditional", "fruitless")),
    caughtBy: [suite("test/store/table/batch-writes.test.ts")],
  },
  {
    name: "stalled-partition-asked-for-ever",
    where: "Throttle.noteStall",
    mutation: remove(at("if", "toRetryProblem")),
    caughtBy: [suite("test/store/table/batch-writes.test.ts", "a partition that accepts nothing")],
  },
  {
    name: "repeats-of-a-batch-not-paid-for",
    where: "Throttle.noteStall",
    mutation: remove(at("statement", "spendRetryToken")),
    caughtBy: [suite("test/store/table/batch-writes.test.ts", "gets no further request without retry")],
  },
  {
    name: "conflict-taken-for-a-throttle",
    where: "translateCancellation",
    mutation: replace(at("unary", "TransactionConflict"), "true"),
    caughtBy: [suite("test/store/table/retry.wire.test.ts", "is distinguished from a throttled one")],
  },
  {
    name: "item-in-the-way-not-asked-for",
    where: "toTransactItem",
    mutation: remove(at("property", "ReturnValuesOnConditionCheckFailure")),
    caughtBy: [suite("test/store/table/dynamo-answers.wire.test.ts", "report which of them failed")],
  },
  {
    name: "no-time-left-to-settle",
    where: "createTimeout",
    mutation: keep("left", at("binary", "2")),
    caughtBy: [suite("test/store/table/dynamo-answers.wire.test.ts", "is given up before the deadline")],
  },
  {
    name: "pieces-expire-before-their-item",
    where: "splitValue",
    mutation: changeOperator(at("binary", "expiresAt"), "-"),
    caughtBy: [suite("test/store/table/pieces.test.ts")],
  },
  {
    name: "large-value-held-in-one-item",
    where: "splitValue",
    mutation: replace(at("binary", "most", { part: "right" }), "$ * 1_000"),
    caughtBy: [suite("test/store/jobs/job-store.test.ts", "replays its answer, and no item")],
  },
  {
    name: "absence-in-the-log-taken-for-not-done",
    where: "readOutcome",
    mutation: replace(at("literal", "unknown", { nth: 1 }), '"moved"'),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "record-not-last",
    where: "createTransaction",
    mutation: moveBefore(at("spread", "write"), at("spread", "writes")),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "answer-kept-without-its-pieces",
    where: "createTransaction",
    mutation: keep("alternate", at("conditional", "before")),
    caughtBy: [suite("test/store/table/pieces.test.ts")],
  },
  {
    name: "large-transaction-taken-for-one-that-fits",
    where: "transaction.fits",
    mutation: keep("left", at("logical", "length")),
    caughtBy: [suite("test/store/commit/transaction-sizes.test.ts", "transactionBytes")],
  },
  {
    name: "newcomer-forgets-what-it-read",
    where: "mergeWrites",
    mutation: keep("consequent", at("conditional", "equal")),
    caughtBy: [suite("test/actions/batch.test.ts", "refuses a key that an earlier entry")],
  },
  {
    name: "sweep-of-one-place-for-another-model",
    where: "createDeletionWrites",
    mutation: replace(at("identifier", "id", { nth: 5 }), "kind"),
    caughtBy: [suite("test/actions/batch.test.ts", "deletes several models at once")],
  },
  {
    name: "tag-seen-before-its-commit",
    where: "readTagsRevision",
    mutation: remove(at("spread")),
    caughtBy: [suite("test/store/read/partly-visible-commits.test.ts", "a link to a tag that is visible before")],
  },
  {
    name: "newest-tags-not-asked-for",
    where: "readTagsRevision",
    mutation: changeOperator(at("binary", "before"), "<"),
    caughtBy: [suite("test/store/read/past-properties.test.ts")],
  },
  {
    name: "settled-before-it-shows",
    where: "readOperation",
    mutation: replace(at("await", "logKey"), "[await table.get(logKey(ledger, revision))]"),
    caughtBy: [suite("test/store/read/partly-visible-commits.test.ts", "after a lost answer")],
  },
  {
    name: "replayed-before-it-shows",
    where: "replayAnswer",
    mutation: remove(at("if", "isListed")),
    caughtBy: [suite("test/store/read/partly-visible-commits.test.ts", "the same idempotency key")],
  },
];
