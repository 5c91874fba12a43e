import { type Defect, suiteIn } from "./defect.ts";

const store = suiteIn("test/store");
const PUBLISH = "shared/store/publish.ts";
const BATCHES = "shared/store/batches.ts";
const SWEEP = "shared/store/sweep.ts";

/** Mistakes in writing a generation, publishing it and sweeping what is left. */
export const DEFECTS_OF_PUBLICATION: readonly Defect[] = [
  {
    name: "published-before-the-children-are-staged",
    file: PUBLISH,
    find: "await putAll(seam, items, waiting, (written) => told(commit, objects.length, written / items.length));",
    replace: "putAll(seam, items, waiting).catch(() => undefined);",
    caughtBy: [store("publication", "a process that dies")],
  },
  {
    name: "published-without-the-open-staging-record",
    file: PUBLISH,
    find: 'expect: { equal: { state: "open", epoch: staging.epoch } },',
    replace: "expect: { absentOrEqual: { v: 1 } },",
    caughtBy: [store("publication", "after the sweep of its generation")],
  },
  {
    name: "staging-record-written-last",
    file: PUBLISH,
    find: "await patiently(waiting, () => seam.write({ put: stagingItem(staging), expect: { absent: true } }));\n    const items",
    replace: "const items",
    caughtBy: [store("publication", "a process that dies")],
  },
  {
    name: "snapshot-omitted",
    file: PUBLISH,
    find: ", ...blobItems(snapshot, snapshotOf(objects, revision))];",
    replace: "];",
    caughtBy: [store("publication", "snapshot included")],
  },
  {
    name: "spoilt-generation-published",
    file: PUBLISH,
    find: 'if (error instanceof Lost || error instanceof Refused) return "moved";\n    await giveUp(ground, staging);\n    throw error;',
    replace: 'if (error instanceof Refused) return "moved";\n    if (!(error instanceof Lost)) throw error;',
    caughtBy: [store("publication", "in which a batch had no definite answer")],
  },
  {
    name: "staged-write-sent-again",
    file: BATCHES,
    find: "if (!(error instanceof Busy)) throw error;",
    replace: "if (!(error instanceof Busy) && repeats > 0) throw error;",
    caughtBy: [store("publication", "in which a batch had no definite answer")],
  },
  {
    name: "staged-write-sent-again-by-the-client",
    file: "shared/store/dynamo.ts",
    find: "clients.once().send(new BatchWriteCommand",
    replace: "client.send(new BatchWriteCommand",
    caughtBy: [store("dynamo-answers", "it is never sent twice")],
  },
  {
    name: "unprocessed-items-dropped",
    file: BATCHES,
    find: "left = await send(left);\n      if (left.length === 0) return;",
    replace: "await send(left);\n      return;",
    caughtBy: [store("publication", "what a batch did not take")],
  },
  {
    name: "unprocessed-items-dropped-at-the-seam",
    file: "shared/store/dynamo.ts",
    find: "return (answer.UnprocessedItems?.[TableName] ?? []) as BatchRequest[];",
    replace: "return [];",
    caughtBy: [store("unprocessed")],
  },
  {
    name: "unprocessed-keys-dropped-at-the-seam",
    file: "shared/store/dynamo.ts",
    find: "left = answer.UnprocessedKeys?.[TableName]?.Keys ?? [];",
    replace: "left = [];",
    caughtBy: [store("unprocessed")],
  },
  {
    name: "living-generation-swept",
    file: SWEEP,
    find: "if (note.owner !== undefined) return sweepOwned(ground, note, note.owner, goOn);",
    replace: "",
    caughtBy: [store("sweep", "of an entity is seen at once")],
  },
  {
    name: "swept-without-second-look",
    file: SWEEP,
    find: "note.round === 1 ? seam.transactWrite",
    replace: "note.round === 0 ? seam.transactWrite",
    caughtBy: [store("sweep", "finds in its second look")],
  },
  {
    name: "swept-unconditionally",
    file: SWEEP,
    find: "const expect = { equal: { revision: Number(item.revision) } };",
    replace: "const expect = { equal: { v: item.v } };",
    caughtBy: [store("sweep", "leaves what changed since it looked")],
  },
  {
    name: "swept-under-readers-of-a-deleted-model",
    file: "shared/store/writes.ts",
    find: "(whole ? SWEEP.generationMs : 0)",
    replace: "0",
    caughtBy: [store("sweep", "of a model is seen at once")],
  },
  {
    name: "young-stagings-given-up",
    file: SWEEP,
    find: "if (Date.parse(staging.since) + SWEEP.stagingMs > ambient.now()) continue;",
    replace: "",
    caughtBy: [store("slow-publication")],
  },
  {
    name: "sweeper-deletes-before-it-closes",
    file: "shared/store/stagings.ts",
    find: '{ put: stagingItem({ ...staging, state: "closed", epoch: epoch + 1 }), expect: { equal: { state, epoch } } },',
    replace: "",
    caughtBy: [store("publication", "after the sweep of its generation")],
  },
  {
    name: "blob-of-a-dead-generation-left",
    file: SWEEP,
    find: "if (note.blob !== undefined) items += await sweepPartition(ground, blobPartition(note.blob));",
    replace: "",
    caughtBy: [store("publication", "a process that dies")],
  },
  {
    name: "blob-swept-one-page-far",
    file: SWEEP,
    find: "if (more === undefined) return count;",
    replace: "return count + Number(more === undefined);",
    caughtBy: [store("swept-blobs")],
  },
  {
    name: "sweep-note-of-what-lives-believed",
    file: SWEEP,
    find: "if (await lives(ground.seam, note)) return { items: 0, done: true };",
    replace: "",
    caughtBy: [store("living-notes")],
  },
];
