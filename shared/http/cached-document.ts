import { headerOf, type PlainResponse, type RequestHeaders } from "./request.ts";

/** A JSON document with its entity tag; 304 where the caller has it already. */
export function answerDocument(
  text: string,
  headers: RequestHeaders,
  cacheControl: string,
  tag?: string,
): PlainResponse {
  const etag = tag ?? tagOf(text);
  const cached = { etag, "cache-control": cacheControl };
  const known = headerOf(headers, "if-none-match")?.split(",") ?? [];
  if (known.some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag)) {
    return { status: 304, headers: cached, body: "" };
  }
  return { status: 200, headers: { "content-type": "application/json", ...cached }, body: text };
}

/** The entity tag of a document: a digest of its text, in quotes. */
export function tagOf(text: string): string {
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("base64url");
  return `"${hash.slice(0, 22)}"`;
}
