import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { createChain } from "../../shared/service/chain.ts";
import { createSmallService, TOKENS } from "./support/small-service.ts";
import { describeTransports, OPTIONS, post } from "./support/transports.ts";

/** Five megabytes of members, and at the end a fault that makes it no JSON. */
const LARGE = `{${Array.from({ length: 420_000 }, (_, i) => `"m${i}":0`).join(",")},`;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Refused callers whose body is not read: the action, the headers that they send, the status and the code. */
const REFUSED: readonly (readonly [string, string, Readonly<Record<string, string>>, number, string])[] = [
  ["nobody", "/api/model/administer", {}, 401, "not_signed_in"],
  ["a token that is not valid", "/api/model/administer", bearer("nobody"), 401, "not_signed_in"],
  ["a caller without the permission", "/api/model/administer", bearer(TOKENS.reader), 403, "not_allowed"],
  ["a disabled actor", "/api/config/recite", bearer(TOKENS.disabled), 403, "actor_disabled"],
  ["anybody, to an action that all may call", "/api/config/echo", {}, 413, "too_large"],
  ["a known caller, to such an action", "/api/config/echo", bearer(TOKENS.reader), 413, "too_large"],
  ["a known caller, to no action", "/api/config/ehco", bearer(TOKENS.reader), 404, "unknown_action"],
];

class CountedBytes extends Uint8Array<ArrayBuffer> {
  asked = 0;
  override get buffer(): ArrayBuffer {
    this.asked++;
    return super.buffer;
  }
}

describe("a body of 420,000 members", () => {
  const answer = createChain(createSmallService(), { ...OPTIONS, log: () => undefined });
  const sent = async (path: string, headers: Readonly<Record<string, string>>) => {
    const body = CountedBytes.from(Buffer.from(LARGE)) as CountedBytes;
    body.asked = 0;
    const json = { "content-type": "application/json", ...headers };
    const { status } = await answer({ method: "POST", path, query: "", headers: json, body });
    return { status, asked: body.asked };
  };

  test.each(REFUSED)("of %s is not read", async (_, path, headers, status) => {
    expect(await sent(path, headers)).toEqual({ status, asked: 0 });
  });

  test("of a permitted caller is read", async () => {
    const { status, asked } = await sent("/api/config/recite", bearer(TOKENS.reader));
    expect([status, asked > 0]).toEqual([400, true]);
  });
});

describeTransports("a body of 420,000 members", ({ send }) => {
  test.each(REFUSED)("of %s gets no report of its faults", async (_, target, headers, status, code) => {
    expect((await send(post(target, LARGE, headers))).outcome).toEqual([status, code]);
  });

  test("of a permitted caller is refused by its count, before the invalid end is parsed", async () => {
    const { status, json } = await send(post("/api/config/recite", LARGE, bearer(TOKENS.reader)));
    expect([status, json.code]).toEqual([400, "bad_request"]);
    expect(json.detail).toContain(`more than ${LIMITS.jsonMembers} members`);
  });
});

describeTransports("a short body", ({ send }) => {
  const body = (bytes: number) => `{"line":"${"x".repeat(bytes - 11)}"}`;

  test("of shortBodyBytes is read for public actions, and one byte more is 413 with the limit", async () => {
    expect(body(LIMITS.shortBodyBytes)).toHaveLength(LIMITS.shortBodyBytes);
    const fits = await send(post("/api/config/echo", body(LIMITS.shortBodyBytes)));
    expect(fits.outcome).toEqual([400, "bad_parameters"]);
    const { outcome, json } = await send(post("/api/config/echo", body(LIMITS.shortBodyBytes + 1)));
    expect([...outcome, json.detail]).toEqual([413, "too_large", expect.stringContaining(`${LIMITS.shortBodyBytes}`)]);
  });
});

describeTransports("two members of one name", ({ send }) => {
  test.each([
    ['{"line":"a","line":"b"}', "/line"],
    ['{"line":"a","l\\u0069ne":"b"}', "/line"],
    ['{"content":{"a":[{"x":1,"x":1}]}}', "/content/a/0/x"],
  ])("%s is 400 with the pointer of the second", async (body, pointer) => {
    const { outcome, json } = await send(post("/api/config/echo", body));
    expect([outcome, json.errors]).toEqual([[400, "bad_request"], [expect.objectContaining({ pointer })]]);
  });

  test.each([
    ["content", '{"a":1,"a":2}', "/content/a"],
    ["content", `${'{"a":'.repeat(LIMITS.jsonDepth)}{}${"}".repeat(LIMITS.jsonDepth)}`, "/content"],
    ["lines", `${"[".repeat(LIMITS.jsonDepth + 1)}${"]".repeat(LIMITS.jsonDepth + 1)}`, "/lines"],
  ])("JSON in the query has the same limits: %s=%s", async (name, json, pointer) => {
    const answer = await send({ target: `/api/config/echo?${name}=${encodeURIComponent(json)}` });
    expect(answer.outcome).toEqual([400, "bad_parameters"]);
    expect(answer.json.errors).toEqual([expect.objectContaining({ pointer })]);
  });
});
