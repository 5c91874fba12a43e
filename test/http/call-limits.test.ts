import { expect, test } from "vitest";
import { SharedProcess } from "../../local/caller-quota.ts";
import { createRegistry } from "../../shared/actions/catalogue.ts";
import type { Call } from "../../shared/actions/contract/call.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { Problem } from "../../shared/domain/problems.ts";
import { encode, fitsAsBytes } from "../../shared/http/content-negotiation.ts";
import type { CallerQuota } from "../../shared/http/handle.ts";
import { toProblemResponse } from "../../shared/http/problem-response.ts";
import { createChain } from "../../shared/service/chain.ts";
import { roomOf } from "../support/actions.ts";
import { defineReport } from "./support/small-actions.ts";
import { createSmallService, TOKENS } from "./support/small-service.ts";
import { describeTransports } from "./support/transports.ts";

const NOW = Date.parse("2026-05-01T12:00:00Z");
const ZIPPED = { "accept-encoding": "gzip" };

function createReporter(report: (call: Call) => unknown, now: () => number = Date.now, quota?: CallerQuota) {
  const small = createSmallService();
  const registry = createRegistry([roomOf(defineReport("report", report))]);
  const service = { ...small, registry, runtime: { ...small.runtime, now } };
  return createChain(service, { publicUrl: "http://x", corsOrigins: [], log: () => undefined, callerQuota: quota });
}

const REQUEST = { method: "GET", path: "/api/config/report", query: "", headers: {}, body: undefined };

test("a call has callMs, or less if the platform ends it earlier", async () => {
  const answer = createReporter(
    ({ deadline }) => deadline,
    () => NOW,
  );
  expect(Number((await answer(REQUEST)).body)).toBe(NOW + LIMITS.callMs);
  expect(Number((await answer(REQUEST, NOW + LIMITS.callMs)).body)).toBeLessThan(NOW + LIMITS.callMs);
});

test("an answer may have at most inflatedResponseBytes before it is compressed", async () => {
  const response = (bytes: number) => ({ status: 200, headers: {}, body: "x".repeat(bytes) });
  const fitting = await encode(response(LIMITS.inflatedResponseBytes), ZIPPED, fitsAsBytes);
  expect(fitting.headers["content-encoding"]).toBe("gzip");
  const beyond = encode(response(LIMITS.inflatedResponseBytes + 1), ZIPPED, fitsAsBytes);
  await expect(beyond).rejects.toMatchObject({ code: "result_too_large" });
});

test("calls above callsAtOnce are refused at once, and the others are answered", async () => {
  const gate = Promise.withResolvers<boolean>();
  const answer = createReporter(() => gate.promise);
  const within = Array.from({ length: LIMITS.callsAtOnce }, () => answer(REQUEST));
  const beyond = await Promise.all([answer(REQUEST), answer(REQUEST)]);
  for (const { status, headers } of beyond) expect([status, headers["retry-after"]]).toEqual([503, "1"]);
  gate.resolve(true);
  expect(new Set((await Promise.all(within)).map(({ status }) => status))).toEqual(new Set([200]));
  expect((await answer(REQUEST)).status).toBe(200);
});

test("calls of one caller above callsPerCaller are refused at once, and calls of others are answered", async () => {
  const gate = Promise.withResolvers<boolean>();
  const answer = createReporter(() => gate.promise, Date.now, new SharedProcess(Date.now));
  const request = { ...REQUEST, headers: { authorization: `Bearer ${TOKENS.reader}` } };
  const within = Array.from({ length: LIMITS.callsPerCaller }, () => answer(request));
  const { status, headers } = await answer(request);
  expect([status, headers["retry-after"]]).toEqual([429, "1"]);
  expect(headers["ratelimit-policy"]).toBe('"concurrent-calls";q=16;qu="concurrent-requests"');
  const other = answer(REQUEST);
  gate.resolve(true);
  expect(new Set((await Promise.all([...within, other])).map((one) => one.status))).toEqual(new Set([200]));
  expect((await answer(request)).status).toBe(200);
});

test("one caller may use callerMs of a minute while others call, and concurrent calls share each moment", () => {
  let now = NOW;
  const codeAfter = (ms: number, callers: readonly string[], then: readonly string[] = []) => {
    const process = new SharedProcess(() => now);
    const leave = callers.map((caller) => process.enter(caller));
    now += ms;
    for (const end of [...leave, ...then.map((caller) => process.enter(caller))]) end();
    try {
      process.enter("ada");
      return "none";
    } catch (error) {
      return toProblemResponse(error as Problem, { requestId: "r", path: "/" }).headers;
    }
  };
  expect(codeAfter(2 * LIMITS.callerMs - 2, ["ada", "grace"])).toBe("none");
  const refusal = { "retry-after": "1", "ratelimit-policy": '"process-time";q=30;w=60' };
  expect(codeAfter(2 * LIMITS.callerMs, ["ada", "grace"])).toMatchObject(refusal);
  expect(codeAfter(2 * LIMITS.callerMs, ["ada"])).toBe("none");
  const longer = { "retry-after": "61", ratelimit: '"process-time";r=0;t=61' };
  expect(codeAfter(2 * LIMITS.callerMs, ["ada"], ["grace"])).toMatchObject(longer);
});

const whence = defineReport("whence", ({ sourceAddress }) => ({ sourceAddress }));

describeTransports(
  "the address a call comes from",
  ({ send }) => {
    test("is the one of the connection, whatever the headers are", async () => {
      const told = ["x-forwarded-for", "forwarded", "x-real-ip", "cf-connecting-ip", "sourceaddress"];
      const headers = Object.fromEntries(told.map((name) => [name, "203.0.113.9"]));
      const { json } = await send({ target: "/api/config/whence", headers });
      expect(["192.0.2.1", "127.0.0.1"]).toContain(json.sourceAddress);
    });
  },
  { ...createSmallService(), registry: createRegistry([roomOf(whence)]) },
);
