import { afterAll, describe, expect, test } from "vitest";
import type { Claims } from "../../../shared/actions/contract/ports.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { readIssuers } from "../../../shared/identity/issuers/configuration.ts";
import { createExternalVerifier } from "../../../shared/identity/issuers/verify-external.ts";
import { type IssuerServer, json, startIssuerServer } from "../support/issuer-server.ts";
import { type Clock, createClock } from "../support/service.ts";
import { createSigner, type TokenSigner } from "../support/token-signer.ts";

const servers: IssuerServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

const rsa = createSigner("rsa-1", "RS256");
const ec = createSigner("ec-1", "ES256");
const fresh = createSigner("ec-2", "ES256");

/** A provider, a service that trusts it, and a clock for both. */
interface Scene {
  readonly server: IssuerServer;
  readonly clock: Clock;
  /** "ok", or the code of the problem with its `Retry-After`. */
  readonly ask: (signer?: TokenSigner) => Promise<string>;
  /** Seconds until a token of the signer is answered so, asking once a second. */
  readonly until: (answer: string, signer: TokenSigner) => Promise<number>;
}

async function createScene(keys: readonly unknown[] = [ec.jwk, rsa.jwk]): Promise<Scene> {
  const server = await startIssuerServer(keys);
  servers.push(server);
  const clock = createClock();
  const configuration = readIssuers(JSON.stringify({ issuers: [{ issuer: server.issuer, audiences: ["metaction"] }] }));
  const verify = createExternalVerifier(configuration, clock);
  const ask: Scene["ask"] = async (signer = ec) => {
    const now = Math.floor(clock.now() / 1000);
    const claims = { iss: server.issuer, sub: "ada", aud: "metaction", iat: now, exp: now + 3600 };
    return answerOf(verify(signer.token(claims), server.issuer));
  };
  const until: Scene["until"] = async (answer, signer) => {
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

/** Ways in which a provider does not answer as it should. */
const FAULTS: readonly (readonly [string, (server: IssuerServer) => void])[] = [
  ["closes the connection", (s) => spoil(s, (request) => request.socket.destroy())],
  ["answers 500", (s) => spoil(s, (_, response) => response.writeHead(500).end("{}"))],
  [
    "answers 404 with JSON",
    (s) => spoil(s, (_, r) => r.writeHead(404, { "content-type": "application/json" }).end('{"keys":[]}')),
  ],
  ["never answers", (s) => spoil(s, () => undefined)],
  [
    "sends its headers and then nothing",
    (s) => spoil(s, (_, r) => r.writeHead(200, { "content-type": "application/json" }).write("{")),
  ],
  ["is one byte larger than keySetBytes", (s) => spoil(s, json(padded(s, LIMITS.keySetBytes + 1)))],
  ["never ends", (s) => spoil(s, (_, r) => endless(r))],
  [
    "sends HTML",
    (s) => spoil(s, (_, r) => r.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in</html>")),
  ],
  ["sends HTML that it calls JSON", (s) => spoil(s, json("<html>Sign in</html>"))],
  ["sends keys that it calls text", (s) => spoil(s, json({ keys: s.keys }, { "content-type": "text/plain" }))],
  ["redirects", (s) => spoil(s, (_, r) => r.writeHead(302, { location: `${s.issuer}/elsewhere` }).end())],
  ["sends a list", (s) => spoil(s, json([ec.jwk]))],
  ["sends keys that are no list", (s) => spoil(s, json({ keys: { 0: ec.jwk } }))],
  ["sends JSON that is cut off", (s) => spoil(s, json(JSON.stringify({ keys: s.keys }).slice(0, -2)))],
  [
    "sends bytes that are no UTF-8",
    (s) =>
      spoil(s, (_, r) =>
        r
          .writeHead(200, { "content-type": "application/json" })
          .end(Buffer.from(JSON.stringify({ keys: s.keys, padding: "\u00ff" }), "latin1")),
      ),
  ],
  ["compresses unasked", (s) => spoil(s, json({ keys: s.keys }, { "content-encoding": "gzip" }))],
  [
    "describes another issuer",
    (s) => {
      s.discovery = json({ issuer: `${s.issuer}/`, jwks_uri: s.keySetUrl });
    },
  ],
  [
    "describes no jwks_uri",
    (s) => {
      s.discovery = json({ issuer: s.issuer });
    },
  ],
  [
    "names a jwks_uri with a password",
    (s) => {
      s.discovery = json({ issuer: s.issuer, jwks_uri: s.keySetUrl.replace("//", "//u:p@") });
    },
  ],
  [
    "names a jwks_uri without https",
    (s) => {
      s.discovery = json({ issuer: s.issuer, jwks_uri: "http://192.0.2.1/keys" });
    },
  ],
  [
    "describes itself by a redirect",
    (s) => {
      s.discovery = (_, r) => r.writeHead(301, { location: s.keySetUrl }).end();
    },
  ],
];

function spoil(server: IssuerServer, reply: NonNullable<IssuerServer["keySet"]>): void {
  server.keySet = reply;
}

function mend(server: IssuerServer): void {
  server.keySet = undefined;
  server.discovery = undefined;
}

/** The keys of a server in a document of that many bytes. */
function padded({ keys }: IssuerServer, bytes: number): string {
  const text = JSON.stringify({ keys, padding: "" });
  return text.replace('"padding":""', `"padding":"${"x".repeat(bytes - text.length)}"`);
}

function endless(response: import("node:http").ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const more = (): void => {
    while (!response.destroyed && response.write(" ".repeat(60_000)));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
}

const rows: string[] = [];
afterAll(() =>
  console.log(["fault | cold | warm | after keySetMaxSeconds | seconds to recover, cold and warm", ...rows].join("\n")),
);

describe("a provider that", () => {
  test.each(
    FAULTS,
  )("%s is unavailable: 503 without cached keys, no change for a while with them", async (name, fail) => {
    const cold = await createScene();
    fail(cold.server);
    const atFirst = await cold.ask();
    mend(cold.server);
    const coldly = await cold.until("ok", ec);

    const warm = await createScene();
    expect(await warm.ask()).toBe("ok");
    fail(warm.server);
    warm.clock.advance(LIMITS.keySetSeconds + 1);
    const kept = await warm.ask();
    const unknown = await warm.ask(fresh);
    warm.clock.advance(LIMITS.keySetMaxSeconds - LIMITS.keySetSeconds - 2);
    const last = await warm.ask();
    warm.clock.advance(1);
    const over = await warm.ask();
    mend(warm.server);
    const warmly = await warm.until("ok", ec);

    rows.push(`${name} | ${atFirst} | ${kept}; unknown kid: ${unknown} | ${over} | ${coldly}, ${warmly}`);
    expect({ atFirst, kept, unknown, last, over }).toEqual({
      atFirst: AWAY,
      kept: "ok",
      unknown: AWAY,
      last: "ok",
      over: AWAY,
    });
    expect(Math.max(coldly, warmly)).toBeLessThanOrEqual(LIMITS.keySetRetrySeconds);
  });

  test("is slow is awaited for keySetMs", async () => {
    const { server, ask } = await createScene();
    spoil(server, () => undefined);
    const began = performance.now();
    expect(await ask()).toBe(AWAY);
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(LIMITS.keySetMs - 50);
    expect(took).toBeLessThan(LIMITS.keySetMs + 1000);
  });

  test("sends a document of exactly keySetBytes is read", async () => {
    const { server, ask } = await createScene();
    spoil(server, json(padded(server, LIMITS.keySetBytes)));
    expect(await ask()).toBe("ok");
  });
});

describe("changing keys", () => {
  test("rotation: a new key is accepted at once, and the old one while it is published", async () => {
    const { server, clock, ask, until } = await createScene([ec.jwk]);
    expect(await ask(ec)).toBe("ok");
    server.keys = [fresh.jwk, ec.jwk];
    expect(await ask(fresh)).toBe("ok");
    expect(await ask(ec)).toBe("ok");
    server.keys = [fresh.jwk];
    const gone = await until("not_signed_in", ec);
    expect(gone).toBe(LIMITS.keySetSeconds);
    rows.push(`rotation | - | new key ok at once; the old one ends ${gone} s after its withdrawal | - | 0`);
    clock.advance(1);
    expect(await ask(fresh)).toBe("ok");
  });

  test("withdrawal: a key is accepted for keySetSeconds at most, and again once it is published again", async () => {
    const { server, clock, ask, until } = await createScene();
    expect(await ask(ec)).toBe("ok");
    server.keys = [rsa.jwk];
    const gone = await until("not_signed_in", ec);
    expect(gone).toBe(LIMITS.keySetSeconds);
    expect(await ask(rsa)).toBe("ok");
    server.keys = [rsa.jwk, ec.jwk];
    const back = await until("ok", ec);
    expect(back).toBeLessThanOrEqual(LIMITS.keySetRetrySeconds);
    rows.push(`withdrawal, then re-added | - | not_signed_in after ${gone} s | - | ${back}`);
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
    const gone = await until("not_signed_in", ec);
    server.keys = [ec.jwk];
    const warm = await until("ok", ec);
    rows.push(`empty set | not_signed_in | not_signed_in after ${gone} s | - | ${cold}, ${warm}`);
    expect(Math.max(cold, warm)).toBeLessThanOrEqual(LIMITS.keySetRetrySeconds);
  });

  test("keys that are too weak, duplicated or for other uses are ignored", async () => {
    const weak = createSigner("weak", "RS256", 1024);
    const [twin, otherTwin] = [createSigner("twin", "ES256"), createSigner("twin", "ES256")];
    const sealing = createSigner("sealing", "ES256");
    const { ask } = await createScene([
      weak.jwk,
      twin.jwk,
      otherTwin.jwk,
      { ...sealing.jwk, use: "enc" },
      { ...fresh.jwk, kid: "ops", key_ops: ["sign"] },
      { ...fresh.jwk, kid: "alg", alg: "ES384" },
      { ...rsa.jwk, kid: "pss", alg: "PS256" },
      null,
      "a key",
      { kty: "EC", crv: "P-256", kid: "off", x: ec.jwk.x, y: ec.jwk.x },
      ec.jwk,
    ]);
    for (const kid of ["ops", "alg", "off"])
      expect(await ask({ ...fresh, token: named(fresh, kid) })).toBe("not_signed_in");
    expect(await ask({ ...rsa, token: named(rsa, "pss") })).toBe("not_signed_in");
    for (const signer of [weak, twin, otherTwin, sealing]) expect(await ask(signer)).toBe("not_signed_in");
    expect(await ask(ec)).toBe("ok");
  });
});

const named =
  (signer: TokenSigner, kid: string): TokenSigner["token"] =>
  (claims) =>
    signer.token(claims, { kid });

describe("a flood of tokens with unknown kids", () => {
  const invented = (n: number): TokenSigner => ({ ...ec, token: named(ec, `invented-${n}`) });

  test("causes one fetch in keySetRetrySeconds, and delays neither a refresh that is due nor a new key", async () => {
    const { server, clock, ask } = await createScene([ec.jwk]);
    expect(await ask()).toBe("ok");
    const atStart = keyFetches(server);
    let answered = 0;
    // Ten minutes of a hundred a second, of which one second in ten is played.
    const seconds = 600;
    for (let second = 0; second < seconds; second += 1) {
      const answers = await Promise.all(
        Array.from({ length: second % 10 === 0 ? 100 : 1 }, (_, i) => ask(invented(i))),
      );
      expect(new Set(answers)).toEqual(new Set(["not_signed_in"]));
      answered += answers.length;
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
    rows.push(
      `flood of unknown kids | - | ${answered} tokens in ${seconds} s: 401 each, ${fetches} fetches | - | a new key after ${waited}`,
    );
  });

  test("gets 503 while the provider is unavailable, and does not use up the fetch that is due", async () => {
    const { server, clock, ask } = await createScene([ec.jwk]);
    expect(await ask()).toBe("ok");
    clock.advance(LIMITS.keySetSeconds - 1);
    spoil(server, (_, response) => response.writeHead(500).end());
    expect(await ask(invented(1))).toBe(AWAY);
    mend(server);
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
    for (const kid of ["", "a\\b", "a b", "k".repeat(129), "\u00e9"]) {
      expect(await ask({ ...ec, token: named(ec, kid) })).toBe("not_signed_in");
    }
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
  spoil(server, (_, response) => response.writeHead(500).end());
  for (let second = 0; second < 2 * LIMITS.keySetRetrySeconds; second += 1) {
    expect(await ask()).toBe(AWAY);
    clock.advance(1);
  }
  expect(keyFetches(server)).toBe(2);
});

const keyFetches = ({ asked }: IssuerServer): number => asked.filter((path) => path === "/keys").length;

test("a clock that is set back does not keep a withdrawn key valid", async () => {
  const { server, clock, ask } = await createScene();
  expect(await ask()).toBe("ok");
  server.keys = [rsa.jwk];
  clock.advance(-3600);
  expect(await ask()).toBe("not_signed_in");
});
