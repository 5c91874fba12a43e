/** The HTTP status of every problem code, as the contract's section 4 gives it and not as the service's own table does. */
export const STATUS_BY_CONTRACT: Readonly<Record<string, number>> = {
  bad_request: 400,
  bad_parameters: 400,
  bad_precondition: 400,
  not_signed_in: 401,
  login_challenge: 403,
  not_allowed: 403,
  wrong_password: 403,
  actor_disabled: 403,
  not_found: 404,
  unknown_path: 404,
  unknown_action: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  key_taken: 409,
  still_used: 409,
  too_few_roles: 409,
  too_many_roles: 409,
  managed_role: 409,
  last_administrator: 409,
  contention: 409,
  job_running: 409,
  job_ended: 409,
  bootstrap_used: 410,
  precondition_failed: 412,
  merge_conflict: 409,
  plan_outdated: 412,
  too_large: 413,
  result_too_large: 413,
  query_too_long: 414,
  unsupported_media_type: 415,
  wrong_host: 421,
  source_not_recognised: 422,
  invalid_content: 422,
  version_not_greater: 422,
  idempotency_key_reused: 422,
  throttled: 429,
  headers_too_long: 431,
  internal: 500,
  unavailable: 503,
  out_of_time: 504,
};

/** The facts that a refusal has to tell beside its code. */
export interface RefusalFacts {
  /** JSON pointers of everything that is wrong, in any order. */
  readonly pointers?: readonly string[];
  /** Texts of which its sentence has to hold one: the refs that lead nowhere. */
  readonly mentions?: readonly string[];
  readonly currentRevision?: number;
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

/** The refusal of parameters that are not valid. */
export function badParameters(...pointers: readonly string[]): Refusal {
  return new Refusal("bad_parameters", { pointers });
}
