import { expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { readJsonText } from "../../shared/http/json-body.ts";
import { TOKENS } from "./support/small-service.ts";
import { describeTransports, post, type Sent } from "./support/transports.ts";

const nested = (levels: number) => `{"content":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
const inObject = (levels: number) => `{"content":${'{"a":'.repeat(levels - 2)}{}${"}".repeat(levels - 2)}}`;
const bytes = (...values: number[]): Uint8Array =>
  Uint8Array.from([...Buffer.from('{"line":"'), ...values, ...Buffer.from('"}')]);

describeTransports("bodies", ({ send }) => {
  const signedIn = { authorization: `Bearer ${TOKENS.reader}` };
  const echo = (body: unknown, headers?: Sent["headers"]) =>
    send(post("/api/config/recite", body, { ...signedIn, ...headers }));

  test.each([
    ["nothing but a space", " "],
    ["an open object", "{"],
    ["a trailing comma", '{"line":"x",}'],
    ["single quotes", "{'line':'x'}"],
    ["two values", "{}{}"],
    ["a comment", "{/**/}"],
    ["NaN", '{"count":NaN}'],
    ["a leading zero", '{"count":01}'],
    ["a raw control character", '{"line":"a\u0000b"}'],
    ["a byte order mark", "\ufeff{}"],
    ["closings only", "]]]]"],
    ["a hexadecimal number", '{"count":0x10}'],
    ["a number that ends in a point", '{"count":1.}'],
    ["an unknown escape", '{"line":"\\x00"}'],
    ["a short escape", '{"line":"\\u12"}'],
    ["a no-break space", "\u00a0{}"],
  ])("%s is malformed JSON", async (_, body) => {
    const { status, json } = await echo(body);
    const detail = "The body is not well-formed JSON";
    expect([status, json.code, json.detail, json.errors]).toEqual([400, "bad_request", detail, undefined]);
  });

  test.each(["null", "[]", '"text"', "1", "true", "[{}]"])("the JSON value %s is not a payload", async (body) => {
    expect((await echo(body)).outcome).toEqual([400, "bad_request"]);
  });

  test.each([
    ...['{"__proto__":{"polluted":true}}', '{"content":{"__proto__":{"polluted":true}}}'],
    ...['{"content":{"a":[{"__proto__":null}]}}', '{"__\\u0070roto__":{"polluted":true}}'],
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"content":{"constructor":{"prototype":{"polluted":true}}}}',
  ])("a body that would change a prototype is refused: %s", async (body) => {
    const { outcome, json } = await echo(body);
    const detail = "The body has a member __proto__ or constructor.prototype, which no parameter has";
    expect([...outcome, json.detail, json.errors]).toEqual([400, "bad_request", detail, undefined]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test("names of inherited members are ordinary names", async () => {
    const content = { constructor: 1, toString: "t", hasOwnProperty: null, valueOf: [] };
    expect((await echo({ content })).json).toEqual({ content });
    for (const name of ["constructor", "toString", "hasOwnProperty", "valueOf"]) {
      const body = await echo({ [name]: 1 });
      const query = await send({ target: `/api/config/echo?${name}=1` });
      expect([body.status, body.json.code, query.status]).toEqual([400, "bad_parameters", 400]);
    }
    expect((await send({ target: "/api/config/echo?__proto__=1" })).status).toBe(400);
  });

  test("a body deeper than jsonDepth is refused unparsed, and one as deep is read", async () => {
    expect((await echo(inObject(LIMITS.jsonDepth))).status).toBe(200);
    for (const levels of [LIMITS.jsonDepth + 1, 2_500_000]) {
      const { status, json } = await echo(nested(levels));
      expect([status, json.code]).toEqual([400, "bad_request"]);
      expect(json.detail).toContain(`deeper than ${LIMITS.jsonDepth} levels`);
      expect(json).not.toHaveProperty("errors");
    }
  });

  /** A body with a fault that is told where it is read, so that the answer needs no room. */
  const unknown = (text: string) => `{"none":"${text}"}`;

  test.each([
    ["letters", "x", 1],
    ["quotes, whose backslash and quote are escaped once more", '\\"', 4],
    ["letters of two bytes", "é", 2],
  ])("a body of %s is 413 if the whole request has more than requestBytes", async (_, text, bytes) => {
    const request = (size: number) => unknown(text.repeat(Math.floor(size / bytes)));
    const fits = await echo(request(LIMITS.requestBytes - 1_000));
    expect([fits.status, fits.json.errors[0].pointer]).toEqual([400, "/none"]);
    const { outcome, json } = await echo(request(LIMITS.requestBytes));
    expect([...outcome, json.detail]).toEqual([413, "too_large", expect.stringContaining(`${LIMITS.requestBytes}`)]);
  });

  test("headers and query count too", async () => {
    const [body, padding] = [unknown("x".repeat(LIMITS.requestBytes - 1_000)), "h".repeat(500)];
    expect((await echo(body)).status).toBe(400);
    expect((await echo(body, { a: padding, b: padding })).status).toBe(413);
    expect((await send(post(`/api/config/recite?line=${padding}${padding}`, body, signedIn))).status).toBe(413);
  });

  test.each([
    ["a lone high surrogate", '{"line":"a\\ud800b"}', "/line"],
    ["a lone low surrogate", '{"line":"\\uDFFF"}', "/line"],
    ["a pair the wrong way round", '{"content":{"a":["ok","\\udc00\\ud800"]}}', "/content/a/1"],
    ["half a pair at the end", '{"content":{"a":"x\\uD83D"}}', "/content/a"],
    ["a name", '{"content":{"\\ud800":1}}', "/content/\ufffd"],
  ])("%s is refused with its pointer", async (_, body, pointer) => {
    const { status, json } = await echo(body);
    expect([status, json.code, json.errors[0].pointer]).toEqual([400, "bad_request", pointer]);
  });

  test("a surrogate pair is accepted, escaped or not", async () => {
    expect((await echo('{"line":"\\ud83d\\ude00😀"}')).json).toEqual({ line: "😀😀" });
    expect((await echo('{"line":"\\\\ud800"}')).json).toEqual({ line: "\\ud800" });
    const content = { a: null, b: 1, c: "😀" };
    expect((await echo('{"content":{"a":null,"b":1,"c":"\\ud83d\\ude00"}}')).json).toEqual({ content });
  });

  test.each([
    ["a stray byte", bytes(0xff)],
    ["an overlong slash", bytes(0xc0, 0xaf)],
    ["a code point after the last one", bytes(0xf4, 0x90, 0x80, 0x80)],
    ["an encoded surrogate", bytes(0xed, 0xa0, 0x80)],
    ["a character cut off", bytes(0xe2, 0x82)],
    ["UTF-16", Uint8Array.from(Buffer.from('{"line":"ä"}', "utf16le"))],
  ])("%s is invalid UTF-8 and refused", async (_, body) => {
    expect((await echo(body)).outcome).toEqual([400, "bad_request"]);
  });

  test("valid UTF-8 is read in any packets", async () => {
    expect((await echo(Uint8Array.from(Buffer.from('{"line":"Zürich 世界"}')))).json).toEqual({ line: "Zürich 世界" });
  });

  test.each([
    ...["application/json", "Application/JSON", "application/json;", "application/json;charset=utf-8"],
    "application/json; charset=UTF-8",
    'application/json ; charset="utf-8"',
  ])("the media type %s is read", async (type) => {
    expect((await echo({ line: "x" }, { "content-type": type })).json).toEqual({ line: "x" });
  });

  const jsonWith = (rest: string) => `application/json${rest}`;
  const charsets = ["utf-16", "utf-7", "iso-8859-1", "utf-8; charset=utf-7"].map((one) => `; charset=${one}`);
  const likeJson = ["x-www-form-urlencoded", "xml", "ld+json", "problem+json", "merge-patch+json", "*"];
  test.each([
    ...["text/plain", "text/json", "multipart/form-data; boundary=x", "*/*", "json", " "],
    ...likeJson.map((type) => `application/${type}`),
    ...[...charsets, "5", "p", "; profile=x", ", application/json", ", text/plain"].map(jsonWith),
    ...[" charset=utf-8", "/x", "x".repeat(80)].map(jsonWith),
  ])("the media type %j is 415", async (type) => {
    const { outcome, json } = await echo("{}", { "content-type": type });
    expect(outcome).toEqual([415, "unsupported_media_type"]);
    if (type.trim()) expect(json.detail).toBe(`${type.slice(0, 80)} is not supported; send application/json in UTF-8`);
  });

  test("a body without a media type is 415, and so is one with two", async () => {
    const none = await send({ method: "POST", target: "/api/config/recite", headers: signedIn, body: "{}" });
    const two = await echo("{}", { "content-type": ["application/json", "application/json"] });
    expect([none.status, two.status]).toEqual([415, 415]);
  });

  test.each([
    "gzip",
    "br",
    "deflate",
    "identity, gzip",
    "GZIP",
    "z".repeat(81),
  ])("a body in %s is 415", async (coding) => {
    const { status, json } = await echo("{}", { "content-encoding": coding });
    const detail = `Content-Encoding: ${coding.slice(0, 80)} is not supported; send the body uncompressed`;
    expect([status, json.detail]).toEqual([415, detail]);
  });

  test("an identity coding is accepted", async () => {
    expect((await echo("{}", { "content-encoding": "identity" })).status).toBe(200);
  });
});

test.each([
  ["x", 1],
  ['\\"', 4],
  ["\n", 2],
])("a body of requestBytes is read, with %j in it", (text, bytes) => {
  const headers = { "content-type": "application/json" };
  const sized = (spare: number) => {
    const request = { method: "POST", path: "/api/x/y", query: "a=%22", headers };
    const empty = Buffer.byteLength(JSON.stringify({ ...request, method: undefined, body: '""' }));
    const room = LIMITS.requestBytes - empty + spare;
    return { ...request, body: `"${text.repeat(Math.floor(room / bytes))}${"x".repeat(room % bytes)}"` };
  };
  expect(readJsonText(sized(0), LIMITS.requestBytes)).toBe(sized(0).body);
  expect(() => readJsonText(sized(1), LIMITS.requestBytes)).toThrow(/longer than 6200000 bytes/);
});

describeTransports("query strings", ({ send }) => {
  test.each([
    ["line=%ff", "not UTF-8"],
    ["line=%", "cut off"],
    ["line=%e2%82", "cut off character"],
    ["line=%zz", "no hexadecimal"],
    ["line=%ed%a0%80", "an encoded surrogate"],
    ["line=%c0%af", "overlong"],
    ["%ff=x", "in the name"],
  ])("%s is refused: %s", async (query) => {
    expect((await send({ target: `/api/config/echo?${query}` })).outcome).toEqual([400, "bad_request"]);
  });

  test("a query string is decoded once", async () => {
    const { json } = await send({ target: "/api/config/echo?line=%2541%2B+%26%3D%3F=x" });
    expect(json).toEqual({ line: "%41+ &=?=x" });
  });

  test("empty pairs are ignored", async () => {
    expect((await send({ target: "/api/config/echo?&&line=x&" })).json).toEqual({ line: "x" });
    expect((await send({ target: "/api/config/echo?" })).json).toEqual({});
    expect((await send({ target: "/api/config/echo?line" })).json).toEqual({});
  });

  test.each([
    ...["1e3", "0x10", " 5", "5 ", "+5", "NaN", "Infinity", "1,5"],
    "9".repeat(40),
    "true",
    "5.5",
  ])("%j is not an integer", async (text) => {
    const { status, json } = await send({ target: `/api/config/echo?count=${encodeURIComponent(text)}` });
    expect([status, json.code, json.errors[0].pointer]).toEqual([400, "bad_parameters", "/count"]);
  });

  test.each(["TRUE", "1", "yes", "on", "false "])("%j is not a boolean", async (text) => {
    expect((await send({ target: `/api/config/echo?yes=${encodeURIComponent(text)}` })).status).toBe(400);
  });

  test("a query string above its limit is 414 with the limit (RFC 9110 section 15.5.15)", async () => {
    const query = (size: number) => `line=${"x".repeat(size - 5)}`;
    expect((await send({ target: `/api/config/echo?${query(LIMITS.queryBytes)}` })).json.code).toBe("bad_parameters");
    const { outcome, json } = await send({ target: `/api/config/echo?${query(LIMITS.queryBytes + 1)}` });
    expect([...outcome, json.detail]).toEqual([414, "query_too_long", expect.stringContaining(`${LIMITS.queryBytes}`)]);
  });
});
