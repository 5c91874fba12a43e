import { type Defect, suiteIn } from "./defect.ts";

const store = suiteIn("test/store");

/** Mistakes in what a process keeps of what it read. */
export const DEFECTS_OF_MEMORY: readonly Defect[] = [
  {
    name: "known-head-taken-for-the-newest",
    file: "shared/store/read/open.ts",
    find: "return later ? undefined : { ledgerId, head, isAssumed: false };",
    replace: "return { ledgerId, head, isAssumed: false };",
    caughtBy: [store("warm-calls", "is seen by the next call")],
  },
  {
    name: "refusal-of-what-was",
    file: "shared/store/read/reads.ts",
    find: 'return assumed ? "plain" : undefined;',
    replace: "return undefined;",
    caughtBy: [store("warm-calls", "finds what was not there")],
  },
  {
    name: "named-revision-held-against-what-is-known",
    file: "shared/actions/dispatch/dispatch.ts",
    find: "isWrite(action) && controls.ifMatch.length === 0",
    replace: "isWrite(action)",
    caughtBy: [store("warm-calls", "the revision a caller names")],
  },
  {
    name: "known-key-decides-what-is-shown",
    file: "shared/store/read/open.ts",
    find: "if (mayAssume && !isShown && !(await shown)) return",
    replace: "if (mayAssume) return",
    caughtBy: [store("warm-calls", "who may see some models only")],
  },
  {
    name: "hidden-model-told-by-the-work",
    file: "shared/store/read/open.ts",
    find: "const isShown = seesAll || !shown ? undefined : await shown;",
    replace: "const isShown = undefined as IsShown | undefined;",
    caughtBy: [suiteIn("test/every-action")("hidden-models", "the same answer after the same work")],
  },
  {
    name: "refused-commit-decided-on-the-same",
    file: "shared/store/model-store.ts",
    find: 'if (outcome === "conflict") refused(mine);',
    replace: "",
    caughtBy: [store("warm-calls", "beside the log")],
  },
  {
    name: "memory-of-another-revision",
    file: "shared/store/read/view.ts",
    find: "kept?.generation === generation && kept.head.entry.revision === revision ?",
    replace: "kept?.generation === generation ?",
    caughtBy: [store("warm-calls", "an answer is of one revision")],
  },
  {
    name: "what-is-half-applied-is-known",
    file: "shared/store/read/view.ts",
    find: "    all = undefined;\n    await layEntriesOverAll(",
    replace: "    all = objects;\n    await layEntriesOverAll(",
    caughtBy: [store("warm-calls", "fails half way leaves nothing")],
  },
  {
    name: "what-a-removed-owner-left-is-known",
    file: "shared/store/read/known-objects.ts",
    find: "!changes || changes.some(removesOwner) ||",
    replace: "!changes ||",
    caughtBy: [store("warm-calls", "freed meanwhile")],
  },
  {
    name: "orphan-kept",
    file: "shared/store/read/known-objects.ts",
    find: "if (!object || isSettled(object)) put(sortKey, object);",
    replace: "put(sortKey, object);",
    caughtBy: [store("model-cache", "no object whose owner")],
  },
  {
    name: "kept-though-a-commit-may-not-show",
    file: "shared/store/read/model-cache.ts",
    find: "coversUnseen(head, now()) && ",
    replace: "",
    caughtBy: [store("model-cache", "fed only where")],
  },
  {
    name: "changes-in-a-blob-taken-for-none",
    file: "shared/store/read/model-cache.ts",
    find: "entry.blob === undefined ? entry.touched : undefined",
    replace: "entry.blob === undefined ? entry.touched : []",
    caughtBy: [store("warm-calls", "kept in a blob")],
  },
];
