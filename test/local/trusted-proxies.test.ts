import { expect, test } from "vitest";
import { findCallerAddress, parseTrustedProxies } from "../../local/trusted-proxies.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { startProcess } from "../support/local-process.ts";

const PROXY = "10.0.0.7";
const forwarded = (value: string) => ({ forwarded: value });
const forwardedFor = (value: string) => ({ "x-forwarded-for": value });

test.each<[headers: Readonly<Record<string, string>>, address: string, connection?: string]>([
  [{}, PROXY],
  [forwardedFor("192.0.2.1"), "192.0.2.1"],
  [forwardedFor("198.51.100.1, 192.0.2.1"), "192.0.2.1"],
  [forwardedFor("198.51.100.1,192.0.2.1:4711, 10.9.9.9 ,::ffff:10.1.1.1"), "192.0.2.1"],
  [forwardedFor("[2001:db8::1]:80"), "2001:db8::1"],
  [forwardedFor("2001:db8::1"), "2001:db8::1", "::ffff:10.0.0.7"],
  [forwardedFor("192.0.2.1"), "192.0.2.1", "fd00::5"],
  [forwardedFor("10.1.1.1"), PROXY],
  [forwardedFor("192.0.2.1, unknown"), PROXY],
  [forwarded('for=192.0.2.43;proto=https, For="[2001:db8:cafe::17]:4711" ; by=10.0.0.7'), "2001:db8:cafe::17"],
  [forwarded('by="a,for=1.2.3.4";for=192.0.2.43, for=10.0.0.9'), "192.0.2.43"],
  [forwarded("for=192.0.2.43, for=_hidden"), PROXY],
  [forwarded("proto=https"), PROXY],
  [{ ...forwarded("for=192.0.2.1"), ...forwardedFor("192.0.2.1") }, "192.0.2.1"],
  [{ ...forwarded("for=198.51.100.1"), ...forwardedFor("192.0.2.1") }, PROXY],
  // Not a proxy: its headers are ignored.
  [forwardedFor("192.0.2.1"), "203.0.113.5", "203.0.113.5"],
])("with the headers %j a call comes from %s", (headers, address, sourceAddress = PROXY) => {
  const request = { method: "GET", path: "/", query: "", headers, sourceAddress, body: undefined };
  expect(findCallerAddress(request, parseTrustedProxies("10.0.0.0/8, fd00::/8")).sourceAddress).toBe(address);
});

test.each([
  "10.0.0.0/33",
  "proxy.example",
  "10",
  "10.0.0.0/8;fd00::/8",
])("%s is refused as a list of trusted proxies", (list) => {
  expect(() => parseTrustedProxies(list)).toThrow(`METACTION_TRUSTED_PROXIES=${list} is not a list of networks`);
});

test("wrong passwords that a trusted proxy passes on from one address do not make other addresses wait", async () => {
  const service = await startProcess(undefined, { METACTION_TRUSTED_PROXIES: "127.0.0.1" });
  const statuses: number[] = [];
  for (const i of [...Array(LIMITS.freeLoginFailures + 4).fill(1), 2]) {
    const init = { method: "POST", body: '{"username":"admin","password":"a guess"}' };
    const headers = { "content-type": "application/json", ...forwardedFor(`192.0.2.${i}`) };
    statuses.push((await fetch(`${service.url}/api/auth/login`, { ...init, headers })).status);
  }
  expect(statuses).toContain(429);
  expect(statuses.at(-1)).toBe(401);
  await service.interrupt();
});
