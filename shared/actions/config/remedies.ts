import { PROBLEMS, type ProblemCode } from "../../domain/problems.ts";

/** The remedy of each problem, a sentence to the caller who meets it; a code without one does not compile. */
export const REMEDIES: { readonly [C in ProblemCode]: string } = {
  bad_request: "Send one well-formed JSON object as the body, and each parameter as its type asks.",
  bad_parameters:
    "Read `errors`: each has the `pointer` of a parameter and what is wrong with it. Correct all of them.",
  bad_precondition: "Leave the header out, or send it as the answer of the model's last read gave it.",
  not_signed_in: "Get a token and send it as `Authorization: Bearer <token>`; if you sent one, get a new one.",
  login_challenge:
    "Stop, and tell the person: `detail` names the step, which they take on the sign-in page of their user pool.",
  not_allowed: "Stop: `detail` names the permission that an administrator would have to give you.",
  wrong_password: "Ask whoever the account belongs to for the password they have now.",
  actor_disabled: "Stop, and tell whoever you work for.",
  not_found: "`detail` names the ref. List what there is, and look for another spelling; keys are case-sensitive.",
  unknown_path: "Call `/api/<group>/<action>`.",
  unknown_action: "Take the name that `detail` suggests, or look in `config/inspect_actions`.",
  method_not_allowed: "Use `POST`.",
  not_acceptable: "Send no `Accept` header, or one that allows what the action answers.",
  key_taken: "Read what holds the key: it may be what you wanted to make. Else choose another key.",
  still_used: "`detail` names what uses it. Change or delete that first, or keep the object.",
  too_few_roles: "Add the role that takes its place first, or delete the whole relationship.",
  too_many_roles: "Leave the key pairs out, or give each pair of roles a relationship of its own.",
  managed_role: "Make a role of your own with the permissions you want, and assign that.",
  last_administrator: "Give another actor the permission `admin` first.",
  merge_conflict: "`conflicts` lists them. Say with `onConflict` which side holds, or change one of the two.",
  contention: "Send the same call again after a pause.",
  job_running: "Wait for the job that works on this very call, then send it again to get its answer.",
  job_ended: "Read the job: it is done, failed or cancelled already.",
  bootstrap_used: "There is an administrator already: sign in.",
  precondition_failed: "`changesSince` says what others changed. Read the model again, and decide again.",
  plan_outdated: "Make a dry run again, look at the plan, and send that one.",
  too_large: "Send less at once: `detail` names the limit.",
  result_too_large: "Ask for pages with `limit`, or for one object at a time.",
  unsupported_media_type: "Send `Content-Type: application/json`.",
  source_not_recognised: "Give a Table Schema, a Data Package or a document that `model/model_export` answered.",
  invalid_content: "Read `errors`: each has the `pointer` of a place in the source. Nothing was stored.",
  version_not_greater: "`detail` names the highest version. Choose one that comes after it.",
  idempotency_key_reused: "Take a new key for a new call; a key belongs to one action with one payload.",
  throttled: "Wait as many seconds as `retryAfter` says, then send the same call again.",
  internal: "Do not repeat it blindly. Report it with its `requestId`.",
  unavailable: "Wait as many seconds as `retryAfter` says, then send the same call again.",
  out_of_time: "Send the same call again with the same `Idempotency-Key`; without one, read first whether it was done.",
};

/** The remedies as a table in Markdown, in the order of the problem table. */
export function formatRemedyTable(): readonly string[] {
  const rows = Object.entries(REMEDIES).map(
    // The keys of both tables are the codes.
    ([code, remedy]) => `| ${PROBLEMS[code as ProblemCode].status} | \`${code}\` | ${remedy} |`,
  );
  return ["| status | `code` | what to do |", "|---|---|---|", ...rows];
}
