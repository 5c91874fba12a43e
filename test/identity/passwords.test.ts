import { readdirSync, readFileSync } from "node:fs";
import { dictionary } from "@zxcvbn-ts/language-common";
import { describe, expect, test } from "vitest";
import { hashNewPassword, PUBLISHED_PASSWORDS } from "../../shared/identity/new-password.ts";
import { createPasswords } from "../../shared/identity/passwords.ts";

const passwords = createPasswords();

describe("password hashes", () => {
  test("are argon2id in PHC format with a random salt, and match their password only", async () => {
    const [first, second] = await Promise.all([
      passwords.hash("Analytical Engine"),
      passwords.hash("Analytical Engine"),
    ]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(second).not.toBe(first);
    expect(await passwords.matches("Analytical Engine", first)).toBe(true);
    expect(await passwords.matches("Analytical Engine", second)).toBe(true);
    for (const wrong of ["analytical Engine", "Analytical Engine ", "Analytical Engin", ""])
      expect(await passwords.matches(wrong, first)).toBe(false);
  });

  // Test vectors of the reference implementation (P-H-C/phc-winner-argon2, src/test.c).
  test.each([
    ["password", "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"],
    ["password", "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"],
    ["password", "$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc"],
    ["differentpassword", "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$C4TWUs9rDEvq7w3+J4umqA32aWKB1+DSiRuBfYxFj94"],
  ])("of other programs and other costs are accepted: %s %s", async (password, phc) => {
    expect(await passwords.matches(password, phc)).toBe(true);
    expect(await passwords.matches(`${password}!`, phc)).toBe(false);
  });

  test("of nobody match no password, not even one with the tag of the dummy", async () => {
    const derived: number[] = [];
    const blank = createPasswords(async (_message, _salt, cost, tagLength) => {
      derived.push(cost.memory);
      return Buffer.alloc(tagLength);
    });
    expect(await blank.matches("Analytical Engine", undefined)).toBe(false);
    expect(await blank.matches("Analytical Engine", await blank.hash("Analytical Engine"))).toBe(true);
    expect(derived).toEqual([19_456, 19_456, 19_456]);
  });

  test("that are damaged are an error that does not show them", async () => {
    const good = await passwords.hash("Analytical Engine");
    const damaged = [
      ...["", "x", good.slice(1), `${good}$`],
      ...[good.replace("argon2id", "argon2i"), good.replace("v=19", "v=16"), good.replace("t=2,", "")],
    ];
    for (const phc of damaged) {
      const error: unknown = await passwords.matches("Analytical Engine", phc).catch((e: unknown) => e);
      expect(error).toEqual(new Error("A stored password hash is not argon2id in PHC format"));
    }
  });
});

describe("published passwords", () => {
  test("contain the entries of the named list that are long enough for a password", () => {
    const leaked = dictionary["passwords-common"]?.map(String).filter((entry) => entry.length >= 14) ?? [];
    expect(leaked.length).toBeGreaterThan(50);
    expect(PUBLISHED_PASSWORDS.filter((entry) => leaked.includes(entry))).toEqual(leaked);
  });

  test.each([
    ...PUBLISHED_PASSWORDS,
    "Correct-Horse-7-Battery",
    "COMPILER AND MOTH, 1947",
    "Polniypizdec0211!",
  ])("are refused for a new password: %s", async (password) => {
    await expect(hashNewPassword(password, "ada", "/password", { passwords })).rejects.toMatchObject({
      members: { errors: [{ pointer: "/password", detail: "must not be a common password" }] },
    });
  });

  test.each([
    "correct horse battery staple lamp river",
    "Correct-Horse-7-Batteries",
  ])("do not refuse a longer password: %s", async (password) => {
    const phc = await hashNewPassword(password, "ada", "/password", { passwords });
    expect(await passwords.matches(password, phc)).toBe(true);
  });

  test("are on no page, in no example and in no banner: they use variables and placeholders", () => {
    const folders = ["docs", "examples", "packaging", "shared/actions", "local", "infra"];
    const files = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
    );
    const texts = [
      "README.md",
      "SECURITY.md",
      "action.yml",
      ...files.filter((name) => /\.(md|yml|yaml|sh|ts)$/.test(name)),
    ];
    const printed = texts.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/password"?\s*[:=]\s*"([^"\n]*)"/gi)].map(([, value = ""]) => value),
    );
    expect(printed.length).toBeGreaterThan(10);
    expect(printed.filter((value) => !/^(['$…@<-]|$)|[a-z] .*\.$/.test(value))).toEqual([]);
  });
});
