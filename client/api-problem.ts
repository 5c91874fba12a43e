import type { CommitNote, Conflict, Fault, ProblemCode, ProblemMembers } from "../shared/domain/problems.ts";

/** Codes of the service, and two for calls without an answer of the service. */
export type ApiProblemCode = ProblemCode | "no_answer" | "unexpected_answer";

type ServiceMembers = Omit<ProblemMembers, "plan">;

/** Members of a problem in addition to its code and its message. */
export interface ApiProblemMembers extends Readonly<{ [M in keyof ServiceMembers]?: ServiceMembers[M] | undefined }> {
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
  /** Id of the call in the log of the service. */
  readonly requestId?: string | undefined;
  /** Key of the failed write. With it the same call can be repeated safely. */
  readonly idempotencyKey?: string | undefined;
}

/** Error of a failed call: `message` is one sentence for people, `code` is for programs. */
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

  /** The message, under its name in problem documents. */
  get detail(): string {
    return this.message;
  }
}

/** Converts an unsuccessful answer to a problem. */
export function toApiProblem(answer: Response, body: unknown, idempotencyKey?: string): ApiProblem {
  const requestId = answer.headers.get("x-request-id") ?? undefined;
  const seconds = Number(answer.headers.get("retry-after") ?? Number.NaN);
  const members = { requestId, idempotencyKey, ...(Number.isFinite(seconds) && { retryAfter: seconds }) };
  if (isProblem(body) && !isRedirect(answer)) {
    const { code, detail, ...rest } = body;
    return new ApiProblem(code, detail, { ...members, ...pickMembers(rest) });
  }
  const { status, url } = answer;
  const [title, detail] = isRedirect(answer)
    ? ["Redirected", describeRedirect(answer)]
    : ["Unexpected answer", `${url} answered ${status} with a body that Metaction does not send`];
  const retryable = [429, 502, 503, 504].includes(status);
  return new ApiProblem("unexpected_answer", detail, { ...members, status, title, retryable });
}

/** True for an answer that redirects. A browser hides its status and address. */
export function isRedirect({ type, status }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304);
}

function describeRedirect({ url, headers }: Response) {
  const location = headers.get("location");
  const target = location !== null && URL.canParse(location, url) ? ` to ${new URL(location, url).href}` : "";
  return `${url} redirects${target}, and no redirect is followed, since it would take along what is secret; give the address of the service itself`;
}

type ProblemDocument = ApiProblemMembers & { readonly code: ProblemCode; readonly detail: string };

function isProblem(body: unknown): body is ProblemDocument {
  return typeof body === "object" && body !== null && "code" in body && "detail" in body && "status" in body;
}

const MEMBERS = [
  ...(["status", "title", "retryable", "requestId", "errors", "currentRevision", "changesSince"] as const),
  ...(["conflicts", "conflictCount", "entry", "retryAfter"] as const),
];

/** Picks the members of a problem that are not specific to HTTP. Absent members do not hide those of the headers. */
function pickMembers(body: ApiProblemMembers): ApiProblemMembers {
  const members = MEMBERS.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]] as const]));
  return Object.fromEntries(members) as unknown as ApiProblemMembers;
}
