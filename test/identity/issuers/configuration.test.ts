import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { BadIssuers, readIssuers, refuseOwn } from "../../../shared/identity/issuers/configuration.ts";
import { listSignInOrigins } from "../../../shared/identity/issuers/sign-in.ts";

const issuer = "https://id.example.org/realms/one";
const POOL = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Abc123def";
const plain = { issuer, audiences: ["metaction"] };
const pool = { issuer: POOL, preset: "cognito", clientIds: ["client-1"] };
const login = { cognito: { issuer: POOL, clientId: "client-1" } };

/** The faults of a configuration; none where it can be used. */
function faultsOf(configuration: unknown, ownUrl?: string): readonly string[] {
  try {
    readIssuers(typeof configuration === "string" ? configuration : JSON.stringify(configuration), ownUrl);
    return [];
  } catch (error) {
    if (!(error instanceof BadIssuers)) throw error;
    expect(error.message).toBe(error.faults.join(" "));
    return error.faults;
  }
}

const withEntry = (change: object): unknown => ({ issuers: [{ ...plain, ...change }] });

describe("a valid configuration", () => {
  test("gets its defaults", () => {
    expect(readIssuers(JSON.stringify({ issuers: [plain, pool], login }))).toEqual({
      issuers: [
        {
          ...plain,
          algorithms: ["RS256", "ES256"],
          roles: new Map(),
          emailClaim: "email",
          maxLifetimeSeconds: 86_400,
        },
        {
          ...pool,
          algorithms: ["RS256", "ES256"],
          rolesClaim: "cognito:groups",
          roles: new Map(),
          emailClaim: "email",
          maxLifetimeSeconds: 86_400,
        },
      ],
      login,
    });
  });

  test("may set every member", () => {
    const whole = {
      ...plain,
      clientIds: ["a"],
      jwks: "https://keys.example.org/set?v=1",
      algorithms: ["ES256"],
      rolesClaim: "realm_access.roles",
      roles: { stewards: "manager" },
      nameClaim: "display",
      emailClaim: "upn",
      maxLifetimeSeconds: 600,
    };
    expect(readIssuers(JSON.stringify({ issuers: [whole] })).issuers).toEqual([
      { ...whole, roles: new Map([["stewards", "manager"]]) },
    ]);
  });

  test("may describe the sign-in of the browser, with defaults", () => {
    const signIn = {
      clientId: "web",
      label: "Acme",
      scopes: ["openid", "metadata"],
      resource: "https://metaction.example/api",
      origins: ["https://tokens.example.org", "https://id.example.org", "http://localhost:9"],
    };
    const read = (one: object) => readIssuers(JSON.stringify(withEntry({ signIn: one }))).issuers[0]?.signIn;
    expect(read(signIn)).toEqual({
      ...signIn,
      origins: ["https://id.example.org", "https://tokens.example.org", "http://localhost:9"],
    });
    expect(read({ clientId: "web" })).toEqual({
      clientId: "web",
      label: "id.example.org",
      scopes: ["openid"],
      origins: ["https://id.example.org"],
    });
    expect(read({ clientId: "web", label: "x".repeat(LIMITS.nameCharacters) })?.label).toHaveLength(
      LIMITS.nameCharacters,
    );
  });

  test("lists the origins that pages call, each once", () => {
    const other = { issuer: POOL, audiences: ["a"], signIn: { clientId: "b", origins: ["https://pool.example"] } };
    const issuers = [{ ...plain, signIn: { clientId: "a" } }, { ...plain, issuer: `${issuer}/2` }, other];
    const more = { ...plain, issuer: `${issuer}/3`, signIn: { clientId: "c" } };
    expect(listSignInOrigins(readIssuers(JSON.stringify({ issuers: [...issuers, more] })).issuers)).toEqual([
      "https://id.example.org",
      "https://cognito-idp.eu-central-1.amazonaws.com",
      "https://pool.example",
    ]);
    expect(listSignInOrigins([])).toEqual([]);
  });

  test("may be empty, and may use this machine without https", () => {
    expect(faultsOf({ issuers: [] })).toEqual([]);
    for (const host of ["localhost:8080", "127.0.0.1:1", "127.1.2.3", "[::1]:9"]) {
      expect(faultsOf(withEntry({ issuer: `http://${host}/realm` }))).toEqual([]);
    }
  });
});

