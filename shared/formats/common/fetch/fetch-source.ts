import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { LIMITS } from "../../../domain/limits.ts";
import { connectTo, FetchError, type Network } from "./connect-source.ts";

/** Limits of time, redirects and bytes for all files of one import. */
export interface FetchBudget {
  readonly signal: AbortSignal;
  readonly redirects: number;
  readonly size: SizeBudget;
}

/** A fetched file with its final URL. */
export interface FetchedSource {
  readonly url: URL;
  readonly bytes: Uint8Array;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Fetches a file without credentials or proxy. Redirects never lead from https to http. Throws `FetchError`. */
export async function fetchSource(start: URL, network: Network, budget: FetchBudget): Promise<FetchedSource> {
  let url = start;
  for (let hops = 0; ; hops++) {
    const after = hops === 0 ? "" : "after a redirect, ";
    const fault = findUrlFault(url, network.allowPrivate);
    if (fault) throw new FetchError(after + fault);
    try {
      const response = await sendRequest(url, network, budget.signal);
      const target = readRedirect(response, url);
      if (!target) return { url, bytes: await readBody(response, budget.size, budget.signal) };
      response.destroy();
      if (hops >= budget.redirects) throw new FetchError(`it redirects more than ${budget.redirects} times`);
      url = target;
    } catch (error) {
      throw toFetchError(error, after, budget.signal);
    }
  }
}

/** Returns the error for the caller, without messages of others. Programming errors stay unchanged. */
function toFetchError(error: unknown, after: string, signal: AbortSignal): unknown {
  if (signal.aborted) return new FetchError("it took too long");
  if (error instanceof FetchError) return new FetchError(after + error.message, error.tooLarge);
  const isNetworkError = error instanceof Error && "code" in error && !(error instanceof TypeError);
  return isNetworkError ? new FetchError(`${after}the connection was closed`) : error;
}

async function sendRequest(url: URL, network: Network, signal: AbortSignal): Promise<IncomingMessage> {
  const socket = await connectTo(url, network, signal);
  return new Promise((resolve, reject) => {
    const request = process.getBuiltinModule("node:http").request({
      // No agent, so no connection pool and no proxy from the environment.
      createConnection: () => socket,
      path: url.pathname + url.search,
      headers: {
        host: url.host,
        accept: "application/json, */*;q=0.1",
        "accept-encoding": "gzip, br",
        "user-agent": "metaction",
        connection: "close",
      },
      signal,
    });
    request.on("response", resolve);
    request.on("error", reject);
    request.on("close", () => reject(new FetchError("the connection was closed")));
    request.end();
  });
}

function readRedirect(response: IncomingMessage, url: URL): URL | undefined {
  if (!REDIRECTS.has(response.statusCode ?? 0)) return undefined;
  const target = response.headers.location === undefined ? null : URL.parse(response.headers.location, url.href);
  if (!target) throw failResponse(response, "it redirects to an invalid address");
  if (url.protocol === "https:" && target.protocol === "http:")
    throw failResponse(response, "it redirects from https to http");
  return target;
}

function failResponse(response: IncomingMessage, reason: string): FetchError {
  response.destroy();
  return new FetchError(reason);
}

const STANDARD_PORTS = new Set(["", "80", "443"]);

function findUrlFault(url: URL, allowPrivate: boolean): string | undefined {
  if (url.protocol !== "http:" && url.protocol !== "https:") return "only http:// and https:// addresses are fetched";
  if (url.username !== "" || url.password !== "") return "addresses with a user name or a password are not fetched";
  if (!allowPrivate && !STANDARD_PORTS.has(url.port)) return "only the ports 80 and 443 are fetched";
  return undefined;
}

const SECRET_PARAMETER = /token|secret|passw|credential|signature|^sig$|^x-amz-|^x-goog-|api[-_]?key|^key$|^auth/i;

/** Returns a URL without user name, password, fragment and secret parameters. */
export function toPublicUrl(url: URL): string {
  const publicUrl = new URL(url);
  publicUrl.username = "";
  publicUrl.password = "";
  publicUrl.hash = "";
  const secretNames = [...publicUrl.searchParams.keys()].filter((name) => SECRET_PARAMETER.test(name));
  for (const name of secretNames) publicUrl.searchParams.delete(name);
  return publicUrl.href;
}

/** Returns the URL without its query as label of a source, unless too long. */
export function toSourceLabel(url: URL): string | undefined {
  const labelUrl = new URL(toPublicUrl(url));
  labelUrl.search = "";
  return labelUrl.href.length <= LIMITS.urlCharacters ? labelUrl.href : undefined;
}

interface SizeBudget {
  wire: number;
  body: number;
  /** Maximum compression ratio of a body larger than `RATIO_FROM`. */
  readonly ratio: number;
}

/** Bodies up to this size may have any compression ratio. */
const RATIO_FROM = 1_000_000;

async function readBody(response: IncomingMessage, size: SizeBudget, signal: AbortSignal): Promise<Uint8Array> {
  if (response.statusCode !== 200) throw failResponse(response, `HTTP ${response.statusCode}`);
  const decoder = createDecoder(response.headers["content-encoding"]);
  const chunks: Uint8Array[] = [];
  let receivedBytes = 0;
  let inflatedBytes = 0;
  const meter = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      receivedBytes += chunk.length;
      size.wire -= chunk.length;
      if (size.wire < 0) throw createTooLargeError();
      yield chunk;
    }
  };
  const collect = async (source: AsyncIterable<Uint8Array>) => {
    for await (const chunk of source) {
      inflatedBytes += chunk.length;
      size.body -= chunk.length;
      if (size.body < 0) throw createTooLargeError();
      if (inflatedBytes > RATIO_FROM && inflatedBytes > receivedBytes * size.ratio) {
        throw new FetchError(`it is compressed more than ${size.ratio} to 1`, true);
      }
      chunks.push(chunk);
    }
  };
  const { pipeline } = process.getBuiltinModule("node:stream/promises");
  try {
    if (decoder) await pipeline(response, meter, decoder, collect, { signal });
    else await pipeline(response, meter, collect, { signal });
  } catch (error) {
    if (error instanceof Error && "code" in error && /^(Z_|ERR__ERROR|ERR_BROTLI)/.test(String(error.code))) {
      throw new FetchError("its compression is damaged");
    }
    throw error;
  }
  return Buffer.concat(chunks);
}

function createTooLargeError(): FetchError {
  return new FetchError("it is too large", true);
}

function createDecoder(encoding = "identity"): Transform | undefined {
  const zlib = process.getBuiltinModule("node:zlib");
  const name = encoding.trim().toLowerCase();
  if (name === "" || name === "identity") return undefined;
  if (name === "gzip" || name === "x-gzip") return zlib.createGunzip();
  if (name === "deflate") return zlib.createInflate();
  if (name === "br") return zlib.createBrotliDecompress();
  throw new FetchError("its compression is not supported; use gzip, deflate or br");
}
