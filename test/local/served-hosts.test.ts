import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHostTest, findHostFault, parseAllowedHosts } from "../../local/served-hosts.ts";
import { type LocalProcess, startProcess } from "../support/local-process.ts";

describe("a page of another site with a name that resolves to this machine (DNS rebinding)", () => {
  let service: LocalProcess;
  beforeAll(async () => {
    service = await startProcess(undefined, { METACTION_ALLOWED_HOSTS: "meta.example" });
  });
  afterAll(() => service.interrupt());

  const call = async (method: string, path: string, host: string) => {
    const { hostname, port } = new URL(service.url);
    const headers = { host, origin: `http://${host}`, "content-type": "application/json" };
    const asked = request({ hostname, port, method, path, headers, agent: false });
    asked.end(method === "POST" ? '{"username":"admin","password":"a guess of the page"}' : "");
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    return { status: answer.statusCode, text: await text(answer) };
  };

  test.each([
    ["GET", "/api"],
    ["GET", "/health"],
    ["GET", "/"],
    ["GET", "/.well-known/jwks.json"],
    ["GET", "/api/config/inspect_config"],
    ["POST", "/api/auth/login"],
    ["OPTIONS", "/api/auth/login"],
  ])("is refused: %s %s", async (method, path) => {
    const { port } = new URL(service.url);
    for (const host of [`evil.example:${port}`, "evil.example", "127.0.0.1.evil.example", "localhost.evil.example"]) {
      const { status, text: body } = await call(method, path, host);
      expect([host, status]).toEqual([host, 421]);
      expect(JSON.parse(body)).toMatchObject({
        code: "wrong_host",
        retryable: false,
        detail: `Host: ${host} is not a host of this service. Use its address, or add the host to METACTION_ALLOWED_HOSTS`,
      });
    }
  });

  test("users of this machine, and of a host in METACTION_ALLOWED_HOSTS, are served", async () => {
    const { host, port } = new URL(service.url);
    for (const name of [host, `localhost:${port}`, `[::1]:${port}`, "127.0.0.1", "meta.example", "META.example.:443"])
      expect([name, (await call("GET", "/health", name)).status]).toEqual([name, 200]);
  });
});

describe("the served hosts", () => {
  test.each([
    ["127.0.0.1", "192.0.2.7", false],
    ["0.0.0.0", "192.0.2.7", true],
    ["0.0.0.0", "[2001:db8::7]", true],
    ["::", "192.0.2.7", true],
    ["0.0.0.0", "metaction", false],
    ["0.0.0.0", "evil.example", false],
    ["192.0.2.7", "192.0.2.7:8080", true],
    ["192.0.2.7", "192.0.2.8:8080", false],
    ["meta.lan", "meta.lan:8080", true],
    ["127.0.0.1", "metaction.localhost:8080", true],
    ["127.0.0.1", "127.1.evil.example", false],
    ["127.0.0.1", "", false],
  ])("of a service that listens on %s: %s is %s", (listening, host, isServed) => {
    const message = { rawHeaders: ["Host", host], httpVersion: "1.1", url: "/" };
    const fault = findHostFault(message, createHostTest(listening, []));
    expect(fault?.code).toBe(isServed ? undefined : "wrong_host");
  });

  test("are names and addresses without scheme and port", () => {
    expect(parseAllowedHosts(" meta.example, 192.0.2.7,[::1],2001:db8::7 ,")).toHaveLength(4);
    for (const wrong of ["*", "https://meta.example", "meta.example:8080", "meta.example/path", "a b"])
      expect(() => parseAllowedHosts(wrong)).toThrow("METACTION_ALLOWED_HOSTS");
  });
});
