import { headerOf, type PlainResponse, type RequestHeaders } from "./request.ts";

/** A JSON document with its entity tag, which is given without quotes; 304 where the caller has it already. */
export async function answerDocument(
  text: string,
  headers: RequestHeaders,
  cacheControl: string,
  tag = tagOf(text),
): Promise<PlainResponse> {
  const held = headerOf(headers, "if-none-match");
  const copy = held === undefined ? undefined : await copyOf(tag, held, headers);
  if (copy !== undefined) {
    return { status: 304, headers: { etag: `"${copy}"`, "cache-control": cacheControl }, body: "" };
  }
  const cached = { etag: `"${tag}"`, "cache-control": cacheControl };
  return { status: 200, headers: { "content-type": "application/json", ...cached }, body: text };
}

/** The tag of the caller's own copy, where one of those in the header is right; a header without tags counts as absent. */
async function copyOf(tag: string, header: string, headers: RequestHeaders): Promise<string | undefined> {
  const { askedForm, ofAskedForm, readTags, tagOfCopy } = await import("./entity-tags.ts");
  const form = askedForm(headers, false);
  const tags = readTags(header);
  if (typeof tags === "string") return undefined;
  const isHeld = tags.some(({ opaque }) => opaque === "*" || ofAskedForm(opaque, form) === tag);
  return isHeld ? tagOfCopy(tag, header, form) : undefined;
}

/** The entity tag of a document, without quotes: a digest of its text. */
export function tagOf(text: string): string {
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("base64url");
  return hash.slice(0, 22);
}
