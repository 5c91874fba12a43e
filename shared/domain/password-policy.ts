import { isCommon } from "./leaked-passwords.ts";
import { LIMITS } from "./limits.ts";

const CLASSES = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{Ll}\p{Lu}\p{Nd}]/u];
const CLASSES_NEEDED = 3;

/**
 * Everything that speaks against a new password, one sentence each that does not repeat it; empty when it is good. Characters
 * are code points of the password in NFC. Without a username nothing is compared with it.
 */
export function passwordFaults(password: string, username?: string): readonly string[] {
  const text = password.normalize("NFC");
  const classes = CLASSES.filter((c) => c.test(text)).length;
  const rules: readonly (readonly [broken: boolean, sentence: string])[] = [
    [[...text].length < LIMITS.passwordCharacters, `must have at least ${LIMITS.passwordCharacters} characters`],
    [Buffer.byteLength(text) > LIMITS.passwordBytes, `must be at most ${LIMITS.passwordBytes} bytes long in UTF-8`],
    [text.trim() === "", "must not be white space only"],
    [text.toLowerCase() === username?.normalize("NFC").toLowerCase(), "must not be the username"],
    [isCommon(text), "must not be one of the passwords that are tried first everywhere"],
    [
      classes < CLASSES_NEEDED,
      `must have at least ${CLASSES_NEEDED} of these: lower-case letters, upper-case letters, digits, other characters`,
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, sentence]) => sentence);
}
