import type { ServerResponse } from "node:http";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import type { Claims } from "../../../shared/actions/contract/ports.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { createExternalVerifier } from "../../../shared/identity/issuers/verify-external.ts";
import { type Certificate, makeCertificate } from "../../formats/certificate.ts";
import { type IssuerServer, issuersFrom, json, type Reply, startIssuerServer } from "../support/issuer-server.ts";
import { createClock } from "../support/service.ts";
import { createSigner, type TokenSigner } from "../support/token-signer.ts";

const servers: IssuerServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

const rsa = createSigner("rsa-1", "RS256");
const ec = createSigner("ec-1", "ES256");
const fresh = createSigner("ec-2", "ES256");

async function createScene(keys: readonly unknown[] = [ec.jwk, rsa.jwk], certificate?: Certificate) {
  const server = await startIssuerServer(keys, certificate);
  servers.push(server);
  const clock = createClock();
  const verify = createExternalVerifier(issuersFrom({ issuer: server.issuer, audiences: ["metaction"] }), clock);
  /** Returns "ok", or the code of the problem with its `Retry-After`. */
  const ask = async (signer: TokenSigner = ec) => {
    const now = Math.floor(clock.now() / 1000);
    const claims = { iss: server.issuer, sub: "ada", aud: "metaction", iat: now, exp: now + 3600 };
    return answerOf(verify(signer.token(claims), server.issuer));
  };
  /** Counts the seconds until a token of the signer is answered so, asking once a second. */
  const until = async (answer: string, signer: TokenSigner) => {
    for (let waited = 0; waited <= 7200; waited += 1) {
      if ((await ask(signer)) === answer) return waited;
      clock.advance(1);
    }
    throw new Error(`never ${answer}`);
  };
  return { server, clock, ask, until };
}

async function answerOf(verified: Promise<Claims>): Promise<string> {
  try {
    await verified;
    return "ok";
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { retryAfter } = error.members;
    return retryAfter === undefined ? error.code : `${error.code}, retry after ${retryAfter}`;
  }
}

const AWAY = `unavailable, retry after ${LIMITS.keySetRetrySeconds}`;

const JSON_TYPE = { "content-type": "application/json" };

/** Ways in which a provider does not answer as it should: the replies of its key set, or of its document. */
const FAULTS: readonly (readonly [string, "keySet" | "discovery", (server: IssuerServer) => Reply])[] = [
  ["closes the connection", "keySet", () => (request) => request.socket.destroy()],
  ["answers 500", "keySet", () => answer500],
  ["answers 404 with JSON", "keySet", () => (_, r) => r.writeHead(404, JSON_TYPE).end('{"keys":[]}')],
  ["never answers", "keySet", () => () => undefined],
  ["sends its headers and then nothing", "keySet", () => (_, r) => r.writeHead(200, JSON_TYPE).write("{")],
  ["is one byte larger than keySetBytes", "keySet", (s) => json(padded(s, LIMITS.keySetBytes + 1))],
  ["never ends", "keySet", () => (_, response) => endless(response)],
  ["sends HTML", "keySet", () => json("<html>Sign in</html>", { "content-type": "text/html" })],
  ["sends HTML that it calls JSON", "keySet", () => json("<html>Sign in</html>")],
  ["sends keys that it calls text", "keySet", ({ keys }) => json({ keys }, { "content-type": "text/plain" })],
  ["redirects", "keySet", (s) => (_, r) => r.writeHead(302, { location: `${s.issuer}/elsewhere` }).end()],
  ["sends a list", "keySet", () => json([ec.jwk])],
  ["sends keys that are no list", "keySet", () => json({ keys: { 0: ec.jwk } })],
  ["sends JSON that is cut off", "keySet", ({ keys }) => json(JSON.stringify({ keys }).slice(0, -2))],
  [
    ...(["sends bytes that are no UTF-8", "keySet"] as const),
    ({ keys }) => {
      const bytes = Buffer.from(JSON.stringify({ keys, padding: "\u00ff" }), "latin1");
      return (_, response) => response.writeHead(200, JSON_TYPE).end(bytes);
    },
  ],
  ["compresses unasked", "keySet", ({ keys }) => json({ keys }, { "content-encoding": "gzip" })],
  ["describes another issuer", "discovery", (s) => json({ issuer: `${s.issuer}/`, jwks_uri: s.keySetUrl })],
  ["describes no jwks_uri", "discovery", ({ issuer }) => json({ issuer })],
  [
    ...(["names a jwks_uri with a password", "discovery"] as const),
    ({ issuer, keySetUrl }) => json({ issuer, jwks_uri: keySetUrl.replace("//", "//u:p@") }),
  ],
  [
    ...(["names a jwks_uri without https", "discovery"] as const),
    ({ issuer }) => json({ issuer, jwks_uri: "http://192.0.2.1/keys" }),
  ],
  ["describes itself by a redirect", "discovery", (s) => (_, r) => r.writeHead(301, { location: s.keySetUrl }).end()],
];

