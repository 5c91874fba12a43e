import { type Answer, type Controls, formatEtag } from "../../shared/actions/contract/call.ts";
import type { Service } from "../../shared/actions/pipeline/call-context.ts";
import { Problem, type ProblemCode } from "../../shared/domain/problems.ts";
import { type PlainResponse, writeQuery } from "../../shared/http/request.ts";
import { createChain } from "../../shared/service/chain.ts";
import { note } from "./answers-seen.ts";
import { checkMemberOrder } from "./member-order.ts";

interface HttpCall {
  readonly action: string;
  readonly payload: object;
  /** Parameters in the query, in the place of a payload. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly token: string | undefined;
  readonly controls: CallControls;
}

/** Controls of a call, and the address it comes from. */
export type CallControls = Partial<Controls> & { readonly sourceAddress?: string | undefined };

/** Calls a service over HTTP, and reads the answer, or the problem, back out of the response. */
export function createHttpCalls(service: Service, publicUrl: string): (call: HttpCall) => Promise<Answer> {
  const handle = createChain(service, { publicUrl, corsOrigins: [], log: tellDefects });
  return async ({ action, payload, query, token, controls }) => {
    const response = await handle({
      method: "POST",
      path: `/api/${action}`,
      query: query ? writeQuery(query) : "",
      headers: {
        ...(!query && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headersOf(controls),
      },
      sourceAddress: controls.sourceAddress,
      body: query ? undefined : JSON.stringify(payload),
    });
    const body = Buffer.from(response.body).toString("utf8");
    if (response.status < 400) {
      note(action, "ok");
      const answer = answerOf(response, body);
      if (response.status === 200) checkMemberOrder(action, answer.body);
      return answer;
    }
    const problem = problemOf(JSON.parse(body));
    note(action, problem.code);
    throw problem;
  };
}

/** A defect ends in a 500 that tells nothing; whoever reads the test's output needs its stack. */
function tellDefects(line: string) {
  if (line.includes('"defect"')) process.stderr.write(`${line}\n`);
}

/** Returns the headers of controls. */
export function headersOf({
  ifMatch,
  ifNoneMatch,
  dryRun,
  idempotencyKey,
  run,
}: Partial<Controls>): Record<string, string> {
  const quoted = (tags: readonly string[]) => tags.map((tag) => (tag === "*" ? tag : `"${tag}"`)).join(", ");
  return {
    ...(ifMatch && ifMatch.length > 0 && { "if-match": quoted(ifMatch.map((pin) => formatEtag(pin))) }),
    ...(ifNoneMatch && ifNoneMatch.length > 0 && { "if-none-match": quoted(ifNoneMatch) }),
    ...(dryRun !== undefined && { "dry-run": String(dryRun) }),
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    ...(run !== undefined && { run }),
  };
}

function answerOf({ status, headers }: PlainResponse, body: string): Answer {
  const [mediaType = ""] = (headers["content-type"] ?? "").split(";");
  const etag = headers.etag?.replace(/^"|"$/g, "");
  const next = /[?&]cursor=([^&>]*)/.exec(headers.link ?? "")?.[1];
  return {
    mediaType,
    body: status === 304 ? undefined : mediaType === "text/plain" ? body : JSON.parse(body),
    ...(etag !== undefined && { etag }),
    ...(status === 304 && { notModified: true }),
    ...(status === 202 && { accepted: true as const }),
    ...(next !== undefined && { next: decodeURIComponent(next) }),
    ...(headers["idempotency-replayed"] !== undefined && { replayed: true as const }),
  };
}

/** Members of a problem document that are not among the members of `Problem`. */
const OF_THE_DOCUMENT = ["type", "title", "status", "detail", "instance", "code", "requestId", "retryable"];

function problemOf(document: Readonly<Record<string, unknown>>): Problem {
  const members = Object.entries(document).filter(([name]) => !OF_THE_DOCUMENT.includes(name));
  // The document was written from the table of codes; its other members are those of a problem.
  return new Problem(document.code as ProblemCode, String(document.detail), Object.fromEntries(members));
}
