import { type Defect, suite } from "./defect.ts";
import { at, keep, remove, replace } from "./mutation.ts";

/** Defects in the model cache of a process. */
export const CACHE_DEFECTS: readonly Defect[] = [
  {
    name: "deleted-model-taken-for-live",
    where: "ModelCache.learn",
    mutation: remove(at("if", "state")),
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "a deleted model stays unknown")],
  },
  {
    name: "known-head-taken-for-the-newest",
    where: "findCachedHead",
    mutation: keep("alternate", at("conditional", "cached")),
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "the next call sees the changes")],
  },
  {
    name: "refusal-of-what-was",
    where: "createReads.getQuestion",
    mutation: keep("alternate", at("conditional", "plain")),
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "finds objects that did not exist when")],
  },
  {
    name: "named-revision-held-against-what-is-known",
    where: "prefetchAddressed",
    mutation: keep("left", at("logical", "action")),
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "compares If-Match with the newest")],
  },
  {
    name: "known-key-decides-what-is-shown",
    where: "findCachedHead",
    mutation: keep("left.left", at("if", "mayAssume", { part: "test" })),
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "a caller with permissions on some")],
  },
  {
    name: "hidden-model-told-by-the-work",
    where: "findCachedHead",
    mutation: replace(at("conditional", "seesAll"), "undefined"),
    caughtBy: [suite("test/every-action/hidden-models.test.ts", "a hidden model and a missing one get")],
  },
  {
    name: "refused-commit-decided-on-the-same",
    where: "createStore.commit",
    mutation: remove(at("if", "noteConflict")),
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "items that differ from the log, as")],
  },
  {
    name: "memory-of-another-revision",
    where: "ModelView.getCached",
    mutation: keep("consequent", at("conditional", "cached")),
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "an answer has one revision")],
  },
  {
    name: "what-is-half-applied-is-known",
    where: "ModelView.applyToAll",
    mutation: replace(at("identifier", "undefined"), "objects"),
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "fails half way leaves nothing")],
  },
  {
    name: "unconfirmed-objects-cached",
    where: "ModelView.confirmAll",
    mutation: replace(at("identifier", "undefined", { nth: 1 }), "all"),
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "without confirming its revision leaves nothing")],
  },
  {
    name: "what-a-removed-owner-left-is-known",
    where: "CachedLedger.apply",
    mutation: remove(at("if", "OWNERS")),
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "that takes a key freed by the sweeper")],
  },
  {
    name: "orphan-kept",
    where: "CachedLedger.add",
    mutation: keep("consequent", at("if", "put")),
    caughtBy: [suite("test/store/read/model-cache.test.ts", "has no object without a cached owner")],
  },
  {
    name: "kept-though-a-commit-may-not-show",
    where: "ModelCache.learn",
    mutation: keep("right", at("logical", "facts")),
    caughtBy: [suite("test/store/read/model-cache.test.ts", "is filled only if every commit that")],
  },
  {
    name: "changes-in-a-blob-taken-for-none",
    where: "ModelCache.catchUp",
    mutation: replace(at("conditional", "entry", { part: "alternate" }), "[]"),
    caughtBy: [suite("test/store/read/cached-reads.test.ts", "kept in a blob")],
  },
];