const answer500: Reply = (_, response) => response.writeHead(500).end("{}");

function repair(server: IssuerServer) {
  server.keySet = undefined;
  server.discovery = undefined;
}

function padded({ keys }: IssuerServer, bytes: number): string {
  const text = JSON.stringify({ keys, padding: "" });
  return text.replace('"padding":""', `"padding":"${"x".repeat(bytes - text.length)}"`);
}

function endless(response: ServerResponse) {
  response.writeHead(200, JSON_TYPE);
  const more = () => {
    while (!response.destroyed && response.write(" ".repeat(60_000)));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
}

describe("a provider that", () => {
  test.each(
    FAULTS,
  )("%s is unavailable: 503 without cached keys, no change for a while with them", async (_, document, makeReply) => {
    const cold = await createScene();
    cold.server[document] = makeReply(cold.server);
    const atFirst = await cold.ask();
    repair(cold.server);
    const coldly = await cold.until("ok", ec);

    const warm = await createScene();
    expect(await warm.ask()).toBe("ok");
    warm.server[document] = makeReply(warm.server);
    warm.clock.advance(LIMITS.keySetSeconds + 1);
    const kept = await warm.ask();
    const unknown = await warm.ask(fresh);
    warm.clock.advance(LIMITS.keySetMaxSeconds - LIMITS.keySetSeconds - 2);
    const last = await warm.ask();
    warm.clock.advance(1);
    const over = await warm.ask();
    repair(warm.server);
    const warmly = await warm.until("ok", ec);

    expect([atFirst, kept, unknown, last, over]).toEqual([AWAY, "ok", AWAY, "ok", AWAY]);
    expect(Math.max(coldly, warmly)).toBeLessThanOrEqual(LIMITS.keySetRetrySeconds);
  });

  test("is slow is awaited for keySetMs", async () => {
    const { server, ask } = await createScene();
    server.keySet = () => undefined;
    const began = performance.now();
    expect(await ask()).toBe(AWAY);
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(LIMITS.keySetMs - 50);
    expect(took).toBeLessThan(LIMITS.keySetMs + 1000);
  });

  test("sends a document of exactly keySetBytes is read", async () => {
    const { server, ask } = await createScene();
    server.keySet = json(padded(server, LIMITS.keySetBytes));
    expect(await ask()).toBe("ok");
  });
});

test("a provider on another machine cannot name keys on this one", async () => {
  // Only issuers with http count as issuers on this machine.
  const certificate = makeCertificate("localhost");
  const trustedBefore = getCACertificates("default");
  onTestFinished(() => setDefaultCACertificates(trustedBefore));
  setDefaultCACertificates([certificate.cert]);
  const { server, clock, ask } = await createScene([ec.jwk], certificate);
  const local = await createScene([ec.jwk]);
  server.discovery = json({ issuer: server.issuer, jwks_uri: local.server.keySetUrl });
  expect(await ask()).toBe(AWAY);
  expect(local.server.asked).toEqual([]);
  repair(server);
  clock.advance(LIMITS.keySetRetrySeconds);
  expect(await ask()).toBe("ok");
});

describe("changing keys", () => {
  test("rotation: a new key is accepted at once, and the old one while it is published", async () => {
    const { server, clock, ask, until } = await createScene([ec.jwk]);
    expect(await ask(ec)).toBe("ok");
    server.keys = [fresh.jwk, ec.jwk];
    expect(await ask(fresh)).toBe("ok");
    expect(await ask(ec)).toBe("ok");
    server.keys = [fresh.jwk];
    expect(await until("not_signed_in", ec)).toBe(LIMITS.keySetSeconds);
    clock.advance(1);
    expect(await ask(fresh)).toBe("ok");
  });

  test("withdrawal: a key is accepted for keySetSeconds at most, and again once it is published again", async () => {
    const { server, clock, ask, until } = await createScene();
    expect(await ask(ec)).toBe("ok");
    server.keys = [rsa.jwk];
    expect(await until("not_signed_in", ec)).toBe(LIMITS.keySetSeconds);
    expect(await ask(rsa)).toBe("ok");
    server.keys = [rsa.jwk, ec.jwk];
    expect(await until("ok", ec)).toBeLessThanOrEqual(LIMITS.keySetRetrySeconds);
    clock.advance(1);
    expect(await ask(ec)).toBe("ok");
  });

  test("another key with a known kid replaces it", async () => {
    const { server, ask, until } = await createScene([ec.jwk]);
    expect(await ask(ec)).toBe("ok");
    const replaced = createSigner(ec.kid, "ES256");
    server.keys = [replaced.jwk];
    expect(await until("ok", replaced)).toBe(LIMITS.keySetSeconds);
    expect(await ask(ec)).toBe("not_signed_in");
  });

  test("an empty set is valid: every key is unknown, with 401", async () => {
    const { server, ask, until } = await createScene([]);
    expect(await ask(ec)).toBe("not_signed_in");
    server.keys = [ec.jwk];
    const cold = await until("ok", ec);
    server.keys = [];
    await until("not_signed_in", ec);
    server.keys = [ec.jwk];
    expect(Math.max(cold, await until("ok", ec))).toBeLessThanOrEqual(LIMITS.keySetRetrySeconds);
  });

  test("keys with the same kid and values that are no keys are ignored", async () => {
    const [one, other] = [createSigner("twin", "ES256"), createSigner("twin", "ES256")];
    const { ask } = await createScene([one.jwk, other.jwk, null, "a key", { ...ec.jwk, y: "A".repeat(43) }, ec.jwk]);
    for (const signer of [one, other]) expect(await ask(signer)).toBe("not_signed_in");
    expect(await ask(ec)).toBe("ok");
  });
});

const named =
  (signer: TokenSigner, kid: unknown): TokenSigner["token"] =>
  (claims) =>
    signer.token(claims, { kid });

describe("a flood of tokens with unknown kids", () => {
  const invented = (n: number): TokenSigner => ({ ...ec, token: named(ec, `invented-${n}`) });

  test("causes one fetch in keySetRetrySeconds, and delays neither a refresh that is due nor a new key", async () => {
    const { server, clock, ask } = await createScene([ec.jwk]);
    expect(await ask()).toBe("ok");
    const atStart = keyFetches(server);
    // Ten minutes of a hundred a second, of which one second in ten is played.
    const seconds = 600;
    for (let second = 0; second < seconds; second += 1) {
      const answers = await Promise.all(
        Array.from({ length: second % 10 === 0 ? 100 : 1 }, (_, i) => ask(invented(i))),
      );
      expect(new Set(answers)).toEqual(new Set(["not_signed_in"]));
      clock.advance(1);
    }
    const fetches = keyFetches(server) - atStart;
    expect(fetches).toBeLessThanOrEqual(seconds / LIMITS.keySetRetrySeconds + seconds / LIMITS.keySetSeconds + 1);
    server.keys = [ec.jwk, fresh.jwk];
    let waited = 0;
    while ((await ask(fresh)) !== "ok") {
      await ask(invented(waited));
      clock.advance(1);
      waited += 1;
    }
    expect(waited).toBeLessThanOrEqual(LIMITS.keySetRetrySeconds);
  });

  test("gets 503 while the provider is unavailable, and does not use up the fetch that is due", async () => {
    const { server, clock, ask } = await createScene([ec.jwk]);
    expect(await ask()).toBe("ok");
    clock.advance(LIMITS.keySetSeconds - 1);
    server.keySet = answer500;
    expect(await ask(invented(1))).toBe(AWAY);
    repair(server);
    server.keys = [fresh.jwk];
    clock.advance(1);
    // The fetch of the key set is due now: the failed fetch for an invented key a second ago does not put it off.
    expect(await ask(fresh)).toBe("ok");
    expect(await ask(ec)).toBe("not_signed_in");
  });

  test("causes no fetch if no key could have such a kid", async () => {
    const { server, clock, ask } = await createScene([ec.jwk]);
    expect(await ask()).toBe("ok");
    clock.advance(LIMITS.keySetRetrySeconds);
    for (const kid of ["", "a\\b", "a b", "k".repeat(129), "\u00e9", 7])
      expect(await ask({ ...ec, token: named(ec, kid) })).toBe("not_signed_in");
    expect(keyFetches(server)).toBe(1);
  });

  test("that comes at once to a cold service causes one fetch", async () => {
    const { server, ask } = await createScene([ec.jwk]);
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => ask(i === 100 ? ec : invented(i))));
    expect(answers.filter((answer) => answer === "ok")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "not_signed_in")).toHaveLength(199);
    expect(keyFetches(server)).toBeLessThanOrEqual(2);
  });
});

test("an unavailable provider gets one request in keySetRetrySeconds, for expired keys too", async () => {
  const { server, clock, ask } = await createScene([ec.jwk]);
  server.keySet = answer500;
  for (let second = 0; second < 2 * LIMITS.keySetRetrySeconds; second += 1) {
    expect(await ask()).toBe(AWAY);
    clock.advance(1);
  }
  expect(keyFetches(server)).toBe(2);
});

const keyFetches = ({ asked }: IssuerServer) => asked.filter((path) => path === "/keys").length;

test("a clock that is set back does not keep a withdrawn key valid", async () => {
  const { server, clock, ask } = await createScene();
  expect(await ask()).toBe("ok");
  server.keys = [rsa.jwk];
  clock.advance(-3600);
  expect(await ask()).toBe("not_signed_in");
});
