import type { Action } from "../actions/contract/action.ts";
import type { Answer, RawPayload, UnreadPayload } from "../actions/contract/call.ts";
import type { UsedDeprecation } from "../actions/contract/params.ts";
import { escapePointerToken } from "../domain/text/characters.ts";
import { FORM_SUFFIX, findSentTag, getAskedForm } from "./content-negotiation.ts";
import { NDJSON } from "./read-call.ts";
import { getHeader, type PlainResponse, type ReceivedRequest, writeQuery } from "./request.ts";

/** Converts an answer to a response: 200, 202 for a job, or 304. */
export async function toAnswerResponse(
  answer: Answer,
  { path, headers }: ReceivedRequest,
  payload: UnreadPayload,
  rows?: Action["output"]["rows"],
): Promise<PlainResponse> {
  const { etag: tag, notModified } = answer;
  if (notModified && tag !== undefined) {
    const etag = findSentTag(tag, getHeader(headers, "if-none-match") ?? "", getAskedForm(headers, rows !== undefined));
    return { status: 304, headers: { etag: `"${etag}"` }, body: "" };
  }
  const etag = tag !== undefined && { etag: `"${tag}${rows ? FORM_SUFFIX.rows : ""}"` };
  const isText = answer.mediaType === "text/plain";
  return {
    status: answer.accepted ? 202 : 200,
    headers: {
      "content-type": isText ? "text/plain; charset=utf-8" : rows ? NDJSON : answer.mediaType,
      ...etag,
      ...(answer.replayed && { "idempotency-replayed": "true" }),
      ...(answer.accepted && createJobHeaders(answer.body)),
      ...(answer.next !== undefined && { link: formatNextLink(path, await payload.read(), answer.next) }),
    },
    body: isText ? String(answer.body) : rows ? formatRows(rows(answer.body)) : (JSON.stringify(answer.body) ?? "null"),
  };
}

/** Seconds after which a caller should ask for the state of an accepted job. */
const JOB_SECONDS = "1";

/** Returns the headers of a 202: the address of the job (RFC 9110 section 15.3.3), and when to read it. */
function createJobHeaders(body: unknown): Readonly<Record<string, string>> {
  const job = typeof body === "object" && body !== null && "job" in body ? body.job : undefined;
  const location = `/api/batch/job_get?${writeQuery([["jobRef", job]])}`;
  return { location, link: `<${location}>; rel="status"`, "retry-after": JOB_SECONDS };
}

/**
 * Returns the headers of a call that uses deprecated names: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) with the
 * earliest days, and a link to the description of each action. `link` is the link header of the answer.
 */
export function createDeprecationHeaders(
  deprecations: readonly UsedDeprecation[],
  link: string | undefined,
): Readonly<Record<string, string>> {
  const [since, until] = (["since", "until"] as const).map((day) =>
    Math.min(...deprecations.map((one) => Date.parse(one[day]))),
  ) as [number, number];
  const paths = new Set(deprecations.map(({ action }) => `/api#/paths/${escapePointerToken(`/api/${action}`)}`));
  const links = [...paths].map((path) => `<${path}>; rel="deprecation"; type="application/json"`);
  return {
    deprecation: `@${since / 1_000}`,
    sunset: new Date(until).toUTCString(),
    link: [...(link === undefined ? [] : [link]), ...links].join(", "),
  };
}

const formatRows = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** Formats the link to the next page of a list (RFC 8288): the same call with a cursor, always as GET. */
function formatNextLink(path: string, payload: RawPayload, cursor: string) {
  const body = typeof payload.body === "object" && payload.body !== null ? Object.entries(payload.body) : [];
  const parameters = [...payload.query, ...body].filter(([name]) => name !== "cursor");
  return `<${path}?${writeQuery([...parameters, ["cursor", cursor]])}>; rel="next"`;
}
