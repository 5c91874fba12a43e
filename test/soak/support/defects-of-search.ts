import { type Defect, suite } from "./defect.ts";
import { at, keep, remove, replace } from "./mutation.ts";

/** Defects in searches and their index. */
export const SEARCH_DEFECTS: readonly Defect[] = [
  {
    name: "search-page-never-ends",
    where: "createPage.toPage",
    mutation: keep("right", at("logical", "length")),
    caughtBy: [suite("test/actions/search.test.ts")],
  },
  {
    name: "search-page-skips-a-row",
    where: "createPage.toPage",
    mutation: keep("left", at("binary", "1")),
    caughtBy: [suite("test/actions/search.test.ts", "each row once")],
  },
  {
    name: "search-of-hidden-models",
    where: "createFileIndex.find",
    mutation: replace(at("identifier", "isVisible", { nth: 2 }), "undefined"),
    caughtBy: [suite("test/search/file-and-memory.test.ts", "in the store's file")],
  },
  {
    name: "search-without-a-bound-of-memory",
    where: "createModelQuota.begin.take",
    mutation: remove(at("if", "full")),
    caughtBy: [suite("test/search/memory-index.test.ts")],
  },
  {
    name: "search-looks-into-what-was",
    where: "updateModels",
    mutation: replace(at("call", "has"), "true"),
    caughtBy: [suite("test/search/memory-index.test.ts")],
  },
  {
    name: "condition-of-the-local-table-ignored",
    where: "createWrites.run",
    mutation: replace(at("call", "includes"), "false"),
    caughtBy: [suite("test/conformance/conformance.test.ts")],
  },
];
