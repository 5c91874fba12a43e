import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { createTextSchema, defineValueType } from "../values/value-type.ts";

/** Words and keyboard runs from published lists of leaked passwords, which people combine into longer passwords. */
const WORDS = `
password passwort passwd pass motdepasse contrasena parola senha wachtwoord heslo secret geheim admin administrator
administrateur root master superuser user guest test tester testing demo default changeme changeit letmein letmeinnow
welcome willkommen bienvenue hello hallo bonjour login logon access system server database oracle mysql postgres
qwerty qwertz azerty qwertyuiop qwertzuiop azertyuiop asdf asdfgh asdfghjkl zxcvbn zxcvbnm yxcvbnm qazwsx qazwsxedc
wsxedc qweasd qweasdzxc abc abcd abcdef abcdefg abcdefgh abcdefghijklmnop aaaa
iloveyou ilove loveyou lovely love liebe amour forever princess prince angel sunshine shadow sunflower flower butterfly
monkey dragon tiger lion eagle falcon phoenix wolf bear panda kitty puppy
football baseball basketball soccer hockey tennis golf liverpool chelsea arsenal barcelona realmadrid juventus bayern
superman batman spiderman starwars pokemon naruto minecraft fortnite matrix trustno trustnoone ninja samurai pirate
michael jennifer jessica charlie daniel thomas robert william andrew joshua ashley nicole anthony matthew jordan george
summer winter spring autumn january february march april june july august september october november december
monday tuesday wednesday thursday friday saturday sunday sommer herbst fruehling
company firma internet computer google facebook linkedin microsoft windows apple samsung android iphone amazon adobe
freedom whatever computer cookie chocolate cheese banana orange coffee pepper ginger hunter killer ranger buster soldier
secure security private money bitcoin london berlin paris newyork america deutschland france england
metaction metadata
`;

const KEYBOARD_RUNS = [
  "1234567890",
  "1q2w3e4r5t6y7u8i9o0p",
  "1qaz2wsx3edc4rfv5tgb6yhn",
  "q1w2e3r4t5y6u7i8o9p0",
  "a1b2c3d4e5f6g7h8i9j0",
];

const COMMON_WORDS = new Set(WORDS.trim().split(/\s+/));
const MAX_WORDS = 2;
const MIN_DIFFERENT_CHARACTERS = 4;

const LEET: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/** Tests for one or two listed words or a keyboard run, apart from digits and signs, and for few different characters. */
function isCommonPassword(password: string) {
  const text = password.normalize("NFC").toLowerCase();
  const keys = text.replace(/[^a-z0-9]/g, "");
  const core = text.replace(/^[^a-z]+|[^a-z]+$/g, "");
  const spellings = [text, core, [...core].map((c) => LEET[c] ?? c).join("")].map((s) => s.replace(/[^\p{L}]/gu, ""));
  return (
    new Set(text).size < MIN_DIFFERENT_CHARACTERS ||
    KEYBOARD_RUNS.some((run) => run.length > 0 && followsRun(keys, run)) ||
    spellings.some((letters) => consistsOfWords(letters, MAX_WORDS))
  );
}

/** Tests whether the keys start with at least 8 keys of the run, followed by digits only. */
function followsRun(keys: string, run: string) {
  let count = 0;
  while (count < run.length && keys[count] === run[count]) count += 1;
  return count >= 8 && /^\d*$/.test(keys.slice(count));
}

function consistsOfWords(letters: string, words: number, parts: ReadonlySet<string> = new Set()) {
  if (letters === "") return parts.size > 0;
  for (let end = 1; end <= letters.length; end++) {
    const word = letters.slice(0, end);
    if (!COMMON_WORDS.has(word)) continue;
    const now = new Set([...parts, word]);
    if (now.size <= words && consistsOfWords(letters.slice(end), words, now)) return true;
  }
  return false;
}

/** Sentence for common and published passwords. */
export const COMMON_PASSWORD = "must not be a common password";

/**
 * Returns a sentence for each rule that a password breaks. Characters are code points in NFC. As NIST SP 800-63B-4
 * requires, classes of characters are not asked for.
 */
export function findPasswordFaults(password: string, username?: string): readonly string[] {
  const text = password.normalize("NFC");
  const rules: readonly (readonly [broken: boolean, sentence: string])[] = [
    [[...text].length < LIMITS.passwordCharacters, `must have at least ${LIMITS.passwordCharacters} characters`],
    [Buffer.byteLength(text) > LIMITS.passwordBytes, `must be at most ${LIMITS.passwordBytes} bytes long in UTF-8`],
    [text.trim() === "", "must not be white space only"],
    [text.toLowerCase() === username?.normalize("NFC").toLowerCase(), "must not be the username"],
    [isCommonPassword(text), COMMON_PASSWORD],
  ];
  return rules.filter(([broken]) => broken).map(([, sentence]) => sentence);
}

/** New password of a user. The comparison with the username happens where both are known. */
export const newPassword = defineValueType({
  id: "NewPassword",
  json: "string",
  description:
    `A new password in clear text, of ${LIMITS.passwordCharacters} characters to ${LIMITS.passwordBytes} bytes; any characters, such as a sentence. ` +
    `Common and published passwords are refused. ` +
    `Never stored, logged or repeated.`,
  secret: true,
  schema: () =>
    createTextSchema().check(
      z.check<string>((ctx) => {
        for (const message of findPasswordFaults(ctx.value)) {
          ctx.issues.push({ code: "custom", input: ctx.value, message });
        }
      }),
    ),
});
