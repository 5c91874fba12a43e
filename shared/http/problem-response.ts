import { LIMITS } from "../domain/limits.ts";
import { PROBLEMS, Problem, type Quota } from "../domain/problems.ts";
import type { PlainResponse } from "./request.ts";

/** Data for a problem document and its headers in addition to the problem itself. */
export interface ProblemContext {
  readonly requestId: string;
  readonly path: string;
  /** True where the caller sent a bearer token to an action that needs one. */
  readonly hasToken?: boolean;
  readonly allow?: readonly string[];
}

/** The faults and characters that remain of a problem with a document that is too large. */
const CUT = { errors: 100, detailCharacters: 4_000, errorCharacters: 400 };

/** Statuses with a `Retry-After` header, even if the problem has no time. */
const WAITING: ReadonlySet<number> = new Set([429, 503, 504]);

/** Converts a problem to a response with `application/problem+json` (RFC 9457). */
export function toProblemResponse(problem: Problem, context: ProblemContext): PlainResponse {
  const { status } = PROBLEMS[problem.code];
  const challenge = createChallenge(problem, context);
  const retryAfter = problem.members.retryAfter ?? (WAITING.has(status) ? 1 : undefined);
  return {
    status,
    headers: {
      "content-type": "application/problem+json",
      ...(retryAfter !== undefined && { "retry-after": String(Math.ceil(retryAfter)) }),
      ...(problem.members.quota && createQuotaHeaders(problem.members.quota, retryAfter)),
      ...(challenge !== undefined && { "www-authenticate": challenge }),
      ...(status === 405 && context.allow && { allow: context.allow.join(", ") }),
    },
    body: formatProblemDocument(problem, context, retryAfter),
  };
}

/** Returns the header fields of an exceeded quota (draft-ietf-httpapi-ratelimit-headers-10). */
function createQuotaHeaders({ name, quota, window, unit }: Quota, retryAfter = 0): Readonly<Record<string, string>> {
  const policy = `"${name}";q=${quota}${unit ? `;qu="${unit}"` : ""}${window ? `;w=${window}` : ""}`;
  return { "ratelimit-policy": policy, ratelimit: `"${name}";r=0;t=${Math.ceil(retryAfter)}` };
}

/** Returns the header `WWW-Authenticate`: scheme and fault of the token (RFC 6750 section 3). */
function createChallenge({ code }: Problem, { hasToken }: ProblemContext): string | undefined {
  if (PROBLEMS[code].status === 401) return hasToken ? 'Bearer error="invalid_token"' : "Bearer";
  const isTooLittle = code === "not_allowed" || code === "actor_disabled";
  return hasToken && isTooLittle ? 'Bearer error="insufficient_scope"' : undefined;
}

function formatProblemDocument(problem: Problem, context: ProblemContext, retryAfter: number | undefined) {
  const { status, title, retryable } = PROBLEMS[problem.code];
  const { entry, currentRevision, conflicts, conflictCount, plan, changesSince } = problem.members;
  // Members without a value are left out.
  const print = (detail: string, errors: typeof problem.members.errors) =>
    JSON.stringify({
      type: `urn:metaction:problem:${problem.code}`,
      title,
      status,
      detail,
      instance: context.path,
      code: problem.code,
      requestId: context.requestId,
      retryable,
      errors,
      entry,
      currentRevision,
      conflicts,
      conflictCount,
      plan,
      changesSince,
      retryAfter,
    });
  const json = print(problem.message, problem.members.errors);
  if (json.length <= LIMITS.descriptionBytes) return json;
  const cut = (text: string, characters: number) => text.slice(0, characters).toWellFormed();
  const faults = problem.members.errors?.slice(0, CUT.errors);
  return print(
    cut(problem.message, CUT.detailCharacters),
    faults?.map((e) => ({ pointer: cut(e.pointer, CUT.errorCharacters), detail: cut(e.detail, CUT.errorCharacters) })),
  );
}

/** Converts an error to a problem. For defects, the caller gets only the request id. */
export function toProblem(error: unknown, requestId: string): Problem {
  if (error instanceof Problem) return error;
  return new Problem("internal", `The service failed; report this problem with the request id ${requestId}`);
}
