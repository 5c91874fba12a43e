import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import { acceptsGzip } from "./accept.ts";
import { FORM_SUFFIX } from "./entity-tags.ts";
import { getHeader, type PlainResponse, type RequestHeaders } from "./request.ts";

/** Returns true if a transport can send the body. */
export type Fits = (body: string | Uint8Array) => boolean;

/** Returns true up to `LIMITS.responseBytes`. For transports that send the bytes unchanged. */
export const fitsAsBytes: Fits = (body) =>
  (typeof body === "string" ? Buffer.byteLength(body) : body.byteLength) <= LIMITS.responseBytes;

/**
 * Compresses the response with gzip if the caller accepts it and the body is large enough. Throws `result_too_large` when the
 * body does not fit the transport.
 */
export async function encode(response: PlainResponse, headers: RequestHeaders, fits: Fits): Promise<PlainResponse> {
  if (response.body.length * 3 <= LIMITS.compressAboveBytes) return response;
  const bytes = Buffer.from(response.body);
  if (bytes.byteLength <= LIMITS.compressAboveBytes) return response;
  const mayCompress = acceptsGzip(getHeader(headers, "accept-encoding"));
  if (!mayCompress) {
    if (fits(response.body)) return response;
    throw createTooLargeProblem(bytes.byteLength, "accept gzip, or request less with limit");
  }
  if (bytes.byteLength > LIMITS.inflatedResponseBytes)
    throw createTooLargeProblem(bytes.byteLength, "request less with limit");
  const body = await gzip(bytes);
  if (!fits(body)) throw createTooLargeProblem(bytes.byteLength, "request less with limit");
  return { ...response, headers: { ...addGzipSuffix(response.headers), "content-encoding": "gzip" }, body };
}

/** Adds the suffix of the compressed form to the entity tag: each form has its own tag (RFC 9110 section 8.8.3). */
function addGzipSuffix({ etag, ...headers }: PlainResponse["headers"]): PlainResponse["headers"] {
  return etag === undefined ? headers : { ...headers, etag: etag.replace(/"$/, `${FORM_SUFFIX.gzip}"`) };
}

function createTooLargeProblem(bytes: number, advice: string): Problem {
  return new Problem("result_too_large", `The result has ${bytes} bytes, which is too large for one answer; ${advice}`);
}

function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  // Loaded with the first large answer, not at startup.
  const zlib = process.getBuiltinModule("node:zlib");
  return new Promise((resolve, reject) => {
    zlib.gzip(bytes, { level: 1 }, (error, compressed) => (error ? reject(error) : resolve(compressed)));
  });
}
