/** Finds the most similar candidate, or else the shortest with the word's parts: `relationshipRoleRef` for `roleRef`. */
export function findNearest(word: string, candidates: Iterable<string>): string | undefined {
  const names = [...candidates];
  return findNearestSpelling(word, names) ?? findLongerName(word, names);
}

function findNearestSpelling(word: string, candidates: readonly string[]): string | undefined {
  // A word with all letters replaced is not a misspelling.
  const most = Math.min(Math.max(2, Math.floor(word.length / 3)), word.length - 1);
  let best: string | undefined;
  let bestDistance = most + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const d = computeDistance(word.toLowerCase(), candidate.toLowerCase());
    if (d < bestDistance) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

function findLongerName(word: string, candidates: readonly string[]): string | undefined {
  const wordParts = splitName(word);
  // One or two letters are too few for a guess.
  if (wordParts.join("").length < 3) return undefined;
  const holding = candidates.filter((candidate) => {
    const parts = splitName(candidate);
    let from = 0;
    return wordParts.every((part) => {
      const at = parts.indexOf(part, from);
      from = at + 1;
      return at >= 0;
    });
  });
  return holding.reduce<string | undefined>((a, b) => (a !== undefined && a.length <= b.length ? a : b), undefined);
}

function splitName(name: string): readonly string[] {
  return name
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/)
    .filter((part) => part !== "")
    .map((part) => part.toLowerCase());
}

/** Computes the Levenshtein distance of two words. */
export function computeDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(swap, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** Finds the candidate that a word misspells by case or few letters. Short words resemble too many. */
export function findMisspelling(word: string, candidates: readonly string[]): string | undefined {
  if (word.length < 5 || candidates.includes(word)) return undefined;
  const most = word.length < 8 ? 1 : 2;
  return candidates.find(
    (name) => name.length >= 5 && Math.abs(name.length - word.length) <= most && countSlips(word, name) <= most,
  );
}

function countSlips(word: string, candidate: string) {
  const index = [...word].findIndex((letter, i) => letter !== candidate[i]);
  const [first = "", second = ""] = [word[index], word[index + 1]];
  const variant = word.slice(0, index) + second + first + word.slice(index + 2);
  const is = (text: string) => computeDistance(text.toLowerCase(), candidate.toLowerCase());
  return index < 0 || second === "" ? is(word) : Math.min(is(word), is(variant) + 1);
}
