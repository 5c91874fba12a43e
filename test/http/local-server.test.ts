import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { PlainRequest, PlainResponse } from "../../shared/http/request.ts";
import { createChain } from "../../shared/service/chain.ts";
import { createSmallService } from "./support/small-service.ts";
import { OPTIONS } from "./support/transports.ts";
import { HEALTH, open, post, useServers } from "./support/wire.ts";

const start = useServers();

describe("the local server", () => {
  test("answers 413 to a declared length above the limit before the body is sent", async () => {
    const { socket, until } = open((await start()).port);
    socket.write(post(`Content-Length: ${LIMITS.requestBytes + 1}`));
    const answer = await until('"too_large"');
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer.toLowerCase()).toContain("connection: close");
  });

  test("stops reading a body without a declared length at the limit, and still answers", async () => {
    const seen: PlainRequest[] = [];
    const { port } = await start({
      handleRequest: (request) => {
        seen.push(request);
        return createChain(createSmallService(), { ...OPTIONS, log: () => undefined })(request);
      },
    });
    const { socket, ended } = open(port);
    socket.write(post("Transfer-Encoding: chunked"));
    const chunk = `100000\r\n${" ".repeat(0x100000)}\r\n`;
    for (let i = 0; i < 9; i++) socket.write(chunk);
    socket.write("0\r\n\r\n");
    const answer = await ended;
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain(`longer than ${LIMITS.requestBytes} bytes`);
    expect(seen.map((r) => [r.body, r.fault?.code])).toEqual([[undefined, "too_large"]]);
  });

  test("checks the path and the caller before the size", async () => {
    const { socket, until } = open((await start()).port);
    socket.write(post(`Content-Length: ${LIMITS.requestBytes + 1}`).replace("config/echo", "auth/whoami"));
    expect(await until("not_signed_in")).toMatch(/^HTTP\/1\.1 401 /);
  });

  test("answers 100 Continue only if it will read the body", async () => {
    const { port } = await start();
    const small = open(port);
    small.socket.write(post("Content-Length: 12", "Expect: 100-continue"));
    await small.until("HTTP/1.1 100 Continue\r\n\r\n");
    small.socket.write('{"line":"x"}');
    expect(await small.until(/\{"line":"x"\}$/)).toContain("HTTP/1.1 200 OK");
    const large = open(port);
    large.socket.write(post(`Content-Length: ${LIMITS.requestBytes + 1}`, "Expect: 100-continue"));
    expect(await large.until('"too_large"')).not.toContain("100 Continue");
  });

  test("reads a target in absolute form", async () => {
    const { socket, until } = open((await start()).port);
    socket.write("GET http://elsewhere.example/api/config/echo?line=absolute HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(await until('{"line":"absolute"}')).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([
    ["no HTTP", "hello\r\n\r\n", 400, "bad_request"],
    ["a header that is none", "GET /health HTTP/1.1\r\nno colon\r\n\r\n", 400, "bad_request"],
    ["two lengths", post("Content-Length: 1", "Content-Length: 2"), 400, "bad_request"],
    ["length and chunks", post("Content-Length: 1", "Transfer-Encoding: chunked"), 400, "bad_request"],
    [
      "headers without end",
      `GET /health HTTP/1.1\r\nx: ${"a".repeat(LIMITS.headerBytes + 1)}\r\n\r\n`,
      431,
      "headers_too_long",
    ],
  ])("answers %s with a problem document and closes", async (_, bytes, status, code) => {
    const { socket, ended } = open((await start()).port);
    socket.write(bytes);
    const answer = await ended;
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain("content-type: application/problem+json");
    expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).toMatchObject({ code, status, requestId: "new-id" });
  });

  test("does not wait for headers or bodies that do not arrive", async () => {
    const { port } = await start({ limits: { headersMs: 200, requestMs: 400 } });
    const slow = open(port);
    slow.socket.write("GET /health HTTP/1.1\r\nx: ");
    expect(await slow.ended).toContain("did not arrive in time");
    const stuck = open(port);
    stuck.socket.write(`${post("Content-Length: 100")}{`);
    expect(await stuck.ended).toContain("did not arrive in time");
  });

  test("closes an unused connection silently", async () => {
    const { port } = await start({ limits: { headersMs: 200, requestMs: 400 } });
    // Browsers open connections ahead of need; an answer would be taken for that to the call which they send just then.
    expect(await open(port).ended).toBe("");
  });

  test("survives callers that disconnect early", async () => {
    const { port } = await start();
    const closed = open(port);
    closed.socket.write(`${post("Content-Length: 100")}{`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    closed.socket.resetAndDestroy();
    const { socket, until } = open(port);
    socket.write(HEALTH);
    expect(await until('{"status":"ok"}')).toContain("200 OK");
  });

  test("completes running calls before it closes, and accepts no new ones", async () => {
    const running = Promise.withResolvers<PlainResponse>();
    let calls = 0;
    const { server, port } = await start({
      handleRequest: () => {
        calls++;
        return running.promise;
      },
    });
    const { socket, ended } = open(port);
    socket.write(HEALTH);
    await expect.poll(() => calls).toBe(1);
    const closed = server.close();
    running.resolve({ status: 200, headers: {}, body: "done" });
    const answer = await ended;
    expect(answer.toLowerCase()).toContain("connection: close");
    expect(answer).toMatch(/done$/);
    await closed;
    await expect(open(port).ended).rejects.toThrow("ECONNREFUSED");
  });

  test("aborts calls that do not end in time", async () => {
    const { server, port } = await start({ handleRequest: () => new Promise(() => undefined) });
    const { socket } = open(port);
    socket.write(HEALTH);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const began = Date.now();
    await server.close(100);
    expect(Date.now() - began).toBeLessThan(2_000);
  });
});
