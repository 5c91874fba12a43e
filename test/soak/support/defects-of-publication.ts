import { type Defects, suite } from "./defect.ts";
import { at, changeOperator, keep, remove, replace } from "./mutation.ts";

/**
 * Defects in writing a generation, publishing it and sweeping what remains of it, and in snapshots, copies and
 * restorations.
 */
export const PUBLICATION_DEFECTS: Defects = {
  "published-before-the-children-are-staged": {
    planted: ["Stage.hold", keep("argument", at("await", "partition"))],
    caughtBy: [suite("test/store/publish/publication.test.ts", "never publishes a generation")],
  },
  "published-without-the-open-staging-record": {
    planted: ["Stage.createPublishingWrites", replace(at("call", "expectOwnStaging"), "{ anything: true }")],
    caughtBy: [
      suite("test/store/publish/publication.test.ts", "of a writer that seemed dead does not"),
      suite("test/store/publish/publication-onto.test.ts", "with a closed record does not happen"),
    ],
  },
  "staging-record-written-last": {
    planted: ["Stage.begin", remove(at("statement", "context"))],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "snapshot-omitted": {
    planted: ["Stage.writeList", remove(at("statement", "putBlob"))],
    caughtBy: [suite("test/store/publish/publication.test.ts", "snapshot included")],
  },
  "spoilt-generation-published": {
    planted: ["abandonOnFailure", replace(at("if"), "if (error instanceof OutcomeUnknown) return undefined; $")],
    caughtBy: [suite("test/store/publish/publication.test.ts", "never publishes a generation")],
  },
  "overtaking-commits-not-replayed": {
    planted: ["toBlobFields", remove(at("spread", "at"))],
    caughtBy: [suite("test/store/publish/publication-onto.test.ts", "includes unrelated ones, and does not")],
  },
  "replaced-generation-not-noted": {
    planted: ["Stage.createPublishingWrites", keep("right", at("logical", "length"))],
    caughtBy: [suite("test/store/publish/publication-onto.test.ts", "keeps the generation that it replaces")],
  },
  "what-is-gone-stays-staged": {
    planted: ["Stage.hold", remove(at("statement", "deleteAll"))],
    caughtBy: [suite("test/store/publish/publication-onto.test.ts", "includes unrelated ones, and does not")],
  },
  "taken-key-published-over": {
    planted: ["publishStage", remove(at("if", "taken"))],
    caughtBy: [suite("test/store/publish/publication-onto.test.ts", "finds its key taken")],
  },
  "pinned-publication-overtaken": {
    planted: ["publishStage", replace(at("logical", "decidedAt"), "false")],
    caughtBy: [suite("test/store/publish/publication-onto.test.ts", "with If-Match")],
  },
  "slow-publisher-shows-no-life": {
    planted: ["Stage.hold", remove(at("statement", "renewIfDue"))],
    caughtBy: [suite("test/store/publish/publication-onto.test.ts", "renews its lease")],
  },
  "large-changes-not-read": {
    planted: ["readChanges", replace(at("binary", "blob"), "true")],
    caughtBy: [suite("test/store/log/large-log-entries.test.ts", "are applied to reads that do not show")],
  },
  "large-changes-read-by-everybody": {
    planted: ["isUnseenArrival", replace(at("literal", "false"), "true")],
    caughtBy: [
      suite("test/store/log/large-log-entries.test.ts", "and by no other"),
      suite("test/store/log/recent-entries.test.ts", "read changes in a blob only if"),
    ],
  },
  "what-large-changes-touched-not-named": {
    planted: ["toLogItem", replace(at("call", "pack", { part: "arguments.0" }), "[]")],
    caughtBy: [suite("test/store/log/large-log-entries.test.ts", "are applied to reads that do not show")],
  },
  "blob-of-large-changes-not-taken-from-the-sweeper": {
    planted: ["planStagedBlob", remove(at("call", "push", { nth: 1 }))],
    caughtBy: [suite("test/store/log/large-log-entries.test.ts", "of a writer that paused too long")],
  },
  "staged-write-sent-again": {
    planted: ["sendUntilAccepted", replace(at("throw"), "if (error.cause === undefined) $ else continue;")],
    caughtBy: [suite("test/store/publish/publication.test.ts", "never publishes a generation")],
  },
  "sent-again-by-the-client-below": {
    planted: ["createClient", replace(at("property", "maxAttempts", { part: "value" }), "3")],
    caughtBy: [
      suite("test/store/table/dynamo-answers.wire.test.ts", "it is never sent twice"),
      suite("test/store/table/retry.wire.test.ts", "costs every process a bounded number"),
    ],
  },
  "spoilt-stage-written-on": {
    planted: ["STAGE_AFTER", replace(at("literal", "abandoned"), '"kept"')],
    caughtBy: [suite("test/store/publish/publication.test.ts", "never publishes a generation")],
  },
  "swept-stage-written-on-and-left": {
    planted: ["Stage.leave", replace(at("logical", "closed"), "true")],
    caughtBy: [suite("test/store/publish/stage.test.ts", "late writes into a swept stage")],
  },
  "stage-of-unknown-fate-written-on": {
    planted: ["STAGE_AFTER", replace(at("property", "unknown", { part: "value" }), '"kept"')],
    caughtBy: [suite("test/store/publish/publication-onto.test.ts", "left alone")],
  },
  "stage-of-a-refused-call-left-behind": {
    planted: ["STAGE_AFTER", replace(at("property", "problem", { part: "value" }), '"left"')],
    caughtBy: [suite("test/store/publish/publication-onto.test.ts", "finds its key taken")],
  },
  "staged-although-it-takes-too-long": {
    planted: ["createStagingTime.check", replace(at("call", "min"), "LIMITS.callMs")],
    caughtBy: [
      suite("test/store/jobs/predicted-time.test.ts", "callStagingMs"),
      suite("test/store/jobs/predicted-time.test.ts", "handOverMs"),
    ],
  },
  "slow-table-not-noticed": {
    planted: ["createStagingTime.trackProgress", remove(at("if", "deadline"))],
    caughtBy: [suite("test/store/jobs/predicted-time.test.ts", "a table that is slower than predicted")],
  },
  "silence-of-the-store-told-as-other-writers": {
    planted: ["outOfTries", replace(at("literal", "staging_abandoned"), '"conflict_after_staging"')],
    caughtBy: [suite("test/store/publish/publication.test.ts", "of a writer that seemed dead does not")],
  },
  "unknown-outcome-told-as-not-done": {
    planted: ["answerWrite", keep("alternate", at("conditional", "code"))],
    caughtBy: [suite("test/store/commit/unknown-outcomes.test.ts", "if its second attempt cannot read")],
  },
  "job-without-the-precondition-of-its-call": {
    planted: ["createJobContext", remove(at("property", "ifMatch"))],
    caughtBy: [suite("test/store/commit/preconditions.test.ts", "a job that was accepted with If-Match")],
  },
  "pinned-model-that-is-only-read-moves-before-the-commit": {
    planted: ["planOtherWrites", remove(at("call", "unmoved"))],
    caughtBy: [
      suite("test/store/commit/preconditions.test.ts", "writes nothing if that model changes"),
      suite("test/store/commit/preconditions.test.ts", "publishes nothing if it changes before"),
      suite("test/store/commit/preconditions.test.ts", "a copy with If-Match"),
    ],
  },
  "pace-that-loses-patience-while-anything-is-taken": {
    planted: ["Throttle.noteProgress", remove(at("statement", "stalledAt"))],
    caughtBy: [suite("test/store/table/batch-writes.test.ts", "for a moment of every second")],
  },
  "pace-that-never-slows-down": {
    planted: ["Throttle.createPermit.release", remove(at("statement", "slowDown"))],
    caughtBy: [suite("test/store/table/batch-writes.test.ts", "are written at its rate, with few")],
  },
  "unprocessed-items-dropped": {
    planted: ["sendUntilAccepted", replace(at("await", "send"), "($, [])")],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "unprocessed-items-dropped-at-the-table": {
    planted: ["createWrites.sendBatch", replace(at("return", "UnprocessedItems", { part: "argument" }), "[]")],
    caughtBy: [suite("test/store/table/batch-writes.wire.test.ts")],
  },
  "unprocessed-keys-dropped-at-the-table": {
    planted: ["createReads.batchGet", remove(at("if", "length"))],
    caughtBy: [suite("test/store/table/batch-writes.wire.test.ts")],
  },
  "unprocessed-keys-asked-for-without-a-pause": {
    planted: ["createRetryingTable.batchGet", remove(at("if", "left"))],
    caughtBy: [suite("test/store/table/batch-writes.wire.test.ts", "a batch of reads")],
  },
  "throttle-taken-for-a-lost-answer": {
    planted: ["translateError", replace(at("call", "Contended"), "new OutcomeUnknown(error)")],
    caughtBy: [suite("test/store/table/retry.wire.test.ts", "is 429 for readers and writers")],
  },
  "read-without-an-answer-given-up": {
    planted: ["READ", keep("alternate", at("conditional"))],
    caughtBy: [
      suite("test/store/table/retry.wire.test.ts", "is read again"),
      suite("test/store/table/retry.test.ts", "is used for reads without an answer"),
    ],
  },
  "living-generation-swept": {
    planted: ["processNote", remove(at("if", "owner"))],
    caughtBy: [suite("test/store/sweep/sweep.test.ts", "of an entity is visible at once")],
  },
  "swept-without-second-look": {
    planted: ["finishNote", replace(at("logical", "round"), "false")],
    caughtBy: [suite("test/store/sweep/sweep.test.ts", "finds late writes in its second run")],
  },
  "swept-unconditionally": {
    planted: ["sweepObject", replace(at("object", "equal"), "{ anything: true }")],
    caughtBy: [suite("test/store/sweep/sweep.test.ts", "keeps changed items, and returns")],
  },
  "swept-under-readers-of-a-deleted-model": {
    planted: ["createDeletionWrites", keep("alternate", at("conditional", "generationMs"))],
    caughtBy: [suite("test/store/sweep/sweep.test.ts", "of a model is visible at once")],
  },
  "young-stagings-given-up": {
    planted: ["closeIfAbandoned", remove(at("if", "parse"))],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "sweeper-deletes-before-it-closes": {
    planted: ["createClosingWrites", remove(at("object", "toStagingItem"))],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "blob-of-a-dead-generation-left": {
    planted: ["processNote", remove(at("loop", "blobs"))],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "blob-swept-one-page-far": {
    planted: ["sweepPartition", keep("consequent", at("if", "more"))],
    caughtBy: [suite("test/store/sweep/sweep.test.ts", "a large snapshot of an unpublished")],
  },
  "sweep-note-of-what-lives-believed": {
    planted: ["processNote", remove(at("if", "table"))],
    caughtBy: [suite("test/store/sweep/sweep.test.ts", "a sweep note of an existing generation")],
  },
  "sweeper-stopped-by-one-note": {
    planted: ["createAttempts.run", replace(at("statement", "push"), "throw error;")],
    caughtBy: [suite("test/store/sweep/sweep.test.ts", "completes all other notes if one fails")],
  },
  "overtaken-stage-left-open": {
    planted: ["answerWrite", remove(at("if", "hasStaged"))],
    caughtBy: [
      suite("test/store/publish/publication-onto.test.ts", "with If-Match does not happen"),
      suite("test/store/publish/publication-onto.test.ts", "is given up if the call then decides"),
    ],
  },
  "room-of-a-publication-not-counted": {
    planted: ["publishStage", remove(at("statement", "orJob"))],
    caughtBy: [suite("test/store/commit/preconditions.test.ts", "that publishes it, before anything is staged")],
  },
  "job-accepted-without-its-own-item": {
    planted: ["commitDecision.commit", keep("properties.0.argument", at("object", "true"))],
    caughtBy: [suite("test/store/commit/preconditions.test.ts", "that ends a job")],
  },
  "held-as-wanted-and-not-as-written": {
    planted: ["computeHeld", keep("consequent", at("conditional", "has"))],
    caughtBy: [suite("test/store/publish/publication-onto.test.ts")],
  },
  "past-in-order-without-its-end": {
    planted: ["mergeTouched", remove(at("loop", "length"))],
    caughtBy: [suite("test/store/read/past-properties.test.ts", "byte for byte")],
  },
  "owned-objects-stay-in-a-past-in-order": {
    planted: ["mergeTouched", keep("left", at("logical", "sortKeys"))],
    caughtBy: [suite("test/store/log/replay.test.ts", "omits the objects of a deleted owner")],
  },
  "unsorted-snapshot-taken-for-sorted": {
    planted: ["readObjectsInOrder", keep("consequent", at("conditional"))],
    caughtBy: [suite("test/store/log/replay.test.ts", "is in order although the snapshot was")],
  },
  "torn-list-read-as-a-shorter-one": {
    planted: ["readList", replace(at("logical", "isOver"), "false")],
    caughtBy: [suite("test/store/log/blobs.test.ts", "with a missing or changed part")],
  },
  "list-of-a-blob-cut-at-a-member": {
    planted: ["createListBlob.add", changeOperator(at("binary", "length"), ">")],
    caughtBy: [suite("test/store/log/blobs.test.ts", "that is written element by element")],
  },
  "copy-keeps-tags-that-are-gone": {
    planted: ["copyMembers", keep("callee.object", at("call", "globalTags"))],
    caughtBy: [suite("test/domain/copy-model.test.ts", "a copy equals an import of the model's")],
  },
  "copy-refers-to-what-is-not-there": {
    planted: ["copyModel", remove(at("statement", "checkRefs"))],
    caughtBy: [suite("test/domain/copy-model.test.ts", "dangling refs are not copied")],
  },
  "restoration-keeps-what-came-since": {
    planted: ["createRestorer.finish", keep("right", at("logical", "id"))],
    caughtBy: [suite("test/actions/restore.test.ts")],
  },
  "torn-reading-taken-for-a-broken-log": {
    planted: ["processNote", replace(at("binary", "items"), "true")],
    caughtBy: [suite("test/store/read/past-snapshots.test.ts", "is read once more, because it may have")],
  },
};
