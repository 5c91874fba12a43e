import { isUtf8 } from "node:buffer";
import httpJsonBodyParser from "@middy/http-json-body-parser";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { escapePointerToken } from "../domain/text/characters.ts";
import { findJsonTextFault } from "../domain/text/json-faults.ts";
import { createRequestTooLargeProblem, getHeader, type PlainRequest, type RequestHeaders } from "./request.ts";

/** Returns a body as JSON text. Throws `too_large`, `unsupported_media_type` and `bad_request`. */
export function readJsonText(request: PlainRequest, mostBytes: number): string {
  const { body = "", headers } = request;
  const bytes = Buffer.byteLength(body);
  if (bytes > mostBytes)
    throw new Problem("too_large", `The body is too long: this action accepts at most ${mostBytes} bytes`);
  requireJson(headers);
  const isText = typeof body === "string" ? body.isWellFormed() : isUtf8(body);
  if (!isText) throw new Problem("bad_request", "The body is not valid UTF-8");
  const text = typeof body === "string" ? body : Buffer.from(body.buffer, body.byteOffset, bytes).toString("utf8");
  // One byte becomes at most six escaped bytes, so short requests need no check.
  if ((bytes + LIMITS.headerBytes) * 6 > LIMITS.requestBytes) requireFits(request, text);
  const fault = findJsonTextFault(text);
  if (!fault) return text;
  const { detail, pointer } = fault;
  throw new Problem(
    "bad_request",
    `The body ${detail}`,
    pointer === undefined ? {} : { errors: [{ pointer, detail }] },
  );
}

/** Throws `too_large` for a request that API Gateway could not pass to Lambda as JSON. */
function requireFits({ path, query, headers }: PlainRequest, body: string) {
  if (Buffer.byteLength(JSON.stringify({ path, query, headers, body })) > LIMITS.requestBytes)
    throw createRequestTooLargeProblem();
}

function requireJson(headers: RequestHeaders) {
  const type = getHeader(headers, "content-type");
  if (!/^application\/json[\t ]*(;[\t ]*((charset=utf-8|charset="utf-8")[\t ]*)?)?$/i.test(type ?? "")) {
    const reason = type ? `${type.slice(0, 80)} is not supported` : "The body has no Content-Type";
    throw new Problem("unsupported_media_type", `${reason}; send application/json in UTF-8`);
  }
  const coding = getHeader(headers, "content-encoding");
  if (coding && coding.toLowerCase() !== "identity") {
    throw new Problem(
      "unsupported_media_type",
      `Content-Encoding: ${coding.slice(0, 80)} is not supported; send the body uncompressed`,
    );
  }
}

/** Throws `bad_request` with the position of a text that is not well-formed Unicode (RFC 8259 section 8.2). */
function requireWellFormed(json: unknown) {
  const position = findIllFormedText(json, "");
  if (position === undefined) return;
  const detail = `The text at ${position.toWellFormed()} is not well-formed Unicode: it contains half of a surrogate pair`;
  throw new Problem("bad_request", detail, { errors: [{ pointer: position.toWellFormed(), detail }] });
}

function findIllFormedText(json: unknown, at: string): string | undefined {
  if (typeof json === "string") return json.isWellFormed() ? undefined : at;
  if (!(json instanceof Object)) return undefined;
  for (const [name, value] of Object.entries(json)) {
    const position = `${at}/${escapePointerToken(name)}`;
    const pointer = name.isWellFormed() ? findIllFormedText(value, position) : position;
    if (pointer !== undefined) return pointer;
  }
  return undefined;
}

// The guards have already checked the media type, more strictly.
const parser = httpJsonBodyParser({ disableContentTypeCheck: true });

/** Parses a body with middy; not in the chain, which parses before the caller is known. Throws a `Problem`. */
export function readJsonBody(request: PlainRequest, mostBytes: number): unknown {
  const text = readJsonText(request, mostBytes);
  const event: { readonly headers: object; body: unknown } = { headers: request.headers, body: text };
  try {
    parser.before?.({ event } as never);
  } catch (error) {
    // The parser also refuses names that could reach a prototype.
    const isForbidden = error instanceof Error && error.message.startsWith("Forbidden key");
    throw new Problem(
      "bad_request",
      isForbidden
        ? "The body has a member __proto__ or constructor.prototype, which no parameter has"
        : "The body is not well-formed JSON",
    );
  }
  // In well-formed text, only an escape sequence can produce a lone surrogate.
  if (/\\u[dD][89a-fA-F]/.test(text)) requireWellFormed(event.body);
  return event.body;
}
