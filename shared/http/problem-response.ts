import { LIMITS } from "../domain/limits.ts";
import { PROBLEMS, Problem } from "../domain/problems.ts";
import type { PlainResponse } from "./request.ts";

/** The members of a problem document and its headers beside the problem itself. */
export interface ProblemContext {
  readonly requestId: string;
  /** The path of the request. */
  readonly path: string;
  /** True where the caller sent a bearer token to an action that needs one. */
  readonly tokenJudged?: boolean;
  /** The methods of the path, for a 405. */
  readonly allow?: readonly string[];
}

/** The faults and characters that are kept of a problem whose document would not fit an answer. */
const CUT = { errors: 100, detailCharacters: 4_000, errorCharacters: 400 };

/** Statuses whose answers say when to come back, even where the problem did not. */
const WAITING: ReadonlySet<number> = new Set([429, 503, 504]);

/** A problem as `application/problem+json` (RFC 9457). */
export function toProblemResponse(problem: Problem, place: ProblemContext): PlainResponse {
  const { status } = PROBLEMS[problem.code];
  const challenge = createChallenge(problem, place);
  const retryAfter = problem.members.retryAfter ?? (WAITING.has(status) ? 1 : undefined);
  return {
    status,
    headers: {
      "content-type": "application/problem+json",
      ...(retryAfter !== undefined && { "retry-after": String(Math.ceil(retryAfter)) }),
      ...(challenge !== undefined && { "www-authenticate": challenge }),
      ...(status === 405 && place.allow && { allow: place.allow.join(", ") }),
    },
    body: formatProblemDocument(problem, place, retryAfter),
  };
}

/** How to sign in, or why the token that was sent is not enough (RFC 6750 section 3). */
function createChallenge({ code }: Problem, { tokenJudged }: ProblemContext): string | undefined {
  if (PROBLEMS[code].status === 401) return tokenJudged ? 'Bearer error="invalid_token"' : "Bearer";
  const isTooLittle = code === "not_allowed" || code === "actor_disabled";
  return tokenJudged && isTooLittle ? 'Bearer error="insufficient_scope"' : undefined;
}

function formatProblemDocument(problem: Problem, place: ProblemContext, retryAfter: number | undefined): string {
  const { status, title, retryable } = PROBLEMS[problem.code];
  const { entry, currentRevision, conflicts, conflictCount, plan, changesSince } = problem.members;
  // Members without a value are left out.
  const print = (detail: string, errors: typeof problem.members.errors): string =>
    JSON.stringify({
      type: `urn:metaction:problem:${problem.code}`,
      title,
      status,
      detail,
      instance: place.path,
      code: problem.code,
      requestId: place.requestId,
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
  const whole = print(problem.message, problem.members.errors);
  if (whole.length <= LIMITS.descriptionBytes) return whole;
  const cut = (text: string, characters: number): string => text.slice(0, characters).toWellFormed();
  const listed = problem.members.errors?.slice(0, CUT.errors);
  return print(
    cut(problem.message, CUT.detailCharacters),
    listed?.map((e) => ({ pointer: cut(e.pointer, CUT.errorCharacters), detail: cut(e.detail, CUT.errorCharacters) })),
  );
}

/** The problem a caller is told of; anything that is none is a defect, of which the caller learns the request id only. */
export function toProblem(error: unknown, requestId: string): Problem {
  if (error instanceof Problem) return error;
  return new Problem("internal", `The service failed on this call; report it with the request id ${requestId}`);
}
