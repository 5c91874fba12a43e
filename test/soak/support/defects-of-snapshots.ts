import { type Defect, suite } from "./defect.ts";
import { at, changeOperator, keep, remove, replace } from "./mutation.ts";

/** Defects in snapshots, copies and restorations, and in stages that a call leaves open. */
export const SNAPSHOT_DEFECTS: readonly Defect[] = [
  {
    name: "overtaken-stage-left-open",
    where: "answerWrite",
    mutation: remove(at("if", "hasStaged")),
    caughtBy: [
      suite("test/store/publish/publication-onto.test.ts", "with If-Match does not happen"),
      suite("test/store/publish/publication-onto.test.ts", "is given up if the call then decides"),
    ],
  },
  {
    name: "room-of-a-publication-not-counted",
    where: "publishStage",
    mutation: remove(at("statement", "orJob")),
    caughtBy: [suite("test/store/commit/preconditions.test.ts", "that publishes it, before anything is staged")],
  },
  {
    name: "job-accepted-without-its-own-item",
    where: "commitDecision.commit",
    mutation: keep("properties.0.argument", at("object", "true")),
    caughtBy: [suite("test/store/commit/preconditions.test.ts", "that ends a job")],
  },
  {
    name: "held-as-wanted-and-not-as-written",
    where: "computeHeld",
    mutation: keep("consequent", at("conditional", "has")),
    caughtBy: [suite("test/store/publish/publication-onto.test.ts")],
  },
  {
    name: "past-in-order-without-its-end",
    where: "mergeTouched",
    mutation: remove(at("loop", "length")),
    caughtBy: [suite("test/store/read/past-properties.test.ts", "byte for byte")],
  },
  {
    name: "owned-objects-stay-in-a-past-in-order",
    where: "mergeTouched",
    mutation: keep("left", at("logical", "sortKeys")),
    caughtBy: [suite("test/store/log/replay.test.ts", "omits the objects of a deleted owner")],
  },
  {
    name: "unsorted-snapshot-taken-for-sorted",
    where: "readObjectsInOrder",
    mutation: keep("consequent", at("conditional")),
    caughtBy: [suite("test/store/log/replay.test.ts", "is in order although the snapshot was")],
  },
  {
    name: "torn-list-read-as-a-shorter-one",
    where: "readList",
    mutation: replace(at("logical", "isOver"), "false"),
    caughtBy: [suite("test/store/log/blobs.test.ts", "with a missing or changed part")],
  },
  {
    name: "list-of-a-blob-cut-at-a-member",
    where: "createListBlob.add",
    mutation: changeOperator(at("binary", "length"), ">"),
    caughtBy: [suite("test/store/log/blobs.test.ts", "that is written element by element")],
  },
  {
    name: "copy-keeps-tags-that-are-gone",
    where: "copyMembers",
    mutation: keep("callee.object", at("call", "globalTags")),
    caughtBy: [suite("test/domain/copy-model.test.ts", "a copy equals an import of the model's")],
  },
  {
    name: "copy-refers-to-what-is-not-there",
    where: "copyModel",
    mutation: remove(at("statement", "checkRefs")),
    caughtBy: [suite("test/domain/copy-model.test.ts", "dangling refs are not copied")],
  },
  {
    name: "restoration-keeps-what-came-since",
    where: "createRestorer.finish",
    mutation: keep("right", at("logical", "id")),
    caughtBy: [suite("test/actions/restore.test.ts")],
  },
  {
    name: "torn-reading-taken-for-a-broken-log",
    where: "processNote",
    mutation: replace(at("binary", "items"), "true"),
    caughtBy: [suite("test/store/read/past-snapshots.test.ts", "is read once more, because it may have")],
  },
];
