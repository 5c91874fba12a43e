import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import type { ExternalIssuer } from "../../../shared/identity/issuers/configuration.ts";
import { readClaims } from "../../../shared/identity/issuers/verify-external.ts";
import { issuersFrom } from "../support/issuer-server.ts";
import { START } from "../support/service.ts";

const now = START / 1000;
const issuer = "https://id.example.org/realms/one";

function entryOf(change: object): ExternalIssuer {
  const [entry] = issuersFrom({ issuer, audiences: ["metaction"], ...change }).issuers;
  if (!entry) throw new Error("no entry");
  return entry;
}

const read = (claims: object, change: object = {}, at = now) =>
  readClaims({ iss: issuer, sub: "a-1", iat: now, exp: now + 3600, ...claims }, entryOf(change), at);

describe("the display name", () => {
  test.each([
    ["name", { name: "Ada Lovelace", preferred_username: "ada", email: "ada@example.org" }, "Ada Lovelace"],
    ["preferred_username", { name: "  ", preferred_username: " ada ", email: "ada@example.org" }, "ada"],
    ["email", { name: 7, email: "ada@example.org" }, "ada@example.org"],
    ["sub, where nothing names anybody", {}, "a-1"],
    ["sub, where all else has control characters", { name: "Ada\u0000", preferred_username: "a\nb" }, "a-1"],
    ["sub, and not the username that only Cognito has", { username: "ada" }, "a-1"],
  ])("is %s", (_, claims, fullname) => expect(read(claims)).toMatchObject({ subject: "a-1", fullname }));

  test("is the username of a token of Cognito", () => {
    expect(read({ username: "ada" }, { preset: "cognito", clientIds: ["c"] })).toMatchObject({ fullname: "ada" });
  });

  test("is the configured claim where the token has it", () => {
    const change = { nameClaim: "profile.shown" };
    expect(read({ name: "Ada", profile: { shown: "Countess" } }, change)).toMatchObject({ fullname: "Countess" });
    expect(read({ name: "Ada", profile: "none" }, change)).toMatchObject({ fullname: "Ada" });
  });

  test("is cut between characters if it is too long", () => {
    const shown = read({ name: "\u{1f600}".repeat(LIMITS.fullnameCharacters + 1) }).fullname ?? "";
    expect(shown.isWellFormed()).toBe(true);
    expect(shown.length).toBeLessThanOrEqual(LIMITS.fullnameCharacters);
    const { fullname } = read({ name: `a${"\u{1f600}".repeat(LIMITS.fullnameCharacters)}` });
    expect(fullname).toBe(`a${"\u{1f600}".repeat((LIMITS.fullnameCharacters - 2) / 2)}`);
    expect(read({ name: "n".repeat(500) }).fullname).toBe("n".repeat(LIMITS.fullnameCharacters));
  });
});

describe("the e-mail address", () => {
  test("is email, or the configured claim", () => {
    expect(read({ email: "ada@example.org" })).toMatchObject({ email: "ada@example.org" });
    expect(read({ email: "no", upn: "ada@example.com" }, { emailClaim: "upn" }).email).toBe("ada@example.com");
  });

  test.each([
    ["is no address", { email: "ada" }],
    ["is no text", { email: ["ada@example.org"] }],
    ["has white space", { email: "ada@example.org x" }],
    ["is too long", { email: `${"a".repeat(65)}@example.org` }],
    ["is not verified", { email: "ada@example.org", email_verified: false }],
  ])("is absent if it %s", (_, claims) => expect(read(claims)).not.toHaveProperty("email"));
});

describe("roles of a token", () => {
  const roles = { Object: "admin", stewards: "manager", guests: "reader", reader: "reader" };

  test.each([
    ["a list", { groups: ["stewards", "guests", "reader", "unmapped"] }, "groups", ["manager", "reader"]],
    ["one text", { groups: "stewards" }, "groups", ["manager"]],
    ["a path", { realm_access: { roles: ["guests"] } }, "realm_access.roles", ["reader"]],
    ["a name with dots", { "https://a.example/roles": ["guests"] }, "https://a.example/roles", ["reader"]],
    ["nothing, where the claim is not there", {}, "groups", []],
    ["nothing, where the path ends early", { realm_access: null }, "realm_access.roles", []],
    ["nothing, from other types", { groups: [1, null, ["stewards"], { stewards: 1 }] }, "groups", []],
    ["nothing, from a name that every object has", { groups: ["__proto__", "constructor", "toString"] }, "groups", []],
    ["nothing, from a path through what every object has", {}, "constructor.name", []],
    ["nothing, in other case", { groups: ["Stewards", " stewards"] }, "groups", []],
  ])("are read from %s", (_, claims, rolesClaim, expected) => {
    expect(read(claims, { rolesClaim, roles }).claimedRoles).toEqual(expected);
  });

  test("are none if the configuration maps none, even with the name of a role", () => {
    expect(read({ groups: ["admin"] }).claimedRoles).toEqual([]);
    expect(read({ groups: ["admin"] }, { rolesClaim: "groups" }).claimedRoles).toEqual([]);
  });

  test("are those of cognito:groups under the preset", () => {
    const change = { preset: "cognito", clientIds: ["c"], roles };
    expect(read({ "cognito:groups": ["stewards"] }, change).claimedRoles).toEqual(["manager"]);
    expect(read({ "cognito:groups": ["stewards"], g: [] }, { ...change, rolesClaim: "g" }).claimedRoles).toEqual([]);
  });
});

describe("the lifetime of a token", () => {
  const longest = LIMITS.externalTokenSeconds;

  test("is at most externalTokenSeconds", () => {
    expect(read({ exp: now + longest }).issuedAt).toBe(now);
    expect(() => read({ exp: now + longest + 1 })).toThrow("not valid");
  });

  test("is at most the configured one", () => {
    expect(read({ exp: now + 60 }, { maxLifetimeSeconds: 60 }).issuedAt).toBe(now);
    expect(() => read({ exp: now + 61 }, { maxLifetimeSeconds: 60 })).toThrow("not valid");
    expect(read({ exp: now + longest + 1 }, { maxLifetimeSeconds: longest + 1 }).issuedAt).toBe(now);
  });

  test("ends one second before exp, and begins at iat and nbf minus the skew", () => {
    const { tokenSkewSeconds: skew } = LIMITS;
    expect(read({}, {}, now + 3599).issuedAt).toBe(now);
    expect(() => read({}, {}, now + 3600)).toThrow("has expired");
    expect(read({}, {}, now - skew).issuedAt).toBe(now);
    expect(() => read({}, {}, now - skew - 1)).toThrow("not valid");
    expect(read({ nbf: now + skew }).issuedAt).toBe(now);
    expect(() => read({ nbf: now + skew + 1 })).toThrow("not valid");
  });
});
