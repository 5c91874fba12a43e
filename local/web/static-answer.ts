import type { WebHeaders } from "../../functions/web/security-headers.ts";
import { acceptsCoding, acceptsGzip } from "../../shared/http/accept.ts";
import { readTags } from "../../shared/http/entity-tags.ts";
import { headerOf, type PlainResponse, type RequestHeaders } from "../../shared/http/request.ts";
import type { Coding, StaticFile } from "./static-files.ts";

const FOR_EVER = "public, max-age=31536000, immutable";
/** Kept, but asked for each time whether it still is the newest. */
const ALWAYS_ASKED = "no-cache";

/** The answer with a file in the smallest form the caller takes; 304 where the caller has that form already. */
export function answerFile(file: StaticFile, headers: RequestHeaders, secured: WebHeaders): PlainResponse {
  const coding = codingFor(file, headerOf(headers, "accept-encoding"));
  // Each form has a tag of its own (RFC 9110 section 8.8.3.3).
  const tag = coding === "identity" ? file.tag : `${file.tag}-${coding}`;
  const kept = {
    ...secured,
    etag: `"${tag}"`,
    "cache-control": file.isHashed ? FOR_EVER : ALWAYS_ASKED,
    vary: "Accept, Accept-Encoding",
  };
  if (isHeld(tag, headerOf(headers, "if-none-match"))) return { status: 304, headers: kept, body: "" };
  const body = file.forms.get(coding) ?? "";
  return {
    status: 200,
    headers: {
      ...kept,
      "content-type": file.mediaType,
      "content-length": String(body.length),
      ...(coding !== "identity" && { "content-encoding": coding }),
    },
    body,
  };
}

function codingFor({ forms }: StaticFile, accepted: string | undefined): Coding {
  if (forms.has("br") && acceptsCoding(accepted, "br")) return "br";
  return forms.has("gzip") && acceptsGzip(accepted) ? "gzip" : "identity";
}

function isHeld(tag: string, header: string | undefined): boolean {
  const tags = header === undefined ? [] : readTags(header);
  return typeof tags !== "string" && tags.some(({ opaque }) => opaque === "*" || opaque === tag);
}
