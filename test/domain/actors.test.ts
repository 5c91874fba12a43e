import { expect, test } from "vitest";
import { applyClaims, createActor, hasNewerClaims } from "../../shared/domain/accounts/actors.ts";

const caller = { issuer: "https://id.example", subject: "ada" };
const named = { ...caller, fullname: "Ada", email: "ada@example.org" };
const created = createActor({ ...caller, fullname: "ada" }, { time: "2026-11-22T09:30:00.000Z", nextId: () => "1" });
const stored = applyClaims(created, { ...named, claimedRoles: ["b", "a", "b"], issuedAt: 10 });

test("an actor gets the claims of a token, and keeps its name and address without them", () => {
  const kept = { ...created, fullname: "Ada", email: "ada@example.org" };
  expect(applyClaims(created, { ...caller, issuedAt: 9 })).toEqual({ ...created, claimsAt: 9 });
  expect(stored).toEqual({ ...kept, claimedRoles: ["a", "b"], claimsAt: 10 });
  expect(applyClaims(stored, { ...caller, issuedAt: 11 })).toEqual({ ...kept, claimsAt: 11 });
});

test.each([
  ["a newer token with other claims", true, { claimedRoles: ["a"], issuedAt: 11 }, stored],
  ["a newer token without roles", true, { issuedAt: 11 }, stored],
  ["a newer token with another name", true, { claimedRoles: ["a", "b"], fullname: "A.", issuedAt: 11 }, stored],
  ["a newer token with the same claims", false, { claimedRoles: ["b", "a"], issuedAt: 11 }, stored],
  ["a token of the same second", false, { claimedRoles: ["a"], issuedAt: 10 }, stored],
  ["an older token", false, { claimedRoles: ["a"], issuedAt: 9 }, stored],
  ["the first token with claims", true, { ...named, issuedAt: 9 }, created],
  ["a first token without claims", false, { issuedAt: 9 }, created],
])("%s changes the actor: %s", (_, expected, claims, actor) =>
  expect(hasNewerClaims({ ...caller, ...claims }, actor)).toBe(expected));
