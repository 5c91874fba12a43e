import { describe, expect, test } from "vitest";
import { formatApiToken, hashSecret, parseApiToken } from "../../shared/domain/accounts/api-token.ts";
import { LIMITS } from "../../shared/domain/limits.ts";
import { mintToken } from "../../shared/identity/tokens/mint-token.ts";
import { ISSUER } from "../support/issuer.ts";
import { runtimeAt } from "../support/runtime.ts";
import { person, type Someone, someoneOn } from "../support/someone.ts";
import { freshTable, openTable } from "../support/table.ts";
import { type Body, codeOf, createWorld, type World } from "../support/world.ts";
import { expectFaults, expectProblem, NO_ID, useWorld } from "./support/checked-world.ts";
import { imagesOf } from "./support/table-image.ts";

const world = useWorld();
const DAY_MS = 86_400_000;

const tokensOf = async (world: World, caller: string, payload: object = {}): Promise<readonly Body[]> =>
  (await world.run("auth/token_list", payload, caller)).items;

describe("token_create", () => {
  test("answers a token that works at once, with the requested permissions only", async () => {
    const owner = await person(world, "manager");
    const made = await world.okAs(owner.token, "auth/token_create", { name: "Nightly", permissions: ["model_read"] });
    expect(made.body).toMatchObject({ status: "ok", key: "Nightly", changed: true, permissions: ["model_read"] });
    expect(made.body.token).toMatch(/^metaction_[A-Za-z0-9_-]{136}$/);
    const days = (Date.parse(made.body.expiresAt) - Date.now()) / DAY_MS;
    expect(days).toBeGreaterThan(LIMITS.apiTokenDefaultDays - 0.01);
    expect(days).toBeLessThanOrEqual(LIMITS.apiTokenDefaultDays);
    const { body } = await world.okAs(made.body.token, "auth/whoami");
    const { body: self } = await world.okAs(owner.token, "auth/whoami");
    expect(body).toEqual({ ...self, permissions: ["model_read"] });
    const create = world.answer("model/model_create", { key: "x", name: "X" }, made.body.token);
    expect(await codeOf(create)).toBe("not_allowed");
  });

  test("gives all permissions of the caller by default, without the implied ones", async () => {
    const { body } = await world.ok("auth/token_create", { name: "All" });
    expect(body.permissions).toEqual(["admin"]);
    const owner = await person(world, "manager");
    const made = (await world.okAs(owner.token, "auth/token_create", { name: "All" })).body;
    expect(made.permissions).not.toContain("model_read");
    const { permissions } = (await world.okAs(owner.token, "auth/whoami")).body;
    expect((await world.okAs(made.token, "auth/whoami")).body.permissions).toEqual(permissions);
  });

  test("refuses a permission that the caller lacks, and names it", async () => {
    const owner = await person(world, "reader");
    const asked = { name: "More", permissions: ["model_read", "model_write"] };
    const problem = await world.writesNothing(() => world.problem("auth/token_create", asked, owner.token));
    expectProblem(problem, "not_allowed", "model_write");
  });

  test("works for callers with permissions on some models, for these models only", async () => {
    const owner = await someoneOn(world, "crmwriter", { role: "manager", models: "crm_*" });
    const { token } = (await world.okAs(owner.token, "auth/token_create", { name: "CRM" })).body;
    await world.okAs(token, "model/model_create", { key: "crm_one", name: "One" });
    const elsewhere = world.answer("model/model_create", { key: "erp_one", name: "One" }, token);
    expect(await codeOf(elsewhere)).toBe("not_allowed");
    expect((await world.okAs(token, "auth/whoami")).body.permissions).toEqual([]);
  });

  test.each([0, 1.5, LIMITS.apiTokenDays + 1, "7"])("refuses %j as the number of days", async (expiresInDays) => {
    expectFaults(await world.refused("auth/token_create", { name: "Days", expiresInDays }), "/expiresInDays");
  });

  test("accepts the largest number of days", async () => {
    const { body } = await world.ok("auth/token_create", { name: "Year", expiresInDays: LIMITS.apiTokenDays });
    expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan((LIMITS.apiTokenDays - 0.01) * DAY_MS);
    await world.ok("auth/token_revoke", { tokenId: body.id });
  });

  test("does not record its answer under an idempotency key", async () => {
    const again = () => world.refused("auth/token_create", { name: "Again" }, { idempotencyKey: "one" });
    const problem = await world.writesNothing(again);
    expectProblem(problem, "bad_precondition", "secret");
    for (const action of ["auth/login", "auth/admin_bootstrap"]) {
      const { example } = await world.service.registry.find("auth", action.slice(5));
      expect((await world.refused(action, example, { idempotencyKey: "one" })).message).toContain("secret");
    }
  });

  test("answers no secret in a dry run", async () => {
    const { body } = await world.writesNothing(() => world.ok("auth/token_create", { name: "Dry" }, { dryRun: true }));
    expect(body).toMatchObject({ dryRun: true, changes: [{ change: "create", kind: "api_token" }] });
    expect(JSON.stringify(body)).not.toContain("metaction_");
  });

  test(`gives an actor ${LIMITS.apiTokens} tokens at once; expired ones do not count`, async () => {
    const runtime = runtimeAt("2027-01-01T00:00:00Z");
    const world = await createWorld({ runtime });
    const { reader } = world.people;
    const create = (expiresInDays: number) => ({ name: "One of many", expiresInDays });
    await world.run("auth/token_create", create(1), reader);
    for (let i = 1; i < LIMITS.apiTokens; i++) await world.run("auth/token_create", create(30), reader);
    expectProblem(await world.problem("auth/token_create", create(1), reader), "too_large", String(LIMITS.apiTokens));
    runtime.advance(DAY_MS);
    const again = await someoneAgain(world, "reader");
    expect((await tokensOf(world, again)).filter(({ expired }) => expired)).toHaveLength(1);
    await world.run("auth/token_create", create(1), again);
    const kept = await tokensOf(world, again);
    expect([kept.length, kept.filter(({ expired }) => expired).length]).toEqual([LIMITS.apiTokens, 0]);
    // The removal of all these tokens fits one transaction with the change of their actor.
    const admin = await someoneAgain(world, "admin");
    await world.run("auth/user_disable", { username: "reader" }, admin);
    expect(await tokensOf(world, admin, { all: true })).toEqual([]);
  });
});

