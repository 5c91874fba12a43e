import { type Defect, suiteIn } from "./defect.ts";

/** The simulator finds these within its 500 schedules from seed 1. */
const SCHEDULES = suiteIn("test/simulation")("schedules", "one order of commits");
const actions = suiteIn("test/actions");
const store = suiteIn("test/store");

/** Mistakes in what views, lists and the past rest on. */
export const DEFECTS_OF_VIEWS: readonly Defect[] = [
  {
    name: "removed-field-stays-null",
    file: "shared/store/log/overlay.ts",
    find: "  for (const [name, value] of Object.entries(fields)) if (value === null) delete fields[name];\n",
    replace: "",
    caughtBy: [store("overlay")],
  },
  {
    name: "deleted-id-still-leads-somewhere",
    file: "shared/store/log/overlay.ts",
    find: 'sortKey = change.does === "delete" ? "gone" : change.at;',
    replace: "sortKey = change.at;",
    caughtBy: [store("overlay", "says of an id")],
  },
  {
    name: "entry-looked-for-without-waiting",
    file: "shared/store/log/head.ts",
    find: "  const [item] = await table.transactGet([logKey(ledger, revision)]);\n  return item",
    replace: "  const item = await table.get(logKey(ledger, revision));\n  return item",
    caughtBy: [store("confirm", "an entity is renamed and its key taken")],
  },
  {
    name: "key-of-another-model-followed",
    file: "shared/store/read/open.ts",
    find: 'if (head?.entry.state === "live" && head.entry.key === key) {',
    replace: 'if (head?.entry.state === "live") {',
    caughtBy: [SCHEDULES],
  },
  {
    name: "id-that-leads-elsewhere-unnoticed",
    file: "shared/store/read/reads.ts",
    find: "if (ids.has(change.id)) return true;",
    replace: "",
    caughtBy: [SCHEDULES],
  },
  {
    name: "scan-not-touched-by-a-newcomer",
    file: "shared/store/read/reads.ts",
    find: "sortKeysOf(change).some((sk) => points.has(sk) || prefixes.some((p) => sk.startsWith(p)))",
    replace: "sortKeysOf(change).some((sk) => points.has(sk))",
    caughtBy: [store("confirm", "an entity is renamed and its key taken")],
  },
  {
    name: "renamed-model-read-on-by-its-key",
    file: "shared/store/read/view.ts",
    find: "if (((byKey || isAssumed) && entry.key !== modelKey) || reads.touchedBy(entry)) {",
    replace: "if (reads.touchedBy(entry)) {",
    caughtBy: [store("confirm", "the model is renamed")],
  },
  {
    name: "model-that-comes-into-being-not-found",
    file: "shared/store/read/open.ts",
    find: "return next && opened(await readHead(table, id));",
    replace: "return next && undefined;",
    caughtBy: [store("way-in", "comes into being")],
  },
  {
    name: "attribute-that-left-lists-with-its-owner",
    file: "shared/store/read/view-lists.ts",
    find: 'known.set(owner, said !== undefined && said !== "gone");',
    replace: "known.set(owner, said !== undefined);",
    caughtBy: [store("business-keys", "between the reads and the commit")],
  },
  {
    name: "keys-beyond-one-request-not-read",
    file: "shared/store/table/retry.ts",
    find: "left = [...part.left, ...left.slice(asked.length)];",
    replace: "left = [...part.left];",
    caughtBy: [
      store("business-keys", "more entities than one batch"),
      actions("release", "more versions than one batch"),
    ],
  },
  {
    name: "read-ahead-repeats-a-row",
    file: "shared/store/read/sorted-keys.ts",
    find: "(after === undefined || key > after)",
    replace: "(after === undefined || key >= after)",
    caughtBy: [store("read-ahead", "page by page")],
  },
  {
    name: "moved-model-answered-from-memory",
    file: "shared/store/read/unmoved.ts",
    find: "next.delete(pk);",
    replace: "next.get(pk);",
    caughtBy: [store("process-searches", "more than one batch")],
  },
  {
    name: "newest-release-not-laid-over",
    file: "shared/store/log/releases.ts",
    find: "for (const entry of recent) if (entry.release !== undefined) revisions.set(entry.release, entry.revision);",
    replace: "void recent;",
    caughtBy: [store("half-shown", "shown its commit")],
  },
  {
    name: "absence-of-a-release-not-confirmed",
    file: "shared/store/read/past.ts",
    find: 'reads.point("model", false);',
    replace: 'reads.point("model", true);',
    caughtBy: [store("half-shown", "said to be missing")],
  },
  {
    name: "history-one-page-far",
    file: "shared/store/log/history.ts",
    find: "    limit *= GROWTH;\n  } while (after !== undefined);",
    replace: "    limit *= GROWTH;\n  } while (after === '');",
    caughtBy: [store("short-pages", "history_version_changes")],
  },
  {
    name: "commit-and-its-image-from-different-moments",
    file: "shared/store/log/log.ts",
    find: "const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])]",
    replace: "const fields = [...new Set(Object.keys(b))]",
    caughtBy: [store("replay", "a model at any revision")],
  },
  {
    name: "snapshot-of-another-generation-begun-with",
    file: "shared/store/log/snapshots.ts",
    find: "if (newest?.generation === entry.generation) return",
    replace: "if (newest) return",
    caughtBy: [SCHEDULES],
  },
  {
    name: "later-release-begun-with",
    file: "shared/store/log/snapshots.ts",
    find: "if (snapshot && snapshot.revision <= revision && snapshot",
    replace: "if (snapshot && snapshot",
    caughtBy: [SCHEDULES],
  },
  {
    name: "later-snapshot-begun-with",
    file: "shared/store/log/snapshots.ts",
    find: "{ pk, to: sk, descending: true, limit: 1 }",
    replace: "{ pk, from: sk.slice(0, 1), descending: true, limit: 1 }",
    caughtBy: [SCHEDULES],
  },
  {
    name: "publication-found-one-too-late",
    file: "shared/store/log/snapshots.ts",
    find: "while (high.revision - low > 1) {",
    replace: "while (high.revision - low > 2) {",
    caughtBy: [store("past-properties", "every past state")],
  },
];
