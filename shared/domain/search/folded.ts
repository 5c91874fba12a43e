/**
 * A text as search compares it: without accents and other marks, and in one case, as Unicode folds it (`ß` is `ss`, and a
 * final sigma is a sigma).
 */
export function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replaceAll(SEPARATOR, "");
  const bare = text.normalize("NFD").replace(UNSEEN, "");
  // Some letters meet in upper case only, and `ẞ` in lower case.
  return bare.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** Stands between texts that are searched together. No folded text holds it, so that none runs into the next. */
export const SEPARATOR = "\u0000";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII as well
const ASCII = /^[\x00-\x7f]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separator
const UNSEEN = /[\p{M}\u0000]/gu;
