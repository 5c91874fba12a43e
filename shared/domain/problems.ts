import type { Location, ObjectType } from "./differences.ts";

/** Representation of a problem code on each transport. `retryable`: the same call may succeed later unchanged. */
export interface ProblemRow {
  readonly status: number;
  readonly title: string;
  readonly exit: number;
  readonly rpc: number;
  readonly retryable: boolean;
}

const defineRow = (status: number, title: string, exit: number, rpc: number, retryable = false): ProblemRow => ({
  status,
  title,
  exit,
  rpc,
  retryable,
});

/** All problem codes with HTTP status, exit code and JSON-RPC code. */
export const PROBLEMS = {
  bad_request: defineRow(400, "The request is not well-formed", 2, -32600),
  bad_parameters: defineRow(400, "Some parameters are not valid", 2, -32602),
  bad_precondition: defineRow(400, "The precondition does not apply to this action", 2, -32602),
  not_signed_in: defineRow(401, "A valid access token is needed", 4, -32001),
  login_challenge: defineRow(403, "Sign-in needs another step", 4, -32001),
  not_allowed: defineRow(403, "Not allowed", 5, -32003),
  wrong_password: defineRow(403, "Wrong password", 5, -32003),
  actor_disabled: defineRow(403, "The actor is disabled", 5, -32003),
  not_found: defineRow(404, "Not found", 3, -32004),
  unknown_path: defineRow(404, "No such path", 3, -32601),
  unknown_action: defineRow(404, "No such action", 3, -32601),
  method_not_allowed: defineRow(405, "Method not allowed", 2, -32600),
  not_acceptable: defineRow(406, "None of the accepted media types can be produced", 2, -32600),
  key_taken: defineRow(409, "Key already in use", 6, -32009),
  still_used: defineRow(409, "Still in use", 6, -32009),
  too_few_roles: defineRow(409, "Too few roles would remain", 6, -32009),
  too_many_roles: defineRow(409, "Only two roles can be joined by key pairs", 6, -32009),
  managed_role: defineRow(409, "Role managed by the service", 6, -32009),
  last_administrator: defineRow(409, "No administrator would remain", 6, -32009),
  merge_conflict: defineRow(409, "Merge conflicts", 6, -32009),
  contention: defineRow(409, "Too many concurrent writers", 6, -32010, true),
  job_running: defineRow(409, "A job is processing this call", 6, -32011, true),
  job_ended: defineRow(409, "The job has ended", 6, -32009),
  not_deleted: defineRow(409, "The model is not deleted", 6, -32009),
  bootstrap_used: defineRow(410, "Bootstrap already used", 6, -32009),
  precondition_failed: defineRow(412, "Precondition failed: the model has changed", 6, -32012),
  plan_outdated: defineRow(412, "The plan is outdated", 6, -32012),
  too_large: defineRow(413, "Too large", 2, -32013),
  result_too_large: defineRow(413, "The result is too large", 2, -32013),
  query_too_long: defineRow(414, "The query string is too long", 2, -32013),
  unsupported_media_type: defineRow(415, "Unsupported media type", 2, -32600),
  wrong_host: defineRow(421, "Host not served here", 2, -32600),
  source_not_recognised: defineRow(422, "Source format not recognized", 2, -32022),
  invalid_content: defineRow(422, "The content is not valid", 2, -32022),
  version_not_greater: defineRow(422, "The version is not higher", 2, -32022),
  idempotency_key_reused: defineRow(422, "The idempotency key was used for another call", 2, -32022),
  throttled: defineRow(429, "Too many requests", 7, -32029, true),
  headers_too_long: defineRow(431, "The request line and headers are too long", 2, -32013),
  internal: defineRow(500, "Internal error", 1, -32603),
  unavailable: defineRow(503, "Temporarily unavailable", 1, -32053, true),
  newer_format: defineRow(503, "Stored by a newer version", 1, -32053, true),
  out_of_time: defineRow(504, "Time limit exceeded", 1, -32054, true),
} as const satisfies Record<string, ProblemRow>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One fault in a request or source: an RFC 6901 JSON pointer and a sentence. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

/** Summary of a commit. */
export interface CommitNote {
  readonly revision: number;
  readonly time: string;
  readonly actions: readonly string[];
  readonly actor?: string;
  /** The changed objects as `<kind> <key>`, truncated to the first ones. */
  readonly objects: readonly string[];
}

/** A quota that a call has exceeded, as in the header fields `RateLimit-Policy` and `RateLimit`. */
export interface Quota {
  readonly name: string;
  readonly quota: number;
  /** Seconds that the quota is for. */
  readonly window?: number;
  /** What is counted; requests unless given. */
  readonly unit?: "concurrent-requests";
}

/** Additional members of a problem. */
export interface ProblemMembers {
  readonly errors?: readonly Fault[];
  readonly currentRevision?: number;
  /** The current plan, if the request named an outdated one. */
  readonly plan?: string;
  /** Conflicts between manual edits and the source, truncated to the first ones. */
  readonly conflicts?: readonly Conflict[];
  readonly conflictCount?: number;
  /** Number of the batch entry that failed, counted from 1. */
  readonly entry?: number;
  /** Commits since the revision of the precondition, oldest first, truncated to the newest ones. */
  readonly changesSince?: readonly CommitNote[];
  /** Seconds to wait before retrying; also sent as `Retry-After`. */
  readonly retryAfter?: number;
  /** Sent in header fields only. */
  readonly quota?: Quota;
}

/** The only exception that callers see. `detail` holds no stack trace, table name, ARN or remote response. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly members: ProblemMembers;

  constructor(code: ProblemCode, detail: string, members: ProblemMembers = {}) {
    super(detail);
    this.name = "Problem";
    this.code = code;
    this.members = members;
  }
}

/** Returns the error if it is a `Problem`; otherwise throws it again. */
export function requireProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

/** One value that manual edits and the source changed differently since the last import. */
export interface Conflict extends Location {
  readonly objectType: ObjectType;
  /** `id:<uuid>`, or `key:<key>` if the object is not in the model. */
  readonly ref: string;
  /** The member; null if one side deleted the object and the other one changed or uses it. */
  readonly member: string | null;
  /** The value of the last import, of the model, and of the source; null if absent. */
  readonly base: unknown;
  readonly ours: unknown;
  readonly theirs: unknown;
}
