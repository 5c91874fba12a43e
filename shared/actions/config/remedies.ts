import { PROBLEMS, type ProblemCode } from "../../domain/problems.ts";

/** Remedy for each problem code, as a sentence. A code without a remedy does not compile. */
export const REMEDIES: { readonly [C in ProblemCode]: string } = {
  bad_request: "Send one well-formed JSON object as the body, and each parameter in the form that its type requires.",
  bad_parameters:
    "Read `errors`: each has the `pointer` of a parameter and a description of the fault. Correct all of them.",
  bad_precondition: "Omit the header, or send the value that the last read of the model answered.",
  not_signed_in: "Get a token and send it as `Authorization: Bearer <token>`. If you sent a token, get a new one.",
  login_challenge:
    "Stop and inform the person: `detail` names the step that is required on the sign-in page of their user pool.",
  not_allowed: "Stop: `detail` names the permission that an administrator would have to give you.",
  wrong_password: "Ask the owner of the account for the current password.",
  actor_disabled: "Stop and inform the person you work for.",
  not_found: "`detail` names the ref. List the existing objects and check the spelling; keys are case-sensitive.",
  unknown_path: "Call `/api/<group>/<action>`.",
  unknown_action: "Use the name that `detail` suggests, or look it up in `config/inspect_actions`.",
  method_not_allowed: "Use `POST`.",
  not_acceptable: "Omit the `Accept` header, or send one that allows the media type of the answer.",
  key_taken: "Read the object that has the key: it may be the one you wanted to create. Otherwise choose another key.",
  still_used: "`detail` names the objects that use it. Change or delete them first, or keep the object.",
  too_few_roles: "Add the replacing role first, or delete the whole relationship.",
  too_many_roles: "Omit the key pairs, or create a separate relationship for each pair of roles.",
  managed_role: "Create another role with the required permissions, and assign that one.",
  last_administrator: "Give another actor the permission `admin` first.",
  merge_conflict: "`conflicts` lists them. Choose the side to keep with `onConflict`, or change one of the two sides.",
  contention: "Send the same call again after a pause.",
  job_running: "Wait for the job that runs this call, then send the call again to get its answer.",
  job_ended: "Read the job: it is already done, failed or cancelled.",
  not_deleted: "Read the model: it is there. Somebody else may have undeleted it.",
  bootstrap_used: "There is an administrator already: sign in.",
  precondition_failed: "`changesSince` lists the changes by others. Read the model again and decide again.",
  plan_outdated: "Make a dry run again, check the plan, and send the new plan.",
  too_large: "Send less in one call: `detail` names the limit.",
  result_too_large: "Request pages with `limit`, or a single object.",
  query_too_long: "Send the parameters as a JSON body with `POST`.",
  unsupported_media_type: "Send `Content-Type: application/json`.",
  wrong_host: "Use the address of the service, or add the host to its setting `METACTION_ALLOWED_HOSTS`.",
  source_not_recognised: "Send a Table Schema, a Data Package or a document that `model/model_export` answered.",
  invalid_content: "Read `errors`: each has the `pointer` of a fault in the source. Nothing was stored.",
  version_not_greater: "`detail` names the highest version. Choose a greater one.",
  idempotency_key_reused: "Use a new key for a new call; a key belongs to one action with one payload.",
  throttled: "Wait for the number of seconds in `retryAfter`, then send the same call again.",
  headers_too_long: "Send shorter headers, and the parameters as a JSON body with `POST`.",
  internal: "Do not retry automatically. Report the problem with its `requestId`.",
  unavailable: "Wait for the number of seconds in `retryAfter`, then send the same call again.",
  newer_format:
    "An update of the service is under way, or was taken back: try again, and tell an administrator if it stays.",
  out_of_time:
    "Send the same call again with the same `Idempotency-Key`. Without a key, read first whether it was done.",
};

/** Formats the remedies as a Markdown table, in the order of the problem table. */
export function formatRemedyTable(): readonly string[] {
  const rows = Object.entries(REMEDIES).map(
    // The keys of both tables are the codes.
    ([code, remedy]) => `| ${PROBLEMS[code as ProblemCode].status} | \`${code}\` | ${remedy} |`,
  );
  return ["| status | `code` | what to do |", "|---|---|---|", ...rows];
}
