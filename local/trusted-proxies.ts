import ipaddr from "ipaddr.js";
import { getHeader, type PlainRequest } from "../shared/http/request.ts";
import { BadSetting } from "./sqlite/data-folder.ts";

/** Tests whether an address is one of a trusted proxy. */
export type IsTrustedProxy = (address: string) => boolean;

/** Parses the list of networks in CIDR notation (RFC 4632), or addresses, whose proxies name the address of the caller. */
export function parseTrustedProxies(text = ""): IsTrustedProxy {
  const networks = text
    .split(",")
    .map((network) => network.trim())
    .filter((network) => network !== "")
    .map((network) => parseNetwork(network, text));
  return (address) => {
    if (networks.length === 0 || !ipaddr.isValid(address)) return false;
    // An IPv4 address may come as an IPv6 address that contains it.
    const ip = ipaddr.process(address);
    return networks.some(([base, bits]) => ip.kind() === base.kind() && ip.match(base, bits));
  };
}

function parseNetwork(network: string, text: string) {
  if (ipaddr.isValidCIDR(network)) return ipaddr.parseCIDR(network);
  if (/^[\d.]+\.\d+$|:/.test(network) && ipaddr.isValid(network)) {
    const ip = ipaddr.process(network);
    return [ip, ip.kind() === "ipv4" ? 32 : 128] as const;
  }
  throw new BadSetting(
    `METACTION_TRUSTED_PROXIES=${text} is not a list of networks: ${JSON.stringify(network)}; give them like 10.0.0.0/8 or 192.0.2.7, separated by commas.`,
  );
}

/**
 * Returns the request with the address of the caller. Where the connection comes from a trusted proxy, that is the last address in
 * `Forwarded` (RFC 7239) or `X-Forwarded-For` which is not one of a trusted proxy. If the two headers name different addresses,
 * the caller may have written one of them, which the proxy passes on: then the address stays that of the proxy.
 */
export function findCallerAddress(request: PlainRequest, isTrusted: IsTrustedProxy): PlainRequest {
  const { sourceAddress, headers } = request;
  if (sourceAddress === undefined || !isTrusted(sourceAddress)) return request;
  const lists = [
    readForwarded(getHeader(headers, "forwarded")),
    readForwardedFor(getHeader(headers, "x-forwarded-for")),
  ];
  const [address, other = address] = lists
    .filter((list) => list !== undefined)
    .map((list) => findLastUntrusted(list, isTrusted) ?? sourceAddress);
  return address === undefined || address !== other ? request : { ...request, sourceAddress: address };
}

/** Returns the last address that is not of a trusted proxy; undefined if all are, or if it is not an address. */
function findLastUntrusted(addresses: readonly string[], isTrusted: IsTrustedProxy) {
  const address = addresses.findLast((one) => !isTrusted(one));
  return address !== undefined && ipaddr.isValid(address) ? ipaddr.process(address).toString() : undefined;
}

/** Returns the nodes of the parameter `for`, from the caller to the last proxy; hidden ones as they are. */
function readForwarded(header: string | undefined): readonly string[] | undefined {
  if (header === undefined) return undefined;
  // Commas and semicolons in quotes do not separate.
  const elements = header.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? [];
  return elements.map((element) => {
    const [, quoted, token = ""] = /(?:^|;)\s*for=(?:"((?:[^"\\]|\\.)*)"|([^;,\s]*))/i.exec(element) ?? [];
    return removePort(quoted?.replace(/\\(.)/g, "$1") ?? token);
  });
}

function readForwardedFor(header: string | undefined): readonly string[] | undefined {
  return header?.split(",").map((address) => removePort(address.trim()));
}

/** Returns an address without its port, and without the brackets of IPv6. */
function removePort(node: string) {
  return /^\[(.*)\](?::\d+)?$/.exec(node)?.[1] ?? node.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
}
