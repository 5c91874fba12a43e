import { expect, test } from "vitest";
import { PROBLEMS, Problem } from "../../shared/domain/problems.ts";
import { toProblemResponse } from "../../shared/http/problem-response.ts";
import { createSmallService, TOKENS } from "./support/small-service.ts";
import { describeTransports, openLambdaTransport, post, type Sent } from "./support/transports.ts";

const authorization = (token: string) => ({ authorization: `Bearer ${token}` });

describeTransports("problems", ({ send, lines }) => {
  test.each(
    Object.entries(PROBLEMS).filter(([code]) => code !== "internal"),
  )("%s is a problem document with the status of the table", async (code, row) => {
    const { status, headers, json } = await send({ target: `/api/config/fail?code=${code}` });
    const waits = row.status === 429 || row.status === 503 || row.status === 504;
    expect([status, headers["content-type"]]).toEqual([row.status, "application/problem+json"]);
    expect(json).toEqual({
      type: `urn:metaction:problem:${code}`,
      title: row.title,
      status: row.status,
      detail: `failing with ${code}`,
      instance: "/api/config/fail",
      code,
      requestId: headers["x-request-id"],
      retryable: row.retryable,
      currentRevision: 7,
      ...(waits && { retryAfter: 1 }),
    });
    expect(headers["retry-after"]).toBe(waits ? "1" : undefined);
  });

  test("Retry-After has the seconds of the problem", async () => {
    const { headers, json } = await send({ target: "/api/config/fail?code=throttled&retryAfter=9" });
    expect([headers["retry-after"], json.retryAfter]).toEqual(["9", 9]);
  });

  test("a defect answers only its request id, and logs the stack", async () => {
    const before = lines.length;
    const { status, json, text } = await send({ target: "/api/config/fail?code=crash" });
    expect([status, json.code, json.retryable]).toEqual([500, "internal", false]);
    expect(json.detail).toContain(json.requestId);
    expect(text).not.toMatch(/arn:|TypeError|secret|\.ts/);
    const [defect, access] = lines.slice(before).map((line) => JSON.parse(line));
    expect(defect).toMatchObject({
      requestId: json.requestId,
      defect: expect.stringMatching(/TypeError: inner detail.*\n +at /),
    });
    expect(access).toMatchObject({ level: "error", status: 500, code: "internal", requestId: json.requestId });
  });

  test("a problem document above the limit is cut, and is still a 400", async () => {
    const body = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`${i}${"x".repeat(50)}`, i]));
    const { status, json, text } = await send(post("/api/config/recite", body, authorization(TOKENS.reader)));
    expect([status, json.code, json.errors.length]).toEqual([400, "bad_parameters", 100]);
    expect(text.length).toBeLessThan(100_000);
  });
});

