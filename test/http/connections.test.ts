import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { PlainRequest, PlainResponse } from "../../shared/http/request.ts";
import { HEALTH, open, post, useServers } from "./support/wire.ts";

const start = useServers();

/** Counts the sockets of this process, of servers and callers, without a connection that would change it. */
const sockets = () => process.getActiveResourcesInfo().filter((resource) => resource === "TCPSocketWrap").length;

const CALLERS = 20;

describe("a caller who never closes the connection", () => {
  const QUICK = { headersMs: 100, requestMs: 200, lingerMs: 100 };

  test.each([
    ["sends nothing", ""],
    ["begins a request", "GET /health HTTP/1.1\r\nx: "],
    ["begins a body", `${post("Content-Length: 100")}{`],
    ["sends what is no HTTP", "hello\r\n\r\n"],
    ["sends a header that is too long", `GET /health HTTP/1.1\r\nx: ${"a".repeat(LIMITS.headerBytes + 1)}\r\n\r\n`],
    ["sends a body that is too long", post(`Content-Length: ${LIMITS.requestBytes + 1}`)],
    ["asks for a tunnel", "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["asks for the end", "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"],
  ])("and %s is disconnected after headersMs or requestMs, and lingerMs", async (_, bytes) => {
    const { port } = await start({ limits: QUICK });
    await expect.poll(sockets, { timeout: 5_000 }).toBe(0);
    const callers = Array.from({ length: CALLERS }, () => open(port, { keepsOpen: true }));
    for (const { socket } of callers) {
      socket.on("error", () => undefined);
      socket.write(bytes);
    }
    await Promise.all(callers.map(({ ended }) => ended.catch(() => undefined)));
    // The only sockets left are the callers' own ends.
    const ends = () => callers.filter(({ isCut }) => !isCut()).length;
    await expect.poll(() => sockets() - ends(), { timeout: 5_000 }).toBe(0);
    for (const { socket } of callers) socket.destroy();
  });

  test("does not prevent the server from closing", async () => {
    const { server, port } = await start({ limits: { ...QUICK, lingerMs: 300 } });
    const { socket, until } = open(port, { keepsOpen: true });
    socket.on("error", () => undefined);
    socket.write("hello\r\n\r\n");
    await until("400");
    await server.close(10);
  });

  test("receives its answer, however much it sends after its fault", async () => {
    const { port } = await start({ limits: { ...QUICK, lingerMs: 500 } });
    const { socket, ended } = open(port);
    for (let i = 0; i < 20; i++) socket.write("no HTTP at all\r\n\r\n".repeat(1_000));
    expect(await ended).toContain('"code":"bad_request"');
  });
});

test("an answer that its caller does not read for deliveryMs ends the connection", async () => {
  const body = new Uint8Array(40_000_000);
  const answer: PlainResponse = { status: 200, headers: {}, body };
  const { port } = await start({ limits: { deliveryMs: 300 }, handleRequest: async () => answer });
  const { socket, isCut } = open(port);
  let received = 0;
  socket.on("error", () => undefined);
  socket.on("data", (text) => {
    received += text.length;
  });
  socket.write(HEALTH);
  socket.pause();
  await new Promise((resolve) => setTimeout(resolve, 600));
  socket.resume();
  await expect.poll(isCut, { timeout: 10_000 }).toBe(true);
  expect(received).toBeLessThan(body.byteLength);
});

async function isServed(port: number): Promise<boolean> {
  const { socket, until } = open(port);
  socket.write(HEALTH);
  return (await until('{"status":"ok"}').catch(() => "")).includes("200 OK");
}

describe("connections", () => {
  test("are accepted up to the limit, and closed at once above it", async () => {
    const { port } = await start({ limits: { connections: 3 } });
    // Requests that are under way, so that none is idle.
    const kept = Array.from({ length: 3 }, () => open(port));
    for (const { socket } of kept) socket.write("GET /health HTTP/1.1\r\n");
    await new Promise((resolve) => setTimeout(resolve, 100));
    const beyond = open(port);
    await expect.poll(beyond.isCut, { timeout: 5_000 }).toBe(true);
    for (const { socket, until } of kept) {
      socket.write("Host: x\r\n\r\n");
      expect(await until('{"status":"ok"}')).toContain("200 OK");
      socket.destroy();
    }
    await expect.poll(() => isServed(port)).toBe(true);
  });

  test("of one address are limited by connectionsPerAddress, unless it is of a trusted proxy", async () => {
    for (const isTrusted of [false, true]) {
      const limits = { connectionsPerAddress: 2 };
      const { port } = await start({ limits, isTrustedProxy: (address) => isTrusted && address === "127.0.0.1" });
      const kept = [open(port), open(port)];
      for (const { socket } of kept) socket.write("GET /health HTTP/1.1\r\n");
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await isServed(port)).toBe(isTrusted);
      kept[0]?.socket.destroy();
      await expect.poll(() => isServed(port)).toBe(true);
    }
  });

  test("that are idle are closed for new ones", async () => {
    const { port } = await start({ limits: { connections: 2 } });
    for (const { socket, until } of [open(port), open(port)]) {
      socket.write(HEALTH);
      await until('{"status":"ok"}');
    }
    await expect.poll(() => isServed(port)).toBe(true);
  });
});

