import { type Defects, suite } from "./defect.ts";
import { at, keep, remove, replace } from "./mutation.ts";

/** Defects in the model cache of a process. */
export const CACHE_DEFECTS: Defects = {
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
};
