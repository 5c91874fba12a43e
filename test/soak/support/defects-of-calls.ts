import { type Defect, type Suite, suiteIn } from "./defect.ts";

const store = suiteIn("test/store");
const actions = suiteIn("test/actions");
const doors = suiteIn("test/doors");
const limits = (name: string): Suite => suiteIn("test/shape")("limits", `${name} lets through`);
const ATTEMPTS = "shared/actions/attempts.ts";
const IDEMPOTENCY = "shared/actions/idempotency.ts";
const RECORDS = "shared/store/records.ts";
const JOBS = "shared/store/job-store.ts";

/** Mistakes in what a call may repeat, keep and answer, and in jobs. */
export const DEFECTS_OF_CALLS: readonly Defect[] = [
  {
    name: "idempotency-record-skipped",
    file: "shared/store/commit.ts",
    find: "...(record ? [{ write: recordWrite(record, now) }] : []),",
    replace: "",
    caughtBy: [actions("controls", "answers the same call again")],
  },
  {
    name: "idempotency-record-of-an-unchanged-write-skipped",
    file: ATTEMPTS,
    find: "const twin = claim && (await store.remember({ ...claim, answer }));",
    replace: "const twin = undefined;",
    caughtBy: [actions("controls", "keeps the answer of a write that changed nothing")],
  },
  {
    name: "log-reason-looked-at-before-the-record",
    file: "shared/store/commit.ts",
    find: "  if (twin) return { twin };\n",
    replace: '  if (error.failed[0]) return "moved";\n  if (twin) return { twin };\n',
    caughtBy: [store("twins", "late with its commit")],
  },
  {
    name: "record-not-looked-for-before-a-refusal",
    file: ATTEMPTS,
    find: "(await settle(r, unsettled)) ?? (claim && !r.job && (await recalled(r, claim)));",
    replace: "await settle(r, unsettled);",
    caughtBy: [store("twins", "late with its reading")],
  },
  {
    name: "fingerprint-ignored",
    file: IDEMPOTENCY,
    find: "if (record.fingerprint === claim.fingerprint) return { ...record.answer, replayed: true };",
    replace: "if (record.fingerprint !== '') return { ...record.answer, replayed: true };",
    caughtBy: [actions("controls", "given another payload, refuses the key")],
  },
  {
    name: "idempotency-key-shared-by-callers",
    file: IDEMPOTENCY,
    find: "JSON.stringify([caller, call.action, key])",
    replace: "JSON.stringify([call.action, key])",
    caughtBy: [actions("controls", "is the caller's and the action's own")],
  },
  {
    name: "record-never-expires",
    file: RECORDS,
    find: "if (expiresAt < now) return undefined;",
    replace: "",
    caughtBy: [limits("idempotencyHours")],
  },
  {
    name: "expired-record-in-the-way",
    file: RECORDS,
    find: "expect: endedJob === undefined ? { absentOrExpired: now } :",
    replace: "expect: endedJob === undefined ? { absent: true } :",
    caughtBy: [limits("idempotencyHours")],
  },
  {
    name: "record-forgotten-too-early",
    file: IDEMPOTENCY,
    find: "LIMITS.idempotencyHours * 3_600,",
    replace: "LIMITS.idempotencyHours * 60,",
    caughtBy: [limits("idempotencyHours")],
  },
  {
    name: "decided-again-with-new-ids",
    file: "shared/actions/call.ts",
    find: "repeat: () => {\n      used = 0;",
    replace: "repeat: () => {\n      used = 0;\n      ids.length = 0;",
    caughtBy: [store("repeats", "under the same ids"), store("repeats", "answers the id of what is there")],
  },
  {
    name: "not-settled-before-an-attempt",
    file: ATTEMPTS,
    find: "const settled = await settle(r, shared.unsettled);\n  if (settled) return settled;\n",
    replace: "",
    caughtBy: [store("unknown-outcomes", "applied long after its answer was given up")],
  },
  {
    name: "not-settled-before-an-error-is-answered",
    file: ATTEMPTS,
    find: "const instead = (await settle(r, unsettled)) ?? (claim",
    replace: "const instead = undefined ?? (claim",
    caughtBy: [store("repeats", "cannot read any more")],
  },
  {
    name: "not-settled-before-giving-up",
    file: ATTEMPTS,
    find: "const settled = await settle(r, unsettled);\n      if (settled) return settled;\n",
    replace: "",
    caughtBy: [store("repeats", "the time is up")],
  },
  {
    name: "never-given-up",
    file: ATTEMPTS,
    find: "const giveUp = Math.min(r.request.deadline, ambient.now() + patience);",
    replace: "const giveUp = ambient.now() + 20 * patience;",
    caughtBy: [limits("contentionMs")],
  },
  {
    name: "work-after-the-deadline",
    file: "shared/store/dynamo.ts",
    find: 'if (left <= 0) throw new Problem("out_of_time", "the call ran out of time; try again", { retryAfter: 1 });',
    replace: "if (left <= 0) return {};",
    caughtBy: [store("deadline", "is sent before the deadline")],
  },
  {
    name: "deadline-ignored",
    file: "shared/store/dynamo.ts",
    find: "return { seam: (deadline) => seamOver(clients, connection, () => shareOf(deadline - now())) };",
    replace: "return { seam: (_) => seamOver(clients, connection, () => shareOf(Number.POSITIVE_INFINITY)) };",
    caughtBy: [store("deadline", "is sent before the deadline"), store("deadline", "never comes")],
  },
  {
    name: "slow-store-waited-for-past-the-deadline",
    file: "shared/store/dynamo.ts",
    find: "return { abortSignal: AbortSignal.timeout(Math.ceil(Math.min(left, Math.max(LEAST_SHARE_MS, left / 2)))) };",
    replace: "return {};",
    caughtBy: [store("deadline", "never comes")],
  },
  {
    name: "deadline-not-handed-to-the-store",
    file: "functions/dispatcher/service.ts",
    find: "const seam = table.seam(deadline);",
    replace: "const seam = table.seam(Number.POSITIVE_INFINITY);",
    caughtBy: [store("deadline", "a call whose time is up")],
  },
  {
    name: "platform-deadline-ignored",
    file: "functions/dispatcher/chain.ts",
    find: "const deadline = Math.min(now() + LIMITS.callMs, cutOff - RESERVE_MS);",
    replace: "const deadline = now() + LIMITS.callMs;",
    caughtBy: [doors("limits-of-a-call", "less where the platform ends it earlier")],
  },
  {
    name: "etag-of-the-head-before",
    file: ATTEMPTS,
    find: "...(view && { etag: etagOf(view) }),",
    replace:
      "...(view && { etag: etagOf({ modelId: view.modelId, revision: (view as { head?: { entry: { revision: number } } }).head?.entry.revision ?? 0 }) }),",
    caughtBy: [store("long-read", "ends at one revision")],
  },
  {
    name: "if-match-ignored",
    file: "shared/actions/controls.ts",
    find: "for (const pin of controls.ifMatch) {",
    replace: "for (const pin of controls.ifMatch.slice(1)) {",
    caughtBy: [actions("controls", "runs at the revision pinned alone")],
  },
  {
    name: "if-match-not-asked-after-reading",
    file: ATTEMPTS,
    find: "if (addressed) await checkIfMatch(addressed, r.request.controls, store);",
    replace: "",
    caughtBy: [store("pinned", "type_delete")],
  },
  {
    name: "if-match-of-another-model-accepted",
    file: "shared/actions/controls.ts",
    find: "if (pin.modelId === view.modelId && pin.revision === view.revision) continue;",
    replace: "if (pin.revision === view.revision) continue;",
    caughtBy: [actions("controls", "runs at the revision pinned alone")],
  },
  {
    name: "dry-run-commits",
    file: ATTEMPTS,
    find: "  if (r.request.controls.dryRun) {\n",
    replace: "  if (r.request.controls.dryRun) {\n    await store.commit(view, decision, r.call);\n",
    caughtBy: [actions("controls", "tells what it would change and writes nothing")],
  },
  {
    name: "dry-run-does-not-meet-taken-keys",
    file: ATTEMPTS,
    find: "  if (r.request.controls.dryRun) {\n    await store.rehearse(view, decision);\n",
    replace: "  if (r.request.controls.dryRun) {\n",
    caughtBy: [actions("controls", "answers the same problems as a real call")],
  },
  {
    name: "rule-not-asked",
    file: "shared/actions/dispatch.ts",
    find: "authorize(action.rule, principal);\n",
    replace: "",
    caughtBy: [doors("problems", "a known caller without the permission")],
  },
  {
    name: "parameters-told-before-the-rule",
    file: "shared/actions/dispatch.ts",
    find: "  const opening = opened(payload, ports);\n",
    replace: "  if (payload instanceof Problem) throw payload;\n  const opening = opened(payload, ports);\n",
    caughtBy: [doors("problems", "learns nothing about what is wrong")],
  },
  {
    name: "job-finished-without-its-lease",
    file: JOBS,
    find: 'expect: { equal: { state: "running", epoch: mark.epoch } } },',
    replace: "expect: { absentOrEqual: { v: FORMAT } } },",
    caughtBy: [store("job-lease")],
  },
  {
    name: "two-workers-take-one-job",
    file: JOBS,
    find: "const expect = { equal: { state: job.state, epoch: job.epoch, leaseUntil: job.leaseUntil } };",
    replace: "const expect = { equal: { v: FORMAT } };",
    caughtBy: [store("jobs", "is run by one worker at once")],
  },
  {
    name: "job-taken-from-a-living-worker",
    file: JOBS,
    find: 'if (job.state === "running" && job.leaseUntil >= ambient.now()) return undefined;',
    replace: "",
    caughtBy: [store("jobs", "is run by one worker at once")],
  },
  {
    name: "cancelled-job-keeps-its-idempotency-key",
    file: JOBS,
    find: "if (job.record !== undefined) {",
    replace: "if (job.record === '') {",
    caughtBy: [store("jobs", "the call can be made again")],
  },
];