/** A fresh access token of a person of the world, whose first one has expired. */
async function someoneAgain(world: World, username: string): Promise<string> {
  const terms = { keys: world.keys, issuer: ISSUER, audience: "metaction", runtime: world.service.runtime };
  return (await mintToken({ username, fullname: username, tokenEpoch: 1 }, terms)).access_token;
}

describe("token_list", () => {
  test("shows the caller's own, oldest first, without a secret", async () => {
    const owner = await person(world, "reader");
    const made = [];
    for (const name of ["b", "a"]) made.push((await world.okAs(owner.token, "auth/token_create", { name })).body);
    const { body } = await world.okAs(owner.token, "auth/token_list");
    const own = { actorId: owner.id, createdAt: expect.any(String), expired: false };
    expect(body.items).toEqual(
      made.map(({ id, key: name, permissions, expiresAt }) => ({ ...own, id, name, permissions, expiresAt })),
    );
  });

  test("shows the tokens of others to administrators only", async () => {
    const [owner, other] = [await person(world, "reader"), await person(world, "manager")];
    const { id } = (await world.okAs(owner.token, "auth/token_create", { name: "Mine" })).body;
    expect((await tokensOf(world, world.people.admin, { actorId: owner.id })).map((one) => one.id)).toEqual([id]);
    expect((await tokensOf(world, owner.token, { actorId: owner.id })).map((one) => one.id)).toEqual([id]);
    expect(await tokensOf(world, other.token)).toEqual([]);
    for (const actorId of [owner.id, NO_ID]) {
      const problem = await world.problem("auth/token_list", { actorId }, other.token);
      expect([problem.code, problem.message]).toEqual(["not_found", `no actor id:${actorId}`]);
    }
    expect((await world.problem("auth/token_list", { all: true }, other.token)).code).toBe("not_allowed");
    expect((await world.problem("auth/token_list", { actorId: NO_ID })).code).toBe("not_found");
    expectFaults(await world.problem("auth/token_list", { all: true, actorId: owner.id }), "/all");
  });
});

