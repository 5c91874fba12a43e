import { type Defect, suite } from "./defect.ts";
import { at, changeOperator, keep, remove, replace } from "./mutation.ts";

/** Defects in read views, lists and past states. */
export const VIEW_DEFECTS: readonly Defect[] = [
  {
    name: "removed-field-stays-null",
    where: "completeObject",
    mutation: remove(at("loop", "entries")),
    caughtBy: [suite("test/store/log/recent-entries.test.ts")],
  },
  {
    name: "deleted-id-still-leads-somewhere",
    where: "findMovedSortKey",
    mutation: keep("alternate", at("conditional", "delete")),
    caughtBy: [suite("test/store/log/recent-entries.test.ts", "give the parent of an id")],
  },
  {
    name: "entry-looked-for-without-waiting",
    where: "readEntrySerializably",
    mutation: replace(at("await", "transactGet"), "[await table.get(logKey(ledger, revision))]"),
    caughtBy: [suite("test/store/commit/confirm.test.ts", "an entity is renamed and its key taken")],
  },
  {
    name: "key-of-another-model-followed",
    where: "openByKey",
    mutation: keep("left", at("logical", "live")),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "id-that-leads-elsewhere-unnoticed",
    where: "createReads.isTouchedBy",
    mutation: remove(at("if", "has")),
    caughtBy: [suite("test/store/read/read-objects.test.ts", "an id that was absent")],
  },
  {
    name: "scan-not-touched-by-a-newcomer",
    where: "createReads.isTouchedBy",
    mutation: keep("left", at("logical", "has")),
    caughtBy: [suite("test/store/commit/confirm.test.ts", "an entity is renamed and its key taken")],
  },
  {
    name: "renamed-model-read-on-by-its-key",
    where: "ModelView.advance",
    mutation: keep("right", at("logical", "reads")),
    caughtBy: [suite("test/store/commit/confirm.test.ts", "the model is renamed")],
  },
  {
    name: "model-that-comes-into-being-not-found",
    where: "openById",
    mutation: replace(at("call", ["table", "createView"]), "undefined"),
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "while a model is created")],
  },
  {
    name: "attribute-that-left-lists-with-its-owner",
    where: "createOwnerFilter.ask",
    mutation: keep("left", at("logical", "gone")),
    caughtBy: [suite("test/store/commit/business-keys.test.ts", "between the reads and the commit")],
  },
  {
    name: "keys-beyond-one-request-not-read",
    where: "createRetryingTable.batchGet",
    mutation: remove(at("spread", "slice")),
    caughtBy: [
      suite("test/store/commit/business-keys.test.ts", "more entities than one batch"),
      suite("test/actions/release.test.ts", "lists every version when there"),
    ],
  },
  {
    name: "read-ahead-repeats-a-row",
    where: "createSortedKeys.listRange",
    mutation: changeOperator(at("binary", ["key", "after"]), ">="),
    caughtBy: [suite("test/store/read/read-ahead.test.ts", "objects read ahead have the same pages")],
  },
  {
    name: "moved-model-answered-from-memory",
    where: "findUnmoved",
    mutation: replace(at("identifier", "delete"), "get"),
    caughtBy: [suite("test/search/memory-index.test.ts", "more than one batch")],
  },
  {
    name: "newest-release-not-laid-over",
    where: "readReleases",
    mutation: remove(at("loop", "release")),
    caughtBy: [suite("test/store/read/partly-visible-commits.test.ts", "is found by every reader that sees")],
  },
  {
    name: "absence-of-a-release-not-confirmed",
    where: "createPast.releases",
    mutation: replace(at("literal", "false"), "true"),
    caughtBy: [suite("test/store/read/partly-visible-commits.test.ts", "is not reported as missing")],
  },
  {
    name: "history-one-page-far",
    where: "readEntriesInGrowingPages",
    mutation: replace(at("loop", "query", { part: "test" }), "false"),
    caughtBy: [suite("test/store/table/short-pages.test.ts", "history_version_changes")],
  },
  {
    name: "commit-and-its-image-from-different-moments",
    where: "diffFields",
    mutation: keep("properties.1.argument", at("object", ["a", "b"])),
    caughtBy: [suite("test/store/read/past-properties.test.ts", "every past state")],
  },
  {
    name: "snapshot-of-another-generation-begun-with",
    where: "findNearestStart",
    mutation: keep("left.expression.object", at("binary", "newest")),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "later-release-begun-with",
    where: "findNewestReleaseSnapshot",
    mutation: keep("left", at("logical", "snapshot")),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "later-snapshot-begun-with",
    where: "findNewestPointer",
    mutation: replace(at("property", "to"), "from: sk.slice(0, 1)"),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "publication-found-one-too-late",
    where: "findPublication",
    mutation: replace(at("literal", [], { nth: 1 }), "2"),
    caughtBy: [suite("test/store/read/past-properties.test.ts", "every past state")],
  },
];
