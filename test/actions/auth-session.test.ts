import { describe, expect, test } from "vitest";
import { LIMITS } from "../../shared/domain/limits.ts";
import { mintToken } from "../../shared/identity/tokens/mint-token.ts";
import { toAuditItem } from "../../shared/store/commit/account-writes.ts";
import { auditKey } from "../../shared/store/table/keys.ts";
import { PASSWORD } from "../support/accounts.ts";
import { ISSUER } from "../support/issuer.ts";
import { realRuntime, runtimeAt } from "../support/runtime.ts";
import { person } from "../support/someone.ts";
import { type Body, codeOf, createWorld, type World } from "../support/world.ts";
import { NO_ID, newKey, useWorld } from "./support/checked-world.ts";

const world = useWorld();

async function signIn(at: Pick<World, "run">, username: string): Promise<string> {
  return (await at.run("auth/login", { username, password: PASSWORD }, undefined)).access_token;
}

const listSessions = async (at: World, caller: string, payload: object = {}): Promise<readonly Body[]> =>
  (await at.run("auth/session_list", payload, caller)).items;

const canCall = (token: string, at: World = world) => codeOf(at.run("auth/whoami", {}, token));

describe("logout", () => {
  test("ends the session of the call at once and no other, and is in the audit log", async () => {
    const { username } = await person(world);
    const [here, there] = [await signIn(world, username), await signIn(world, username)];
    const [current] = (await listSessions(world, here)).filter((session) => session.current);
    const controls = { idempotencyKey: newKey() };
    await world.run("auth/logout", {}, here, controls);
    const again = world.run("auth/logout", { everywhere: true }, there, controls);
    expect(await codeOf(again)).toBe("idempotency_key_reused");
    expect([await canCall(here), await canCall(there)]).toEqual(["not_signed_in", "none"]);
    const [entry] = (await world.run("auth/audit_list", { act: "auth/logout" })).items;
    expect(entry).toMatchObject({ actor: { subject: username }, session: current.id });
    expect(await listSessions(world, there)).toMatchObject([{ current: true, channel: "http" }]);
  });

  test("ends all sessions with `everywhere`, and no API token", async () => {
    const { username } = await person(world, "reader");
    const [here, there] = [await signIn(world, username), await signIn(world, username)];
    const { token } = (await world.okAs(here, "auth/token_create", { name: "CI" })).body;
    await world.okAs(here, "auth/logout", { everywhere: true });
    const codes = await Promise.all([here, there, token].map((one) => canCall(one)));
    expect(codes).toEqual(["not_signed_in", "not_signed_in", "none"]);
    expect(await codeOf(world.run("auth/logout", {}, token))).toBe("not_allowed");
    expect(await listSessions(world, await signIn(world, username))).toHaveLength(1);
  });

  test("forgets sessions whose tokens have expired, and ends all sessions after too many", async () => {
    const runtime = runtimeAt("2026-11-22T12:00:00.000Z");
    const at = await createWorld({ runtime });
    const { username } = await person(at);
    const terms = { keys: at.keys, issuer: ISSUER, audience: "metaction", runtime };
    const mint = async (tokenEpoch: number) =>
      (await mintToken({ username, fullname: username, tokenEpoch }, terms)).access_token;
    const end = async (tokenEpoch: number, times = 1) => {
      for (let i = 0; i < times; i++) await at.run("auth/logout", {}, await mint(tokenEpoch));
    };
    const stays = await mint(1);
    await end(1, LIMITS.endedSessions);
    expect(await canCall(stays, at)).toBe("none");
    await end(1);
    expect(await canCall(stays, at)).toBe("not_signed_in");
    await end(2, LIMITS.endedSessions);
    runtime.advance((LIMITS.tokenSeconds + LIMITS.tokenSkewSeconds) * 1_000);
    const later = await mint(2);
    await end(2);
    expect(await canCall(later, at)).toBe("none");
  });
});

describe("session_end", () => {
  test("ends a session of the caller, and for administrators of anybody", async () => {
    const { username } = await person(world);
    const [here, there] = [await signIn(world, username), await signIn(world, username)];
    const [other] = (await listSessions(world, here)).filter(({ current }) => !current);
    const stranger = await person(world);
    const end = (caller: string, payload: object) => codeOf(world.run("auth/session_end", payload, caller));
    expect(await end(stranger.token, { sessionId: other.id })).toBe("not_found");
    expect(await end(stranger.token, { sessionId: other.id, actorRef: `key:${username}` })).toBe("not_found");
    expect(await end(here, { sessionId: other.id })).toBe("none");
    expect([await canCall(here), await canCall(there)]).toEqual(["none", "not_signed_in"]);
    expect(await end(here, { sessionId: other.id })).toBe("not_found");
    const [own] = await listSessions(world, world.people.admin, { actorRef: `key:${username}` });
    expect(await end(world.people.admin, { sessionId: own.id, actorRef: `key:${username}` })).toBe("none");
    expect(await canCall(here)).toBe("not_signed_in");
    expect(await codeOf(listSessions(world, stranger.token, { actorRef: `id:${NO_ID}` }))).toBe("not_found");
  });

  test("finds a session behind more entries of the audit log than one call reads", async () => {
    const at = await createWorld();
    const { username } = await person(at);
    const token = await signIn(at, username);
    const [{ id }] = (await listSessions(at, token)) as [Body];
    const time = new Date(Date.now() + 1_000).toISOString();
    const fields = { act: "auth/login", outcome: "ok" } as const;
    const items = Array.from({ length: LIMITS.sessionScanned }, () =>
      toAuditItem(auditKey(time, realRuntime.newId()), fields),
    );
    for (let i = 0; i < items.length; i += 25) await at.table.batchPut(items.slice(i, i + 25));
    const page = await at.answer("auth/session_list", {}, token);
    expect([(page.body as Body).items, typeof page.next]).toEqual([[], "string"]);
    expect(await listSessions(at, token, { cursor: page.next })).toMatchObject([{ id }]);
    await at.run("auth/session_end", { sessionId: id }, token);
    expect(await canCall(token, at)).toBe("not_signed_in");
  });
});

test("a new password ends all sessions, and the API tokens if asked", async () => {
  for (const endApiTokens of [false, true]) {
    const { username } = await person(world);
    const token = await signIn(world, username);
    const { token: apiToken } = (await world.okAs(token, "auth/token_create", { name: "CI" })).body;
    await world.ok("auth/user_change_password", { username, password: "Nanosecond of wire 30", endApiTokens });
    const ofApiToken = endApiTokens ? "not_signed_in" : "none";
    expect([await canCall(token), await canCall(apiToken)]).toEqual(["not_signed_in", ofApiToken]);
  }
});