describe("a fault is one sentence with the member, its value and a remedy", () => {
  const way = "give a URL with https and without user (http for a loopback address only)";
  const exactly = `${way}, without query and fragment, exactly as the tokens have it in iss`;
  const audience =
    "issuers[0] has neither audiences nor clientIds; give one of them, or any token of the issuer would do.";
  const label = `give one line of at most ${LIMITS.nameCharacters} characters to show people, or leave it out`;
  const resource = "give the absolute URI of the API the tokens are for, without fragment, or leave it out";
  const faults: readonly (readonly [string, unknown, string])[] = [
    ["no JSON", "{", 'The text is not JSON; give { "issuers": [ ... ] }.'],
    ["a list", [], 'The configuration is []; give { "issuers": [ ... ] }.'],
    ["no issuers", {}, "issuers is missing; give a list of issuers."],
    ["issuers that are no list", { issuers: plain }, `issuers is ${JSON.stringify(plain)}; give a list of issuers.`],
    [
      "a misspelt member",
      withEntry({ audience: "a" }),
      "issuers[0].audience is not a member of the configuration; remove it.",
    ],
    ["no issuer", { issuers: [{ audiences: ["a"] }] }, `issuers[0].issuer is missing; ${exactly}.`],
    ...[
      "id.example.org",
      "http://id.example.org",
      "ftp://id.example.org",
      "https://u:p@id.example.org",
      `${issuer}?a=b`,
      `${issuer}#a`,
      ` ${issuer}`,
      "http://localhost.evil.example",
      "http://127.0.0.1.evil.example",
      "",
    ].map(
      (value) =>
        [
          `the issuer ${value}`,
          withEntry({ issuer: value }),
          `issuers[0].issuer is ${JSON.stringify(value)}; ${exactly}.`,
        ] as const,
    ),
    ["an issuer of another type", withEntry({ issuer: 1 }), `issuers[0].issuer is 1; ${exactly}.`],
    [
      "jwks without https",
      withEntry({ jwks: "http://id.example.org/k" }),
      `issuers[0].jwks is "http://id.example.org/k"; ${way}.`,
    ],
    ["another preset", withEntry({ preset: "okta" }), 'issuers[0].preset is "okta"; give "cognito", or leave it out.'],
    ["neither audiences nor clientIds", { issuers: [{ issuer }] }, audience],
    [
      "no audience",
      withEntry({ audiences: [] }),
      "issuers[0].audiences is []; give a list of the values of which aud has to hold one.",
    ],
    [
      "audiences as a text",
      withEntry({ audiences: "a" }),
      'issuers[0].audiences is "a"; give a list of the values of which aud has to hold one.',
    ],
    [
      "a blank audience",
      withEntry({ audiences: ["a", " "] }),
      'issuers[0].audiences[1] is " "; give a list of the values of which aud has to hold one.',
    ],
    [
      "no client id",
      withEntry({ clientIds: [] }),
      "issuers[0].clientIds is []; give a list of client ids of which the token has to name one.",
    ],
    [
      "Cognito without client ids",
      withEntry({ preset: "cognito" }),
      "issuers[0].clientIds is missing; give the app client ids whose tokens are accepted.",
    ],
    [
      "no algorithm",
      withEntry({ algorithms: [] }),
      'issuers[0].algorithms is []; give one or both of "RS256" and "ES256".',
    ],
    [
      "another algorithm",
      withEntry({ algorithms: ["RS256", "none"] }),
      'issuers[0].algorithms[1] is "none"; give one or both of "RS256" and "ES256".',
    ],
    [
      "an HMAC",
      withEntry({ algorithms: ["HS256"] }),
      'issuers[0].algorithms[0] is "HS256"; give one or both of "RS256" and "ES256".',
    ],
    [
      "roles without a claim",
      withEntry({ roles: { a: "b" } }),
      "issuers[0].rolesClaim is missing; give the claim that the values of roles are looked for in.",
    ],
    [
      "roles as a list",
      withEntry({ rolesClaim: "r", roles: ["a"] }),
      'issuers[0].roles is ["a"]; give an object from values of the claim to keys of roles.',
    ],
    [
      "a role of another type",
      withEntry({ rolesClaim: "r", roles: { a: 1 } }),
      "issuers[0].roles.a is 1; give the key of a role.",
    ],
    ["a blank claim", withEntry({ nameClaim: "" }), 'issuers[0].nameClaim is ""; give the name of a claim.'],
    [
      "half a second",
      withEntry({ maxLifetimeSeconds: 0.5 }),
      "issuers[0].maxLifetimeSeconds is 0.5; give a whole number of seconds from 1 on.",
    ],
    [
      "no time",
      withEntry({ maxLifetimeSeconds: 0 }),
      "issuers[0].maxLifetimeSeconds is 0; give a whole number of seconds from 1 on.",
    ],
    ...[
      ["clientId", " ", "give the id of a client that is registered for browsers, which has no secret"],
      ["label", "", label],
      ["label", "two\nlines", label],
      ["label", "two\u2028lines", label],
      ["label", "x".repeat(LIMITS.nameCharacters + 1), label],
      ["scopes", "openid", "give a list of scopes, or leave it out"],
      ["scopes", [], "give a list of scopes, or leave it out"],
      ["resource", "/api", resource],
      ["resource", "https://metaction.example/api#a", resource],
      ["origins", "https://id.example.org", "give a list of origins, or leave it out"],
    ].map(
      ([member, value, wayOut]) =>
        [
          `${member} of a sign-in as ${String(value).slice(0, 30)}`,
          withEntry({ signIn: { clientId: "web", [String(member)]: value } }),
          `issuers[0].signIn.${member} is ${JSON.stringify(value).slice(0, 120)}; ${wayOut}.`,
        ] as const,
    ),
    ...["open id", 'a"b', "a\\b", "ä", ""].map(
      (scope) =>
        [
          `the scope ${scope}`,
          withEntry({ signIn: { clientId: "web", scopes: ["openid", scope] } }),
          `issuers[0].signIn.scopes[1] is ${JSON.stringify(scope)}; give a scope without spaces, quotes and backslashes.`,
        ] as const,
    ),
    ...[
      "https://id.example.org/",
      "https://id.example.org/path",
      "http://id.example.org",
      "https://*.example.org",
      "https://id.example.org;script-src",
      "https://a;b.example.org",
      "https://a'b.example.org",
      "https://u@id.example.org",
      "https://[::1]",
      "'unsafe-inline'",
      "*",
      "https:",
      "",
    ].map(
      (origin) =>
        [
          `the origin ${origin}`,
          withEntry({ signIn: { clientId: "web", origins: [origin] } }),
          `issuers[0].signIn.origins[0] is ${JSON.stringify(origin)}; give an origin such as https://login.example.com (http for a loopback address only).`,
        ] as const,
    ),
    [
      "a sign-in without client",
      withEntry({ signIn: {} }),
      "issuers[0].signIn.clientId is missing; give the id of a client that is registered for browsers, which has no secret.",
    ],
    [
      "a sign-in with a secret",
      withEntry({ signIn: { clientId: "web", clientSecret: "s" } }),
      "issuers[0].signIn.clientSecret is not a member of the configuration; remove it.",
    ],
    [
      "a sign-in whose tokens are refused",
      withEntry({ clientIds: ["cli"], signIn: { clientId: "web" } }),
      'issuers[0].signIn.clientId is "web", whose tokens clientIds does not accept; add it there.',
    ],
    [
      "a sign-in at a host that no policy can name",
      withEntry({ issuer: "http://[::1]:9/realm", signIn: { clientId: "web" } }),
      "issuers[0].signIn needs an issuer that the policy of a page can name; http://[::1]:9 is not one, remove signIn.",
    ],
    [
      "a sign-in at a host with a semicolon",
      withEntry({ issuer: "https://a;script-src.example", signIn: { clientId: "web" } }),
      "issuers[0].signIn needs an issuer that the policy of a page can name; https://a;script-src.example is not one, remove signIn.",
    ],
    [
      "an issuer twice",
      { issuers: [pool, plain, plain] },
      `issuers[2].issuer is "${issuer}", which has an entry already; give one entry each.`,
    ],
    [
      "a login elsewhere",
      { issuers: [plain], login },
      `login.cognito.issuer is "${POOL}"; give one of the issuers that have "preset": "cognito".`,
    ],
    [
      "a login at what is no pool",
      { issuers: [plain], login: { cognito: { ...login.cognito, issuer } } },
      `login.cognito.issuer is "${issuer}"; give one of the issuers that have "preset": "cognito".`,
    ],
    [
      "a login without client",
      { issuers: [pool], login: { cognito: { issuer: POOL } } },
      "login.cognito.clientId is missing; give the id of an app client of the user pool.",
    ],
  ];

  test.each(faults)("%s", (_, configuration, sentence) => {
    expect(faultsOf(configuration)).toEqual([sentence]);
  });

  test("several at once are all reported", () => {
    expect(faultsOf({ issuers: [{ ...plain, jwks: 1, algorithms: [] }, { issuer: "x" }] })).toHaveLength(3);
  });

  test("a client secret is not repeated", () => {
    const secret = { issuers: [pool], login: { cognito: { ...login.cognito, clientSecret: ["hush-hush"] } } };
    expect(faultsOf(secret).join()).toContain("login.cognito.clientSecret is not usable");
    expect(faultsOf(secret).join()).not.toContain("hush");
  });
});

describe("the service itself is refused as an issuer", () => {
  test.each([issuer, `${issuer}/`, issuer.replace("id.", "ID.")])("at its address %s", (ownUrl) => {
    const said = `issuers[1].issuer is ${JSON.stringify(ownUrl)}, the service itself, which needs no entry; remove it.`;
    expect(faultsOf({ issuers: [pool, plain] }, ownUrl)).toEqual([said]);
  });

  test("and accepted at other addresses", () => {
    expect(() =>
      refuseOwn(readIssuers(JSON.stringify({ issuers: [plain] })), "https://metadata.example.org"),
    ).not.toThrow();
  });
});
