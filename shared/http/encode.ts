import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { acceptsGzip } from "./accept.ts";
import { FORM_SUFFIX } from "./entity-tags.ts";
import { getHeader, type PlainResponse, type RequestHeaders } from "./request.ts";

/** Tests whether a body can be sent by a door. */
export type Fits = (body: string | Uint8Array) => boolean;

/** True up to `LIMITS.responseBytes`; the test of doors that send bytes as they are. */
export const fitsAsBytes: Fits = (body) =>
  (typeof body === "string" ? Buffer.byteLength(body) : body.byteLength) <= LIMITS.responseBytes;

/**
 * The response as it goes out: compressed with gzip where the caller takes it and it is worth it. `result_too_large` where it does
 * not fit even so.
 */
export async function encode(response: PlainResponse, headers: RequestHeaders, fits: Fits): Promise<PlainResponse> {
  if (response.body.length * 3 <= LIMITS.compressAboveBytes) return response;
  const bytes = Buffer.from(response.body);
  if (bytes.byteLength <= LIMITS.compressAboveBytes) return response;
  const mayCompress = acceptsGzip(getHeader(headers, "accept-encoding"));
  if (!mayCompress) {
    if (fits(response.body)) return response;
    throw createTooLargeProblem(bytes.byteLength, "accept gzip, or ask for less with limit");
  }
  if (bytes.byteLength > LIMITS.inflatedResponseBytes)
    throw createTooLargeProblem(bytes.byteLength, "ask for less with limit");
  const body = await gzip(bytes);
  if (!fits(body)) throw createTooLargeProblem(bytes.byteLength, "ask for less with limit");
  return { ...response, headers: { ...addGzipSuffix(response.headers), "content-encoding": "gzip" }, body };
}

/** The headers with the entity tag of the compressed form, which is one of its own (RFC 9110 section 8.8.3). */
function addGzipSuffix({ etag, ...headers }: PlainResponse["headers"]): PlainResponse["headers"] {
  return etag === undefined ? headers : { ...headers, etag: etag.replace(/"$/, `${FORM_SUFFIX.gzip}"`) };
}

function createTooLargeProblem(bytes: number, wayOut: string): Problem {
  return new Problem("result_too_large", `The result has ${bytes} bytes, more than one answer may hold; ${wayOut}`);
}

function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  // Loaded with the first large answer, not at the start.
  const zlib = process.getBuiltinModule("node:zlib");
  return new Promise((resolve, reject) => {
    zlib.gzip(bytes, { level: 1 }, (error, compressed) => (error ? reject(error) : resolve(compressed)));
  });
}
