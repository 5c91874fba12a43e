import { describe, expect, test } from "vitest";
import { fitsLambda, toLambdaResult, toPlainRequest } from "../../functions/dispatcher/lambda-event.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { readJsonText } from "../../shared/http/json-body.ts";
import { createSmallService } from "./support/small-service.ts";
import { openLambdaTransport, post, toLambdaEvent } from "./support/transports.ts";

describe("a Lambda event", () => {
  test("is read from its raw path and query, not from the parsed ones", () => {
    const sent = toLambdaEvent({ target: "/api/%63onfig/echo?line=a&line=b" });
    const requestContext = { ...sent.requestContext, requestId: "JKJaXmPLvHcESHA=" };
    const event = {
      ...sent,
      requestContext,
      queryStringParameters: { line: "a,b" },
      pathParameters: { proxy: "other" },
      cookies: ["a=b"],
    };
    const [path, query] = ["/api/%63onfig/echo", "line=a&line=b"];
    const source = { sourceAddress: "192.0.2.1", gatewayRequestId: requestContext.requestId };
    expect(toPlainRequest(event)).toMatchObject({ method: "GET", path, query, ...source, body: undefined });
  });

  test("has header names in lower case, and no inherited ones", () => {
    const named = JSON.parse('{ "Content-Type": "a", "X-B": "1", "x-b": "2", "__proto__": "p" }');
    const { headers } = toPlainRequest({ ...toLambdaEvent({ target: "/" }), headers: named });
    expect(Object.entries(headers)).toEqual([
      ["content-type", "a"],
      ["x-b", "1,2"],
      ["__proto__", "p"],
    ]);
    expect(headers.constructor).toBeUndefined();
  });

  test("carries bytes in base64", () => {
    expect(toPlainRequest(toLambdaEvent(post("/", Uint8Array.of(0, 255, 10)))).body).toEqual(Buffer.from([0, 255, 10]));
  });

  test("is answered with text as it is and bytes in base64", () => {
    const headers = { "content-type": "text/plain" };
    const result = { statusCode: 200, headers };
    const text = toLambdaResult({ status: 200, headers, body: "ü" });
    expect(text).toEqual({ ...result, body: "ü", isBase64Encoded: false });
    const bytes = toLambdaResult({ status: 200, headers, body: Uint8Array.of(1, 2, 3).subarray(1) });
    expect(bytes).toEqual({ ...result, body: "AgM=", isBase64Encoded: true });
  });
});

/** The most bytes that Lambda takes in an event, and that API Gateway takes in a request line and headers. */
const LAMBDA_EVENT_BYTES = 6_291_556;
const GATEWAY_HEADER_BYTES = 10_240;

test("the largest request fits a Lambda event, with everything that API Gateway adds and repeats", () => {
  const [query, cookie] = ["a=%22&".repeat(800), "c=1; ".repeat(200)];
  const quotes = '"'.repeat(GATEWAY_HEADER_BYTES - query.length - cookie.length);
  const headers = { "content-type": "application/json", "user-agent": quotes, cookie };
  const lean = toLambdaEvent({ method: "POST", target: `/api/model/import?${query}`, headers });
  const received = toPlainRequest(lean);
  const parts = { path: received.path, query: received.query, headers: received.headers, body: "" };
  const room = LIMITS.requestBytes - Buffer.byteLength(JSON.stringify(parts));
  // The quotes of a JSON text are escaped.
  const event = {
    ...lean,
    body: `"${"x".repeat(room - 4)}"`,
    cookies: cookie.split("; "),
    queryStringParameters: { a: '",'.repeat(800) },
    requestContext: { ...lean.requestContext, http: { ...lean.requestContext.http, userAgent: quotes } },
  };
  expect(readJsonText(toPlainRequest(event), LIMITS.requestBytes)).toBe(event.body);
  expect(() => readJsonText(toPlainRequest({ ...event, body: `${event.body} ` }), LIMITS.requestBytes)).toThrow(
    "longer",
  );
  expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(LAMBDA_EVENT_BYTES - 10_000);
});

describe("the limit of a Lambda answer", () => {
  test("applies to the form that is returned", () => {
    const plain = "x".repeat(LIMITS.responseBytes);
    expect([fitsLambda(plain), fitsLambda(`${plain}x`)]).toEqual([true, false]);
    // Every quote is escaped on the way, so that half as many are too many.
    expect(fitsLambda('"'.repeat(LIMITS.lambdaAnswerBytes / 2 - 1))).toBe(true);
    expect(fitsLambda('"'.repeat(LIMITS.lambdaAnswerBytes / 2))).toBe(false);
    expect(fitsLambda("\u0001".repeat(LIMITS.lambdaAnswerBytes / 6 + 1))).toBe(false);
    expect(fitsLambda(new Uint8Array((LIMITS.lambdaAnswerBytes / 4) * 3))).toBe(true);
    expect(fitsLambda(new Uint8Array((LIMITS.lambdaAnswerBytes / 4) * 3 + 1))).toBe(false);
  });

  test("decides whether a result is too large", async () => {
    const transport = openLambdaTransport(createSmallService(), () => undefined);
    // 5.6 MB of JSON, of which a seventh are quotes.
    expect((await transport.send({ target: `/api/model/rows?rows=180` })).outcome).toEqual([413, "result_too_large"]);
  });
});