describeTransports("who calls", ({ send }) => {
  const guarded = "/api/auth/whoami";

  test("a valid token is accepted, with the scheme in any case", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER", "Bearer "]) {
      const headers = { authorization: `${scheme} ${TOKENS.reader}` };
      const { status, json } = await send({ target: guarded, headers });
      expect([status, json]).toEqual([200, { fullname: "Ada Reader" }]);
    }
  });

  test("no token is 401 with the plain challenge", async () => {
    const { status, headers, json } = await send({ target: guarded });
    expect([status, json.code, headers["www-authenticate"]]).toEqual([401, "not_signed_in", "Bearer"]);
  });

  test.each([
    ["an unknown token", "Bearer nobody"],
    ["two headers", [`Bearer ${TOKENS.reader}`, `Bearer ${TOKENS.reader}`]],
    ["a good header after a bad one", ["Bearer nobody", `Bearer ${TOKENS.reader}`]],
    ["tokens joined by a comma", `Bearer ${TOKENS.reader}, Bearer ${TOKENS.reader}`],
    ["a scheme alone", "Bearer"],
    ["a scheme and nothing", "Bearer "],
    ["two tokens", `Bearer ${TOKENS.reader} x`],
    ["a tab", `Bearer\t${TOKENS.reader}`],
    ["letters no token has", "Bearer ä€"],
    ["a token longer than any", `Bearer ${"a".repeat(8_193)}`],
  ])("%s is 401 with the reason that the token is invalid", async (_, value) => {
    const text = typeof value === "string" ? Buffer.from(value).toString("latin1") : value;
    const { status, headers, json } = await send({ target: guarded, headers: { authorization: text } });
    expect([status, json.code]).toEqual([401, "not_signed_in"]);
    expect(headers["www-authenticate"]).toBe('Bearer error="invalid_token"');
  });

  test.each([
    ["another scheme", `Basic ${TOKENS.reader}`],
    ["a scheme that begins like ours", `Bearers ${TOKENS.reader}`],
    ["no scheme", TOKENS.reader],
    ["an empty header", ""],
  ])("%s is 401 with the plain challenge: it has no bearer token", async (_, value) => {
    const { status, headers, json } = await send({ target: guarded, headers: { authorization: value } });
    expect([status, json.code, headers["www-authenticate"]]).toEqual([401, "not_signed_in", "Bearer"]);
  });

  test("a token in the query is not read", async () => {
    const { status, headers } = await send({ target: `${guarded}?access_token=${TOKENS.reader}` });
    expect([status, headers["www-authenticate"]]).toEqual([401, "Bearer"]);
  });

  test.each([
    ["an unknown token", "Bearer nobody"],
    ["another scheme", "Basic x"],
    ["two headers", ["Bearer a", "Bearer b"]],
    ["a token longer than any", `Bearer ${"a".repeat(8_193)}`],
    ["the token of a disabled actor", `Bearer ${TOKENS.disabled}`],
  ])("%s is ignored by an action that requires no token", async (_, value) => {
    const headers = { authorization: value };
    const { status, json } = await send({ target: "/api/config/echo?line=x", headers });
    expect([status, json]).toEqual([200, { line: "x" }]);
    // A problem of an action that needs no token says nothing about the token that came along.
    const failed = await send({ target: "/api/config/fail?code=not_signed_in", headers });
    expect([failed.status, failed.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
  });

  test("a valid token identifies the caller of an action that requires none", async () => {
    const target = "/api/config/say?line=CALLER";
    expect((await send({ target, headers: authorization(TOKENS.reader) })).text).toBe("Ada Reader");
    expect((await send({ target })).text).toBe("nobody");
  });

  test("a known caller without the permission, and a disabled one, are 403", async () => {
    for (const [target, token, code] of [
      ["/api/model/administer", TOKENS.reader, "not_allowed"],
      [guarded, TOKENS.disabled, "actor_disabled"],
    ] as const) {
      const { outcome, headers } = await send({ target, headers: authorization(token) });
      expect([outcome, headers["www-authenticate"]]).toEqual([[403, code], 'Bearer error="insufficient_scope"']);
    }
  });

  test("a caller without the permission learns nothing about faults of the call", async () => {
    const faults: readonly Sent[] = [
      post("/api/model/administer", "{broken"),
      post("/api/model/administer", { nothing: 1 }),
      post("/api/model/administer", "x".repeat(6_200_001)),
      post("/api/model/administer", "{}", { "content-type": "text/plain" }),
      post("/api/model/administer", "{}", { accept: "text/html" }),
      post("/api/model/administer", "{}", { "if-match": "nonsense", "dry-run": "perhaps" }),
      post("/api/model/administer?%ff", "{}"),
    ];
    for (const sent of faults) {
      expect((await send(sent)).status).toBe(401);
      const known = await send({ ...sent, headers: { ...sent.headers, ...authorization(TOKENS.reader) } });
      expect(known.outcome).toEqual([403, "not_allowed"]);
    }
  });

  test("an unknown action is 404 before authentication, with any body", async () => {
    const { status, json } = await send(post("/api/config/ehco", "{broken", { authorization: "Basic x" }));
    expect([status, json.code, json.detail]).toEqual([404, "unknown_action", expect.stringContaining("config/echo")]);
  });
});

test("an action that never ends is answered 504 before Lambda cuts the call off", async () => {
  const transport = openLambdaTransport(createSmallService(), () => undefined, 1_100);
  const began = Date.now();
  const origin = "https://ui.example";
  const { status, json, headers } = await transport.send({ target: "/api/config/wait", headers: { origin } });
  expect([status, json.code, headers["retry-after"]]).toEqual([504, "out_of_time", "1"]);
  expect(headers["access-control-allow-origin"]).toBe(origin);
  expect(Date.now() - began).toBeLessThan(1_000);
});

test("the document of a problem with too many or too long faults is cut, and stays valid", () => {
  const detail = `${"d".repeat(399)}\u{1f600}`;
  const errors = Array.from({ length: 1_000 }, () => ({ pointer: `/${"p".repeat(900)}`, detail }));
  const problem = new Problem("invalid_content", "m".repeat(9_000), { errors });
  const { body } = toProblemResponse(problem, { requestId: "1", path: "/api/model/import" });
  const read = JSON.parse(String(body));
  expect([read.detail.length, read.errors.length]).toEqual([4_000, 100]);
  expect(read.errors[0]).toEqual({ pointer: `/${"p".repeat(399)}`, detail: `${"d".repeat(399)}\ufffd` });
  const withoutFaults = new Problem("invalid_content", "m".repeat(200_000));
  const { body: short } = toProblemResponse(withoutFaults, { requestId: "1", path: "/api/model/import" });
  expect(JSON.parse(String(short))).toMatchObject({ detail: "m".repeat(4_000), code: "invalid_content" });
});
