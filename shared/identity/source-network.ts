/**
 * The network of an address, in one spelling: an IPv4 address itself, of an IPv6 address its first 64 bits, because whoever
 * has one has all that share them. An address that nobody knows is a network of its own.
 */
export function networkOf(address: string | undefined): string {
  // Without the zone of a link-local address.
  const [plain = ""] = (address ?? "").toLowerCase().split("%");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("::");
  const [before, after] = [groupsOf(head), groupsOf(tail ?? "")];
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

function groupsOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(":");
}
