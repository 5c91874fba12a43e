import { type Defects, suite } from "./defect.ts";
import { at, changeOperator, keep, remove, replace } from "./mutation.ts";

/** Defects in read views, lists and past states. */
export const VIEW_DEFECTS: Defects = {
  "removed-field-stays-null": {
    planted: ["completeObject", remove(at("loop", "entries"))],
    caughtBy: [suite("test/store/log/recent-entries.test.ts")],
  },
  "deleted-id-still-leads-somewhere": {
    planted: ["findMovedSortKey", keep("alternate", at("conditional", "delete"))],
    caughtBy: [suite("test/store/log/recent-entries.test.ts", "give the parent of an id")],
  },
  "entry-looked-for-without-waiting": {
    planted: [
      "readEntrySerializably",
      replace(at("await", "transactGet"), "[await table.get(logKey(ledger, revision))]"),
    ],
    caughtBy: [suite("test/store/commit/confirm.test.ts", "an entity is renamed and its key taken")],
  },
  "key-of-another-model-followed": {
    planted: ["openByKey", keep("left", at("logical", "live"))],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "id-that-leads-elsewhere-unnoticed": {
    planted: ["createReads.isTouchedBy", remove(at("if", "has"))],
    caughtBy: [suite("test/store/read/read-objects.test.ts", "an id that was absent")],
  },
  "scan-not-touched-by-a-newcomer": {
    planted: ["createReads.isTouchedBy", keep("left", at("logical", "has"))],
    caughtBy: [suite("test/store/commit/confirm.test.ts", "an entity is renamed and its key taken")],
  },
  "renamed-model-read-on-by-its-key": {
    planted: ["ModelView.advance", keep("right", at("logical", "reads"))],
    caughtBy: [suite("test/store/commit/confirm.test.ts", "the model is renamed")],
  },
  "model-that-comes-into-being-not-found": {
    planted: ["openById", replace(at("call", ["table", "createView"]), "undefined")],
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "while a model is created")],
  },
  "attribute-that-left-lists-with-its-owner": {
    planted: ["createOwnerFilter.ask", keep("left", at("logical", "gone"))],
    caughtBy: [suite("test/store/commit/business-keys.test.ts", "between the reads and the commit")],
  },
  "keys-beyond-one-request-not-read": {
    planted: ["createRetryingTable.batchGet", remove(at("spread", "slice"))],
    caughtBy: [
      suite("test/store/commit/business-keys.test.ts", "more entities than one batch"),
      suite("test/actions/release.test.ts", "lists every version when there"),
    ],
  },
  "read-ahead-repeats-a-row": {
    planted: ["createSortedKeys.listRange", changeOperator(at("binary", ["key", "after"]), ">=")],
    caughtBy: [suite("test/store/read/read-ahead.test.ts", "objects read ahead have the same pages")],
  },
  "moved-model-answered-from-memory": {
    planted: ["findUnmoved", replace(at("identifier", "delete"), "get")],
    caughtBy: [suite("test/search/memory-index.test.ts", "more than one batch")],
  },
  "newest-release-not-laid-over": {
    planted: ["readReleases", remove(at("loop", "release"))],
    caughtBy: [suite("test/store/read/partly-visible-commits.test.ts", "is found by every reader that sees")],
  },
  "absence-of-a-release-not-confirmed": {
    planted: ["createPast.releases", replace(at("literal", "false"), "true")],
    caughtBy: [suite("test/store/read/partly-visible-commits.test.ts", "is not reported as missing")],
  },
  "history-one-page-far": {
    planted: ["readEntriesInGrowingPages", replace(at("loop", "query", { part: "test" }), "false")],
    caughtBy: [suite("test/store/table/short-pages.test.ts", "history_version_changes")],
  },
  "commit-and-its-image-from-different-moments": {
    planted: ["diffFields", keep("properties.1.argument", at("object", ["a", "b"]))],
    caughtBy: [suite("test/store/read/past-properties.test.ts", "every past state")],
  },
  "snapshot-of-another-generation-begun-with": {
    planted: ["findNearestStart", keep("left.expression.object", at("binary", "newest"))],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "later-release-begun-with": {
    planted: ["findNewestReleaseSnapshot", keep("left", at("logical", "snapshot"))],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "later-snapshot-begun-with": {
    planted: ["findNewestPointer", replace(at("property", "to"), "from: sk.slice(0, 1)")],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "publication-found-one-too-late": {
    planted: ["findPublication", replace(at("literal", [], { nth: 1 }), "2")],
    caughtBy: [suite("test/store/read/past-properties.test.ts", "every past state")],
  },
};
