import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { BadIssuers, readIssuers } from "../../../shared/identity/issuers/configuration.ts";
import { listSignInOrigins } from "../../../shared/identity/issuers/sign-in.ts";

const issuer = "https://id.example.org/realms/one";
const POOL = "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Abc123def";
const plain = { issuer, audiences: ["metaction"] };
const pool = { issuer: POOL, preset: "cognito", clientIds: ["client-1"] };
const ARN = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pool-AbCdEf";
const login = { cognito: { issuer: POOL, clientId: "client-1" } };

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

/** A refused value of a member with its remedy, which is about one element of a list if there is a number. */
type Refused = readonly [member: string, value: unknown, remedy: string, element?: number];

const toCase = ([member, value, remedy, element]: Refused) =>
  element === undefined
    ? { member, value, remedy, place: "", shown: value }
    : { member, value, remedy, place: `[${element}]`, shown: (value as readonly unknown[])[element] };

const withEntry = (change: object): unknown => ({ issuers: [{ ...plain, ...change }] });

describe("a valid configuration", () => {
  test("gets its defaults", () => {
    const rest = { roles: new Map(), emailClaim: "email", maxLifetimeSeconds: 86_400 };
    const defaults = { algorithms: ["RS256", "ES256"], ...rest };
    expect(readIssuers(JSON.stringify({ issuers: [plain, pool], login }))).toEqual({
      issuers: [
        { ...plain, ...defaults },
        { ...pool, ...defaults, rolesClaim: "cognito:groups" },
      ],
      login,
    });
  });

  test("may set every member", () => {
    const whole = {
      ...{ ...plain, clientIds: ["a"], jwks: "https://keys.example.org/set?v=1", algorithms: ["ES256"] },
      ...{ rolesClaim: "realm_access.roles", roles: { stewards: "manager" } },
      ...{ nameClaim: "display", emailClaim: "upn", maxLifetimeSeconds: 600 },
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
    const label = "x".repeat(LIMITS.nameCharacters);
    expect(read({ clientId: "web", label })?.label).toBe(label);
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
    for (const host of ["localhost:8080", "127.0.0.1:1", "127.1.2.3", "[::1]:9"])
      expect(faultsOf(withEntry({ issuer: `http://${host}/realm` }))).toEqual([]);
  });
});

describe("a fault is one sentence with the member, its value and a remedy", () => {
  const url = "give a URL with https and without user (http for a loopback address only)";
  const exactly = `${url}, without query and fragment, exactly as the tokens have it in iss`;
  const audiences = "give a list of the values of which aud has to hold one";
  const clientIds = "give a list of client ids of which the token has to name one";
  const algorithms = 'give one or both of "RS256" and "ES256"';
  const lifetime = "give a whole number of seconds from 1 on";

  const values: readonly Refused[] = [
    ...[
      ...["id.example.org", "http://id.example.org", "ftp://id.example.org", "https://u:p@id.example.org", "", 1],
      ...[`${issuer}?a=b`, `${issuer}#a`, ` ${issuer}`],
      ...["http://localhost.evil.example", "http://127.0.0.1.evil.example"],
    ].map((value) => ["issuer", value, exactly] as const),
    ["jwks", "http://id.example.org/k", url],
    ["jwks", "https://id.example.org/k#a", url],
    ["jwks", "https://ada@id.example.org/k", url],
    ["preset", "okta", 'give "cognito", or leave it out'],
    ["audiences", [], audiences],
    ["audiences", "a", audiences],
    ["audiences", ["a", " "], audiences, 1],
    ["clientIds", [], clientIds],
    ["jwks", 1, url],
    ["algorithms", "RS256", algorithms],
    ["algorithms", [], algorithms],
    ["algorithms", ["RS256", "none"], algorithms, 1],
    ["algorithms", ["HS256"], algorithms, 0],
    ["nameClaim", "", "give the name of a claim"],
    ["maxLifetimeSeconds", 0.5, lifetime],
    ["maxLifetimeSeconds", 0, lifetime],
  ];

  test.each(values.map(toCase))("$member: $value", ({ member, value, remedy, place, shown }) => {
    expect(faultsOf(withEntry({ [member]: value }))).toEqual([
      `issuers[0].${member}${place} is ${JSON.stringify(shown)}; ${remedy}.`,
    ]);
  });

  const label = `give one line of at most ${LIMITS.nameCharacters} characters to show people, or leave it out`;
  const scopes = "give a list of scopes, or leave it out";
  const scope = "give a scope without spaces, quotes and backslashes";
  const resource = "give the absolute URI of the API the tokens are for, without fragment, or leave it out";
  const origin = "give an origin such as https://login.example.com (http for a loopback address only)";
  const origins = [
    ...["https://id.example.org/", "https://id.example.org/path", "http://id.example.org", "https://*.example.org"],
    ...["https://id.example.org;script-src", "https://a;b.example.org", "https://a'b.example.org"],
    ...["https://u@id.example.org", "https://[::1]", "'unsafe-inline'", "*", "https:", ""],
  ];

  const ofSignIn: readonly Refused[] = [
    ["clientId", " ", "give the id of a client that is registered for browsers, which has no secret"],
    ["label", "", label],
    ["label", "two\nlines", label],
    ["label", "two\u2028lines", label],
    ["label", "x".repeat(LIMITS.nameCharacters + 1), label],
    ["scopes", "openid", scopes],
    ["scopes", [], scopes],
    ...["open id", 'a"b', "a\\b", "ä", ""].map((value) => ["scopes", ["openid", value], scope, 1] as const),
    ["resource", "/api", resource],
    ["resource", "https://metaction.example/api#a", resource],
    ["origins", "https://id.example.org", "give a list of origins, or leave it out"],
    ...origins.map((value) => ["origins", [value], origin, 0] as const),
  ];

  test.each(ofSignIn.map(toCase))("$member of a sign-in: $value", ({ member, value, remedy, place, shown }) => {
    expect(faultsOf(withEntry({ signIn: { clientId: "web", [member]: value } }))).toEqual([
      `issuers[0].signIn.${member}${place} is ${JSON.stringify(shown).slice(0, 120)}; ${remedy}.`,
    ]);
  });

  const page = "needs an issuer that the policy of a page can name;";
  test.each<readonly [change: object, sentence: string]>([
    [{ audience: "a" }, ".audience is not a member of the configuration; remove it."],
    [{ issuer: undefined }, `.issuer is missing; ${exactly}.`],
    [
      { audiences: undefined },
      " has neither audiences nor clientIds; give one of them, or any token of the issuer would do.",
    ],
    [{ preset: "cognito" }, ".clientIds is missing; give the app client ids whose tokens are accepted."],
    [{ roles: { a: "b" } }, ".rolesClaim is missing; give the claim that the values of roles are looked for in."],
    [{ rolesClaim: "r", roles: ["a"] }, '.roles is ["a"]; give an object from values of the claim to keys of roles.'],
    [{ rolesClaim: "r", roles: { a: 1 } }, ".roles.a is 1; give the key of a role."],
    [
      { signIn: {} },
      ".signIn.clientId is missing; give the id of a client that is registered for browsers, which has no secret.",
    ],
    [
      { signIn: { clientId: "web", clientSecret: "s" } },
      ".signIn.clientSecret is not a member of the configuration; remove it.",
    ],
    [
      { clientIds: ["cli"], signIn: { clientId: "web" } },
      '.signIn.clientId is "web", whose tokens clientIds does not accept; add it there.',
    ],
    ...["http://[::1]:9", "https://a;script-src.example"].map(
      (host) =>
        [{ issuer: host, signIn: { clientId: "web" } }, `.signIn ${page} ${host} is not one, remove signIn.`] as const,
    ),
  ])("an entry with %j", (change, sentence) => expect(faultsOf(withEntry(change))).toEqual([`issuers[0]${sentence}`]));

  const preset = 'give one of the issuers that have "preset": "cognito"';
  test.each<readonly [configuration: unknown, sentence: string]>([
    ["{", 'The text is not JSON; give { "issuers": [ ... ] }.'],
    [[], 'The configuration is []; give { "issuers": [ ... ] }.'],
    [{}, "issuers is missing; give a list of issuers."],
    [{ issuers: plain }, `issuers is ${JSON.stringify(plain)}; give a list of issuers.`],
    [
      { issuers: [pool, plain, plain] },
      `issuers[2].issuer is "${issuer}", which has an entry already; give one entry each.`,
    ],
    [{ issuers: [plain], login }, `login.cognito.issuer is "${POOL}"; ${preset}.`],
    [
      { issuers: [pool, plain], login: { cognito: { ...login.cognito, issuer } } },
      `login.cognito.issuer is "${issuer}"; ${preset}.`,
    ],
    [
      { issuers: [pool], login: { cognito: { ...login.cognito, clientSecret: "s", clientSecretId: ARN } } },
      "login.cognito has both clientSecret and clientSecretId; give one of them.",
    ],
    [
      { issuers: [pool], login: { cognito: { issuer: POOL } } },
      "login.cognito.clientId is missing; give the id of an app client of the user pool.",
    ],
  ])("the configuration %j", (configuration, sentence) => expect(faultsOf(configuration)).toEqual([sentence]));

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
    expect(faultsOf({ issuers: [plain] }, "https://metadata.example.org")).toEqual([]);
  });
});
