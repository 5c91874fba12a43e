import { type Defects, suite } from "./defect.ts";
import { at, changeOperator, keep, remove, replace } from "./mutation.ts";

/**
 * Defects in reading data that others change at the same time: views, lists, past states, the model cache, searches.
 */
export const READ_DEFECTS: Defects = {
  "head-read-late": {
    planted: [
      "ModelView.find",
      replace(
        at("return", "findObject", { part: "argument" }),
        "await (async () => { const found = $; const [newest] = await readNewestEntries(this.#table, this.ledgerId, 1); this.revision = Math.max(this.revision, newest?.revision ?? 0); return found; })()",
      ),
    ],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "nothing-laid-over-an-object": {
    planted: ["readObject", keep("argument.arguments.0", at("await", "recent"))],
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "is seen by")],
  },
  "nothing-laid-over-a-list": {
    planted: ["listObjects", keep("argument.arguments.0", at("await", "readChanges"))],
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "is seen by")],
  },
  "nothing-laid-over-an-export": {
    planted: ["ModelView.readEverything", replace(at("call", "applyToAll", { part: "arguments.1" }), "[]")],
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "is seen by")],
  },
  "ids-looked-up-without-the-newest-commits": {
    planted: ["findSortKey", replace(at("call", "findMovedSortKey", { part: "arguments.1" }), "[]")],
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "found by its id")],
  },
  "partial-image-laid-over-any-state": {
    planted: ["applyRecentChange", keep("left", at("logical", "id"))],
    caughtBy: [suite("test/store/log/recent-entries.test.ts", "a recent commit")],
  },
  "renamed-object-stays-at-its-old-place": {
    planted: ["applyRecentChange", replace(at("if", "leaves", { part: "test" }), '$ && change.does === "delete"')],
    caughtBy: [suite("test/store/log/recent-entries.test.ts")],
  },
  "nothing-confirmed": {
    planted: ["open.confirm", replace(at("call", "reads"), "undefined")],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "confirmed-once-only": {
    planted: ["open.confirm", replace(at("if", "reads"), "$ else return true;")],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "absences-not-confirmed": {
    planted: ["createReads.getQuestion", keep("right", at("logical", "absences"))],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "head-not-checked-against-the-summary": {
    planted: ["openByKey", keep("left", at("logical", "live"))],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "tombstone-not-looked-at-by-id": {
    planted: ["openById.createView", replace(at("binary", "live"), "!head")],
    caughtBy: [suite("test/actions/model.test.ts", "removes the model by key and by id")],
  },
  "model-that-comes-into-being-not-waited-for": {
    planted: ["openById", replace(at("logical", "table"), "undefined")],
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "while a model is created")],
  },
  "rename-under-way-not-waited-for": {
    planted: ["openByKey", replace(at("await", "readConfirmedSummary"), "undefined")],
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "found by one of its keys")],
  },
  "moved-row-not-followed": {
    planted: ["toRow", replace(at("call", "readMovedRow"), "undefined")],
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "shows it once")],
  },
  "moved-row-treated-as-live": {
    planted: ["toRow", keep("alternate", at("conditional", "revision"))],
    caughtBy: [suite("test/store/read/former-keys.test.ts")],
  },
  "log-read-one-page-far": {
    planted: ["readNewestEntries", replace(at("logical", "length", { part: "right.right" }), "1")],
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "a hundred entries back")],
  },
  "absence-decided-on-the-head-alone": {
    planted: ["ModelView.readEntriesFor", replace(at("unary"), "true")],
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "a hundred entries back")],
  },
  "administrators-counted-at-the-head-alone": {
    planted: ["checkAdministratorRemains", remove(at("property", "lookBack"))],
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "is read as far back for the remaining")],
  },
  "list-ends-early": {
    planted: ["listObjects", replace(at("member", "length", { nth: 1 }), "read.size")],
    caughtBy: [suite("test/store/read/partly-visible-models.test.ts", "does not end early")],
  },
  "list-of-models-ends-with-its-first-page": {
    planted: ["listModels", replace(at("binary", "rows"), "false")],
    caughtBy: [suite("test/store/table/short-pages.test.ts", "model_list")],
  },
  "export-ends-with-its-first-page": {
    planted: ["readPartition", replace(at("call", "pk"), "(await table.query({ pk })).items")],
    caughtBy: [suite("test/store/read/long-read.test.ts", "ends at one revision")],
  },
  "long-read-starts-over-or-tears": {
    planted: ["ModelView.advance", remove(at("if", "all"))],
    caughtBy: [suite("test/store/read/long-read.test.ts", "ends at one revision")],
  },
  "item-not-read-consistently": {
    planted: ["createReads.get", remove(at("property", "ConsistentRead"))],
    caughtBy: [suite("test/conformance/conformance.test.ts")],
  },
  "items-not-read-consistently": {
    planted: ["createReads.batchGet", remove(at("property", "ConsistentRead"))],
    caughtBy: [suite("test/conformance/conformance.test.ts")],
  },
  "page-not-read-consistently": {
    planted: ["toQueryInput", remove(at("property", "ConsistentRead"))],
    caughtBy: [suite("test/conformance/conformance.test.ts")],
  },
  "names-of-actors-for-everybody": {
    planted: ["findAccountNames", keep("left", at("logical", "admin"))],
    caughtBy: [
      suite("test/actions/expand.test.ts", "have names for administrators only"),
      suite("test/every-action/hidden-models.test.ts", "no read with keys shows anything"),
    ],
  },
  "keys-of-models-for-everybody": {
    planted: ["decideOn", replace(at("property", "open"), "$: context.service.ports(call.deadline).store.open")],
    caughtBy: [suite("test/actions/expand.test.ts", "get the keys of those models that they")],
  },
  "keys-of-attributes-whose-entity-is-gone": {
    planted: ["replaceAttributesByKeys", keep("consequent", at("conditional"))],
    caughtBy: [suite("test/actions/expand.test.ts", "has no keys of deleted objects")],
  },
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
  "deleted-model-taken-for-live": {
    planted: ["ModelCache.learn", remove(at("if", "state"))],
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "a deleted model stays unknown")],
  },
  "known-head-taken-for-the-newest": {
    planted: ["findCachedHead", keep("alternate", at("conditional", "cached"))],
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "the next call sees the changes")],
  },
  "refusal-of-what-was": {
    planted: ["createReads.getQuestion", keep("alternate", at("conditional", "plain"))],
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "finds objects that did not exist when")],
  },
  "named-revision-held-against-what-is-known": {
    planted: ["prefetchAddressed", keep("left", at("logical", "action"))],
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "compares If-Match with the newest")],
  },
  "known-key-decides-what-is-shown": {
    planted: ["findCachedHead", keep("left.left", at("if", "mayAssume", { part: "test" }))],
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "a caller with permissions on some")],
  },
  "hidden-model-told-by-the-work": {
    planted: ["findCachedHead", replace(at("conditional", "seesAll"), "undefined")],
    caughtBy: [suite("test/every-action/hidden-models.test.ts", "a hidden model and a missing one get")],
  },
  "refused-commit-decided-on-the-same": {
    planted: ["createStore.commit", remove(at("if", "noteConflict"))],
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "items that differ from the log, as")],
  },
  "memory-of-another-revision": {
    planted: ["ModelView.getCached", keep("consequent", at("conditional", "cached"))],
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "an answer has one revision")],
  },
  "what-is-half-applied-is-known": {
    planted: ["ModelView.applyToAll", replace(at("identifier", "undefined"), "objects")],
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "fails half way leaves nothing")],
  },
  "unconfirmed-objects-cached": {
    planted: ["ModelView.confirmAll", replace(at("identifier", "undefined", { nth: 1 }), "all")],
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "without confirming its revision leaves nothing")],
  },
  "what-a-removed-owner-left-is-known": {
    planted: ["CachedLedger.apply", remove(at("if", "OWNERS"))],
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "that takes a key freed by the sweeper")],
  },
  "orphan-kept": {
    planted: ["CachedLedger.add", keep("consequent", at("if", "put"))],
    caughtBy: [suite("test/store/read/model-cache.test.ts", "has no object without a cached owner")],
  },
  "kept-though-a-commit-may-not-show": {
    planted: ["ModelCache.learn", keep("right", at("logical", "facts"))],
    caughtBy: [suite("test/store/read/model-cache.test.ts", "is filled only if every commit that")],
  },
  "changes-in-a-blob-taken-for-none": {
    planted: ["ModelCache.catchUp", replace(at("conditional", "entry", { part: "alternate" }), "[]")],
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "kept in a blob")],
  },
  "search-page-never-ends": {
    planted: ["createPage.toPage", keep("right", at("logical", "length"))],
    caughtBy: [suite("test/actions/search.test.ts")],
  },
  "search-page-skips-a-row": {
    planted: ["createPage.toPage", keep("left", at("binary", "1"))],
    caughtBy: [suite("test/actions/search.test.ts", "each row once")],
  },
  "search-of-hidden-models": {
    planted: ["createFileIndex.find", replace(at("identifier", "isVisible", { nth: 2 }), "undefined")],
    caughtBy: [suite("test/search/file-and-memory.test.ts", "in the store's file")],
  },
  "search-without-a-bound-of-memory": {
    planted: ["createModelQuota.begin.take", remove(at("if", "full"))],
    caughtBy: [suite("test/search/memory-index.test.ts")],
  },
  "search-looks-into-what-was": {
    planted: ["updateModels", replace(at("call", "has"), "true")],
    caughtBy: [suite("test/search/memory-index.test.ts")],
  },
  "condition-of-the-local-table-ignored": {
    planted: ["createWrites.run", replace(at("call", "includes"), "false")],
    caughtBy: [suite("test/conformance/conformance.test.ts")],
  },
};
