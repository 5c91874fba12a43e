import { LIMITS } from "../../domain/limits.ts";
import { isFreeKey, isTagKey } from "../../domain/refs.ts";
import { clip } from "./diagnostics.ts";

/** The key of something whose name has no character that can be kept. */
const UNNAMED = "unnamed";

/** Letters that Unicode does not decompose into a letter of ASCII and marks. */
const LETTERS: { readonly [letter: string]: string } = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  ł: "l",
  Ł: "L",
  þ: "th",
  Þ: "Th",
  ı: "i",
};

/** The characters that a sort of keys may be made of. */
export interface KeyRule {
  readonly isLegal: (key: string) => boolean;
  readonly forbidden: RegExp;
}

/** Keys of everything but tags. */
const FREE_KEYS: KeyRule = { isLegal: isFreeKey, forbidden: /[^ !#-&(-[\]-_a-~]+/g };

/** Keys of tags. */
export const TAG_KEYS: KeyRule = { isLegal: isTagKey, forbidden: /[^A-Za-z0-9_-]+/g };

/**
 * A name as a legal key. A name that is one stays as it is. In any other, accents and ligatures are folded to ASCII, each
 * run of characters a key cannot hold becomes one `_`, and it is cut to 128 characters; `unnamed` when nothing is left.
 */
export function toLegalKey(name: string, { isLegal, forbidden }: KeyRule = FREE_KEYS): string {
  if (isLegal(name)) return name;
  const folded = name
    .replace(/[^\p{ASCII}]/gu, (c) => LETTERS[c] ?? c)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(forbidden, "_")
    .trim();
  return /[0-9A-Za-z]/.test(folded) ? clip(folded, LIMITS.keyCharacters).trimEnd() : UNNAMED;
}

/**
 * Legal keys for the names of one scope, in the same order and all different. The first to claim a key has it, names that
 * are legal themselves before names that had to be changed; the others get `_2`, `_3` and so on.
 */
export function toLegalKeys(names: readonly string[], rule: KeyRule = FREE_KEYS): readonly string[] {
  const keys = new Map<number, string>();
  const taken = new Set<string>();
  for (const [i, name] of names.entries()) {
    if (!rule.isLegal(name) || taken.has(name)) continue;
    taken.add(name);
    keys.set(i, name);
  }
  const next = new Map<string, number>();
  return names.map((name, i) => {
    const kept = keys.get(i);
    if (kept !== undefined) return kept;
    const base = toLegalKey(name, rule);
    let key = base;
    for (let n = next.get(base) ?? 2; taken.has(key); n++) {
      key = `${clip(base, LIMITS.keyCharacters - String(n).length - 1)}_${n}`;
      next.set(base, n + 1);
    }
    taken.add(key);
    return key;
  });
}

/** Why a key differs from the name it was made of; undefined when it does not. */
export function describeKeyChange(name: string, key: string, rule: KeyRule = FREE_KEYS): string | undefined {
  if (name === key) return undefined;
  return rule.isLegal(name)
    ? `the key is taken, so it became ${JSON.stringify(key)}`
    : `is no legal key, so the key became ${JSON.stringify(key)}`;
}

/** True for a key that is another one, or that one with a number. */
export function isDerivedKey(key: string, made: string): boolean {
  return key === made || (key.startsWith(`${made}_`) && /^_\d+$/.test(key.slice(made.length)));
}
