import { type Defect, suiteIn } from "./defect.ts";

const store = suiteIn("test/store");
const domain = suiteIn("test/domain");

/** Mistakes in what is read and written object by object: snapshots, copies, restorations; and in what a call leaves staged. */
export const DEFECTS_OF_SNAPSHOTS: readonly Defect[] = [
  {
    name: "overtaken-stage-left-open",
    file: "shared/actions/dispatch/answer-call.ts",
    find: "if (attempts.staged) await ports.store.giveUp();",
    replace: "",
    caughtBy: [
      store("publication-overtaken", "with If-Match does not happen"),
      store("publication-overtaken", "decides to write nothing then"),
    ],
  },
  {
    name: "room-of-a-publication-not-counted",
    file: "shared/store/publish/publish.ts",
    find: "await checkRoom(context, view, { ...commit, orJob: false }, call);",
    replace: "",
    caughtBy: [store("preconditions", "that publishes it, before anything is staged")],
  },
  {
    name: "job-accepted-without-its-own-item",
    file: "shared/actions/dispatch/commit-decision.ts",
    find: "{ ...commitAt(view.revision + 1), orJob: true }",
    replace: "commitAt(view.revision + 1)",
    caughtBy: [store("preconditions", "that ends a job")],
  },
  {
    name: "held-as-wanted-and-not-as-written",
    file: "shared/store/publish/stage-items.ts",
    find: "came.has(object) ? object : (held.get(sk) ?? object)",
    replace: "object",
    caughtBy: [store("publication-overtaken")],
  },
  {
    name: "past-in-order-without-its-end",
    file: "shared/store/log/past-in-order.ts",
    find: "for (; next < coming.length; next++) yield* objectIn(coming[next]);",
    replace: "",
    caughtBy: [store("snapshots-in-parts", "byte for byte")],
  },
  {
    name: "owned-objects-stay-in-a-past-in-order",
    file: "shared/store/log/past-in-order.ts",
    find: 'if (sortKeys.has(sk) || removed.has(ownerOf(object) ?? "")) continue;',
    replace: "if (sortKeys.has(sk)) continue;",
    caughtBy: [store("snapshots-in-parts", "without what a removed owner left")],
  },
  {
    name: "unsorted-snapshot-taken-for-sorted",
    file: "shared/store/log/past-in-order.ts",
    find: "isSorted ? snapshot() : sorted(snapshot)",
    replace: "snapshot()",
    caughtBy: [store("snapshots-in-parts", "although the snapshot was not written so")],
  },
  {
    name: "torn-list-read-as-a-shorter-one",
    file: "shared/store/log/blob-lists.ts",
    find: 'if (!isOver || text !== "") throw',
    replace: "if (name === undefined) throw",
    caughtBy: [store("snapshots-in-parts", "and no shorter list")],
  },
  {
    name: "list-of-a-blob-cut-at-a-member",
    file: "shared/store/log/blob-writes.ts",
    find: "const items = slice.length === SLICE ? written() : [];",
    replace: "const items = slice.length > SLICE ? written() : [];",
    caughtBy: [store("snapshots-in-parts", "is the blob of the whole list")],
  },
  {
    name: "copy-keeps-tags-that-are-gone",
    file: "shared/domain/copy.ts",
    find: ".filter(source.hasGlobalTag).toSorted()",
    replace: ".toSorted()",
    caughtBy: [domain("copy", "what an import of the model's document makes")],
  },
  {
    name: "copy-refers-to-what-is-not-there",
    file: "shared/domain/copy.ts",
    find: "  source.checkRefs();",
    replace: "",
    caughtBy: [domain("copy", "that is not there is not copied")],
  },
  {
    name: "restoration-keeps-what-came-since",
    file: "shared/domain/restore.ts",
    find: "!kept.has(object.id) || !lived(object)",
    replace: "!lived(object)",
    caughtBy: [suiteIn("test/actions")("restore")],
  },
  {
    name: "torn-reading-taken-for-a-broken-log",
    file: "shared/store/sweep/sweep.ts",
    find: "isLast: items !== undefined",
    replace: "isLast: true",
    caughtBy: [store("past-snapshots", "looked at once more")],
  },
];
