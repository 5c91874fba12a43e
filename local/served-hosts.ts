import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { Problem } from "../shared/domain/problems.ts";
import { BadSetting } from "./sqlite/data-folder.ts";

/** A host, by name or address, and a port (RFC 9110 section 7.2). Both may be empty. */
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(:\d*)?$/;
/** The host of a request target in absolute form, which replaces that of the `Host` header (RFC 9112 section 3.2.2). */
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;
/** Addresses that mean all addresses of the machine. */
const EVERY_ADDRESS: readonly string[] = ["0.0.0.0", "::"];
/** Characters of a refused host that an answer repeats. */
const QUOTED = 80;

/**
 * Returns the problem of a missing, repeated or malformed `Host` (RFC 9112 section 3.2), or of a host that is not served;
 * undefined if none. The port is not compared, because a tunnel or a container may publish another one.
 */
export function findHostFault(
  { rawHeaders, httpVersion, url = "" }: Pick<IncomingMessage, "rawHeaders" | "httpVersion" | "url">,
  isServedHost: (host: string) => boolean = () => true,
): Problem | undefined {
  const hosts: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === "host") hosts.push(rawHeaders[i + 1] ?? "");
  }
  if (hosts.length === 0 && httpVersion !== "1.0") {
    return new Problem("bad_request", "The request has no Host header; send one");
  }
  if (hosts.length > 1) return new Problem("bad_request", `The request has ${hosts.length} Host headers; send one`);
  const [, inTarget] = ABSOLUTE.exec(url) ?? [];
  for (const host of inTarget === undefined ? hosts : [...hosts, inTarget]) {
    const [, name] = HOST.exec(host) ?? [];
    if (name === undefined) {
      return new Problem("bad_request", `Host: ${host.slice(0, QUOTED)} is not a host, with or without a port`);
    }
    if (!isServedHost(normalizeHost(name))) {
      return new Problem(
        "wrong_host",
        `Host: ${host.slice(0, QUOTED)} is not a host of this service. Use its address, or add the host to METACTION_ALLOWED_HOSTS`,
      );
    }
  }
  return undefined;
}

/**
 * Returns the test of the hosts that requests may name, so that a foreign name that leads to this machine is refused (DNS
 * rebinding). Served are this machine, the address listened on, and `hosts`. A service that listens on all addresses is
 * reached by any of them: a browser cannot be led to another machine by an address.
 */
export function createHostTest(listening: string, hosts: readonly string[]): (host: string) => boolean {
  const names = new Set([listening, ...hosts].map(normalizeHost));
  const isEveryAddress = EVERY_ADDRESS.includes(listening);
  return (host) => names.has(host) || isThisMachine(host) || (isEveryAddress && isIP(host) !== 0);
}

/** Returns true for names and addresses of this machine (RFC 6761 section 6.3). */
function isThisMachine(host: string) {
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    (isIP(host) === 4 && host.startsWith("127."))
  );
}

/** Returns a host in lower case, without the brackets of an address and the dot of the root. */
function normalizeHost(host: string) {
  return host.toLowerCase().replace(/^\[|\]$|\.$/g, "");
}

/** Parses the list of other hosts to serve. */
export function parseAllowedHosts(text = ""): readonly string[] {
  const hosts = text
    .split(",")
    .map((host) => host.trim())
    .filter((host) => host !== "");
  const wrong = hosts.find((host) => !/^[A-Za-z0-9._-]+$/.test(host) && isIP(normalizeHost(host)) === 0);
  if (wrong === undefined) return hosts;
  throw new BadSetting(
    `METACTION_ALLOWED_HOSTS=${text} is not a list of hosts: ${JSON.stringify(wrong)}; give names like meta.example, without scheme and port, separated by commas.`,
  );
}
