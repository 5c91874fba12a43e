/** The HTTP status of every problem code, as the contract's section 4 gives it and not as the service's own table does. */
const CODES_BY_STATUS: Readonly<Record<number, readonly string[]>> = {
  400: ["bad_request", "bad_parameters", "bad_precondition"],
  401: ["not_signed_in"],
  403: ["login_challenge", "not_allowed", "wrong_password", "actor_disabled"],
  404: ["not_found", "unknown_path", "unknown_action"],
  405: ["method_not_allowed"],
  406: ["not_acceptable"],
  409: [
    ...["key_taken", "still_used", "too_few_roles", "too_many_roles", "managed_role", "last_administrator"],
    ...["contention", "job_running", "job_ended", "merge_conflict", "not_deleted"],
  ],
  410: ["bootstrap_used"],
  412: ["precondition_failed", "plan_outdated"],
  413: ["too_large", "result_too_large"],
  414: ["query_too_long"],
  415: ["unsupported_media_type"],
  421: ["wrong_host"],
  422: ["source_not_recognised", "invalid_content", "version_not_greater", "idempotency_key_reused"],
  429: ["throttled"],
  431: ["headers_too_long"],
  500: ["internal"],
  503: ["unavailable", "newer_format"],
  504: ["out_of_time"],
};
export const STATUS_BY_CONTRACT: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(CODES_BY_STATUS).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)])),
);

/** The facts that a refusal has to tell beside its code. */
export interface RefusalFacts {
  /** JSON pointers of everything that is wrong, in any order. */
  readonly pointers?: readonly string[];
  /** Texts of which its sentence has to hold one: the refs that lead nowhere. */
  readonly mentions?: readonly string[];
  readonly currentRevision?: number;
  /** The name of the plan that there is now. */
  readonly plan?: string;
  /** The entry of a batch that the refusal is about, counted from 1. */
  readonly entry?: number;
}

/** A call that the service has to refuse, and how. */
export class Refusal extends Error {
  readonly code: string;
  readonly facts: RefusalFacts;

  constructor(code: string, facts: RefusalFacts = {}) {
    super(code);
    this.code = code;
    this.facts = facts;
  }
}

export function badParameters(...pointers: readonly string[]): Refusal {
  return new Refusal("bad_parameters", { pointers });
}
