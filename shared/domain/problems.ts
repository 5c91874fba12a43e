import type { Location, ObjectType } from "./differences.ts";

/** How one problem code looks at each door. `retryable`: the same call may succeed later without being changed. */
export interface ProblemRow {
  readonly status: number;
  readonly title: string;
  /** Exit code of the command line. */
  readonly exit: number;
  /** JSON-RPC error code, for MCP. */
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

/** Every problem code with its HTTP status, command-line exit code and JSON-RPC code: the one table all doors read. */
export const PROBLEMS = {
  bad_request: defineRow(400, "The request is not well-formed", 2, -32600),
  bad_parameters: defineRow(400, "Some parameters are not valid", 2, -32602),
  bad_precondition: defineRow(400, "The precondition cannot apply", 2, -32602),
  not_signed_in: defineRow(401, "A valid access token is needed", 4, -32001),
  login_challenge: defineRow(403, "Signing in needs another step", 4, -32001),
  not_allowed: defineRow(403, "Not allowed", 5, -32003),
  wrong_password: defineRow(403, "The password is not right", 5, -32003),
  actor_disabled: defineRow(403, "The actor is disabled", 5, -32003),
  not_found: defineRow(404, "Not found", 3, -32004),
  unknown_path: defineRow(404, "No such path", 3, -32601),
  unknown_action: defineRow(404, "No such action", 3, -32601),
  method_not_allowed: defineRow(405, "Method not allowed", 2, -32600),
  not_acceptable: defineRow(406, "None of the accepted media types can be produced", 2, -32600),
  key_taken: defineRow(409, "The key is taken", 6, -32009),
  still_used: defineRow(409, "Still used", 6, -32009),
  too_few_roles: defineRow(409, "Too few roles would remain", 6, -32009),
  too_many_roles: defineRow(409, "Only two roles can be joined by key pairs", 6, -32009),
  managed_role: defineRow(409, "The service keeps this role", 6, -32009),
  last_administrator: defineRow(409, "No administrator would remain", 6, -32009),
  merge_conflict: defineRow(409, "Conflicts", 6, -32009),
  contention: defineRow(409, "Too many writers at once", 6, -32010, true),
  job_running: defineRow(409, "A job works on this call", 6, -32011, true),
  job_ended: defineRow(409, "The job has ended", 6, -32009),
  bootstrap_used: defineRow(410, "The bootstrap was already used", 6, -32009),
  precondition_failed: defineRow(412, "The model has moved on", 6, -32012),
  plan_outdated: defineRow(412, "The plan is no longer true", 6, -32012),
  too_large: defineRow(413, "Too large", 2, -32013),
  result_too_large: defineRow(413, "The result is too large", 2, -32013),
  unsupported_media_type: defineRow(415, "Unsupported media type", 2, -32600),
  source_not_recognised: defineRow(422, "The source is not recognised", 2, -32022),
  invalid_content: defineRow(422, "The content is not valid", 2, -32022),
  version_not_greater: defineRow(422, "The version is not greater", 2, -32022),
  idempotency_key_reused: defineRow(422, "The idempotency key was used for another call", 2, -32022),
  throttled: defineRow(429, "Too many requests", 7, -32029, true),
  internal: defineRow(500, "Internal error", 1, -32603),
  unavailable: defineRow(503, "Temporarily unavailable", 1, -32053, true),
  out_of_time: defineRow(504, "Out of time", 1, -32054, true),
} as const satisfies Record<string, ProblemRow>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One fault inside a request or a source: an RFC 6901 JSON pointer and a sentence. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

/** One commit in few words. */
export interface CommitNote {
  readonly revision: number;
  /** ISO 8601 */
  readonly time: string;
  /** `<group>/<action>` */
  readonly actions: readonly string[];
  readonly actor?: string;
  /** `<kind> <key>` of the objects it concerns, the first ones where there are many. */
  readonly objects: readonly string[];
}

/** Members a problem may carry beside its code and detail. */
export interface ProblemMembers {
  readonly errors?: readonly Fault[];
  readonly currentRevision?: number;
  /** The plan that is true now, where another one was named. */
  readonly plan?: string;
  /** The things that people and a source each changed in another way, the first ones where there are many. */
  readonly conflicts?: readonly Conflict[];
  /** How many conflicts there are. */
  readonly conflictCount?: number;
  /** Which entry of a batch it is about, counted from 1. */
  readonly entry?: number;
  /** The commits since the revision a precondition named, oldest first; the newest ones where there are many. */
  readonly changesSince?: readonly CommitNote[];
  /** Seconds; also sent as `Retry-After`. */
  readonly retryAfter?: number;
}

/**
 * The one exception that callers see. `detail` is one sentence with the value that was wrong and the way out; it never
 * holds a stack, a table name, an ARN, a condition or a remote body.
 */
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

/** The problem that was thrown; what is none is thrown again. */
export function requireProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

/** One thing that people and a source changed since the last import, each in another way. */
export interface Conflict extends Location {
  readonly objectType: ObjectType;
  /** `id:<uuid>`, or `key:<key>` of an object that the model does not have. */
  readonly ref: string;
  /** The member; null where one side deleted the object that the other one changed or uses. */
  readonly member: string | null;
  /** The value as it was imported last, as the model has it, and as the source has it; null for none. */
  readonly base: unknown;
  readonly ours: unknown;
  readonly theirs: unknown;
}
