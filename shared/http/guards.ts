import { isUtf8 } from "node:buffer";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { escapePointerToken } from "../domain/text/characters.ts";
import { findJsonTextFault } from "../domain/text/json-faults.ts";
import { getHeader, type PlainRequest, type RequestHeaders } from "./request.ts";

/** Why a request that is too long is refused, for doors that stop reading its body. */
export function createRequestTooLargeProblem(): Problem {
  return new Problem(
    "too_large",
    `The request is longer than ${LIMITS.requestBytes} bytes, counted with its headers and with every quote, backslash and line break of the body escaped; send it in parts`,
  );
}

/**
 * The text of a body of at most `mostBytes` that may be parsed as JSON. `too_large`, `unsupported_media_type`, and
 * `bad_request` where it is not UTF-8 or has a fault of `faultOfJsonText`.
 */
export function readJsonText(request: PlainRequest, mostBytes: number): string {
  const { body = "", headers } = request;
  const bytes = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  if (bytes > LIMITS.requestBytes) throw createRequestTooLargeProblem();
  if (bytes > mostBytes) throw new Problem("too_large", `The body of this action may have ${mostBytes} bytes at most`);
  requireJson(headers);
  const text = decodeUtf8(body);
  if (text === undefined) throw new Problem("bad_request", "The body is not UTF-8");
  requireFits(request, text, bytes);
  const fault = findJsonTextFault(text);
  if (!fault) return text;
  const { detail, pointer } = fault;
  throw new Problem(
    "bad_request",
    `The body ${detail}`,
    pointer === undefined ? {} : { errors: [{ pointer, detail }] },
  );
}

/** Refuses what API Gateway could not hand to Lambda, in which body, headers and query stand as escaped JSON strings. */
function requireFits({ path, query, headers }: PlainRequest, body: string, bodyBytes: number): void {
  // No byte takes more than six escaped, so short requests need not be escaped to know.
  if ((bodyBytes + LIMITS.headerBytes) * 6 <= LIMITS.requestBytes) return;
  if (Buffer.byteLength(JSON.stringify({ path, query, headers, body })) > LIMITS.requestBytes)
    throw createRequestTooLargeProblem();
}

function requireJson(headers: RequestHeaders): void {
  const type = getHeader(headers, "content-type");
  if (!/^application\/json[\t ]*(;[\t ]*((charset=utf-8|charset="utf-8")[\t ]*)?)?$/i.test(type ?? "")) {
    const given = type ? `${type.slice(0, 80)} is not supported` : "The body has no Content-Type";
    throw new Problem("unsupported_media_type", `${given}; send application/json in UTF-8`);
  }
  const coding = getHeader(headers, "content-encoding");
  if (coding && coding.toLowerCase() !== "identity") {
    throw new Problem(
      "unsupported_media_type",
      `Content-Encoding: ${coding.slice(0, 80)} is not supported; send the body as it is`,
    );
  }
}

function decodeUtf8(body: Uint8Array | string): string | undefined {
  if (typeof body === "string") return body.isWellFormed() ? body : undefined;
  return isUtf8(body) ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8") : undefined;
}

/** `bad_request` naming the place of a string or name in the parsed body that is not well-formed Unicode (RFC 8259 section 8.2). */
export function requireWellFormed(json: unknown, text: string): void {
  // Only an escape can make a lone surrogate out of well-formed text.
  if (!/\\u[dD][89a-fA-F]/.test(text)) return;
  const place = findIllFormedText(json, "");
  if (place === undefined) return;
  const detail = `The text at ${place.toWellFormed()} is not well-formed Unicode: it holds half of a surrogate pair`;
  throw new Problem("bad_request", detail, { errors: [{ pointer: place.toWellFormed(), detail }] });
}

/** The JSON pointer of the first string or member name that holds a lone surrogate. */
function findIllFormedText(json: unknown, at: string): string | undefined {
  if (typeof json === "string") return json.isWellFormed() ? undefined : at;
  if (typeof json !== "object" || json === null) return undefined;
  for (const [name, value] of Object.entries(json)) {
    const place = `${at}/${escapePointerToken(name)}`;
    const found = name.isWellFormed() ? findIllFormedText(value, place) : place;
    if (found !== undefined) return found;
  }
  return undefined;
}