describe("the bytes of unanswered bodies", () => {
  /** A server that answers as soon as it is let go. */
  const holding = async (bodiesBytes: number) => {
    const seen: PlainRequest[] = [];
    const gate = Promise.withResolvers<void>();
    const { port } = await start({
      limits: { bodiesBytes },
      handleRequest: async (request) => {
        seen.push(request);
        if (!request.fault) await gate.promise;
        return { status: 200, headers: {}, body: request.fault?.message ?? "read" };
      },
    });
    return { port, seen, release: gate.resolve };
  };
  const body = (bytes: number) => `${post(`Content-Length: ${bytes}`)}${"x".repeat(bytes)}`;

  test("are limited by bodiesBytes, over all connections and until the answer; short ones are always read", async () => {
    const bytes = 100_000;
    const { port, seen, release } = await holding(2 * (bytes - LIMITS.shortBodyBytes));
    const fitting = [open(port), open(port)];
    for (const { socket } of fitting) socket.write(body(bytes));
    await expect.poll(() => seen.length).toBe(2);
    const beyond = open(port);
    beyond.socket.write(body(LIMITS.shortBodyBytes + 1));
    expect(await beyond.until("being received already")).toContain("200 OK");
    expect(seen[2]?.fault).toMatchObject({ code: "unavailable", members: { retryAfter: 1 } });
    const short = open(port);
    short.socket.write(body(LIMITS.shortBodyBytes));
    await expect.poll(() => seen.length).toBe(4);
    expect([seen[3]?.body?.length, seen[3]?.fault]).toEqual([LIMITS.shortBodyBytes, undefined]);
    release();
    for (const { until } of [...fitting, short]) expect(await until("read")).toContain("200 OK");
  });

  test("are released when a call is answered or refused, or its caller leaves", async () => {
    const { port, seen, release } = await holding(2 * LIMITS.requestBytes);
    release();
    const large = 1_000_000;
    for (let i = 0; i < 20; i++) {
      const answered = open(port);
      answered.socket.write(body(large));
      await answered.until("read");
      answered.socket.destroy();
      const leaving = open(port);
      leaving.socket.on("error", () => undefined);
      leaving.socket.write(`${post(`Content-Length: ${large}`)}${"x".repeat(large / 2)}`, () =>
        leaving.socket.resetAndDestroy(),
      );
      const refused = open(port);
      refused.socket.on("error", () => undefined);
      refused.socket.write(`${post("Transfer-Encoding: chunked")}`);
      refused.socket.write(`${(LIMITS.requestBytes + 1).toString(16)}\r\n${"x".repeat(LIMITS.requestBytes + 1)}\r\n`);
      await refused.until("longer than");
      refused.socket.destroy();
    }
    expect(seen.filter(({ fault }) => fault?.code === "unavailable")).toEqual([]);
  });
});

describe("Host", () => {
  const host = async (...lines: string[]) => {
    const { socket, until } = open((await start()).port);
    socket.write(`${["GET /health HTTP/1.1", ...lines].join("\r\n")}\r\n\r\n`);
    return until(/\}$/);
  };

  test.each([
    ["none", [], "no Host header"],
    ["two", ["Host: a", "Host: b"], "2 Host headers"],
    ["the same twice", ["Host: a", "host: a"], "2 Host headers"],
    ["one with a path", ["Host: a/b"], "is not a host"],
    ["one with a user", ["Host: u@a"], "is not a host"],
    ["two in one", ["Host: a, b"], "is not a host"],
    ["one with another port", ["Host: a:b"], "is not a host"],
  ])("%s is 400 with a problem document", async (_, lines, why) => {
    const text = await host(...lines);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain("content-type: application/problem+json");
    const json = JSON.parse(text.slice(text.indexOf("\r\n\r\n")));
    expect(json).toMatchObject({ code: "bad_request", status: 400, requestId: "new-id" });
    expect(json.detail).toContain(why);
  });

  test.each(["localhost", "127.0.0.1:8080", "[::1]:8080", "", "a.example:"])("%j is accepted", async (name) => {
    expect(await host(`Host: ${name}`)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("is checked for a target in absolute form too", async () => {
    const { socket, until } = open((await start({ isServedHost: (name) => name === "localhost" })).port);
    socket.write("GET http://evil.example/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(await until(/\}$/)).toMatch(/^HTTP\/1\.1 421 /);
  });

  test("is not required by HTTP/1.0", async () => {
    const { socket, ended } = open((await start()).port);
    socket.write("GET /health HTTP/1.0\r\n\r\n");
    expect(await ended).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("a method that node:http does not know", () => {
  test.each([
    ["BREW", "/api/config/echo", "405", "GET, HEAD, POST, OPTIONS"],
    ["get", "/health", "405", "GET, HEAD, OPTIONS"],
    ["M-ETHOD!", "/api?x=y", "405", "GET, HEAD, OPTIONS"],
    ["CONNECT", "/health", "405", "GET, HEAD, OPTIONS"],
    ["BREW", "/nowhere", "404", undefined],
  ])("%s %s is %s with Allow: %s", async (method, target, status, allow) => {
    const { socket, ended } = open((await start()).port);
    socket.write(`${method} ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const answer = await ended;
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(/^allow: (.*)\r$/m.exec(answer)?.[1]).toBe(allow);
    expect(answer).toContain("content-type: application/problem+json");
    expect(answer).toMatch(/^x-request-id: .+\r$/m);
  });

  test("may follow another call in the same packet, whose answer comes first", async () => {
    const { socket, ended } = open((await start()).port);
    socket.write(`${HEALTH}BREW /api HTTP/1.1\r\nHost: x\r\n\r\n`);
    const answer = await ended;
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 405"]);
    expect(answer).toContain("GET, HEAD, OPTIONS");
  });
});
