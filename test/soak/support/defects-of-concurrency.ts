import { type Defect, suite } from "./defect.ts";
import { at, keep, remove, replace } from "./mutation.ts";

/** Defects that only show with several concurrent calls or after a failure. */
export const CONCURRENCY_DEFECTS: readonly Defect[] = [
  {
    name: "own-former-key-taken-for-another-models",
    where: "isKeyTaken",
    mutation: keep("left", at("logical", "ledgerId")),
    caughtBy: [suite("test/store/read/former-keys.test.ts", "a model that is restored to a key")],
  },
  {
    name: "moved-row-behind-the-page-dropped",
    where: "listModels",
    mutation: replace(at("logical", "cursor"), "$ || (after !== undefined && row.key > after)"),
    caughtBy: [suite("test/store/read/former-keys.test.ts", "while its new row")],
  },
  {
    name: "moved-row-kept-from-the-older-list",
    where: "listModels",
    mutation: keep("left", at("logical", "revision")),
    caughtBy: [suite("test/store/read/former-keys.test.ts", "that it left its former key")],
  },
  {
    name: "owned-rows-unnoticed",
    where: "createReads.isTouchedBy",
    mutation: replace(at("conditional", "delete"), "undefined"),
    caughtBy: [suite("test/store/read/read-objects.test.ts")],
  },
  {
    name: "superseded-worker-fails-the-job-of-its-successor",
    where: "createJobStore.fail",
    mutation: replace(at("binary", "epoch"), "true"),
    caughtBy: [suite("test/store/jobs/job-store.test.ts", "a worker that lost its job")],
  },
  {
    name: "entries-of-another-generation-laid-over",
    where: "filterByGeneration",
    mutation: replace(at("binary", "generation"), "true"),
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  {
    name: "snapshot-taken-for-exact-after-a-write",
    where: "Stage.hold",
    mutation: remove(at("if", "snapshot")),
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  {
    name: "published-staging-swept",
    where: "closeIfAbandoned",
    mutation: replace(at("logical", "open"), 'staging.state === "closed"'),
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  {
    name: "publication-confirmed-as-if-it-changed-nothing",
    where: "createReads.isTouchedBy",
    mutation: replace(at("if", "live", { part: "consequent.argument" }), "false"),
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  {
    name: "object-newer-than-the-head-believed",
    where: "readObject",
    mutation: keep("left", at("logical", "revision")),
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  {
    name: "summary-keeps-what-was-before",
    where: "createMovedSummaryWrites",
    mutation: replace(at("call", "toSummaryItem", { part: "arguments.0" }), "before"),
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  {
    name: "what-a-batch-left-counts-as-written",
    where: "sendUntilAccepted",
    mutation: replace(at("await", "send"), "($).slice(1)"),
    caughtBy: [suite("test/simulation/schedules.test.ts")],
  },
  {
    name: "late-tag-taken-for-a-dead-one",
    where: "listLiveTagLinks",
    mutation: remove(at("call", "tag", { part: "arguments.2" })),
    caughtBy: [suite("test/store/read/partly-visible-commits.test.ts")],
  },
];
