import { type Found, type Source, text } from "./source.ts";

/** Keywords of the histories that are no tag keys, and the keys that the documented rule makes of them. */
export const UNKEYED_WORDS: Readonly<Record<string, string>> = {
  "two words": "two_words",
  Größe: "Grosse",
  "a/b": "a_b",
};

interface Keyword {
  readonly word: string;
  readonly place: string;
}

/** The keywords of one object: texts, without the space around them; what is none is lost. */
export function readKeywords({ keywords }: Source, place: string, found: Found): readonly Keyword[] {
  if (keywords === undefined) return [];
  if (!Array.isArray(keywords)) {
    found.warnings.push(`${place}/keywords`);
    return [];
  }
  return keywords.flatMap((one: unknown, i) => {
    const at = `${place}/keywords/${i}`;
    const word = text(one)?.trim();
    if (word === undefined) found.warnings.push(at);
    return word ? [{ word, place: at }] : [];
  });
}

const wordsOf = (keywords: unknown): readonly string[] =>
  [...new Set(Array.isArray(keywords) ? keywords.map((one) => text(one)?.trim() ?? "") : [])].filter(Boolean).sort();

/** The keywords as they stood, where the tags made of them do not say as much: all texts, without space around, each once. */
export function keptKeywords({ keywords }: Source, around: Source = {}): Source {
  const isPlain =
    Array.isArray(keywords) &&
    keywords.length > 0 &&
    new Set(keywords).size === keywords.length &&
    keywords.every((one) => typeof one === "string" && one !== "" && one.trim() === one);
  // A table with the keywords of its package would be taken for one without any.
  const isTold = String(wordsOf(keywords)) !== String(wordsOf(around.keywords));
  return keywords === undefined || (isPlain && isTold) ? {} : { "frictionless:keywords": keywords };
}

/** One tag for each word, however often it stands there, and how objects are marked with them. */
export function keywordTags(all: readonly Keyword[], found: Found) {
  const first = new Map<string, string>();
  for (const { word, place } of all) if (!first.has(word)) first.set(word, place);
  const keyOf = (word: string): string => UNKEYED_WORDS[word] ?? word;
  const tags = [...first].map(([word, place]) => {
    const key = keyOf(word);
    if (key === word) return { key };
    found.warnings.push(place);
    return { key, name: word };
  });
  const marks = (keywords: readonly Keyword[]) => {
    const refs = [...new Set(keywords.map(({ word }) => `key:${keyOf(word)}`))];
    return refs.length > 0 ? { tags: refs } : {};
  };
  return { tags: tags.sort((a, b) => (a.key < b.key ? -1 : 1)), marks };
}
