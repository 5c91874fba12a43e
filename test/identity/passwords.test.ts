import { describe, expect, test } from "vitest";
import { findPasswordFaults } from "../../shared/domain/accounts/passwords.ts";
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
    for (const wrong of ["analytical Engine", "Analytical Engine ", "Analytical Engin", ""]) {
      expect(await passwords.matches(wrong, first)).toBe(false);
    }
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

const SHORT = "must have at least 14 characters";
const LONG = "must be at most 512 bytes long in UTF-8";
const BLANK = "must not be white space only";
const SAME = "must not be the username";
const COMMON = "must not be a common password";
const PLAIN = "must have at least 3 of these: lower-case letters, upper-case letters, digits, other characters";

test.each<[string, readonly string[], string?]>([
  ["Abcdefghijklm1", []],
  ["Abcdefghijkl1", [SHORT]],
  ["abcdefghijklm-1", []],
  ["ABCDEFGHIJKLM-1", []],
  ["Abcdefghijklm-", []],
  ["Abcdefghijklmn", [PLAIN]],
  ["abcdefghijklm1", [PLAIN]],
  ["12345678901234", [PLAIN]],
  ["correct horse battery staple", [PLAIN]],
  ["Correct horse battery staple", []],
  ["", [SHORT, BLANK, PLAIN]],
  [" ".repeat(14), [BLANK, PLAIN]],
  ["\u00a0\t".repeat(7), [BLANK, PLAIN]],
  ["Jean-Luc.Picard1", [SAME], "jean-luc.picard1"],
  ["Jean-Luc.Picard12", [], "jean-luc.picard1"],
  // Two common words or a run of keys, with digits and signs; three words are enough.
  ["P@ssw0rd-Winter-2026", [COMMON]],
  ["Summer-Winter-Spring-1", []],
  ["1Q2w3e4r-2026-!", [COMMON]],
  ["1Q2w3e4-password-x", []],
  // Letters without case count as other characters, capitals of any script as upper case.
  ["Ωmega-слово-12", []],
  ["密码密码密码密码密码密码密码", [PLAIN]],
  // Fourteen code points, though more UTF-16 units; thirteen are too few, however many units they take.
  [`Ab1${"😀".repeat(11)}`, []],
  [`Ab1${"😀".repeat(10)}`, [SHORT]],
  // 512 and 513 bytes.
  [`Ab1${"x".repeat(509)}`, []],
  [`Ab1${"x".repeat(510)}`, [LONG]],
  [`Ab1${"é".repeat(254)}x`, []],
  [`Ab1${"é".repeat(255)}`, [LONG]],
  // Composed first: thirteen characters, not fourteen.
  [`Ab1e\u0301${"x".repeat(9)}`, [SHORT]],
])("the password policy of %j", (password, sentences, username = "somebody") => {
  expect(findPasswordFaults(password, username)).toEqual(sentences);
});
