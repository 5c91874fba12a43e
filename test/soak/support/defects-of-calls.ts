import { type Defects, suite } from "./defect.ts";
import { at, keep, moveBefore, remove, replace } from "./mutation.ts";

/**
 * Defects in idempotency, preconditions, deadlines, dry runs and jobs, at the HTTP transport, in sign-in and tokens.
 */
export const CALL_DEFECTS: Defects = {
  "idempotency-record-skipped": {
    planted: ["createTransaction", remove(at("spread", "write"))],
    caughtBy: [suite("test/every-action/controls.test.ts", "replays the answer of the same call")],
  },
  "idempotency-record-of-an-unchanged-write-skipped": {
    planted: ["confirmUnchanged", replace(at("logical", "ports"), "undefined")],
    caughtBy: [suite("test/every-action/controls.test.ts", "records the answer of a write without")],
  },
  "log-reason-looked-at-before-the-record": {
    planted: ["interpretRefusal", replace(at("if", "duplicate"), 'if (error.failed[0]) return "conflict"; $')],
    caughtBy: [suite("test/store/commit/concurrent-duplicates.test.ts", "the later commit gets the other's")],
  },
  "record-not-looked-for-before-a-refusal": {
    planted: ["repeatWrite", replace(at("logical", "ports"), "undefined")],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "fingerprint-ignored": {
    planted: ["replayAnswer", replace(at("if", "answer", { part: "test" }), "true")],
    caughtBy: [suite("test/every-action/controls.test.ts", "is refused with another payload")],
  },
  "fingerprint-without-refs": {
    planted: ["createIdempotencyRequest", remove(at("property", "map"))],
    caughtBy: [suite("test/every-action/fingerprint.test.ts", "model/type_create")],
  },
  "idempotency-key-shared-by-callers": {
    planted: ["createIdempotencyRequest", remove(at("spread"))],
    caughtBy: [suite("test/every-action/controls.test.ts", "belongs to one caller and one action")],
  },
  "idempotency-key-shared-by-a-token-for-some-models": {
    planted: ["listOwner", keep("alternate", at("conditional", "within"))],
    caughtBy: [suite("test/actions/auth-token-bounds.test.ts", "does not replay an answer that")],
  },
  "token-for-some-models-used-on-others": {
    planted: ["hasPermissionOn", remove(at("if", "within"))],
    caughtBy: [suite("test/actions/auth-token-bounds.test.ts", "works on these only, and finds no")],
  },
  "token-for-some-models-grants-a-job-others": {
    planted: ["captureGrant", keep("alternate", at("conditional", "within"))],
    caughtBy: [suite("test/actions/granted-models.test.ts", "another pattern")],
  },
  "service-account-counted-as-administrator": {
    planted: ["checkAdministratorRemains.isAdministrator", keep("left", at("logical", "isServiceAccount"))],
    caughtBy: [suite("test/actions/auth-service-account.test.ts", "a service account with all permissions")],
  },
  "record-never-expires": {
    planted: ["readRecord", remove(at("if", "expiresAt"))],
    caughtBy: [suite("test/shape/limits.test.ts", "idempotencyHours accepts the limit")],
  },
  "expired-record-in-the-way": {
    planted: ["splitRecord.write", replace(at("property", "absentOrExpired"), "absent: true")],
    caughtBy: [suite("test/shape/limits.test.ts", "idempotencyHours accepts the limit")],
  },
  "record-forgotten-too-early": {
    planted: ["createIdempotencyRequest", replace(at("literal", "3600"), "60")],
    caughtBy: [suite("test/shape/limits.test.ts", "idempotencyHours accepts the limit")],
  },
  "decided-again-with-new-ids": {
    planted: ["beginCall.repeat", replace(at("statement"), "$ ids.length = 0;")],
    caughtBy: [suite("test/store/commit/unknown-outcomes.test.ts", "under the same ids")],
  },
  "not-settled-before-an-answer": {
    planted: ["attemptWrite", replace(at("await", "resolvePendingCommits"), "undefined")],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "not-settled-before-an-error-is-answered": {
    planted: ["repeatWrite", replace(at("await", "resolvePendingCommits", { nth: 1 }), "undefined")],
    caughtBy: [suite("test/simulation/schedules.test.ts", "one order of commits")],
  },
  "late-commit-answered-as-another-call's": {
    planted: ["answerFromRecord", replace(at("await"), "undefined")],
    caughtBy: [suite("test/store/commit/unknown-outcomes.test.ts", "is answered as the call's own if")],
  },
  "not-settled-before-giving-up": {
    planted: ["repeatWrite", replace(at("await", "resolvePendingCommits", { nth: 2 }), "undefined")],
    caughtBy: [suite("test/store/commit/unknown-outcomes.test.ts", "is answered as done if the deadline")],
  },
  "refused-while-a-commit-may-come": {
    planted: ["repeatWrite", keep("consequent", at("if", "job"))],
    caughtBy: [suite("test/store/commit/refusals.test.ts", "a call is not refused while its own")],
  },
  "outdated-beside-what-has-changed": {
    planted: ["attemptWrite", keep("left", at("logical", "all"))],
    caughtBy: [suite("test/store/commit/refusals.test.ts", "a batch is not refused for a changed")],
  },
  "error-of-a-torn-reading-told": {
    planted: ["attemptWrite", replace(at("unary", "isCertain"), "outdated !== undefined && $")],
    caughtBy: [suite("test/store/commit/refusals.test.ts", "a model that changed while it was read")],
  },
  "never-given-up": {
    planted: ["CallContext.prepare", replace(at("call", "min"), "service.ambient.now() + 20 * patience")],
    caughtBy: [suite("test/shape/limits.test.ts", "contentionMs accepts the limit")],
  },
  "turn-not-taken-after-a-conflict": {
    planted: ["repeatWrite", replace(at("await", "queueSlot"), "false")],
    caughtBy: [suite("test/guarantees/concurrent-turns.test.ts", "runs before the next of its process")],
  },
  "head-from-before-the-turn": {
    planted: ["openForCall", replace(at("await", "queueSlot"), "($) === undefined")],
    caughtBy: [suite("test/guarantees/concurrent-turns.test.ts", "runs before the next of its process")],
  },
  "turn-kept-after-the-call": {
    planted: ["answerWrite", remove(at("statement", "release"))],
    caughtBy: [suite("test/guarantees/concurrent-turns.test.ts", "leaves the queue also when it fails")],
  },
  "turn-kept-while-a-generation-is-written": {
    planted: ["commitDecision.commit", remove(at("if", "publish"))],
    caughtBy: [suite("test/guarantees/concurrent-turns.test.ts", "while a copy writes")],
  },
  "repeats-without-a-budget": {
    planted: ["spendRetryToken", replace(at("unary", "budget"), "$ && false")],
    caughtBy: [
      suite("test/store/table/retry.test.ts", "every request is repeated little more"),
      suite("test/store/table/retry.test.ts", "writes is not sent writes by those who"),
    ],
  },
  "dry-run-rests-on-no-free-key": {
    planted: ["commit.rehearse", replace(at("statement", "notePoint"), "continue;")],
    caughtBy: [suite("test/guarantees/concurrent-keys.test.ts", "does not find a key free")],
  },
  "work-after-the-deadline": {
    planted: ["createTimeout", replace(at("throw", "out_of_time"), "return {};")],
    caughtBy: [suite("test/store/table/deadline.wire.test.ts", "is sent before the deadline")],
  },
  "deadline-ignored": {
    planted: ["createDynamoConnector.connect", replace(at("binary"), "Number.POSITIVE_INFINITY")],
    caughtBy: [
      suite("test/store/table/deadline.wire.test.ts", "is sent before the deadline"),
      suite("test/store/table/deadline.wire.test.ts", "without an answer is given up"),
    ],
  },
  "slow-store-waited-for-past-the-deadline": {
    planted: ["createTimeout", remove(at("property", "abortSignal"))],
    caughtBy: [suite("test/store/table/deadline.wire.test.ts", "without an answer is given up")],
  },
  "deadline-not-handed-to-the-store": {
    planted: [
      "createService.ports",
      replace(at("call", "connect", { part: "arguments.0" }), "Number.POSITIVE_INFINITY"),
    ],
    caughtBy: [suite("test/store/table/deadline.wire.test.ts", "a call without time left before it")],
  },
  "platform-deadline-ignored": {
    planted: ["createChain", keep("arguments.0", at("call", "min"))],
    caughtBy: [suite("test/http/call-limits.test.ts", "a call has callMs, or less if")],
  },
  "etag-of-the-head-before": {
    planted: [
      "formatReading",
      replace(at("logical", "etag"), "formatEtag({ ledgerId: view.ledgerId, revision: view.head.entry.revision })"),
    ],
    caughtBy: [suite("test/store/read/long-read.test.ts", "ends at one revision")],
  },
  "if-match-ignored": {
    planted: ["checkPreconditions", replace(at("call", "controls"), "$.slice(1)")],
    caughtBy: [suite("test/every-action/controls.test.ts", "runs only at the given revision")],
  },
  "if-match-not-asked-after-reading": {
    planted: ["attemptWrite", keep("alternate", at("conditional", "controls"))],
    caughtBy: [suite("test/store/read/pinned.test.ts", "type_delete")],
  },
  "if-match-of-another-model-accepted": {
    planted: ["checkPreconditions", keep("right", at("if", "ledgerId", { part: "test" }))],
    caughtBy: [suite("test/every-action/controls.test.ts", "runs only at the given revision")],
  },
  "dry-run-commits": {
    planted: [
      "commitOrConfirm",
      replace(at("return", "controls"), "if (controls.dryRun) await commit(context, view, decision); $"),
    ],
    caughtBy: [suite("test/every-action/controls.test.ts", "answers its changes and writes nothing")],
  },
  "dry-run-does-not-meet-taken-keys": {
    planted: ["commitDecision.rehearse", replace(at("function", "ports"), "async () => undefined")],
    caughtBy: [suite("test/every-action/controls.test.ts", "answers the same problems as a real call")],
  },
  "rule-not-asked": {
    planted: ["dispatch.dispatch", remove(at("statement", "authorize"))],
    caughtBy: [suite("test/http/problem-response.test.ts", "a known caller without the permission")],
  },
  "parameters-told-before-the-rule": {
    planted: [
      "dispatch.dispatch",
      replace(at("statement", "prefetchAddressed"), "if (early instanceof Problem) throw early; $"),
    ],
    caughtBy: [suite("test/http/problem-response.test.ts", "a caller without the permission learns")],
  },
  "job-ended-twice": {
    planted: ["createJobEndWrites", replace(at("property", ["running", "state"]), "v: 1")],
    caughtBy: [
      suite("test/store/jobs/job-store.test.ts", "does not publish after its job was"),
      suite("test/store/jobs/job-store.test.ts", "publishes though another worker took"),
    ],
  },
  "two-workers-take-one-job": {
    planted: ["replaceJob", replace(at("call", "expectAsRead"), "{ anything: true }")],
    caughtBy: [suite("test/store/jobs/jobs.test.ts", "is run by one worker at a time")],
  },
  "job-taken-from-a-living-worker": {
    planted: ["takeJob", remove(at("if", "running"))],
    caughtBy: [suite("test/store/jobs/jobs.test.ts", "is run by one worker at a time")],
  },
  "cancelled-job-keeps-its-idempotency-key": {
    planted: ["endJob", replace(at("binary", "job"), "false")],
    caughtBy: [suite("test/store/jobs/jobs.test.ts", "can be cancelled; then nothing of it")],
  },
  "job-not-sent-again-without-an-answer": {
    planted: ["writeJob", keep("alternate", at("if", "retryPolicy"))],
    caughtBy: [suite("test/store/jobs/job-store.test.ts", "is not answered happens once")],
  },
  "record-of-a-job-required-after-its-time": {
    planted: ["createJobEndWrites", keep("left", at("logical", "expiresAt"))],
    caughtBy: [suite("test/store/jobs/job-store.test.ts", "does not change the record of another")],
  },
  "answered-before-the-list-shows-it": {
    planted: ["commitDecision.commit", remove(at("statement", "waitUntilListed"))],
    caughtBy: [suite("test/store/read/summaries.test.ts", "model_update_key")],
  },
  "dry-run-refused-by-what-is-gone": {
    planted: ["commitDecision.rehearse", moveBefore(at("if", "refusal"), at("if", "confirmAll"))],
    caughtBy: [suite("test/store/commit/transaction-sizes.test.ts", "decides again")],
  },
  "pending-commit-not-awaited": {
    planted: [
      "commitDecision.commit",
      replace(
        at("if", ["pendingCommits", "length"]),
        "if (context.pendingCommits.length > 0) throw outOfTries(context);",
      ),
    ],
    caughtBy: [suite("test/store/jobs/predicted-time.test.ts", "wait for its commit that may still succeed")],
  },
  "coding-that-is-excluded-sent": {
    planted: ["acceptsCoding", keep("left", at("logical", "weight"))],
    caughtBy: [suite("test/http/answer-response.test.ts")],
  },
  "not-modified-in-another-form": {
    planted: ["toPlainTag", keep("alternate", at("conditional", "rows"))],
    caughtBy: [suite("test/http/entity-tags.test.ts")],
  },
  "plus-in-a-query-kept": {
    planted: ["decodeQueryText", keep("callee.object", at("call", "replaceAll"))],
    caughtBy: [suite("test/http/read-call.test.ts")],
  },
  "body-of-another-type-read": {
    planted: ["readJsonText", remove(at("statement", "requireJson"))],
    caughtBy: [suite("test/http/read-body.test.ts")],
  },
  "every-origin-allowed": {
    planted: ["createCorsHeaders", keep("consequent", at("conditional", "includes"))],
    caughtBy: [suite("test/http/answer-response.test.ts")],
  },
  "body-of-a-lambda-event-not-decoded": {
    planted: ["requestOf", keep("alternate", at("conditional", "base64"))],
    caughtBy: [suite("test/http/lambda-event.test.ts")],
  },
  "hidden-file-of-the-web-application-served": {
    planted: ["readStaticFiles", keep("left", at("logical", "isFile"))],
    caughtBy: [suite("test/local/web-files.test.ts")],
  },
  "expired-token-accepted": {
    planted: ["issuedWithin", remove(at("if", "not_signed_in"))],
    caughtBy: [suite("test/identity/tokens/tokens.test.ts")],
  },
  "token-from-before-the-new-password-accepted": {
    planted: ["findPrincipal", keep("right", at("logical", "issuedAt"))],
    caughtBy: [suite("test/actions/auth-user.test.ts")],
  },
  "wrong-passwords-without-a-wait": {
    planted: ["countAttempt", remove(at("statement", ["here", "refuseUntil"]))],
    caughtBy: [suite("test/identity/login-attempts.test.ts")],
  },
  "token-for-another-client-accepted": {
    planted: ["createSignatureCheck", remove(at("if", "clientIds"))],
    caughtBy: [suite("test/identity/issuers/oidc-provider.test.ts")],
  },
  "disabled-actor-of-another-issuer-accepted": {
    planted: ["findExternal", remove(at("if", "disabledAt"))],
    caughtBy: [suite("test/identity/issuers/sign-in.test.ts")],
  },
};
