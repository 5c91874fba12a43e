import type { BlockList } from "node:net";

/** IPv4 ranges that are not public unicast addresses (IANA special-purpose registry, RFC 6890). */
const NOT_PUBLIC_V4 = [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24",
  "192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24",
  "203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
  // A virtual address that Azure uses to serve its machines from inside.
  "168.63.129.16/32",
];

/** The only block of global unicast IPv6 addresses, and the ranges in it that are not (IANA registries, RFC 4291). */
const GLOBAL_V6 = ["2000::/3"];
const NOT_PUBLIC_V6 = ["2001::/23 2001:db8::/32 2002::/16 3fff::/20 2620:4f:8000::/48"];

/** Private networks: loopback, RFC 1918 and unique local addresses. */
const PRIVATE_V4 = ["127.0.0.0/8 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16"];
const PRIVATE_V6 = ["::1/128 fc00::/7"];

/** The metadata service of AWS, which is a unique local address. */
const METADATA_V6 = ["fd00:ec2::/32"];

/** Tests for a public unicast address, or private with `allowPrivate`. False for IPv6 forms that embed IPv4. */
export function mayConnectTo(address: string, allowPrivate: boolean): boolean {
  switch (address.includes("%") ? 0 : process.getBuiltinModule("node:net").isIP(address)) {
    case 4:
      if (allowPrivate && isWithin(address, "ipv4", PRIVATE_V4)) return true;
      return !isWithin(address, "ipv4", NOT_PUBLIC_V4);
    case 6:
      if (allowPrivate && isWithin(address, "ipv6", PRIVATE_V6)) return !isWithin(address, "ipv6", METADATA_V6);
      return isWithin(address, "ipv6", GLOBAL_V6) && !isWithin(address, "ipv6", NOT_PUBLIC_V6);
    default:
      return false;
  }
}

const lists = new Map<readonly string[], BlockList>();

function isWithin(address: string, family: "ipv4" | "ipv6", ranges: readonly string[]) {
  const list = lists.get(ranges) ?? new (process.getBuiltinModule("node:net").BlockList)();
  if (!lists.has(ranges)) {
    for (const range of ranges.flatMap((line) => line.split(" "))) {
      const [first = "", prefix] = range.split("/");
      list.addSubnet(first, Number(prefix), family);
    }
    lists.set(ranges, list);
  }
  return list.check(address, family);
}
