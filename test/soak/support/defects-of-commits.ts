import { type Defects, suite } from "./defect.ts";
import { at, changeOperator, keep, moveBefore, remove, replace } from "./mutation.ts";

/**
 * Defects in commits: their conditions, writes and answer, concurrent calls, owned objects, tags, batches, and the
 * table.
 */
export const COMMIT_DEFECTS: Defects = {
  "log-without-condition": {
    planted: ["createTransaction", replace(at("property", "absent"), "absentOrEqual: { v: 1 }")],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "update-without-revision-condition": {
    planted: ["createUpdateWrites", replace(at("call", "expectAsRead", { nth: 1 }), "{ anything: true }")],
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "does not undo later changes")],
  },
  "delete-without-revision-condition": {
    planted: ["createDeletionWrites", replace(at("call", "expectAsRead"), "{ anything: true }")],
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "does not delete it")],
  },
  "create-without-absence-condition": {
    planted: [
      "createCreationWrites",
      replace(at("call", "replaces"), "$.map((one) => ({ ...one, expect: { anything: true } }))"),
    ],
    caughtBy: [
      suite("test/simulation/schedules.test.ts", "one order of commits"),
      suite("test/actions/objects.test.ts", "a key that another one in its scope has"),
    ],
  },
  "rename-without-absence-condition": {
    planted: [
      "createUpdateWrites",
      replace(at("call", "replaces"), "$.map((one) => ({ ...one, expect: { anything: true } }))"),
    ],
    caughtBy: [suite("test/every-action/update-fields.test.ts", "refuses the key of another object")],
  },
  "summary-without-absence-condition": {
    planted: ["createNewSummaryWrites", replace(at("identifier", "NO_SUMMARY"), "{ anything: true }")],
    caughtBy: [
      suite("test/actions/model.test.ts", "given a key that is taken"),
      suite("test/simulation/schedules.test.ts", "one order of commits"),
    ],
  },
  "conflict-swallowed": {
    planted: ["sendCommit", replace(at("literal", "contended"), "{ revision }")],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "refusal-swallowed": {
    planted: ["interpretRefusal", replace(at("literal", "conflict", { nth: 1 }), "{ revision }")],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "unknown-outcome-counted-as-failure": {
    planted: ["sendCommit", replace(at("call", "readOutcome"), '"moved"')],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "unknown-outcome-counted-as-success": {
    planted: ["sendCommit", replace(at("call", "readOutcome"), "{ revision }")],
    caughtBy: [suite("test/store/commit/unknown-outcomes.test.ts", "a write without an answer")],
  },
  "own-operation-not-recognised": {
    planted: ["readOutcome", keep("alternate", at("conditional", "conflict"))],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "own-work-taken-for-a-twins": {
    planted: ["interpretRefusal", remove(at("if", "found"))],
    caughtBy: [suite("test/store/commit/unknown-outcomes.test.ts", "by the refusal of its second attempt")],
  },
  "model-deleted-without-tombstone": {
    planted: ["computeFacts", remove(at("if", "deleted"))],
    caughtBy: [suite("test/actions/model.test.ts", "removes the model by key and by id")],
  },
  "new-key-not-in-the-head": {
    planted: ["computeFacts", remove(at("if", "after"))],
    caughtBy: [suite("test/actions/model.test.ts", "model_update_key")],
  },
  "id-left-behind": {
    planted: ["createDeletionWrites", replace(at("call", "toIdItem"), "!$")],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "id-leads-to-the-old-place": {
    planted: ["createUpdateWrites", remove(at("spread", "put"))],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "entity-deleted-without-sweep-note": {
    planted: ["createDeletionWrites", remove(at("object", "put"))],
    caughtBy: [suite("test/store/sweep/sweep.test.ts", "of an entity is visible at once")],
  },
  "entity-deletion-looks-at-visible-attributes-alone": {
    planted: ["entityDelete.run", remove(at("identifier", "lookBack", { nth: 4 }))],
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "left to the sweeper")],
  },
  "attribute-deleted-but-not-from-the-primary-key": {
    planted: ["entityAttributeDelete.run", remove(at("spread", "primaryKey"))],
    caughtBy: [suite("test/actions/attribute.test.ts", "leaves it when it is deleted")],
  },
  "own-former-key-taken-for-another-models": {
    planted: ["isKeyTaken", keep("left", at("logical", "ledgerId"))],
    caughtBy: [suite("test/store/read/former-keys.test.ts", "a model that is restored to a key")],
  },
  "moved-row-behind-the-page-dropped": {
    planted: ["listModels", replace(at("logical", "cursor"), "$ || (after !== undefined && row.key > after)")],
    caughtBy: [suite("test/store/read/former-keys.test.ts", "while its new row")],
  },
  "moved-row-kept-from-the-older-list": {
    planted: ["listModels", keep("left", at("logical", "revision"))],
    caughtBy: [suite("test/store/read/former-keys.test.ts", "that it left its former key")],
  },
  "owned-rows-unnoticed": {
    planted: ["createReads.isTouchedBy", replace(at("conditional", "delete"), "undefined")],
    caughtBy: [suite("test/store/read/read-objects.test.ts")],
  },
  "superseded-worker-fails-the-job-of-its-successor": {
    planted: ["createJobStore.fail", replace(at("binary", "epoch"), "true")],
    caughtBy: [suite("test/store/jobs/job-store.test.ts", "a worker that lost its job")],
  },
  "entries-of-another-generation-laid-over": {
    planted: ["filterByGeneration", replace(at("binary", "generation"), "true")],
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  "snapshot-taken-for-exact-after-a-write": {
    planted: ["Stage.hold", remove(at("if", "snapshot"))],
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  "published-staging-swept": {
    planted: ["closeIfAbandoned", replace(at("logical", "open"), 'staging.state === "closed"')],
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  "publication-confirmed-as-if-it-changed-nothing": {
    planted: ["createReads.isTouchedBy", replace(at("if", "live", { part: "consequent.argument" }), "false")],
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  "object-newer-than-the-head-believed": {
    planted: ["readObject", keep("left", at("logical", "revision"))],
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  "summary-keeps-what-was-before": {
    planted: ["createMovedSummaryWrites", replace(at("call", "toSummaryItem", { part: "arguments.0" }), "before")],
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  "what-a-batch-left-counts-as-written": {
    planted: ["sendUntilAccepted", replace(at("await", "send"), "($).slice(1)")],
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  "late-tag-taken-for-a-dead-one": {
    planted: ["listLiveTagLinks", remove(at("call", "tag", { part: "arguments.2" }))],
    caughtBy: [suite("test/store/read/partly-visible-commits.test.ts")],
  },
  "group-of-a-tag-not-required": {
    planted: ["findTagLink", remove(at("member", ["group", "found"]))],
    caughtBy: [suite("test/store/commit/tag-races.test.ts", "at any point of a call that links it")],
  },
  "sweep-of-what-an-owner-held-not-noted": {
    planted: ["createDeletionWrites", replace(at("unary", "hasDependents"), '$ || before.kind === "tag_group"')],
    caughtBy: [suite("test/store/sweep/deleted-tags.test.ts", "deleted tags are invisible at once")],
  },
  "business-key-of-a-removed-entity-listed": {
    planted: ["createOwnerFilter", keep("callee.object", at("call", ["filter", "get"]))],
    caughtBy: [suite("test/actions/business-key.test.ts", "deletes the entity's business keys")],
  },
  "leftover-overwritten-without-its-revision": {
    planted: ["createArrivalWrites", replace(at("object", "absentOrEqual"), "{ anything: true }")],
    caughtBy: [suite("test/guarantees/concurrent-keys.test.ts", "does not overwrite the item")],
  },
  "rule-of-an-entry-not-asked": {
    planted: ["prepareEntries", remove(at("statement", "authorize"))],
    caughtBy: [suite("test/actions/batch-rules.test.ts", "any signed-in caller may run a batch")],
  },
  "second-change-of-an-object-lost-in-a-batch": {
    planted: ["StagedObjects.stage", replace(at("statement", "update"), "if (known?.before && known.after) return; $")],
    caughtBy: [
      suite("test/actions/batch.test.ts", "renaming, retyping and describing"),
      suite("test/store/publish/batch-large.test.ts"),
    ],
  },
  "values-taken-out-of-an-enum-not-seen": {
    planted: ["assessChoices", replace(at("variable", "gone", { part: "init" }), "new Set()")],
    caughtBy: [suite("test/domain/constraints-compared.test.ts", "one value for another")],
  },
  "open-end-of-a-range-taken-for-a-closed-one": {
    planted: ["assessBound", keep("left", at("logical", "isTighter"))],
    caughtBy: [suite("test/domain/constraints-compared.test.ts", "an end left out")],
  },
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
    caughtBy: [suite("test/store/table/batch-writes.test.ts", "no further batch is sent")],
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
