import type { IncomingMessage } from "node:http";
import { connectTo, type Network } from "./connect-source.ts";
import { readBody, type SizeBudget } from "./source-body.ts";
import { urlFault } from "./source-url.ts";
import { Unfetched } from "./unfetched.ts";

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
    const fault = urlFault(url, network.allowPrivate);
    if (fault) throw new Unfetched(after + fault);
    try {
      const response = await request(url, network, budget.signal);
      const next = redirectOf(response, url);
      if (!next) return { url, bytes: await bodyOf(response, budget) };
      response.destroy();
      if (hops >= budget.redirects) throw new Unfetched(`it redirects more than ${budget.redirects} times`);
      url = next;
    } catch (error) {
      throw reasonFor(error, after, budget.signal);
    }
  }
}

/** The reason a caller is told: never a message of the system or of the other side. A defect of ours stays one. */
function reasonFor(error: unknown, after: string, signal: AbortSignal): unknown {
  if (signal.aborted) return new Unfetched("it took too long");
  if (error instanceof Unfetched) return new Unfetched(after + error.message, error.tooLarge);
  const fromOutside = error instanceof Error && "code" in error && !(error instanceof TypeError);
  return fromOutside ? new Unfetched(`${after}the connection broke off`) : error;
}

async function request(url: URL, network: Network, signal: AbortSignal): Promise<IncomingMessage> {
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
    sent.on("close", () => reject(new Unfetched("the connection broke off")));
    sent.end();
  });
}

function redirectOf(response: IncomingMessage, url: URL): URL | undefined {
  if (!REDIRECTS.has(response.statusCode ?? 0)) return undefined;
  const next = response.headers.location === undefined ? null : URL.parse(response.headers.location, url.href);
  if (!next) throw failed(response, "it redirects to no address");
  if (url.protocol === "https:" && next.protocol === "http:") throw failed(response, "it redirects from https to http");
  return next;
}

function bodyOf(response: IncomingMessage, budget: FetchBudget): Promise<Uint8Array> {
  if (response.statusCode !== 200) throw failed(response, `HTTP ${response.statusCode}`);
  return readBody(response, budget.size, budget.signal);
}

function failed(response: IncomingMessage, reason: string): Unfetched {
  response.destroy();
  return new Unfetched(reason);
}
