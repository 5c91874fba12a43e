import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { NO_CONTROLS, toUnreadPayload } from "../../shared/actions/contract/call.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { toAnswerResponse } from "../../shared/http/answer-response.ts";
import { encode, fitsAsBytes } from "../../shared/http/content-negotiation.ts";
import { parseControls } from "../../shared/http/read-call.ts";
import type { ReceivedRequest } from "../../shared/http/request.ts";
import { describeTransports } from "./support/transports.ts";

describeTransports("media types", ({ send }) => {
  const json = "/api/config/echo";
  const text = "/api/config/say?line=x";

  test.each([
    ...["application/json", "*/*", "application/*", "text/html, application/json;q=0.1", "text/html,*/*;q=0.8"],
    ...["APPLICATION/JSON; charset=utf-8", "application/json;q=1.000", ""],
    "application/problem+json, application/json",
  ])("Accept: %s accepts JSON", async (accept) => {
    expect((await send({ target: json, headers: { accept } })).status).toBe(200);
  });

  test.each([
    ...["text/html", "text/*", "application/xml", "application/json;q=0", "application/json;q=0.0, */*", "*/*;q=0"],
    ...["application/*;q=0, */*;q=0", "application/json;q=1.5, text/html"],
  ])("Accept: %s is 406 for JSON, with a problem document", async (accept) => {
    // The description of the service has a second media type.
    const others = accept.includes("0.0, */*") ? [] : ["/api"];
    for (const target of [json, "/health", ...others]) {
      const { status, headers, json: body } = await send({ target, headers: { accept } });
      expect([status, body.code, headers["content-type"]]).toEqual([406, "not_acceptable", "application/problem+json"]);
    }
  });

  test("a text answer requires that text is accepted", async () => {
    expect((await send({ target: text, headers: { accept: "text/plain" } })).text).toBe("x");
    expect((await send({ target: text, headers: { accept: "text/*" } })).text).toBe("x");
    expect((await send({ target: text, headers: { accept: "application/json" } })).status).toBe(406);
  });
});

describeTransports("sizes and compression", ({ send }) => {
  test.each([
    ...["gzip", "gzip, deflate, br", "br;q=1, gzip;q=0.5", "*", "GZIP", "x-gzip"],
  ])("Accept-Encoding: %s gets gzip", async (coding) => {
    const sent = { target: "/api/model/rows?rows=1", headers: { "accept-encoding": coding } };
    const { headers, json, bytes, text } = await send(sent);
    const got = { coding: headers["content-encoding"], vary: headers.vary, rows: json.length };
    expect(got).toEqual({ coding: "gzip", vary: "Origin, Accept, Accept-Encoding", rows: 1_000 });
    expect(bytes).toBeLessThan(text.length / 4);
  });

  test.each([
    ...["identity", "br", "gzip;q=0", "gzip;q=0, *", "*;q=0", "deflate"],
  ])("Accept-Encoding: %s gets none", async (coding) => {
    const { headers, json } = await send({ target: "/api/model/rows?rows=1", headers: { "accept-encoding": coding } });
    expect([headers["content-encoding"], json.length]).toEqual([undefined, 1_000]);
  });

  test("small answers are not compressed", async () => {
    const of = async (characters: number) => {
      const line = "x".repeat(180);
      const content = JSON.stringify({ a: "x".repeat(characters - 26 - line.length) });
      const { headers, text } = await send({
        target: `/api/config/echo?line=${line}&content=${encodeURIComponent(content)}`,
        headers: { "accept-encoding": "gzip" },
      });
      return [text.length, headers["content-encoding"]];
    };
    const [small, none] = await of(LIMITS.compressAboveBytes - 100);
    expect([Number(small) <= LIMITS.compressAboveBytes, none]).toEqual([true, undefined]);
    const [large, coded] = await of(LIMITS.compressAboveBytes + 200);
    expect([Number(large) > LIMITS.compressAboveBytes, coded]).toEqual([true, "gzip"]);
  });

  test("a result too large for one answer is 413 with its limit, and is sent compressed if it fits", async () => {
    const target = "/api/model/rows?rows=250";
    const refused = await send({ target });
    expect(refused.outcome).toEqual([413, "result_too_large"]);
    expect(refused.json.detail).toContain("limit");
    const { status, json, bytes, text } = await send({ target, headers: { "accept-encoding": "gzip" } });
    expect([status, json.length]).toEqual([200, 250_000]);
    expect(bytes).toBeLessThan(2_000_000);
    expect(text.length).toBeGreaterThan(LIMITS.responseBytes);
  });

  test("a result above the inflated limit is 413 also with gzip", async () => {
    const target = `/api/model/rows?rows=300&line=${"x".repeat(150)}`;
    const { outcome } = await send({ target, headers: { "accept-encoding": "gzip" } });
    expect(outcome).toEqual([413, "result_too_large"]);
  });
});

