import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { defineValueType, textSchema } from "../values/value-type.ts";

/*
 * The words high in every published list of leaked passwords, curated: the lists hold few texts as long as a password
 * has to be here, so these are the words and keyboard runs that long ones are put together from.
 */
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

/** Runs of the keyboard and of counting with digits between the letters. */
const KEYBOARD_RUNS = [
  "1q2w3e4r5t6y7u8i9o0p",
  "1qaz2wsx3edc4rfv5tgb6yhn",
  "q1w2e3r4t5y6u7i8o9p0",
  "a1b2c3d4e5f6g7h8i9j0",
];

const COMMON_WORDS = new Set(WORDS.trim().split(/\s+/));
/** So many words of the list still make a password that is tried first. */
const MAX_WORDS = 2;

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

/**
 * True for a password that comes down to one or two words of the list or a run of keys, with whatever digits and signs
 * around.
 */
function isCommonPassword(password: string): boolean {
  const text = password.normalize("NFC").toLowerCase();
  const keys = text.replace(/[^a-z0-9]/g, "");
  const core = text.replace(/^[^a-z]+|[^a-z]+$/g, "");
  const spellings = [text, core, [...core].map((c) => LEET[c] ?? c).join("")].map((s) => s.replace(/[^\p{L}]/gu, ""));
  return (
    KEYBOARD_RUNS.some((run) => run.length > 0 && followsRun(keys, run)) ||
    spellings.some((letters) => consistsOfWords(letters, MAX_WORDS))
  );
}

/** Keys of a run from its beginning on, as long as the run lasts, and then digits at most. */
function followsRun(keys: string, run: string): boolean {
  let shared = 0;
  while (shared < run.length && keys[shared] === run[shared]) shared += 1;
  return shared >= 8 && /^\d*$/.test(keys.slice(shared));
}

/** True for at most so many different words of the list, one after the other. */
function consistsOfWords(letters: string, words: number, used: ReadonlySet<string> = new Set()): boolean {
  if (letters === "") return used.size > 0;
  for (let end = 1; end <= letters.length; end++) {
    const word = letters.slice(0, end);
    if (!COMMON_WORDS.has(word)) continue;
    const now = new Set([...used, word]);
    if (now.size <= words && consistsOfWords(letters.slice(end), words, now)) return true;
  }
  return false;
}

const CLASSES = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{Ll}\p{Lu}\p{Nd}]/u];
const CLASSES_NEEDED = 3;

/**
 * Everything that speaks against a new password, one sentence each that does not repeat it; empty when it is good. Characters
 * are code points of the password in NFC. Without a username nothing is compared with it.
 */
export function findPasswordFaults(password: string, username?: string): readonly string[] {
  const text = password.normalize("NFC");
  const classes = CLASSES.filter((c) => c.test(text)).length;
  const rules: readonly (readonly [broken: boolean, sentence: string])[] = [
    [[...text].length < LIMITS.passwordCharacters, `must have at least ${LIMITS.passwordCharacters} characters`],
    [Buffer.byteLength(text) > LIMITS.passwordBytes, `must be at most ${LIMITS.passwordBytes} bytes long in UTF-8`],
    [text.trim() === "", "must not be white space only"],
    [text.toLowerCase() === username?.normalize("NFC").toLowerCase(), "must not be the username"],
    [isCommonPassword(text), "must not be one of the passwords that are tried first everywhere"],
    [
      classes < CLASSES_NEEDED,
      `must have at least ${CLASSES_NEEDED} of these: lower-case letters, upper-case letters, digits, other characters`,
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, sentence]) => sentence);
}

/** A password that is to be given to somebody. Whether it is the username is judged where both are known. */
export const newPassword = defineValueType({
  id: "NewPassword",
  json: "string",
  description: `A new password in clear text, of ${LIMITS.passwordCharacters} characters to ${LIMITS.passwordBytes} bytes and three of these: lower-case letters, upper-case letters, digits, others, and none of those that are tried first everywhere; never stored, logged or repeated.`,
  secret: true,
  schema: () =>
    textSchema().check(
      z.check<string>((sent) => {
        for (const message of findPasswordFaults(sent.value)) {
          sent.issues.push({ code: "custom", input: sent.value, message });
        }
      }),
    ),
});
