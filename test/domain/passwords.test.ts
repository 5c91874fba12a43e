import { expect, test } from "vitest";
import { findPasswordFaults } from "../../shared/domain/accounts/passwords.ts";

const SHORT = "must have at least 14 characters";
const LONG = "must be at most 512 bytes long in UTF-8";
const BLANK = "must not be white space only";
const SAME = "must not be the username";
const COMMON = "must not be a common password";

test.each<[string, readonly string[], string?]>([
  ["Abcdefghijklm1", []],
  ["Abcdefghijkl1", [SHORT]],
  ["abcdefghijklm-1", []],
  ["ABCDEFGHIJKLM-1", []],
  ["Abcdefghijklm-", []],
  ["Abcdefghijklmn", []],
  ["abcdefghijklm1", []],
  ["12345678901234", [COMMON]],
  ["83910475629384", []],
  ["correct horse battery staple", []],
  ["Correct horse battery staple", []],
  ["", [SHORT, BLANK, COMMON]],
  [" ".repeat(14), [BLANK, COMMON]],
  ["\u00a0\t".repeat(7), [BLANK, COMMON]],
  ["Jean-Luc.Picard1", [SAME], "jean-luc.picard1"],
  ["Jean-Luc.Picard12", [], "jean-luc.picard1"],
  // Two common words or a run of keys, with digits and signs; three words are enough.
  ["P@ssw0rd-Winter-2026", [COMMON]],
  ["Summer-Winter-Spring-1", []],
  ["1Q2w3e4r-2026-!", [COMMON]],
  ["1Q2w3e4-password-x", []],
  // Four different characters are enough, and three are not.
  ["Ωmega-слово-12", []],
  ["密码密码密码密码密码密码密码", [COMMON]],
  ["aaaaaaaaaaabcA", [COMMON]],
  ["aaaaaaaaaaabcd", []],
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
])("the password policy of %j", (password, sentences, username = "somebody") =>
  expect(findPasswordFaults(password, username)).toEqual(sentences));
