import { expect, test } from "vitest";
import * as z from "zod/mini";
import { createRegistry } from "../../shared/actions/catalogue.ts";
import { defineAction } from "../../shared/actions/contract/define-action.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { encode, fitsAsBytes } from "../../shared/http/content-negotiation.ts";
import { createChain } from "../../shared/service/chain.ts";
import { roomOf } from "../support/actions.ts";
import { createSmallService } from "./support/small-service.ts";

const NOW = Date.parse("2026-05-01T12:00:00Z");
const ZIPPED = { "accept-encoding": "gzip" };

const tellDeadline = defineAction({
  group: "config",
  name: "tell_deadline",
  title: "Tell deadline",
  description: "Tells by when the call has to be answered.",
  intent: "other",
  safe: true,
  rule: "public",
  input: {},
  output: { mediaType: "application/json", description: "Milliseconds.", schema: () => z.int() },
  errors: [],
  example: {},
  run: async ({ call }) => ({ body: call.deadline }),
});

test("a call has callMs, or less if the platform ends it earlier", async () => {
  const small = createSmallService();
  const service = {
    ...small,
    registry: createRegistry([roomOf(tellDeadline)]),
    ambient: { ...small.ambient, now: () => NOW },
  };
  const answer = createChain(service, { publicUrl: "http://x", corsOrigins: [], log: () => undefined });
  const request = { method: "GET", path: "/api/config/tell_deadline", query: "", headers: {}, body: undefined };
  expect(Number((await answer(request)).body)).toBe(NOW + LIMITS.callMs);
  expect(Number((await answer(request, NOW + LIMITS.callMs)).body)).toBeLessThan(NOW + LIMITS.callMs);
});

test("an answer may have at most inflatedResponseBytes before it is compressed", async () => {
  const response = (bytes: number) => ({ status: 200, headers: {}, body: "x".repeat(bytes) });
  const fitting = await encode(response(LIMITS.inflatedResponseBytes), ZIPPED, fitsAsBytes);
  expect(fitting.headers["content-encoding"]).toBe("gzip");
  await expect(encode(response(LIMITS.inflatedResponseBytes + 1), ZIPPED, fitsAsBytes)).rejects.toMatchObject({
    code: "result_too_large",
  });
});

test("calls above callsAtOnce are refused at once, and the others are answered", async () => {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const wait = defineAction({
    group: "config",
    name: "wait",
    title: "Wait",
    description: "Waits until the test lets it go on.",
    intent: "other",
    safe: true,
    rule: "public",
    input: {},
    output: { mediaType: "application/json", description: "Nothing.", schema: () => z.boolean() },
    errors: [],
    example: {},
    run: async () => {
      await gate;
      return { body: true };
    },
  });
  const service = { ...createSmallService(), registry: createRegistry([roomOf(wait)]) };
  const answer = createChain(service, { publicUrl: "http://x", corsOrigins: [], log: () => undefined });
  const request = { method: "GET", path: "/api/config/wait", query: "", headers: {}, body: undefined };
  const within = Array.from({ length: LIMITS.callsAtOnce }, () => answer(request));
  const beyond = await Promise.all([answer(request), answer(request)]);
  expect(beyond.map(({ status, headers }) => [status, headers["retry-after"]])).toEqual([
    [503, "1"],
    [503, "1"],
  ]);
  release();
  expect(new Set((await Promise.all(within)).map(({ status }) => status))).toEqual(new Set([200]));
  expect((await answer(request)).status).toBe(200);
});
