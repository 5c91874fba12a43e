import { type Defects, suite } from "./defect.ts";
import { at, changeOperator, keep, moveBefore, remove, replace } from "./mutation.ts";

/** Defects in stages, sweeps and jobs, and in the stored accounts. */
export const WORKER_DEFECTS: Defects = {
  "stage-that-is-not-held-published": {
    planted: ["publishStage", remove(at("if", "staging_abandoned"))],
    caughtBy: [suite("test/store/publish/publication.test.ts", "of a writer that seemed dead does not")],
  },
  "stage-kept-after-it-was-given-up": {
    planted: ["createStages.taken", remove(at("statement", "delete"))],
    caughtBy: [suite("test/store/publish/stage.test.ts", "an abandoned stage gets no more writes")],
  },
  "writer-of-a-stage-renews-over-itself": {
    planted: ["Stage.renew", replace(at("member", "then", { part: "object" }), "Promise.resolve()")],
    caughtBy: [suite("test/store/publish/stage.test.ts", "at once")],
  },
  "writer-that-renewed-closed": {
    planted: ["createClosingWrites", remove(at("property", "since", { nth: 2 }))],
    caughtBy: [suite("test/store/publish/publication-onto.test.ts", "renews its lease")],
  },
  "useless-blobs-not-noted": {
    planted: ["Stage.createPublishingWrites", replace(at("unary", "includes"), "false")],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "useless-blobs-noted-under-what-lives": {
    planted: ["Stage.createPublishingWrites", replace(at("conditional", "length"), "unused[0]")],
    caughtBy: [suite("test/store/publish/publication-onto.test.ts", "before it decided again")],
  },
  "blob-not-in-the-record": {
    planted: ["Stage.writeList", remove(at("if", "record"))],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "overwritten-object-deleted": {
    planted: ["excludeItems", keep("callee.object", at("call", "filter"))],
    caughtBy: [suite("test/store/publish/publication-onto.test.ts", "includes unrelated ones, and does not")],
  },
  "one-failure-while-others-write": {
    planted: ["waitForAll", remove(at("statement", "allSettled"))],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "snapshot-real-before-it-is-there": {
    planted: ["makeSnapshot", moveBefore(at("statement", "end"), at("return", "count"))],
    caughtBy: [suite("test/store/read/past-snapshots.test.ts", "an incomplete snapshot is ignored by")],
  },
  "owned-swept-one-page-far": {
    planted: ["sweepOwned", replace(at("literal", "false"), "true")],
    caughtBy: [suite("test/store/sweep/sweep.test.ts", "between the pages")],
  },
  "owned-by-another-swept": {
    planted: ["sweepOwned", replace(at("binary", "entity"), "item.entity !== undefined")],
    caughtBy: [suite("test/store/sweep/sweep.test.ts", "deletes nothing of other owners")],
  },
  "lease-not-renewed": {
    planted: ["createLease.progress", remove(at("property", "leaseUntil"))],
    caughtBy: [suite("test/store/jobs/job-store.test.ts", "keeps its job")],
  },
  "job-tried-for-ever": {
    planted: ["takeJob", changeOperator(at("binary", "jobWorkers"), ">")],
    caughtBy: [suite("test/store/jobs/jobs.test.ts", "jobWorkers")],
  },
  "record-of-a-later-call-deleted-with-a-job": {
    planted: ["endJob", replace(at("property", "equal"), "anything: true")],
    caughtBy: [suite("test/store/jobs/job-store.test.ts", "does not change the record of another")],
  },
  "jobs-of-everybody-listed": {
    planted: ["listJobs", remove(at("if", "isAsked"))],
    caughtBy: [suite("test/store/jobs/job-store.test.ts", "jobs are listed in pages, newest first")],
  },
  "jobs-of-an-actor-shown-to-its-tokens-for-some-models": {
    planted: ["canReadJob", keep("left", at("logical", "actor"))],
    caughtBy: [suite("test/store/jobs/jobs.test.ts", "a token for some models")],
  },
  "epoch-of-a-job-not-raised": {
    planted: ["takeJob", keep("left", at("property", "epoch", { part: "value" }))],
    caughtBy: [suite("test/store/jobs/jobs.test.ts", "jobWorkers")],
  },
  "job-without-a-note-for-its-order": {
    planted: ["writeJob", remove(at("statement", ["table", "write"]))],
    caughtBy: [suite("test/store/jobs/job-store.test.ts", "die before any")],
  },
  "waiting-jobs-not-found": {
    planted: ["createJobStore.listWaiting", replace(at("unary", "has"), 'state === "accepted"')],
    caughtBy: [suite("test/store/jobs/jobs.test.ts", "is run by one worker at a time")],
  },
  "job-that-may-come-told-as-not-done": {
    planted: ["writeJob", replace(at("call", "createOutcomeUnknownProblem"), "createNoAnswerProblem()")],
    caughtBy: [
      suite("test/store/jobs/job-store.test.ts", 'whose transaction may still succeed, and then fails with "'),
    ],
  },
  "progress-of-a-lost-job-shown": {
    planted: ["createLease.progress", replace(at("logical", "running"), "!found")],
    caughtBy: [suite("test/store/jobs/job-store.test.ts", "publishes though another worker took")],
  },
  "result-of-a-job-without-its-pieces": {
    planted: ["createJobEndWrites", keep("elements.1.argument", at("array", "whole"))],
    caughtBy: [suite("test/store/jobs/job-store.test.ts", "replays its answer, and no item")],
  },
  "torn-account-believed": {
    planted: ["toAccount", remove(at("if", "epoch"))],
    caughtBy: [suite("test/identity/half-visible.test.ts", "made with the old password")],
  },
  "password-keeps-its-epoch": {
    planted: ["createPasswordWrites", replace(at("property", ["put", "before"]), "check: passwordKey(username)")],
    caughtBy: [suite("test/identity/half-visible.test.ts", "a token made during the deactivation")],
  },
  "bootstrap-not-recognised-as-its-own": {
    planted: ["createAdministrator", remove(at("if", "operation"))],
    caughtBy: [suite("test/identity/reopen.test.ts", "its own administrator when the commit")],
  },
  "wrong-passwords-counted-over-each-other": {
    planted: ["noteAttempt", replace(at("object", "equal"), "{ anything: true }")],
    caughtBy: [suite("test/identity/login-attempts.test.ts", "of a thousand concurrent calls cost as")],
  },
  "refusals-counted-over-each-other": {
    planted: ["noteRefusal", replace(at("conditional", "number"), "{ anything: true }")],
    caughtBy: [suite("test/actions/auth-audit.test.ts", "many unknown names at once")],
  },
  "hour-of-a-note-forgotten": {
    planted: ["noteSeen", keep("left", at("binary", "INTERVAL_SECONDS"))],
    caughtBy: [suite("test/identity/last-seen.test.ts", "once an hour")],
  },
  "earlier-secret-of-a-reopening-good": {
    planted: ["createFurtherAdministrator", remove(at("property", "reopened"))],
    caughtBy: [suite("test/identity/reopen.test.ts", "revokes the secret before also during")],
  },
  "reopening-not-recognised-as-its-own": {
    planted: ["reopenBootstrap", remove(at("if", "reopened"))],
    caughtBy: [suite("test/identity/reopen.test.ts")],
  },
  "audit-page-one-row-short": {
    planted: ["listAudit", keep("left", at("binary", "1"))],
    caughtBy: [suite("test/store/accounts/audit-list.test.ts")],
  },
};
