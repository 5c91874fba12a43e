import { LIMITS } from "../../domain/limits.ts";
import { isFreeKey, isTagKey } from "../../domain/refs.ts";
import { clip } from "./diagnostics.ts";

const UNNAMED_KEY = "unnamed";

/** Letters that Unicode does not decompose into an ASCII letter and marks. */
const LETTERS = new Map(
  "ß:ss ẞ:SS æ:ae Æ:AE œ:oe Œ:OE ø:o Ø:O đ:d Đ:D ð:d Ð:D ł:l Ł:L þ:th Þ:Th ı:i"
    .split(" ")
    .map((pair) => [pair.charAt(0), pair.slice(2)]),
);

/** Characters that keys of a kind may have. */
export interface KeyRule {
  readonly isLegal: (key: string) => boolean;
  readonly forbidden: RegExp;
}

const FREE_KEYS: KeyRule = { isLegal: isFreeKey, forbidden: /[^ !#-&(-[\]-_a-~]+/g };

export const TAG_KEYS: KeyRule = { isLegal: isTagKey, forbidden: /[^A-Za-z0-9_-]+/g };

/** Makes a legal key: accents become ASCII, illegal characters `_`. Returns `unnamed` if nothing is left. */
export function toLegalKey(name: string, { isLegal, forbidden }: KeyRule = FREE_KEYS): string {
  if (isLegal(name)) return name;
  const asciiName = name
    .replace(/[^\p{ASCII}]/gu, (c) => LETTERS.get(c) ?? c)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(forbidden, "_")
    .trim();
  return /[0-9A-Za-z]/.test(asciiName) ? clip(asciiName, LIMITS.keyCharacters).trimEnd() : UNNAMED_KEY;
}

/** Makes distinct legal keys in the same order. Legal names have priority; other duplicates get `_2`, `_3` and so on. */
export function toLegalKeys(names: readonly string[], rule: KeyRule = FREE_KEYS): readonly string[] {
  const keys = new Map<number, string>();
  const usedKeys = new Set<string>();
  for (const [i, name] of names.entries()) {
    if (!rule.isLegal(name) || usedKeys.has(name)) continue;
    usedKeys.add(name);
    keys.set(i, name);
  }
  const nextNumbers = new Map<string, number>();
  return names.map((name, i) => {
    const legalKey = keys.get(i);
    if (legalKey !== undefined) return legalKey;
    const base = toLegalKey(name, rule);
    let key = base;
    for (let n = nextNumbers.get(base) ?? 2; usedKeys.has(key); n++) {
      key = `${clip(base, LIMITS.keyCharacters - String(n).length - 1)}_${n}`;
      nextNumbers.set(base, n + 1);
    }
    usedKeys.add(key);
    return key;
  });
}

/** Explains why a key differs from its name. Returns undefined if it does not. */
export function describeKeyChange(name: string, key: string, rule: KeyRule = FREE_KEYS): string | undefined {
  if (name === key) return undefined;
  return `${rule.isLegal(name) ? "the key is in use" : "is not a valid key"}, so it became ${JSON.stringify(key)}`;
}

/** Returns true for a key that equals another one, optionally with a number at its end. */
export function isDerivedKey(key: string, base: string): boolean {
  return key === base || (key.startsWith(`${base}_`) && /^_\d+$/.test(key.slice(base.length)));
}
