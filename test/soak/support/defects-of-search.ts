import { type Defects, suite } from "./defect.ts";
import { at, keep, remove, replace } from "./mutation.ts";

/** Defects in searches and their index. */
export const SEARCH_DEFECTS: Defects = {
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
