/** What is recorded of the network address of callers: all of it, its network (IPv4 /24, IPv6 /48), or nothing. */
export const RECORDED_ADDRESSES = ["full", "network", "none"] as const;

export type RecordedAddresses = (typeof RECORDED_ADDRESSES)[number];

/** Returns what is recorded of an address; undefined for nothing. */
export function toRecordedAddress(address: string | undefined, recorded: RecordedAddresses): string | undefined {
  if (!address || recorded === "none") return undefined;
  if (recorded === "full") return findIpv4(address) ?? address;
  const network = toSourceNetwork(address);
  return network.includes(":") ? `${network.split(":", 3).join(":")}::/48` : network.replace(/\.\d+$/, ".0/24");
}

/** Returns the network of an address: IPv4, or the first 64 bits of IPv6, which belong to one subscriber. */
export function toSourceNetwork(address: string | undefined): string {
  // Without the zone of a link-local address.
  const [plain = ""] = (address ?? "").toLowerCase().split("%");
  const ipv4 = findIpv4(plain);
  if (ipv4 !== undefined) return ipv4;
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("::");
  const [before, after] = [splitAddressGroups(head), splitAddressGroups(tail ?? "")];
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

/** Returns the IPv4 address inside an IPv6 address (RFC 4291 section 2.5.5.2). */
function findIpv4(address: string): string | undefined {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
}

function splitAddressGroups(text: string): readonly string[] {
  return text === "" ? [] : text.split(":");
}
