import { expect, test } from "vitest";
import { toRecordedAddress, toSourceNetwork } from "../../shared/domain/accounts/source-address.ts";

test.each([
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2", "2001:db8:1::/48"],
  ["2001:0DB8::5", "2001:db8:0:0", "2001:db8:0::/48"],
  ["::1", "0:0:0:0", "0:0:0::/48"],
  ["1::", "1:0:0:0", "1:0:0::/48"],
  ["1::2:3:4:5:6:7", "1:0:2:3", "1:0:2::/48"],
  ["1:2:3::4:5:6:7", "1:2:3:0", "1:2:3::/48"],
  ["::ffff:203.0.113.9", "203.0.113.9", "203.0.113.0/24"],
])("the address %s is in the network %s, and recorded as %s", (address, network, recorded) => {
  expect(toSourceNetwork(address)).toBe(network);
  expect(toRecordedAddress(address, "network")).toBe(recorded);
});
