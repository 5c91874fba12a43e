import { describe, expect, test } from "vitest";
import { ACTIONS } from "../support/actions.ts";
import { type Sent, wholeService } from "./support/whole-service.ts";

const SECRET = "canary-bootstrap-Secret-1-of-all";
const PASSWORDS = ["Canary one sings 11", "Canary two sings 22", "Canary three sings 33", "canary weak"];

/** A password typed as the name, which is one that a user could have. */
const AS_NAME = "canary-sings-55";

describe("secrets that callers send", () => {
  test("appear in no log line, no answer and no item of the table", async () => {
    const { send, lines, take } = await wholeService(SECRET);
    const [first = "", second = "", third = "", weak = ""] = PASSWORDS;
    const answers: string[] = [];
    const tokens: string[] = [];
    const call = async (sent: Sent): Promise<number> => {
      const { status, text } = await send(sent);
      const token = /"access_token":"([^"]+)"/.exec(text)?.[1];
      if (token) tokens.push(token);
      else answers.push(text);
      return status;
    };
    const ada = { username: "ada", fullname: "Ada" };
    const bob = { username: "bob", fullname: "Bob", admin: false };
    expect(await call({ action: "auth/admin_bootstrap", body: { ...ada, password: weak, secret: SECRET } })).toBe(400);
    expect(await call({ action: "auth/admin_bootstrap", body: { ...ada, password: first, secret: third } })).toBe(401);
    expect(await call({ action: "auth/admin_bootstrap", body: { ...ada, password: first, secret: SECRET } })).toBe(200);
    const [token] = tokens;
    const headers = { "idempotency-key": "canary" };
    expect(await call({ action: "auth/user_create", body: { ...bob, password: first }, token, headers })).toBe(200);
    expect(await call({ action: "auth/user_create", body: { ...bob, password: second }, token })).toBe(409);
    const dry = { "dry-run": "true" };
    expect(await call({ action: "auth/user_create", body: { ...bob, password: weak }, token, headers: dry })).toBe(400);
    const change = { username: "bob", password: second };
    expect(await call({ action: "auth/user_change_password", body: change, token, headers })).toBe(200);
    expect(await call({ action: "auth/login", body: { username: "bob", password: first } })).toBe(401);
    expect(await call({ action: "auth/login", body: { username: third, password: second } })).toBe(400);
    expect(await call({ action: "auth/login", body: { username: AS_NAME, password: second } })).toBe(401);
    expect(await call({ action: "auth/login", body: { username: "bob", password: second } })).toBe(200);
    const mine = { oldPassword: second, newPassword: third };
    const own = tokens.at(-1);
    const wrong = { ...mine, oldPassword: first };
    expect(await call({ action: "auth/change_my_password", body: wrong, token: own })).toBe(403);
    expect(await call({ action: "auth/change_my_password", body: mine, token: own, headers })).toBe(200);
    expect(await call({ action: "auth/login", body: { username: "bob", password: third } })).toBe(200);
    // Every other action, with a secret where it does not belong, and with a parameter that is none.
    for (const { group, name } of ACTIONS) {
      const action = `${group}/${name}`;
      await call({
        action,
        body: { modelRef: first, password: second, username: third, secret: SECRET, key: weak },
        token,
      });
    }
    const stored = [...(await take()).keys()].join("\n");
    expect(lines.length).toBeGreaterThan(ACTIONS.length);
    expect(stored).toContain("$argon2id$");
    const held = stored.split("\n").filter((line) => line.includes("$argon2id$"));
    expect(held.every((line) => line.includes("password#"))).toBe(true);
    const audit = stored
      .split("\n")
      .filter((line) => line.includes('"audit#'))
      .join("\n");
    for (const act of ["auth/admin_bootstrap", "auth/user_create", "auth/user_change_password", "auth/login"]) {
      expect(audit, "audit entries").toContain(act);
    }
    for (const secret of [...PASSWORDS, AS_NAME, SECRET, ...tokens]) {
      expect(lines.join("\n"), "log lines").not.toContain(secret);
      expect(stored, "stored items").not.toContain(secret);
    }
    // A ref or a key is named in the answer that refuses it, so these were sent in the place of secrets only.
    const refusals = answers.slice(0, 9).join("\n");
    for (const secret of [...PASSWORDS, AS_NAME, SECRET, ...tokens]) expect(refusals, "answers").not.toContain(secret);
  });
});
