import { type Defect, suiteIn } from "./defect.ts";

const store = suiteIn("test/store");
/** The simulator finds these within its 500 schedules from seed 1. */
const SCHEDULES = [suiteIn("test/simulation")("schedules")];

const JOBS = "shared/store/jobs/job-store.ts";
const OVERLAY = "shared/store/log/overlay.ts";
const READS = "shared/store/read/reads.ts";
const STAGE = "shared/store/publish/stage.ts";
const SUMMARIES = "shared/store/read/summaries.ts";
const SWEEP = "shared/store/sweep/sweep.ts";
const WRITES = "shared/store/commit/writes.ts";

/** Mistakes that only show when several are at work at once, or when something goes wrong. */
export const DEFECTS_OF_SCHEDULES: readonly Defect[] = [
  {
    name: "own-former-key-taken-for-another-models",
    file: "shared/actions/model/restore.ts",
    find: "return holder !== undefined && holder.ledgerId !== own;",
    replace: "return holder !== undefined;",
    caughtBy: [store("former-keys", "given again meanwhile")],
  },
  {
    name: "moved-row-behind-the-page-dropped",
    file: SUMMARIES,
    find: "if (!row || row.key <= cursor) continue;",
    replace: "if (!row || row.key <= cursor || (after !== undefined && row.key > after)) continue;",
    caughtBy: [store("former-keys", "while its new row")],
  },
  {
    name: "moved-row-kept-from-the-older-list",
    file: SUMMARIES,
    find: "if (!other || other.revision < row.revision) newest.set(row.id, row);",
    replace: "if (!other) newest.set(row.id, row);",
    caughtBy: [store("former-keys", "that it left its former key")],
  },
  {
    name: "owned-rows-unnoticed",
    file: READS,
    find: 'const owned = change.does === "delete" ? ownedBy(change.id) : undefined;',
    replace: "const owned = undefined as string | undefined;",
    caughtBy: [store("reads")],
  },
  {
    name: "superseded-worker-fails-the-job-of-its-successor",
    file: JOBS,
    find: 'if (held?.state === "running" && held.epoch === lease.epoch) {',
    replace: 'if (held?.state === "running" && lease.epoch > 0) {',
    caughtBy: [store("job-lease", "a worker that lost its job")],
  },
  {
    name: "entries-of-another-generation-laid-over",
    file: OVERLAY,
    find: "return oldestFirst.filter((entry) => entry.generation === generation);",
    replace: "return oldestFirst.filter((entry) => generation !== entry.key);",
    caughtBy: SCHEDULES,
  },
  {
    name: "snapshot-taken-for-exact-after-a-write",
    file: STAGE,
    find: "if (snapshot) snapshot = { ...snapshot, exact: false };",
    replace: "",
    caughtBy: SCHEDULES,
  },
  {
    name: "published-staging-swept",
    file: SWEEP,
    find: 'if (staging.state !== "open" || (await isPublished(table, staging))) {',
    replace: 'if (staging.state === "closed") {',
    caughtBy: SCHEDULES,
  },
  {
    name: "publication-confirmed-as-if-it-changed-nothing",
    file: READS,
    find: 'if (!entry.touched || entry.state !== "live") return true;',
    replace: 'if (!entry.touched || entry.state !== "live") return false;',
    caughtBy: SCHEDULES,
  },
  {
    name: "object-newer-than-the-head-believed",
    file: "shared/store/read/view-points.ts",
    find: "reads.point(sk, object !== undefined && object.revision <= revision());",
    replace: "reads.point(sk, object !== undefined);",
    caughtBy: SCHEDULES,
  },
  {
    name: "summary-keeps-what-was-before",
    file: WRITES,
    find: "return [{ write: { put: summaryItem(after, revision), expect: { equal: { id: before.id } } } }];",
    replace: "return [{ write: { put: summaryItem(before, revision), expect: { equal: { id: before.id } } } }];",
    caughtBy: SCHEDULES,
  },
  {
    name: "what-a-batch-left-counts-as-written",
    file: "shared/store/table/batches.ts",
    find: "left = await send(left);",
    replace: "left = (await send(left)).slice(1);",
    caughtBy: SCHEDULES,
  },
  {
    name: "late-tag-taken-for-a-dead-one",
    file: "shared/actions/building/tag-links.ts",
    find: 'async () => idsOf((await view.list("tag", undefined, { lookBack: true })).items),',
    replace: 'async () => idsOf((await view.list("tag")).items),',
    caughtBy: [store("late-tags")],
  },
];
