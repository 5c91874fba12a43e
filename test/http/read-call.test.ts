import { expect, test } from "vitest";
import { formatCursor } from "../../shared/domain/values/value-types.ts";
import { describeTransports, post } from "./support/transports.ts";

describeTransports("calling an action", ({ send, lines }) => {
  test.each([
    ...["/api/config/echo?line=hello", "/api/actions/config/echo?line=hello", "/api/model/rows?rows=1&limit=1"],
    ...["/api/models/rows?rows=1&limit=1", "/api/actions/models/rows?rows=1&limit=1"],
  ])("GET %s is answered", async (target) => expect((await send({ target })).status).toBe(200));

  test("a query parameter is read by its declared type", async () => {
    const lines = encodeURIComponent('["a","b"]');
    const content = encodeURIComponent('{"n":1,"deep":[null,true]}');
    const { status, json } = await send({
      target: `/api/config/echo?line=123&count=12&yes=true&lines=${lines}&content=${content}`,
    });
    expect({ status, json }).toEqual({
      status: 200,
      json: { line: "123", count: 12, yes: true, lines: ["a", "b"], content: { n: 1, deep: [null, true] } },
    });
  });

  test("a JSON body is never coerced", async () => {
    const { status, json } = await send(post("/api/config/echo", { line: 5, count: "12", yes: "true", lines: "[]" }));
    expect([status, json.code]).toEqual([400, "bad_parameters"]);
    expect(json.errors.map((e: { pointer: string }) => e.pointer)).toEqual(["/line", "/count", "/yes", "/lines"]);
  });

  test("query and body are read together", async () => {
    const { json } = await send(post("/api/config/echo?line=from+the%20query", { count: 3 }));
    expect(json).toEqual({ line: "from the query", count: 3 });
  });

  test.each(["GET", "POST"])("%s with body and without has the same effect", async (method) => {
    expect((await send({ ...post("/api/config/echo", { line: "x" }), method })).json).toEqual({ line: "x" });
    expect((await send({ method, target: "/api/config/echo?line=x" })).json).toEqual({ line: "x" });
  });

  test.each([
    ["/api/config/echo?line=a&line=a", undefined],
    ["/api/config/echo?line=a&line=b", undefined],
    ["/api/config/echo?line=a&oldLine=b", undefined],
    ["/api/config/echo?line=a", { line: "a" }],
    ["/api/config/echo?line=a", { line: "b" }],
    ["/api/config/echo?line=a", { oldLine: "b" }],
  ])("the same parameter twice is refused: %s with %j", async (target, body) => {
    const { status, json } = await send(body ? post(target, body) : { target });
    expect([status, json.code, json.errors.length]).toEqual([400, "bad_parameters", 1]);
    expect(json.detail).toContain("line is given twice");
  });

  test("all faults of the parameters are reported at once", async () => {
    const { status, json } = await send(
      post("/api/config/echo?cuont=1", { line: "two\nlines", count: 0, lines: ["a", 2], content: [], "a/b~c": 1 }),
    );
    expect(status).toBe(400);
    expect(json.errors.map((e: { pointer: string }) => e.pointer).sort()).toEqual(
      ["/cuont", "/a~1b~0c", "/line", "/count", "/lines/1", "/content"].sort(),
    );
    expect(json.errors.map((e: { detail: string }) => e.detail).join()).toContain("did you mean count?");
    expect(json.detail).toMatch(/^6 faults in the parameters/);
  });

  test.each([undefined, null, ""])("a required parameter that is %j is missing", async (line) => {
    const { status, json } = await send(post("/api/config/say", { line }));
    expect([status, json.code, json.errors[0].pointer]).toEqual([400, "bad_parameters", "/line"]);
  });

  test("no body and an empty body are an empty payload, with any media type", async () => {
    for (const type of ["application/json", "text/plain", ""]) {
      const headers = type ? { "content-type": type } : {};
      const { status, json } = await send({ method: "POST", target: "/api/config/echo", headers, body: "" });
      expect({ status, json }).toEqual({ status: 200, json: {} });
    }
  });

  test("a text answer is plain text", async () => {
    const { status, headers, text } = await send(post("/api/config/say", { line: "Grüße, 世界 😀" }));
    expect([status, headers["content-type"], text]).toEqual([200, "text/plain; charset=utf-8", "Grüße, 世界 😀"]);
  });

  test("a JSON answer is compact, private and not sniffed", async () => {
    const { headers, text } = await send(post("/api/config/echo", { line: "x", yes: false }));
    expect(text).toBe('{"line":"x","yes":false}');
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "strict-transport-security": "max-age=31536000",
      vary: "Origin, Accept, Accept-Encoding",
    });
  });

  test("a secret in the query string is refused and in the body accepted", async () => {
    const { status, text } = await send({ target: "/api/auth/sign?password=correct-horse" });
    expect([status, text]).toEqual([400, expect.not.stringContaining("correct-horse")]);
    expect((await send(post("/api/auth/sign", { password: "correct-horse" }))).status).toBe(200);
  });

  test("a list has the address of its next page, for any form of the request", async () => {
    const first = await send(post("/api/models/rows", { rows: 1, limit: 600, line: 'a "b" & c' }));
    expect(first.json).toHaveLength(600);
    const link = /^<(.+)>; rel="next"$/.exec(first.headers.link ?? "")?.[1] ?? "";
    expect(link).toMatch(/^\/api\/models\/rows\?/);
    const second = await send({ target: link });
    expect(second.json[0]).toEqual({ row: 600, line: 'a "b" & c' });
    expect([second.json.length, second.headers.link]).toEqual([400, undefined]);
    const third = await send({ target: `/api/model/rows?rows=1&limit=400&cursor=${formatCursor("200")}` });
    expect(third.headers.link).toBe(`</api/model/rows?rows=1&limit=400&cursor=${formatCursor("600")}>; rel="next"`);
  });

  test("every call has its own request id, and a well-formed one of the caller is logged beside it", async () => {
    for (const id of ["build_7.a-1", "", "two words", "a".repeat(129), "ünï", 'a"b', "<script>"]) {
      const sent = { "x-request-id": Buffer.from(id).toString("latin1") };
      const { headers, json } = await send({ target: "/api/config/nothing", headers: sent });
      expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
      expect(json.requestId).toBe(headers["x-request-id"]);
      const { requestId, clientRequestId } = JSON.parse(lines.at(-1) ?? "");
      expect([requestId, clientRequestId]).toEqual([json.requestId, id === "build_7.a-1" ? id : undefined]);
    }
  });

  test("every call logs one short line, without its content", async () => {
    const before = lines.length;
    const headers = { authorization: "Bearer very-private", "x-request-id": "log-1" };
    await send(post("/api/config/recite?line=very-private", {}, headers));
    await send({ target: "/very-private", headers: { "x-request-id": "r".repeat(128) } });
    await send({ target: "/api/very_private/very_private" });
    await send({ method: "OPTIONS", target: "/api" });
    const made = lines.slice(before);
    const actions = ["config/recite", "nowhere", "nowhere", "preflight"];
    expect(made.map((line) => JSON.parse(line).action)).toEqual(actions);
    expect(JSON.parse(made[0] ?? "")).toMatchObject({ clientRequestId: "log-1", status: 401, ms: expect.any(Number) });
    for (const line of made) {
      expect(line).not.toMatch(/very.private/);
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(400);
    }
  });
});
