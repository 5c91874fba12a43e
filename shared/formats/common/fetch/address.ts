/** IPv4 ranges that are no public unicast addresses: `[first, prefix length]` (IANA special-purpose registry, RFC 6890). */
const NOT_PUBLIC_V4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  // A virtual address with which Azure serves its machines from inside.
  ["168.63.129.16", 32],
];

/** The one block of global unicast IPv6 addresses, and the parts of it that are not (IANA registries, RFC 4291). */
const GLOBAL_V6 = ["2000::", 3] as const;
const NOT_PUBLIC_V6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
  ["2620:4f:8000::", 48],
];

/** The addresses of private networks: loopback, RFC 1918 and unique local. */
const PRIVATE: readonly (readonly [string, number])[] = [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["::1", 128],
  ["fc00::", 7],
];

/** Inside the unique local addresses, but the metadata service of AWS. */
const METADATA_V6 = ["fd00:ec2::", 32] as const;

/**
 * True when an import may connect to an IP address: public unicast, and with `allowPrivate` also loopback, RFC 1918 and
 * unique local. Anything that is no plain address, and every IPv6 form that embeds an IPv4 one, is refused.
 */
export function mayConnectTo(address: string, allowPrivate: boolean): boolean {
  const bits = toBits(address);
  if (bits === undefined) return false;
  if (allowPrivate && isWithin(bits, PRIVATE) && !isWithin(bits, [METADATA_V6])) return true;
  if (bits.length === 32) return !isWithin(bits, NOT_PUBLIC_V4);
  return isWithin(bits, [GLOBAL_V6]) && !isWithin(bits, NOT_PUBLIC_V6);
}

function isWithin(bits: string, ranges: readonly (readonly [string, number])[]): boolean {
  return ranges.some(([first, prefix]) => {
    const range = toBits(first);
    return range?.length === bits.length && range.slice(0, prefix) === bits.slice(0, prefix);
  });
}

/** An address as 32 or 128 binary digits; undefined when it is none, or carries a zone. */
function toBits(address: string): string | undefined {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) {
    const parts = address.split(".");
    if (parts.some((p) => String(Number(p)) !== p || Number(p) > 255)) return undefined;
    return parts.map((p) => Number(p).toString(2).padStart(8, "0")).join("");
  }
  // The URL parser writes every IPv6 address in one way: hexadecimal groups, at most one "::".
  const canonical = /^[0-9a-fA-F:.]+$/.test(address)
    ? URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1)
    : undefined;
  if (canonical === undefined) return undefined;
  const [head = "", tail] = canonical.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].map((g) => Number.parseInt(g, 16).toString(2).padStart(16, "0")).join("");
}