describe("token_revoke", () => {
  test("ends a token at once", async () => {
    const owner = await person(world, "reader");
    const { id, token } = (await world.okAs(owner.token, "auth/token_create", { name: "Short" })).body;
    await world.okAs(token, "auth/whoami");
    await world.okAs(owner.token, "auth/token_revoke", { tokenId: id });
    expect(await refusal(world, token)).toEqual(await refusal(world, formatApiToken(someParts())));
    expect((await world.problem("auth/token_revoke", { tokenId: id }, owner.token)).code).toBe("not_found");
  });

  test("finds the tokens of others for administrators only", async () => {
    const [owner, other] = [await person(world, "reader"), await person(world, "manager")];
    const { id, token } = (await world.okAs(owner.token, "auth/token_create", { name: "Mine" })).body;
    const [there, nowhere] = [id, NO_ID].map((tokenId) => world.problem("auth/token_revoke", { tokenId }, other.token));
    expect([(await there)?.code, (await there)?.message]).toEqual(["not_found", `no API token id:${id}`]);
    expect((await nowhere)?.message).toBe(`no API token id:${NO_ID}`);
    await world.ok("auth/token_revoke", { tokenId: id });
    expect((await world.problem("auth/whoami", {}, token)).code).toBe("not_signed_in");
  });

  test("permits a call with a token to revoke that token, and no other", async () => {
    const owner = await person(world, "admin");
    const [first, second] = [
      (await world.okAs(owner.token, "auth/token_create", { name: "1" })).body,
      (await world.okAs(owner.token, "auth/token_create", { name: "2" })).body,
    ];
    expect((await world.problem("auth/token_revoke", { tokenId: second.id }, first.token)).code).toBe("not_allowed");
    await world.run("auth/token_revoke", { tokenId: first.id }, first.token);
    expect((await world.problem("auth/whoami", {}, first.token)).code).toBe("not_signed_in");
    await world.okAs(second.token, "auth/whoami");
  });
});

test("an API token is valid until the moment it expires", async () => {
  const runtime = runtimeAt("2027-01-01T00:00:00Z");
  const world = await createWorld({ runtime });
  const { token } = await world.run("auth/token_create", { name: "Day", expiresInDays: 1 }, world.people.reader);
  runtime.advance(DAY_MS - 1);
  await world.run("auth/whoami", {}, token);
  runtime.advance(1);
  expect(await refusal(world, token)).toEqual(await refusal(world, formatApiToken(someParts())));
});

const ACTOR_KEY = Buffer.alloc(32, 1).toString("base64url");
const someParts = () => ({ id: NO_ID, actor: NO_ID, actorKey: ACTOR_KEY, secret: Buffer.alloc(32, 2) });

async function refusal(world: World, token: string): Promise<readonly string[]> {
  const { code, message } = await world.problem("auth/whoami", {}, token);
  return [code, message];
}

describe("the form of a token", () => {
  test("is refused with one character changed anywhere, and with another secret, with the same message", async () => {
    const owner = await person(world, "reader");
    const { token } = (await world.okAs(owner.token, "auth/token_create", { name: "T" })).body;
    const parts = parseApiToken(token);
    expect(parseApiToken(token.replace("metaction", "another01"))).toBeUndefined();
    if (!parts) throw new Error("no API token was answered");
    const hostile = [
      ...["metaction_", `${token}A`, token.slice(0, -1), token.toUpperCase(), `${token}=`],
      `metaction_${"A".repeat(1_000)}`,
      ...[{ secret: Buffer.alloc(32) }, { actor: NO_ID }, { actorKey: ACTOR_KEY }, { id: NO_ID }].map((change) =>
        formatApiToken({ ...parts, ...change }),
      ),
    ];
    const said = await refusal(world, formatApiToken(someParts()));
    expect(said[0]).toBe("not_signed_in");
    for (const one of hostile) expect(await refusal(world, one), one).toEqual(said);
    for (let i = "metaction_".length; i < token.length; i++) {
      const other = token[i] === "A" ? "B" : "A";
      expect(parseApiToken(token.slice(0, i) + other + token.slice(i + 1)), `character ${i}`).toBeUndefined();
    }
  });

  test("is refused with the id of one actor and the secret of another", async () => {
    const [one, two] = [await person(world, "reader"), await person(world, "admin")];
    const make = async ({ token }: Someone) =>
      parseApiToken((await world.okAs(token, "auth/token_create", { name: "T" })).body.token) ?? someParts();
    const [mine, theirs] = [await make(one), await make(two)];
    const crossed = [
      formatApiToken({ ...mine, actorKey: theirs.actorKey }),
      formatApiToken({ ...mine, actor: theirs.actor, actorKey: theirs.actorKey }),
      formatApiToken({ ...theirs, secret: mine.secret }),
      formatApiToken({ ...theirs, id: mine.id }),
    ];
    for (const token of crossed) expect((await refusal(world, token))[0]).toBe("not_signed_in");
  });
});

