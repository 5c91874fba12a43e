import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { PROBLEMS } from "../../shared/domain/problems.ts";
import { type ExternalIssuer, readIssuers } from "../../shared/identity/issuers/configuration.ts";
import { readClaims } from "../../shared/identity/issuers/verify-external.ts";
import type { Payload } from "../../shared/identity/tokens/verify-token.ts";
import { ACTIONS } from "../support/actions.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = readFileSync(join(ROOT, "docs/identity.md"), "utf8");

const jsonOf = (text: string): readonly string[] =>
  [...text.matchAll(/^```json\n(.*?)^```$/gms)].map(([, json = ""]) => json);

function section(heading: string): string {
  const [, text = ""] = PAGE.split(`\n## ${heading}\n`);
  return text.split("\n## ")[0] ?? "";
}

const isFile = (json: string) => "issuers" in (JSON.parse(json) as object);

describe("docs/identity.md", () => {
  test("has a valid file for each provider", () => {
    const files = jsonOf(PAGE).filter(isFile);
    expect(files).toHaveLength(6);
    for (const file of files) expect(readIssuers(file).issuers).toHaveLength(1);
  });

  test.each([
    ["Amazon Cognito", "ada", ["manager"], undefined],
    ["Keycloak", "Ada Lovelace", ["manager"], "ada@example.com"],
    ["Microsoft Entra ID", "Ada Lovelace", ["manager"], undefined],
    ["Google", "Ada Lovelace", ["reader"], "ada@example.com"],
  ])("shows a token of %s that its file accepts", (heading, fullname, claimedRoles, email) => {
    const [file = "", token = ""] = jsonOf(section(heading));
    const [entry] = readIssuers(file).issuers;
    if (!entry) throw new Error("the file names no issuer");
    const payload = JSON.parse(token) as Payload;
    expect(isMeantFor(entry, payload)).toBe(true);
    const claims = readClaims(payload, entry, Number(payload.iat) + 1);
    const { iss: issuer, sub: subject, iat: issuedAt } = payload;
    expect(claims).toEqual({
      issuer,
      subject,
      issuedAt,
      fullname,
      claimedRoles,
      ...(email !== undefined && { email }),
    });
  });

  test("names existing limits, problems and actions", () => {
    expect(PAGE).toContain(`at most ${LIMITS.tokenBytes.toLocaleString("en-US")} bytes`);
    expect(PAGE).toContain(`\`sub\` of 1 to ${LIMITS.subjectCharacters} characters`);
    expect(PAGE).toContain(`| \`maxLifetimeSeconds\` | \`${LIMITS.externalTokenSeconds}\` |`);
    expect(PAGE).toContain(`after ${LIMITS.freeLoginFailures} in a row`);
    expect(PAGE).toContain(`at most ${LIMITS.loginWaitSeconds / 60} minutes`);
    const ofAddress = `take ${LIMITS.networkFailuresPerHour} wrong passwords an hour, then one in ${3_600 / LIMITS.networkFailuresPerHour} seconds`;
    expect(PAGE.replaceAll("\n", " ")).toContain(ofAddress);
    const perHour = `takes ${LIMITS.loginFailuresPerHour} wrong passwords an hour, then one in ${3_600 / LIMITS.loginFailuresPerHour} seconds`;
    expect(PAGE.replaceAll("\n", " ")).toContain(perHour);
    expect(PAGE.replaceAll("\n", " ")).toContain(`the last ${LIMITS.knownNetworkDays} days`);
    expect(PAGE).toContain(`again every ${LIMITS.keySetSeconds / 60} minutes`);
    expect(PAGE).toContain(`at most every\n${LIMITS.keySetRetrySeconds} seconds`);
    expect([LIMITS.keySetMaxSeconds, LIMITS.tokenSeconds, LIMITS.tokenSkewSeconds]).toEqual([3_600, 3_600, 60]);
    expect(PAGE).toContain(`Passwords need ${LIMITS.passwordCharacters} characters`);
    const refusals = [...section("Authentication errors").matchAll(/^\| (\d{3}) `(\w+)`/gm)];
    expect(refusals).toHaveLength(7);
    for (const [, status, code = ""] of refusals) {
      // A code that is none has no row.
      expect(PROBLEMS[code as keyof typeof PROBLEMS]?.status, code).toBe(Number(status));
    }
    const named = [...PAGE.matchAll(/\bauth\/(\w+)/g)].map(([, name = ""]) => name);
    const there = new Set(ACTIONS.filter(({ group }) => group === "auth").map(({ name }) => name));
    expect([...new Set(named)].filter((name) => !there.has(name))).toEqual([]);
  });
});

function isMeantFor({ issuer, audiences, clientIds }: ExternalIssuer, { iss, aud, client_id, azp }: Payload) {
  const client = client_id ?? azp;
  const isClient = clientIds === undefined || (typeof client === "string" && clientIds.includes(client));
  const isAudience = audiences === undefined || [aud].flat().some((value) => audiences.some((a) => a === value));
  return iss === issuer && isClient && isAudience;
}
