import { describe, expect, test } from "vitest";
import { createCatalogue } from "../../shared/actions/catalogue.ts";
import type { FuzzRequest, FuzzResponse } from "./support/fuzz/exchange.ts";
import { faultsOf } from "./support/fuzz/oracle.ts";

const TABLE = "test-6f1c";
const model = await createCatalogue().find("model", "model_get");

const request: FuzzRequest = {
  tries: "an input",
  method: "POST",
  target: "/api/model/model_get?a=1",
  headers: [["X-Request-Id", "r-1"]],
  expected: ["not_found"],
  action: model,
};
const document = {
  type: "urn:metaction:problem:not_found",
  title: "Not found",
  status: 404,
  detail: "no model key:a",
  instance: "/api/model/model_get",
  code: "not_found",
  requestId: "r-1",
  retryable: false,
};
const headers = { "content-type": "application/problem+json", "x-request-id": "r-1" };
const refusal: FuzzResponse = { status: 404, headers, text: JSON.stringify(document), ms: 1 };
const saying = (change: object): FuzzResponse => ({ ...refusal, text: JSON.stringify({ ...document, ...change }) });

const body = { id: "i", key: "a", name: "A", version: "1.0.0", authority: "system", tags: [], revision: 1 };
const success: FuzzResponse = {
  status: 200,
  headers: { "content-type": "application/json", "x-request-id": "r-1", etag: '"i-1"' },
  text: JSON.stringify(body),
  ms: 1,
};
const welcome: FuzzRequest = { ...request, expected: "accepted" };

describe("the oracle of the fuzz", () => {
  test("accepts a valid problem document and a valid success", () => {
    expect(faultsOf(request, refusal, TABLE)).toEqual([]);
    expect(faultsOf(welcome, success, TABLE)).toEqual([]);
  });

  test.each<[string, FuzzResponse]>([
    ["a 500", { ...saying({ code: "internal", status: 500 }), status: 500 }],
    ["an answer that took six seconds", { ...refusal, ms: 6_000 }],
    ["another media type", { ...refusal, headers: { ...headers, "content-type": "application/json" } }],
    ["no request id", { ...refusal, headers: { "content-type": "application/problem+json" } }],
    [
      "another request id than the caller's",
      { ...saying({ requestId: "r-2" }), headers: { ...headers, "x-request-id": "r-2" } },
    ],
    ["a foreign origin let in", { ...refusal, headers: { ...headers, "access-control-allow-origin": "*" } }],
    ["a text that is no JSON", { ...refusal, text: "Not found" }],
    ["JSON that is no object", { ...refusal, text: "[]" }],
    ["another type", saying({ type: "about:blank" })],
    ["another status inside", saying({ status: 400 })],
    ["a code that does not exist", saying({ code: "gone", type: "urn:metaction:problem:gone" })],
    ["a code with another title", saying({ title: "Nothing there" })],
    ["no detail", saying({ detail: "" })],
    ["another path", saying({ instance: "/api" })],
    ["a member that no problem has", saying({ stack: "x" })],
    ["errors without pointers", saying({ errors: [{ detail: "x" }] })],
    ["errors whose pointer is none", saying({ errors: [{ pointer: "a", detail: "x" }] })],
    ["a stack", saying({ detail: "TypeError: x is not a function" })],
    ["the name of the table", saying({ detail: `no table ${TABLE}` })],
    ["a place in the code", saying({ detail: "at dispatch (file:///app/dispatch.ts:1:1)" })],
    ["a success in the place of a refusal", success],
  ])("reports %s", (_, response) => {
    expect(faultsOf(request, response, TABLE)).not.toEqual([]);
  });

  test.each<[string, FuzzRequest, FuzzResponse]>([
    [
      "a valid input refused for its parameters",
      welcome,
      { ...refusal, status: 400, text: JSON.stringify({ ...document, ...badParameters() }) },
    ],
    ["another code than the one expected", { ...request, expected: ["bad_parameters"] }, refusal],
    [
      "a problem that the action does not declare",
      { ...request, expected: "any" },
      { ...saying(usedBootstrap()), status: 410 },
    ],
    ["a body that is not as declared", welcome, { ...success, text: JSON.stringify({ ...body, revision: "1" }) }],
    [
      "a success of another media type",
      welcome,
      { ...success, headers: { ...success.headers, "content-type": "text/html" } },
    ],
    ["a success with another status", welcome, { ...success, status: 299 }],
  ])("reports %s", (_, asked, response) => {
    expect(faultsOf(asked, response, TABLE)).not.toEqual([]);
  });
});

function badParameters(): object {
  const title = "Some parameters are not valid";
  return { type: "urn:metaction:problem:bad_parameters", title, status: 400, code: "bad_parameters" };
}

function usedBootstrap(): object {
  const title = "Bootstrap already used";
  return { type: "urn:metaction:problem:bootstrap_used", title, status: 410, code: "bootstrap_used" };
}
