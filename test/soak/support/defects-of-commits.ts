import { type Defects, suite } from "./defect.ts";
import { at, keep, remove, replace } from "./mutation.ts";

/** Defects in the conditions, the writes and the answer of a commit. */
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
};
