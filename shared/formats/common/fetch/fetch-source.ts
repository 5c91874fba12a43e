import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { LIMITS } from "../../../domain/limits.ts";
import { connectTo, FetchError, type Network } from "./connect-source.ts";

/** The time, redirects and bytes that one import may spend on fetching, all its files together. */
export interface FetchBudget {
  /** Fires when the time is over. */
  readonly signal: AbortSignal;
  readonly redirects: number;
  readonly size: SizeBudget;
}

/** A fetched file and the URL it came from in the end. */
export interface FetchedSource {
  readonly url: URL;
  readonly bytes: Uint8Array;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches a file over HTTP without credentials, cookies, proxy or kept connections. Redirects are followed by hand, each
 * checked as the first address was and none from https to http. Throws `Unfetched` with a reason.
 */
export async function fetchSource(start: URL, network: Network, budget: FetchBudget): Promise<FetchedSource> {
  let url = start;
  for (let hops = 0; ; hops++) {
    const after = hops === 0 ? "" : "after a redirect, ";
    const fault = findUrlFault(url, network.allowPrivate);
    if (fault) throw new FetchError(after + fault);
    try {
      const response = await sendRequest(url, network, budget.signal);
      const next = readRedirect(response, url);
      if (!next) return { url, bytes: await readOkBody(response, budget) };
      response.destroy();
      if (hops >= budget.redirects) throw new FetchError(`it redirects more than ${budget.redirects} times`);
      url = next;
    } catch (error) {
      throw toFetchError(error, after, budget.signal);
    }
  }
}

/** The reason a caller is told: never a message of the system or of the other side. A defect of ours stays one. */
function toFetchError(error: unknown, after: string, signal: AbortSignal): unknown {
  if (signal.aborted) return new FetchError("it took too long");
  if (error instanceof FetchError) return new FetchError(after + error.message, error.tooLarge);
  const fromOutside = error instanceof Error && "code" in error && !(error instanceof TypeError);
  return fromOutside ? new FetchError(`${after}the connection broke off`) : error;
}

async function sendRequest(url: URL, network: Network, signal: AbortSignal): Promise<IncomingMessage> {
  const socket = await connectTo(url, network, signal);
  return new Promise((resolve, reject) => {
    const sent = process.getBuiltinModule("node:http").request({
      // A connection of its own: no agent, so no pool and no proxy from the environment.
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
    sent.on("response", resolve);
    sent.on("error", reject);
    sent.on("close", () => reject(new FetchError("the connection broke off")));
    sent.end();
  });
}

function readRedirect(response: IncomingMessage, url: URL): URL | undefined {
  if (!REDIRECTS.has(response.statusCode ?? 0)) return undefined;
  const next = response.headers.location === undefined ? null : URL.parse(response.headers.location, url.href);
  if (!next) throw failResponse(response, "it redirects to no address");
  if (url.protocol === "https:" && next.protocol === "http:")
    throw failResponse(response, "it redirects from https to http");
  return next;
}

function readOkBody(response: IncomingMessage, budget: FetchBudget): Promise<Uint8Array> {
  if (response.statusCode !== 200) throw failResponse(response, `HTTP ${response.statusCode}`);
  return readBody(response, budget.size, budget.signal);
}

function failResponse(response: IncomingMessage, reason: string): FetchError {
  response.destroy();
  return new FetchError(reason);
}

const STANDARD_PORTS = new Set(["", "80", "443"]);

/** Why a URL is not fetched, before any name is looked up; undefined when nothing speaks against it. */
function findUrlFault(url: URL, allowPrivate: boolean): string | undefined {
  if (url.protocol !== "http:" && url.protocol !== "https:") return "only http:// and https:// addresses are fetched";
  if (url.username !== "" || url.password !== "") return "an address with a user name or a password is not fetched";
  if (!allowPrivate && !STANDARD_PORTS.has(url.port)) return "only the ports 80 and 443 are fetched";
  return undefined;
}

/** Query parameters that carry an authorisation rather than say what is asked for. */
const SECRET_PARAMETER = /token|secret|passw|credential|signature|^sig$|^x-amz-|^x-goog-|api[-_]?key|^key$|^auth/i;

/** A URL as it may be stored and shown: without user name, password, fragment and query parameters that look like secrets. */
export function toPublicUrl(url: URL): string {
  const shown = new URL(url);
  shown.username = "";
  shown.password = "";
  shown.hash = "";
  const secret = [...shown.searchParams.keys()].filter((name) => SECRET_PARAMETER.test(name));
  for (const name of secret) shown.searchParams.delete(name);
  return shown.href;
}

/** The label of the source at a URL: the URL without its query; undefined when it is longer than a link may be. */
export function toSourceLabel(url: URL): string | undefined {
  const named = new URL(toPublicUrl(url));
  named.search = "";
  return named.href.length <= LIMITS.urlCharacters ? named.href : undefined;
}

/** Bytes that one import may still take in; reading takes them off. */
interface SizeBudget {
  /** Bytes over the wire. */
  wire: number;
  /** Bytes after decompression. */
  inflated: number;
  /** How many times larger a body may become, once it passes `RATIO_FROM`. */
  readonly ratio: number;
}

/** Smaller bodies may be compressed as well as they like. */
const RATIO_FROM = 1_000_000;

/** The decoded body of a response (gzip, deflate, br or plain), stopped as soon as it passes a limit. */
async function readBody(response: IncomingMessage, size: SizeBudget, signal: AbortSignal): Promise<Uint8Array> {
  const decoder = createDecoder(response.headers["content-encoding"]);
  const chunks: Uint8Array[] = [];
  let wire = 0;
  let inflated = 0;
  const meter = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      wire += chunk.length;
      size.wire -= chunk.length;
      if (size.wire < 0) throw createTooLargeError();
      yield chunk;
    }
  };
  const collect = async (source: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of source) {
      inflated += chunk.length;
      size.inflated -= chunk.length;
      if (size.inflated < 0) throw createTooLargeError();
      if (inflated > RATIO_FROM && inflated > wire * size.ratio) {
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

/** The decompressor for a `Content-Encoding`, none for a plain body. */
function createDecoder(encoding: string | undefined): Transform | undefined {
  const zlib = process.getBuiltinModule("node:zlib");
  switch ((encoding ?? "identity").trim().toLowerCase()) {
    case "":
    case "identity":
      return undefined;
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip();
    case "deflate":
      return zlib.createInflate();
    case "br":
      return zlib.createBrotliDecompress();
    default:
      throw new FetchError("it is compressed in a way that is not known; gzip, deflate and br are");
  }
}
