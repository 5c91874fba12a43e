import { isUtf8 } from "node:buffer";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { escapePointerToken } from "../domain/text/characters.ts";
import { findJsonTextFault } from "../domain/text/json-faults.ts";
import { getHeader, type PlainRequest, type RequestHeaders } from "./request.ts";

/** Creates the problem for a request that is too long, also for transports that stop reading the body. */
export function createRequestTooLargeProblem(): Problem {
  return new Problem(
    "too_large",
    `The request is longer than ${LIMITS.requestBytes} bytes, including headers and the escaping of quotes, backslashes and line breaks in the body. Split it into several requests`,
  );
}

/**
 * Returns the text of a body of at most `mostBytes` that can be parsed as JSON. Throws `too_large`, `unsupported_media_type`, and
 * `bad_request` for text that is not UTF-8 or has a fault of `findJsonTextFault`.
 */
export function readJsonText(request: PlainRequest, mostBytes: number): string {
  const { body = "", headers } = request;
  const bytes = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  if (bytes > LIMITS.requestBytes) throw createRequestTooLargeProblem();
  if (bytes > mostBytes)
    throw new Problem("too_large", `The body is too long: this action accepts at most ${mostBytes} bytes`);
  requireJson(headers);
  const text = decodeUtf8(body);
  if (text === undefined) throw new Problem("bad_request", "The body is not valid UTF-8");
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

/** Throws `too_large` when API Gateway could not pass the request to Lambda, where body, headers and query are JSON strings. */
function requireFits({ path, query, headers }: PlainRequest, body: string, bodyBytes: number): void {
  // One byte becomes at most six escaped bytes, so short requests need no check.
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
      `Content-Encoding: ${coding.slice(0, 80)} is not supported; send the body uncompressed`,
    );
  }
}

function decodeUtf8(body: Uint8Array | string): string | undefined {
  if (typeof body === "string") return body.isWellFormed() ? body : undefined;
  return isUtf8(body) ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8") : undefined;
}

/** Throws `bad_request` with the position of a text in the parsed body that is not well-formed Unicode (RFC 8259 section 8.2). */
export function requireWellFormed(json: unknown, text: string): void {
  // In well-formed text, only an escape sequence can produce a lone surrogate.
  if (!/\\u[dD][89a-fA-F]/.test(text)) return;
  const position = findIllFormedText(json, "");
  if (position === undefined) return;
  const detail = `The text at ${position.toWellFormed()} is not well-formed Unicode: it contains half of a surrogate pair`;
  throw new Problem("bad_request", detail, { errors: [{ pointer: position.toWellFormed(), detail }] });
}

/** Returns the JSON pointer of the first string or member name with a lone surrogate. */
function findIllFormedText(json: unknown, at: string): string | undefined {
  if (typeof json === "string") return json.isWellFormed() ? undefined : at;
  if (typeof json !== "object" || json === null) return undefined;
  for (const [name, value] of Object.entries(json)) {
    const position = `${at}/${escapePointerToken(name)}`;
    const found = name.isWellFormed() ? findIllFormedText(value, position) : position;
    if (found !== undefined) return found;
  }
  return undefined;
}
