/**
 * A text as search compares it: without accents and other marks, and in one case, as Unicode folds it (`ß` is `ss`, and a
 * final sigma is a sigma).
 */
export function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replace(CONTROL, "");
  const bare = text.normalize("NFD").replace(UNSEEN, "");
  // Some letters meet in upper case only, and `ẞ` in lower case.
  return bare.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** Stands between texts that are searched together: ESC, which no legal and no folded text holds, so that none runs into the next. */
export const SEPARATOR = "\u001b";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII as well
const ASCII = /^[\x00-\x7f]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separator, and the end of texts in other programs
const CONTROL = /[\u0000\u001b]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const UNSEEN = /[\p{M}\u0000\u001b]/gu;