describeTransports("pages of other origins", ({ send }) => {
  test.each(["https://ui.example", "http://localhost:5173"])("%s may call", async (origin) => {
    const { headers } = await send({ target: "/api/config/echo", headers: { origin } });
    expect(headers["access-control-allow-origin"]).toBe(origin);
    expect(headers["access-control-expose-headers"]).toContain(
      "ETag, Link, Location, X-Request-Id, Retry-After, Idempotency-Replayed",
    );
    expect(headers["access-control-allow-credentials"]).toBeUndefined();
  });

  test.each([
    ...["null", "https://ui.example.evil.example", "https://evil-ui.example", "http://ui.example"],
    ...["https://ui.example:8443", "https://UI.example", "https://ui.example/"],
    ...["https://ui.example, https://evil.example", "*", ""],
  ])("%s gets no CORS headers", async (origin) => {
    for (const method of ["GET", "OPTIONS"]) {
      const { headers } = await send({ method, target: "/api/config/echo", headers: { origin } });
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
      expect(headers.vary).toContain("Origin");
    }
  });

  test("a preflight is answered for a known path without a token", async () => {
    const { status, headers, text } = await send({
      method: "OPTIONS",
      target: "/api/auth/whoami",
      headers: {
        origin: "https://ui.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
      },
    });
    expect([status, text]).toEqual([204, ""]);
    expect(headers).toMatchObject({
      allow: "GET, HEAD, POST, OPTIONS",
      "access-control-allow-origin": "https://ui.example",
      "access-control-allow-methods": "GET, HEAD, POST, OPTIONS",
      "access-control-allow-headers":
        "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Dry-Run, Run, X-Request-Id, traceparent, tracestate",
    });
    expect((await send({ method: "OPTIONS", target: "/nowhere" })).status).toBe(404);
    const sameOrigin = await send({ method: "OPTIONS", target: "/api" });
    expect(Object.keys(sameOrigin.headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });

  test("only discovery answers pages of any origin", async () => {
    const origin = "https://editor.swagger.example";
    for (const method of ["GET", "HEAD", "OPTIONS"]) {
      const { headers } = await send({ method, target: "/api", headers: { origin } });
      expect(headers["access-control-allow-origin"]).toBe("*");
      expect(headers["access-control-allow-credentials"]).toBeUndefined();
    }
    for (const [target, code] of [
      ["/health", 200],
      ["/nowhere", 404],
    ] as const) {
      const { status, headers } = await send({ target, headers: { origin } });
      expect([status, headers["access-control-allow-origin"]]).toEqual([code, undefined]);
    }
    const known = await send({ target: "/api", headers: { origin: "https://ui.example" } });
    expect(known.headers["access-control-allow-origin"]).toBe("https://ui.example");
  });

  test("a page may read the problems of discovery too", async () => {
    for (const target of ["/nowhere", "/api/auth/whoami", "/api/config/fail?code=crash"]) {
      const { headers } = await send({ target, headers: { origin: "https://ui.example" } });
      expect(headers["access-control-allow-origin"]).toBe("https://ui.example");
    }
  });
});

describeTransports("discovery", ({ send }) => {
  test("the OpenAPI document is public, cached and sent once", async () => {
    const first = await send({ target: "/api", headers: { "accept-encoding": "gzip" } });
    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({ "cache-control": "no-cache", "content-type": "application/json" });
    expect(first.json.openapi).toMatch(/^3\.1\./);
    expect(Object.keys(first.json.paths)).toContain("/api/config/echo");
    expect(first.json.servers[0].url).toBe("https://metaction.example");
    expect(first.headers.etag).toMatch(/^"[\w-]{22}-gzip"$/);
    expect((await send({ target: "/api" })).headers.etag).toBe(first.headers.etag?.replace("-gzip", ""));
    const accept = "application/vnd.oai.openapi+json;version=3.1, text/html;q=0.9";
    const asked = await send({ target: "/api", headers: { accept, "accept-encoding": "gzip" } });
    expect(asked.headers).toMatchObject({ "content-type": accept.split(";")[0], "content-encoding": "gzip" });
  });

  test.each([
    ['"x"', "x"],
    ['W/"x"', "x"],
    ["*", "x"],
    ['"other", "x"', "x"],
    [', ,"other" ,, "x",', "x"],
    ['"a,b", W/"c,d", "x"', "x"],
    ['W/"",W/"x"', "x"],
    ['"x-gzip"', "x-gzip"],
    ['"other-gzip", W/"x-gzip"', "x-gzip"],
  ])("a caller who has it gets 304 with If-None-Match: %s", async (held, copy) => {
    const tag = (await send({ target: "/api" })).headers.etag?.slice(1, -1) ?? "";
    const sent = { "if-none-match": held.replaceAll("x", tag), "accept-encoding": "gzip" };
    const { status, text, headers } = await send({ target: "/api", headers: sent });
    expect([status, text, headers.etag]).toEqual([304, "", `"${copy.replace("x", tag)}"`]);
  });

  test.each([
    ["another tag", '"other"'],
    ["a tag within another", '"a,x,b"'],
    ["a tag of rows", '"x-ndjson"'],
    ["no quotes", "x"],
    ["no end", '"x'],
    ["nothing", ""],
  ])("%s in If-None-Match does not match", async (_, held) => {
    const tag = (await send({ target: "/api" })).headers.etag?.slice(1, -1) ?? "";
    expect((await send({ target: "/api", headers: { "if-none-match": held.replaceAll("x", tag) } })).status).toBe(200);
  });

  test("a compressed tag does not match for a caller without gzip", async () => {
    const tag = (await send({ target: "/api" })).headers.etag?.slice(1, -1) ?? "";
    expect((await send({ target: "/api", headers: { "if-none-match": `"${tag}-gzip"` } })).status).toBe(200);
  });
});

describeTransports("controls", ({ send }) => {
  test.each([
    ["if-match", '"x"', "bad_precondition"],
    ["if-match", "*", "bad_precondition"],
    ["if-match", 'W/"01890000-0000-7000-8000-000000000000-3"', "bad_precondition"],
    ["if-match", "01890000-0000-7000-8000-000000000000-3", "bad_precondition"],
    ["if-match", "", "bad_precondition"],
    ["if-none-match", "x", "bad_precondition"],
    ["if-none-match", '"a" "b"', "bad_precondition"],
    ["if-none-match", 'w/"a"', "bad_precondition"],
    ["if-none-match", '"a",b', "bad_precondition"],
    ["if-match", " , ,", "bad_precondition"],
    ["dry-run", "yes", "bad_request"],
    ["dry-run", "TRUE", "bad_request"],
    ["dry-run", "", "bad_request"],
    ["idempotency-key", "", "bad_request"],
    ["idempotency-key", "two words", "bad_request"],
    ["idempotency-key", "k".repeat(256), "bad_request"],
    // These headers are well-formed, but the action is no write.
    ["if-match", '"01890000-0000-7000-8000-000000000000-3"', "bad_precondition"],
    ["dry-run", "true", "bad_precondition"],
    ["idempotency-key", "k", "bad_precondition"],
  ])("%s: %s on a read is refused", async (name, value, code) => {
    expect((await send({ target: "/api/config/echo", headers: { [name]: value } })).outcome).toEqual([400, code]);
  });

  test("an empty control header is ignored", async () => {
    expect((await send({ target: "/api/config/echo", headers: { "dry-run": "false" } })).status).toBe(200);
  });
});

describe("control headers", () => {
  const id = "01890000-0000-7000-8000-0000000000ab";
  const json = { asRows: false, takesGzip: true };

  test("a list of tags is parsed without the tags revision and the form of the answer", () => {
    const controls = parseControls(
      {
        "if-match": `,"${id}-3" , "${id.toUpperCase()}-40.7",,"${id}-5-gzip", "tags-6.2-ndjson-gzip"`,
        "if-none-match": `W/"${id}-3.7",*, "foreign",, W/"a,b"`,
      },
      json,
    );
    expect(controls).toEqual({
      ifMatch: [
        { ledgerId: id, revision: 3 },
        { ledgerId: id, revision: 40 },
        { ledgerId: id, revision: 5 },
        { ledgerId: "tags", revision: 6 },
      ],
      ifNoneMatch: [`${id}-3.7`, "*", "foreign", "a,b"],
      dryRun: false,
    });
  });

  test.each([
    ...["-gzip-ndjson", "-gzip-gzip", "-br", "-GZIP", "-"],
  ])("a tag that ends in %s is not a revision", (ending) => {
    expect(() => parseControls({ "if-match": `"${id}-3${ending}"` }, json)).toThrow("is not an entity tag of a model");
  });

  test("a key of 255 visible characters is used as it is", () => {
    const key = `k"${"k".repeat(253)}`;
    const controls = parseControls({ "idempotency-key": key, "dry-run": "true" }, json);
    expect(controls).toEqual({ ...NO_CONTROLS, dryRun: true, idempotencyKey: key });
  });

  test.each([
    ['"order-4711"', "order-4711"],
    [`"${"k".repeat(255)}"`, "k".repeat(255)],
    [String.raw`"a\"b\\c"`, String.raw`a"b\c`],
    ['"', '"'],
    ['"half', '"half'],
  ])("Idempotency-Key %s quoted and bare are equal: %s", (header, idempotencyKey) => {
    expect(parseControls({ "idempotency-key": header }, json)).toMatchObject({ idempotencyKey });
    expect(parseControls({ "idempotency-key": idempotencyKey }, json)).toMatchObject({ idempotencyKey });
  });

  test("a quoted key may have 255 characters too", () => {
    expect(() => parseControls({ "idempotency-key": `"${"k".repeat(256)}"` }, json)).toThrow("255 visible");
  });
});

describe("a result that does not compress", () => {
  const response = { status: 200, headers: {}, body: randomBytes(6_750_000).toString("base64") };
  const headers = { "accept-encoding": "gzip" };

  test("is 413 if it does not fit compressed either", async () => {
    await expect(encode(response, headers, fitsAsBytes)).rejects.toMatchObject({ code: "result_too_large" });
  });

  test("is measured compressed", async () => {
    const { body } = await encode({ ...response, body: response.body.slice(0, 7_000_000) }, headers, fitsAsBytes);
    expect(body.length).toBeLessThanOrEqual(LIMITS.responseBytes);
  });
});

test("a 202 names the state of its job in Location and Link, and when to ask for it", async () => {
  const request: ReceivedRequest = {
    ...{ method: "GET", path: "/api/model/x", query: "", headers: {}, body: undefined },
    ...{ requestId: "r", source: {}, began: 0, deadline: 0 },
  };
  const body = { status: "accepted", job: "id:0192" };
  const answer = { mediaType: "application/json", body, accepted: true } as const;
  const { status, headers } = await toAnswerResponse(answer, request, toUnreadPayload(undefined));
  const location = "/api/batch/job_get?jobRef=id%3A0192";
  expect([status, headers]).toMatchObject([202, { location, link: `<${location}>; rel="status"`, "retry-after": "1" }]);
});
