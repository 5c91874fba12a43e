import { createInstance } from "i18next";
import { useSyncExternalStore } from "react";
import { LANGUAGES, type Language } from "./languages.ts";
import type { SameWords, Words } from "./same-words.ts";

const KEPT = "metaction.language";

const isLanguage = (text: unknown): text is Language => typeof text === "string" && Object.hasOwn(LANGUAGES, text);

function firstLanguage(): Language {
  const kept = globalThis.localStorage?.getItem(KEPT);
  if (isLanguage(kept)) return kept;
  return (globalThis.navigator?.languages ?? []).map((tag) => tag.slice(0, 2)).find(isLanguage) ?? "en";
}

/** The one store of words; each space adds its English ones when it is loaded. */
const texts = createInstance();
await texts.init({
  lng: firstLanguage(),
  fallbackLng: "en",
  keySeparator: false,
  nsSeparator: false,
  // React escapes what it renders.
  interpolation: { escapeValue: false },
  resources: {},
});

/** How the French words of each space that was loaded are fetched. */
const inFrench = new Map<string, () => Promise<Words>>();

/** The language that was asked for last; it is that of the moment once its words are there. */
let wanted = firstLanguage();

/**
 * Fetches the words of all loaded spaces in the language that is wanted, as far as they are missing: English ones come with
 * their space. Throws where they do not come.
 */
export async function fetchWords(): Promise<void> {
  const language = wanted;
  if (language === "en") return;
  const missing = [...inFrench].filter(([space]) => !texts.hasResourceBundle(language, space));
  await Promise.all(missing.map(async ([space, fetched]) => texts.addResourceBundle(language, space, await fetched())));
}

/** The names of words as they are asked for, without what a count adds. */
type WordName<W extends Words> = keyof W extends infer K extends string
  ? K extends `${infer Base}_${"one" | "other"}`
    ? Base
    : K
  : never;

/** Answers a text by its name, with values for its `{{places}}`; a `count` chooses the plural. */
export type Say<W extends Words> = (name: WordName<W>, values?: Readonly<Record<string, string | number>>) => string;

/**
 * A hook that answers the words of a space in the language of the moment. `space` names it, once; its French words are a
 * file of their own, which only those fetch who read French.
 */
export function wordsOf<const W extends Words>(
  space: string,
  english: W,
  french: () => Promise<SameWords<W>>,
): () => Say<W> {
  texts.addResourceBundle("en", space, english);
  inFrench.set(space, french);
  const said = new Map<string, Say<W>>();
  return () => {
    const language = useLanguage();
    const known = said.get(language);
    if (known) return known;
    // Names and places are told by our own types.
    const fixed = texts.getFixedT(language, space) as unknown as (name: string, values: object) => string;
    const say: Say<W> = (name, values) => fixed(name, values ?? {});
    said.set(language, say);
    return say;
  };
}

const watch = (changed: () => void): (() => void) => {
  texts.on("languageChanged", changed);
  return () => texts.off("languageChanged", changed);
};

const current = (): Language => (isLanguage(texts.language) ? texts.language : "en");

/** The language of the moment; the component renders anew when it is another. */
export function useLanguage(): Language {
  return useSyncExternalStore(watch, current);
}

/** Changes the language and keeps it in this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  // What is loaded meanwhile brings its words along.
  wanted = language;
  await fetchWords();
  localStorage.setItem(KEPT, language);
  await texts.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Writes the language of the moment on the document. */
export function markDocument(): void {
  document.documentElement.lang = current();
}