test("no secret is stored or appears in an error", async () => {
  const opened = await openTable();
  const world = await createWorld({ table: opened.table });
  const { token, id } = await world.run("auth/token_create", { name: "Canary" });
  const secret = Buffer.from(parseApiToken(token)?.secret ?? []);
  expect(secret).toHaveLength(32);
  const told: string[] = [JSON.stringify(await world.run("auth/token_list"))];
  told.push((await world.problem("auth/token_create", { name: "Child" }, token)).message);
  told.push(JSON.stringify(await world.run("auth/audit_list")));
  const withOther = (await world.problem("auth/whoami", {}, `${token}x`)).message;
  await world.run("auth/token_revoke", { tokenId: id });
  told.push(withOther, (await world.problem("auth/whoami", {}, token)).message);
  const lines = [...(await imagesOf(opened).take()).keys()];
  expect(lines.some((line) => line.includes("Canary"))).toBe(true);
  const forms = [token.slice(-40), secret.toString("base64url"), secret.toString("base64"), secret.toString("hex")];
  for (const form of forms) for (const text of [...told, ...lines]) expect(text.includes(form)).toBe(false);
  for (const text of told) expect(text.includes(hashSecret(secret))).toBe(false);
});

describe("a call with an API token", () => {
  test("creates no other token and changes no password", async () => {
    const owner = await person(world, "admin");
    const { token } = (await world.okAs(owner.token, "auth/token_create", { name: "T" })).body;
    const password = "Another harbor 2 lantern";
    for (const [action, payload] of [
      ["token_create", { name: "Child" }],
      ["change_my_password", { oldPassword: "violet harbor 1 lantern", newPassword: password }],
      // The new password is the token owner's own, so that the token would become a session.
      ["user_change_password", { username: owner.username, password }],
      ["user_create", { username: "another", fullname: "Another", password, admin: true }],
    ] as const) {
      const problem = await world.writesNothing(() => world.problem(`auth/${action}`, payload, token));
      expectProblem(problem, "not_allowed", "API token");
    }
  });

  test("gets its own permissions from whoami, which are fewer than those of its actor", async () => {
    const owner = await person(world, "admin");
    const { token } = (await world.okAs(owner.token, "auth/token_create", { name: "T" })).body;
    const actions = ["auth/user_list", "auth/user_create", "auth/change_my_password", "auth/token_revoke"];
    const asked = async (caller: string) =>
      (await world.okAs(caller, "auth/can", { actions })).body.items.map((row: Body) => row.allowed);
    expect(await asked(owner.token)).toEqual([true, true, true, true]);
    expect(await asked(token)).toEqual([true, false, false, true]);
  });

  test("loses the permissions that its actor loses, and stays refused after its actor was disabled", async () => {
    const owner = await person(world, "manager");
    const { token } = (await world.okAs(owner.token, "auth/token_create", { name: "T" })).body;
    await world.ok("auth/actor_delete_role", { actorId: owner.id, roleRef: "key:manager" });
    expect((await world.okAs(token, "auth/whoami")).body.permissions).toEqual([]);
    await world.ok("auth/actor_disable", { actorId: owner.id });
    expect((await world.problem("auth/whoami", {}, token)).code).toBe("not_signed_in");
    await world.ok("auth/actor_enable", { actorId: owner.id });
    expect((await world.problem("auth/whoami", {}, token)).code).toBe("not_signed_in");
  });

  test("is refused after its user is deleted, and still permitted after a change of the password", async () => {
    const owner = await person(world, "reader");
    const { token } = (await world.okAs(owner.token, "auth/token_create", { name: "T" })).body;
    await world.ok("auth/user_change_password", { username: owner.username, password: "Another harbor 2 lantern" });
    await world.okAs(token, "auth/whoami");
    await world.ok("auth/user_delete", { username: owner.username });
    expect((await world.problem("auth/whoami", {}, token)).code).toBe("not_signed_in");
    const { items } = await world.run("auth/token_list", { all: true });
    expect(items).not.toContainEqual(expect.objectContaining({ actorId: owner.id }));
  });
});

test("a call with an API token reads the store once for its caller, like a call with an access token", async () => {
  const reads: string[] = [];
  const table = await freshTable((operation, units) => {
    if (/get|query/i.test(operation)) reads.push(`${operation} ${units}`);
  });
  const world = await createWorld({ table });
  const { token } = await world.run("auth/token_create", { name: "T" }, world.people.reader);
  reads.length = 0;
  await world.run("auth/whoami", {}, world.people.reader);
  expect(reads).toEqual(["batchGet 2"]);
  await world.run("auth/whoami", {}, token);
  expect(reads).toEqual(["batchGet 2", "batchGet 3"]);
});
