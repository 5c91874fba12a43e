import { type Defect, suite } from "./defect.ts";
import { at, keep, remove, replace } from "./mutation.ts";

/** Defects in owned objects, tags, batches and constraints. */
export const STRUCTURE_DEFECTS: readonly Defect[] = [
  {
    name: "group-of-a-tag-not-required",
    where: "findTagLink",
    mutation: remove(at("member", ["group", "found"])),
    caughtBy: [suite("test/store/commit/tag-races.test.ts", "at any point of a call that links it")],
  },
  {
    name: "sweep-of-what-an-owner-held-not-noted",
    where: "createDeletionWrites",
    mutation: replace(at("unary", "hasDependents"), '$ || before.kind === "tag_group"'),
    caughtBy: [suite("test/store/sweep/deleted-tags.test.ts", "deleted tags are invisible at once")],
  },
  {
    name: "business-key-of-a-removed-entity-listed",
    where: "createOwnerFilter",
    mutation: keep("callee.object", at("call", ["filter", "get"])),
    caughtBy: [suite("test/actions/business-key.test.ts", "deletes the entity's business keys")],
  },
  {
    name: "leftover-overwritten-without-its-revision",
    where: "createArrivalWrites",
    mutation: replace(at("object", "absentOrEqual"), "{ anything: true }"),
    caughtBy: [suite("test/guarantees/concurrent-keys.test.ts", "does not overwrite the item")],
  },
  {
    name: "rule-of-an-entry-not-asked",
    where: "prepareEntries",
    mutation: remove(at("statement", "authorize")),
    caughtBy: [suite("test/actions/batch-rules.test.ts", "any signed-in caller may run a batch")],
  },
  {
    name: "second-change-of-an-object-lost-in-a-batch",
    where: "StagedObjects.stage",
    mutation: replace(at("statement", "update"), "if (known?.before && known.after) return; $"),
    caughtBy: [
      suite("test/actions/batch.test.ts", "renaming, retyping and describing"),
      suite("test/store/publish/batch-large.test.ts"),
    ],
  },
  {
    name: "values-taken-out-of-an-enum-not-seen",
    where: "assessChoices",
    mutation: replace(at("variable", "gone", { part: "init" }), "new Set()"),
    caughtBy: [suite("test/domain/constraints-compared.test.ts", "one value for another")],
  },
  {
    name: "open-end-of-a-range-taken-for-a-closed-one",
    where: "assessBound",
    mutation: keep("left", at("logical", "isTighter")),
    caughtBy: [suite("test/domain/constraints-compared.test.ts", "an end left out")],
  },
];
