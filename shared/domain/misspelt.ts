import { distance } from "./nearest.ts";

/**
 * The candidate of which a word is a slip of the pen: it has the same letters in another case, or differs in one letter, or in two
 * where it is long. Undefined for a candidate itself and for short words, which resemble too many.
 */
export function misspelt(word: string, candidates: readonly string[]): string | undefined {
  if (word.length < 5 || candidates.includes(word)) return undefined;
  const most = word.length < 8 ? 1 : 2;
  return candidates.find(
    (known) => known.length >= 5 && Math.abs(known.length - word.length) <= most && slips(word, known) <= most,
  );
}

/** How many letters were left out, added, replaced or swapped with their neighbour. */
function slips(word: string, meant: string): number {
  const swapped = [...word].findIndex((letter, i) => letter !== meant[i]);
  const [first = "", second = ""] = [word[swapped], word[swapped + 1]];
  const mended = word.slice(0, swapped) + second + first + word.slice(swapped + 2);
  const is = (text: string): number => distance(text.toLowerCase(), meant.toLowerCase());
  return swapped < 0 || second === "" ? is(word) : Math.min(is(word), is(mended) + 1);
}
