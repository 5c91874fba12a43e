import type { Socket } from "node:net";
import ipaddr from "ipaddr.js";

/** Resolves a host name to all its addresses. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Opens a connection to an IP address that was checked. */
export type Dial = (address: string, port: number) => Socket;

/** Access to the network. */
export interface Network {
  readonly resolve: Resolve;
  readonly dial: Dial;
  /** Allows loopback, RFC 1918 and unique local addresses and any port. */
  readonly allowPrivate: boolean;
  /** Timeout of one connection including TLS, in milliseconds. */
  readonly connectMs: number;
}

const MAX_ADDRESSES = 3;

/** Resolves a host name with the resolver of the system. */
export const resolveHost: Resolve = async (hostname) => {
  const { lookup } = process.getBuiltinModule("node:dns/promises");
  return (await lookup(hostname, { all: true })).map((a) => a.address);
};

/** Opens a plain TCP connection. */
export const dialTcp: Dial = (host, port) => process.getBuiltinModule("node:net").connect({ host, port });

/** Private networks: loopback, RFC 1918 and unique local addresses. */
const PRIVATE_RANGES: ReadonlySet<string> = new Set(["loopback", "private", "uniqueLocal"]);
/** Addresses inside a cloud: those of the metadata service of AWS, and that of the host of an Azure machine. */
const CLOUD_BLOCKS = [ipaddr.parseCIDR("fd00:ec2::/32"), ipaddr.parseCIDR("168.63.129.16/32")];
/** The only block of global unicast IPv6 addresses (RFC 4291). */
const GLOBAL_V6 = ipaddr.parseCIDR("2000::/3");

/** Tests for a public unicast address, or private with `allowPrivate`. False for IPv6 forms that embed IPv4. */
export function mayConnectTo(address: string, allowPrivate: boolean): boolean {
  if (!isAddress(address) || address.includes("%")) return false;
  const ip = ipaddr.parse(address);
  const isWithin = (block: typeof GLOBAL_V6) => ip.kind() === block[0].kind() && ip.match(block);
  if (CLOUD_BLOCKS.some(isWithin)) return false;
  const range = ip.range();
  if (allowPrivate && PRIVATE_RANGES.has(range)) return true;
  return range === "unicast" && (ip.kind() === "ipv4" || isWithin(GLOBAL_V6));
}

/** Connects to a host, with TLS for https. Connects to a checked address, so a second DNS answer has no effect. */
export async function connectTo(url: URL, network: Network, signal: AbortSignal): Promise<Socket> {
  const addresses = await resolveAddresses(url.hostname, network, signal);
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  let failure: unknown;
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    try {
      return await openConnection(address, port, url, network, signal);
    } catch (error) {
      failure = error;
      if (signal.aborted) break;
    }
  }
  throw failure;
}

/** Returns the checked addresses of a host, IPv4 first because not every machine has an IPv6 route. */
async function resolveAddresses(host: string, network: Network, signal: AbortSignal): Promise<readonly string[]> {
  const literal = host.replace(/^\[(.*)\]$/, "$1");
  const addresses = isAddress(literal) ? [literal] : await raceAbort(network.resolve(host), signal).catch(() => []);
  // The same message for unknown names and internal addresses, so that networks cannot be probed.
  const isAllowed = addresses.length > 0 && addresses.every((a) => mayConnectTo(a, network.allowPrivate));
  if (!isAllowed)
    throw new FetchError(network.allowPrivate ? "the host has no usable address" : "the host has no public address");
  return [...addresses].sort((a, b) => Number(a.includes(":")) - Number(b.includes(":")));
}

function isAddress(host: string) {
  return process.getBuiltinModule("node:net").isIP(host) !== 0;
}

async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw new FetchError("it took too long");
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new FetchError("it took too long"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function openConnection(
  address: string,
  port: number,
  url: URL,
  network: Network,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = network.dial(address, port);
  const timer = setTimeout(
    () => socket.destroy(new FetchError("no connection could be made in time")),
    network.connectMs,
  );
  try {
    await raceAbort(waitForEvent(socket, "connect", "no connection could be made"), signal);
    if (socket.remoteAddress === undefined || !mayConnectTo(socket.remoteAddress, network.allowPrivate)) {
      throw new FetchError("the host has no public address");
    }
    if (url.protocol === "http:") return socket;
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const tlsSocket = process.getBuiltinModule("node:tls").connect({
      socket,
      host,
      // TLS server names must be names. A certificate for an address is checked against `host`.
      ...(isAddress(host) ? {} : { servername: host }),
      ALPNProtocols: ["http/1.1"],
    });
    await raceAbort(waitForEvent(tlsSocket, "secureConnect", "no secure connection could be made"), signal);
    return tlsSocket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function waitForEvent(socket: Socket, name: "connect" | "secureConnect", reason: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error?: unknown) => reject(error instanceof FetchError ? error : new FetchError(reason));
    socket.once(name, () => resolve());
    // The listener stays: an error without a listener would end the process.
    socket.on("error", fail);
    socket.once("close", fail);
  });
}

/** A source could not be fetched. The message contains nothing that the other side sent. */
export class FetchError extends Error {
  readonly tooLarge: boolean;

  constructor(reason: string, tooLarge = false) {
    super(reason);
    this.name = "Unfetched";
    this.tooLarge = tooLarge;
  }
}
