import { type Defect, suite } from "./defect.ts";
import { at, keep, remove, replace } from "./mutation.ts";

/** Defects in the conditions, the writes and the answer of a commit. */
export const COMMIT_DEFECTS: readonly Defect[] = [
  {
    name: "log-without-condition",
    where: "createTransaction",
    mutation: replace(at("property", "absent"), "absentOrEqual: { v: 1 }"),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "update-without-revision-condition",
    where: "createUpdateWrites",
    mutation: replace(at("call", "expectAsRead", { nth: 1 }), "{ anything: true }"),
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "does not undo later changes")],
  },
  {
    name: "delete-without-revision-condition",
    where: "createDeletionWrites",
    mutation: replace(at("call", "expectAsRead"), "{ anything: true }"),
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "does not delete it")],
  },
  {
    name: "create-without-absence-condition",
    where: "createCreationWrites",
    mutation: replace(at("call", "replaces"), "$.map((one) => ({ ...one, expect: { anything: true } }))"),
    caughtBy: [
      suite("test/simulation/schedules.test.ts", "one order of commits"),
      suite("test/actions/objects.test.ts", "a key that another one in its scope has"),
    ],
  },
  {
    name: "rename-without-absence-condition",
    where: "createUpdateWrites",
    mutation: replace(at("call", "replaces"), "$.map((one) => ({ ...one, expect: { anything: true } }))"),
    caughtBy: [suite("test/every-action/update-fields.test.ts", "refuses the key of another object")],
  },
  {
    name: "summary-without-absence-condition",
    where: "createNewSummaryWrites",
    mutation: replace(at("identifier", "NO_SUMMARY"), "{ anything: true }"),
    caughtBy: [
      suite("test/actions/model.test.ts", "given a key that is taken"),
      suite("test/simulation/schedules.test.ts", "one order of commits"),
    ],
  },
  {
    name: "conflict-swallowed",
    where: "sendCommit",
    mutation: replace(at("literal", "contended"), "{ revision }"),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "refusal-swallowed",
    where: "interpretRefusal",
    mutation: replace(at("literal", "conflict", { nth: 1 }), "{ revision }"),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "unknown-outcome-counted-as-failure",
    where: "sendCommit",
    mutation: replace(at("call", "readOutcome"), '"moved"'),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "unknown-outcome-counted-as-success",
    where: "sendCommit",
    mutation: replace(at("call", "readOutcome"), "{ revision }"),
    caughtBy: [suite("test/store/commit/unknown-outcomes.test.ts", "a write without an answer")],
  },
  {
    name: "own-operation-not-recognised",
    where: "readOutcome",
    mutation: keep("alternate", at("conditional", "conflict")),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "own-work-taken-for-a-twins",
    where: "interpretRefusal",
    mutation: remove(at("if", "found")),
    caughtBy: [suite("test/store/commit/unknown-outcomes.test.ts", "by the refusal of its second attempt")],
  },
  {
    name: "model-deleted-without-tombstone",
    where: "computeFacts",
    mutation: remove(at("if", "deleted")),
    caughtBy: [suite("test/actions/model.test.ts", "removes the model by key and by id")],
  },
  {
    name: "new-key-not-in-the-head",
    where: "computeFacts",
    mutation: remove(at("if", "after")),
    caughtBy: [suite("test/actions/model.test.ts", "model_update_key")],
  },
  {
    name: "id-left-behind",
    where: "createDeletionWrites",
    mutation: replace(at("call", "toIdItem"), "!$"),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "id-leads-to-the-old-place",
    where: "createUpdateWrites",
    mutation: remove(at("spread", "put")),
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  {
    name: "entity-deleted-without-sweep-note",
    where: "createDeletionWrites",
    mutation: remove(at("object", "put")),
    caughtBy: [suite("test/store/sweep/sweep.test.ts", "of an entity is visible at once")],
  },
  {
    name: "entity-deletion-looks-at-visible-attributes-alone",
    where: "entityDelete.run",
    mutation: remove(at("identifier", "lookBack", { nth: 4 })),
    caughtBy: [suite("test/store/read/stale-reads.test.ts", "left to the sweeper")],
  },
  {
    name: "attribute-deleted-but-not-from-the-primary-key",
    where: "entityAttributeDelete.run",
    mutation: remove(at("spread", "primaryKey")),
    caughtBy: [suite("test/actions/attribute.test.ts", "leaves it when it is deleted")],
  },
];
