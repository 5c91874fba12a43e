import type { Action } from "../actions/define-action.ts";
import type { Answer } from "../actions/dispatch.ts";
import type { RawPayload, UnreadPayload } from "../actions/payload.ts";
import { writeQuery } from "./query.ts";
import { NDJSON } from "./read-call.ts";
import type { PlainResponse } from "./request.ts";

/**
 * What an action answered, as a response: 200 with its body, or with its rows one by one; 202 where it became a job, or 304
 * where the caller's own copy is still right.
 */
export async function answerResponse(
  answer: Answer,
  path: string,
  payload: UnreadPayload,
  rows?: Action["output"]["rows"],
): Promise<PlainResponse> {
  const etag = answer.etag !== undefined && { etag: `"${answer.etag}"` };
  if (answer.notModified) return { status: 304, headers: { ...etag }, body: "" };
  const isText = answer.mediaType === "text/plain";
  return {
    status: answer.accepted ? 202 : 200,
    headers: {
      "content-type": isText ? "text/plain; charset=utf-8" : rows ? NDJSON : answer.mediaType,
      ...etag,
      ...(answer.replayed && { "idempotency-replayed": "true" }),
      ...(answer.next !== undefined && { link: nextLink(path, await payload.read(), answer.next) }),
    },
    body: isText ? String(answer.body) : rows ? linesOf(rows(answer.body)) : (JSON.stringify(answer.body) ?? "null"),
  };
}

const linesOf = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** The next page of a list (RFC 8288): the same call with a cursor, as a GET whatever the method was. */
function nextLink(path: string, payload: RawPayload, cursor: string): string {
  const body = typeof payload.body === "object" && payload.body !== null ? Object.entries(payload.body) : [];
  const parameters = [...payload.query, ...body].filter(([name]) => name !== "cursor");
  return `<${path}?${writeQuery([...parameters, ["cursor", cursor]])}>; rel="next"`;
}
