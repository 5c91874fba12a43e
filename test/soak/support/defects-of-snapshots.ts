import { type Defects, suite } from "./defect.ts";
import { at, changeOperator, keep, remove, replace } from "./mutation.ts";

/** Defects in snapshots, copies and restorations, and in stages that a call leaves open. */
export const SNAPSHOT_DEFECTS: Defects = {
  "overtaken-stage-left-open": {
    planted: ["answerWrite", remove(at("if", "hasStaged"))],
    caughtBy: [
      suite("test/store/publish/publication-onto.test.ts", "with If-Match does not happen"),
      suite("test/store/publish/publication-onto.test.ts", "is given up if the call then decides"),
    ],
  },
  "room-of-a-publication-not-counted": {
    planted: ["publishStage", remove(at("statement", "orJob"))],
    caughtBy: [suite("test/store/commit/preconditions.test.ts", "that publishes it, before anything is staged")],
  },
  "job-accepted-without-its-own-item": {
    planted: ["commitDecision.commit", keep("properties.0.argument", at("object", "true"))],
    caughtBy: [suite("test/store/commit/preconditions.test.ts", "that ends a job")],
  },
  "held-as-wanted-and-not-as-written": {
    planted: ["computeHeld", keep("consequent", at("conditional", "has"))],
    caughtBy: [suite("test/store/publish/publication-onto.test.ts")],
  },
  "past-in-order-without-its-end": {
    planted: ["mergeTouched", remove(at("loop", "length"))],
    caughtBy: [suite("test/store/read/past-properties.test.ts", "byte for byte")],
  },
  "owned-objects-stay-in-a-past-in-order": {
    planted: ["mergeTouched", keep("left", at("logical", "sortKeys"))],
    caughtBy: [suite("test/store/log/replay.test.ts", "omits the objects of a deleted owner")],
  },
  "unsorted-snapshot-taken-for-sorted": {
    planted: ["readObjectsInOrder", keep("consequent", at("conditional"))],
    caughtBy: [suite("test/store/log/replay.test.ts", "is in order although the snapshot was")],
  },
  "torn-list-read-as-a-shorter-one": {
    planted: ["readList", replace(at("logical", "isOver"), "false")],
    caughtBy: [suite("test/store/log/blobs.test.ts", "with a missing or changed part")],
  },
  "list-of-a-blob-cut-at-a-member": {
    planted: ["createListBlob.add", changeOperator(at("binary", "length"), ">")],
    caughtBy: [suite("test/store/log/blobs.test.ts", "that is written element by element")],
  },
  "copy-keeps-tags-that-are-gone": {
    planted: ["copyMembers", keep("callee.object", at("call", "globalTags"))],
    caughtBy: [suite("test/domain/copy-model.test.ts", "a copy equals an import of the model's")],
  },
  "copy-refers-to-what-is-not-there": {
    planted: ["copyModel", remove(at("statement", "checkRefs"))],
    caughtBy: [suite("test/domain/copy-model.test.ts", "dangling refs are not copied")],
  },
  "restoration-keeps-what-came-since": {
    planted: ["createRestorer.finish", keep("right", at("logical", "id"))],
    caughtBy: [suite("test/actions/restore.test.ts")],
  },
  "torn-reading-taken-for-a-broken-log": {
    planted: ["processNote", replace(at("binary", "items"), "true")],
    caughtBy: [suite("test/store/read/past-snapshots.test.ts", "is read once more, because it may have")],
  },
};
