import type { IncomingMessage } from "node:http";
import { Problem } from "../shared/domain/problems.ts";

/** A host, by name or address, and a port (RFC 9110 section 7.2); it may be empty. */
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(:\d*)?$/;

/** Why a request has to be refused for its `Host` (RFC 9112 section 3.2): there is none, more than one, or it names no host. */
export function hostFault({ rawHeaders, httpVersion }: IncomingMessage): Problem | undefined {
  const hosts = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === "host");
  const [host] = hosts;
  if (host === undefined) {
    return httpVersion === "1.0" ? undefined : new Problem("bad_request", "The request has no Host header; send one");
  }
  if (hosts.length > 1) return new Problem("bad_request", `The request has ${hosts.length} Host headers; send one`);
  if (HOST.test(host)) return undefined;
  return new Problem("bad_request", `Host: ${host.slice(0, 80)} is no host, with or without a port`);
}
