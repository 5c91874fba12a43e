import { expect, test } from "vitest";
import { describeTransports } from "./support/transports.ts";

/** Spellings of characters that no name of a path has, raw where a request may contain them. */
const STRANGE = [
  ...[..."\0\n\r\t #?/\\%\u{200b}\u{ff45}"].map(encodeURIComponent),
  ...[..."\\*;,.&:@~"],
  // Twice encoded, invalid, and overlong.
  ...["%2500", "%252f", "%255f", "%ff", "%", "%2", "%zz", "%u0065", "%c0%af", "%c0%ae", "%c1%a5", "%ed%a0%80"],
];

const inApi = (rest: string) => `/api${rest}`;
const inConfig = (rest: string) => `/api/config${rest}`;
const toConfigEcho = (begin: string) => `${begin}/config/echo`;

const NOWHERE = [
  ...STRANGE.flatMap((text) => [`/api/config/${text}`, `/api/config/echo${text}`, `/api/config/${text}cho`]),
  ...STRANGE.map((text) => `/api${text}`),
  ...["/", "//", "//api", "/API", "/Api", "/*", "/health/", "/Health", "/health/x", "/healthz"],
  ...["/", "//", ".json", "\\config\\echo", "%2fconfig%2fecho", "/config", "/config/", "/config%2fecho"].map(inApi),
  ...["/actions/config/echo/", "/actions/config/echo/x", "/actions/actions/config/echo", "/__proto__/echo"].map(inApi),
  ...["/echo/", "/echo//", "//echo", "/echo/x/y", "/Echo", "/ECHO", "/../config/echo", "/./echo"].map(inConfig),
  ...["/%2e%2e/config/echo", "/..;/echo", ";x=y/echo", "/echo.json", "/-echo", "/_echo", "/1echo"].map(inConfig),
  ...["/__proto__", "/%5f%5fproto%5f%5f"].map(inConfig),
  ...["/api/", "//api", "/actions", "", "/api/v1", "/API", "/api/../api", "/api/%2e", "/..;/api"].map(toConfigEcho),
  ...["/api/Config/echo", "/api/%2563onfig/echo", "/api/~config/echo"],
];

const NO_ACTION = [
  ...["/ech", "/echo_", "/echo-x", "/constructor", "/tostring", "/valueof", "/has-own-property"].map(inConfig),
  ...["/configss", "/model", "/constructor", "/health", "/actions/hasownproperty"].map((group) => `/api${group}/echo`),
  ...["/api/actions/config", "/api/actions/actions"],
];

describeTransports("paths", ({ send }) => {
  test.each(NOWHERE)("%s is 404", async (target) => {
    for (const method of ["GET", "POST"]) {
      const { status, json, headers } = await send({ method, target });
      expect([status, json.code, headers["content-type"]]).toEqual([404, "unknown_path", "application/problem+json"]);
      expect(json.instance).toBe(target);
    }
  });

  test.each([
    ...["/api/models/rows?rows=1", "/api/auths/sign?password=x", "/api/configs/echo", "/api/actions/configs/echo"],
  ])("%s has its group in the plural", async (target) => expect((await send({ target })).status).not.toBe(404));

  test.each(NO_ACTION)("%s is an unknown action", async (target) => {
    expect((await send({ target })).outcome).toEqual([404, "unknown_action"]);
  });

  test.each([
    ...["/api/config/%65cho", "/%61pi/config/echo", "/api/%63onfig/%65%63%68%6f", "/api/%61ctions/config/echo"],
  ])("%s is decoded once and names its action", async (target) => {
    expect((await send({ target: `${target}?line=x` })).json).toEqual({ line: "x" });
  });

  test.each([
    ...["PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"],
  ])("%s on an action is 405 with the permitted methods", async (method) => {
    const { status, headers, json } = await send({ method, target: "/api/config/echo" });
    expect([status, headers.allow, json.code]).toEqual([405, "GET, HEAD, POST, OPTIONS", "method_not_allowed"]);
  });

  test("HEAD on an action that reads has the status and headers of GET, and no body (RFC 9110 section 9.3.2)", async () => {
    for (const target of ["/api/config/echo?line=x", "/api/config/echo?nothing=1", "/api/auth/whoami"]) {
      const got = await send({ target });
      const { status, text, headers } = await send({ method: "HEAD", target });
      expect([status, text]).toEqual([got.status, ""]);
      for (const name of ["content-type", "www-authenticate"]) expect(headers[name]).toBe(got.headers[name]);
    }
    expect((await send({ method: "HEAD", target: "/api/config/nothing" })).status).toBe(404);
  });

  test("HEAD on an action that does not only read is 405 and executes nothing", async () => {
    const { status, headers, text } = await send({ method: "HEAD", target: "/api/auth/sign" });
    expect([status, headers.allow, text]).toEqual([405, "GET, POST, OPTIONS", ""]);
  });

  test("the path is checked before the method, and the method before the action", async () => {
    expect((await send({ method: "DELETE", target: "/api/config/nothing" })).status).toBe(405);
    expect((await send({ method: "DELETE", target: "/nowhere" })).status).toBe(404);
  });

  test.each(["/api", "/health"])("%s accepts only GET and HEAD", async (target) => {
    const head = await send({ method: "HEAD", target });
    expect([head.status, head.text, head.headers["content-type"]]).toEqual([200, "", "application/json"]);
    const { status, headers } = await send({ method: "POST", target });
    expect([status, headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  test("headers that override method or path are ignored", async () => {
    const headers = {
      "x-http-method-override": "DELETE",
      "x-method-override": "DELETE",
      "x-original-url": "/api/auth/whoami",
      "x-rewrite-url": "/api/auth/whoami",
      "x-forwarded-prefix": "/other",
    };
    expect((await send({ target: "/api/config/echo?line=x", headers })).json).toEqual({ line: "x" });
  });

  test("the health of the service is public", async () => {
    const { status, text, headers } = await send({ target: "/health", headers: { authorization: "nonsense" } });
    expect([status, text, headers["cache-control"]]).toEqual([200, '{"status":"ok"}', "no-store"]);
  });

  test.each([
    ["/.well-known/openid-configuration", { issuer: "urn:test" }],
    ["/.well-known/jwks.json", { keys: [] }],
  ])("%s is public, and 304 for a matching tag", async (target, expected) => {
    const { status, json, headers } = await send({ target, headers: { authorization: "nonsense" } });
    expect([status, json, headers["cache-control"]]).toEqual([200, expected, "public, max-age=300"]);
    const again = await send({ target, headers: { "if-none-match": `"other", ${headers.etag}` } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, "", headers.etag]);
    const post = await send({ method: "POST", target });
    expect([post.status, post.headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect((await send({ target, headers: { accept: "text/html" } })).outcome).toEqual([406, "not_acceptable"]);
  });

  test.each([
    ...["/.well-known", "/.well-known/", "/.well-known/jwks", "/%2ewell-known/jwks.json"],
    "/api/.well-known/jwks.json",
  ])("%s is 404", async (target) => expect((await send({ target })).status).toBe(404));
});
