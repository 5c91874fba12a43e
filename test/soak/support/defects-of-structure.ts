import { type Defects, suite } from "./defect.ts";
import { at, keep, remove, replace } from "./mutation.ts";

/** Defects in owned objects, tags, batches and constraints. */
export const STRUCTURE_DEFECTS: Defects = {
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
};
