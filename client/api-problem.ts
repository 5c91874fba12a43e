import type { CommitNote, Conflict, Fault, ProblemCode } from "../shared/domain/problems.ts";

/** The service's codes, and two for when it did not get to answer: no answer came, or one that is not the service's. */
export type ApiProblemCode = ProblemCode | "no_answer" | "unexpected_answer";

/** The members of a problem beside its code and its sentence. */
export interface ApiProblemMembers {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
  /** Names the call in the service's log. */
  readonly requestId?: string | undefined;
  /** Each fault with a JSON pointer to its place in the payload. */
  readonly errors?: readonly Fault[] | undefined;
  readonly currentRevision?: number | undefined;
  /** The commits since the revision that `ifMatch` named. */
  readonly changesSince?: readonly CommitNote[] | undefined;
  /** The things that people and a source each changed in another way, the first ones where there are many. */
  readonly conflicts?: readonly Conflict[] | undefined;
  /** How many conflicts there are. */
  readonly conflictCount?: number | undefined;
  /** Which entry of a batch it is about, counted from 1. */
  readonly entry?: number | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  /** The key of the write that failed: with it the same call can be sent again safely. */
  readonly idempotencyKey?: string | undefined;
}

/** A call that did not succeed, as an exception: `message` is one sentence for people, `code` is for programs. */
export class ApiProblem extends Error implements ApiProblemMembers {
  override readonly name = "ApiProblem";
  readonly code: ApiProblemCode;
  declare readonly status: number;
  declare readonly title: string;
  declare readonly retryable: boolean;
  declare readonly requestId?: string;
  declare readonly errors?: readonly Fault[];
  declare readonly currentRevision?: number;
  declare readonly changesSince?: readonly CommitNote[];
  declare readonly conflicts?: readonly Conflict[];
  declare readonly conflictCount?: number;
  declare readonly entry?: number;
  declare readonly retryAfter?: number;
  declare readonly idempotencyKey?: string;

  constructor(code: ApiProblemCode, detail: string, members: ApiProblemMembers, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
    Object.assign(this, members);
  }

  /** The sentence, as the problem document names it. */
  get detail(): string {
    return this.message;
  }
}

/** The problem of an answer that is no success. */
export function toApiProblem(answer: Response, body: unknown, idempotencyKey?: string): ApiProblem {
  const requestId = answer.headers.get("x-request-id") ?? undefined;
  const seconds = Number(answer.headers.get("retry-after") ?? Number.NaN);
  const members = { requestId, idempotencyKey, ...(Number.isFinite(seconds) && { retryAfter: seconds }) };
  if (isRedirect(answer)) {
    const title = "Redirected";
    return new ApiProblem("unexpected_answer", describeRedirect(answer), {
      ...members,
      status: answer.status,
      title,
      retryable: false,
    });
  }
  if (isProblem(body)) {
    const { code, detail, ...said } = body;
    return new ApiProblem(code, detail, { ...members, ...removePath(said) });
  }
  const detail = `${answer.url} answered ${answer.status} with something that is no answer of Metaction`;
  const retryable = [429, 502, 503, 504].includes(answer.status);
  const title = "Unexpected answer";
  return new ApiProblem("unexpected_answer", detail, { ...members, status: answer.status, title, retryable });
}

/** True for an answer that names another address; a browser tells neither its status nor that address. */
export function isRedirect({ type, status }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304);
}

/** Why a redirect ends a call, and the way out. */
export function describeRedirect({ url, headers }: Response): string {
  const location = headers.get("location");
  const where = location !== null && URL.canParse(location, url) ? ` to ${new URL(location, url).href}` : "";
  return `${url} redirects${where}, and no redirect is followed, since it would take along what is secret; give the address of the service itself`;
}

type ProblemDocument = ApiProblemMembers & { readonly code: ProblemCode; readonly detail: string };

function isProblem(body: unknown): body is ProblemDocument {
  return typeof body === "object" && body !== null && "code" in body && "detail" in body && "status" in body;
}

/** A problem document without the members that only make sense in HTTP. */
function removePath(said: ApiProblemMembers): ApiProblemMembers {
  const { status, title, retryable, requestId, errors, currentRevision, changesSince, entry, retryAfter } = said;
  const { conflicts, conflictCount } = said;
  const all = {
    ...{ status, title, retryable, requestId, errors, currentRevision, changesSince, entry, retryAfter },
    ...{ conflicts, conflictCount },
  };
  // Members that are not there must not hide what the headers say.
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as unknown as typeof all;
}
