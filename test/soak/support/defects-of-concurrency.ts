import { type Defects, suite } from "./defect.ts";
import { at, keep, remove, replace } from "./mutation.ts";

/** Defects that only show with several concurrent calls or after a failure. */
export const CONCURRENCY_DEFECTS: Defects = {
  "own-former-key-taken-for-another-models": {
    planted: ["isKeyTaken", keep("left", at("logical", "ledgerId"))],
    caughtBy: [suite("test/store/read/former-keys.test.ts", "a model that is restored to a key")],
  },
  "moved-row-behind-the-page-dropped": {
    planted: ["listModels", replace(at("logical", "cursor"), "$ || (after !== undefined && row.key > after)")],
    caughtBy: [suite("test/store/read/former-keys.test.ts", "while its new row")],
  },
  "moved-row-kept-from-the-older-list": {
    planted: ["listModels", keep("left", at("logical", "revision"))],
    caughtBy: [suite("test/store/read/former-keys.test.ts", "that it left its former key")],
  },
  "owned-rows-unnoticed": {
    planted: ["createReads.isTouchedBy", replace(at("conditional", "delete"), "undefined")],
    caughtBy: [suite("test/store/read/read-objects.test.ts")],
  },
  "superseded-worker-fails-the-job-of-its-successor": {
    planted: ["createJobStore.fail", replace(at("binary", "epoch"), "true")],
    caughtBy: [suite("test/store/jobs/job-store.test.ts", "a worker that lost its job")],
  },
  "entries-of-another-generation-laid-over": {
    planted: ["filterByGeneration", replace(at("binary", "generation"), "true")],
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  "snapshot-taken-for-exact-after-a-write": {
    planted: ["Stage.hold", remove(at("if", "snapshot"))],
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  "published-staging-swept": {
    planted: ["closeIfAbandoned", replace(at("logical", "open"), 'staging.state === "closed"')],
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  "publication-confirmed-as-if-it-changed-nothing": {
    planted: ["createReads.isTouchedBy", replace(at("if", "live", { part: "consequent.argument" }), "false")],
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  "object-newer-than-the-head-believed": {
    planted: ["readObject", keep("left", at("logical", "revision"))],
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  "summary-keeps-what-was-before": {
    planted: ["createMovedSummaryWrites", replace(at("call", "toSummaryItem", { part: "arguments.0" }), "before")],
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  "what-a-batch-left-counts-as-written": {
    planted: ["sendUntilAccepted", replace(at("await", "send"), "($).slice(1)")],
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  "late-tag-taken-for-a-dead-one": {
    planted: ["listLiveTagLinks", remove(at("call", "tag", { part: "arguments.2" }))],
    caughtBy: [suite("test/store/read/partly-visible-commits.test.ts")],
  },
};
