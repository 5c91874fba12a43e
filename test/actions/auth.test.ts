import { describe, expect, test } from "vitest";
import { BUILT_IN } from "../../shared/domain/permissions.ts";
import type { Problem } from "../../shared/domain/problems.ts";
import { mintToken } from "../../shared/identity/tokens/mint-token.ts";
import { ISSUER } from "../support/issuer.ts";
import { BOOTSTRAP_SECRET, codeOf } from "../support/world.ts";
import { useWorld } from "./support/checked-world.ts";
import { firstStart } from "./support/first-start.ts";

const world = useWorld();

const ADA = { username: "ada", fullname: "Ada Lovelace", password: "violet harbor 1 lantern" };

let started: ReturnType<typeof firstStart> | undefined;

const start = () => (started ??= firstStart());

describe("admin_bootstrap and login", () => {
  const bootstrap = async (changed: object): Promise<Problem> =>
    (await start()).problem("auth/admin_bootstrap", { ...ADA, secret: BOOTSTRAP_SECRET, ...changed });

  test("refuse a wrong secret, and repeat neither secret nor password", async () => {
    const problem = await bootstrap({ secret: "not the bootstrap secret" });
    expect(problem.code).toBe("not_signed_in");
    expect(problem.message).not.toContain("not the bootstrap secret");
    expect(problem.message).not.toContain(BOOTSTRAP_SECRET);
  });

  const INVALID = Object.entries({
    username: ["Ada", "ad", "1ada", "ada.", "a..b", "ada lovelace", "ada_-x", "a".repeat(33)],
    fullname: ["", "   ", "Ada 2", "Ada 🙂", "a".repeat(201), "Ada\tL"],
    password: ["short 1 A", "12345678901234", " ".repeat(14), "thirteen 1 AB", "x1 ".repeat(171), "Ada"],
  });

  test.each(INVALID)("refuse an invalid %s with its pointer, and repeat no password", async (name, all) => {
    for (const value of all) {
      const { code, message, members } = await bootstrap({ [name]: value });
      expect(code, value).toBe("bad_parameters");
      expect(new Set(members.errors?.map(({ pointer }) => pointer)), value).toEqual(new Set([`/${name}`]));
      if (name === "password") expect(JSON.stringify([message, members])).not.toContain(value);
    }
  });

  test("the secret still creates the first administrator after all these refusals", async () => {
    const service = await start();
    const made = await service.run("auth/admin_bootstrap", { ...ADA, secret: BOOTSTRAP_SECRET });
    expect(made).toMatchObject({ token_type: "Bearer", expires_in: 3_600 });
    const me = await service.run("auth/whoami", {}, made.access_token);
    expect(me).toMatchObject({ sub: "ada", fullname: "Ada Lovelace", admin: true });
    expect(await service.run("model/model_list", {}, made.access_token)).toEqual([]);
    expect((await bootstrap({ username: "bob" })).code).toBe("bootstrap_used");
  });

  test("login answers a token of the administrator, repeatedly", async () => {
    const service = await start();
    const { username, password } = ADA;
    for (let i = 0; i < 2; i++) {
      const token = await service.run("auth/login", { username, password });
      expect(token).toMatchObject({ token_type: "Bearer", expires_in: 3_600 });
      expect((await service.run("auth/whoami", {}, token.access_token)).sub).toBe("ada");
    }
  });
});

test("whoami answers the actor of the token, with the granted and the implied permissions, sorted", async () => {
  const { manager, reader, nobody } = world.people;
  const read = await world.okAs(reader, "auth/whoami");
  const me = { issuer: BUILT_IN, sub: "reader", fullname: "The reader" };
  expect(read.body).toEqual({ ...me, admin: false, permissions: ["model_read"], scopes: [] });
  const without = (await world.okAs(nobody, "auth/whoami")).body;
  expect(without).toMatchObject({ sub: "nobody", admin: false, permissions: [] });
  const all = await world.read("config/inspect_permissions");
  const everything: string[] = all.items.map((p: { id: string }) => p.id).sort();
  expect(await world.read("auth/whoami")).toMatchObject({ admin: true, permissions: everything });
  const managed = (await world.okAs(manager, "auth/whoami")).body;
  expect(managed).toMatchObject({ admin: false, permissions: everything.filter((p) => p !== "admin") });
});

test("an invalid token includes one of a user that does not exist, or of an earlier epoch of its user", async () => {
  const { keys, service } = world;
  const terms = { keys, issuer: ISSUER, audience: "metaction", runtime: service.runtime };
  const ghost = await mintToken({ username: "ghost", fullname: "Ghost", tokenEpoch: 1 }, terms);
  expect(await codeOf(world.answer("auth/whoami", {}, ghost.access_token))).toBe("not_signed_in");
  const old = await mintToken({ username: "admin", fullname: "The admin", tokenEpoch: 0 }, terms);
  expect(await codeOf(world.answer("auth/whoami", {}, old.access_token))).toBe("not_signed_in");
});

test("the service has one issuer URL, for all callers and tokens", async () => {
  const made = await world.ok("auth/token_create", { name: "issuer", permissions: ["model_read"], expiresInDays: 1 });
  const { manager } = world.people;
  const told = [
    (await world.ok("auth/whoami")).body.issuer,
    (await world.okAs(manager, "auth/whoami")).body.issuer,
    (await world.okAs(made.body.token, "auth/whoami")).body.issuer,
    ...(await world.ok("auth/actor_list")).body.items.map(({ issuer }: { issuer: string }) => issuer),
  ];
  expect(new Set(told)).toEqual(new Set([BUILT_IN]));
});
