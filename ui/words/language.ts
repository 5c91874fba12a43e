import { createInstance } from "i18next";
import { useSyncExternalStore } from "react";
import type { french } from "./french.ts";
import type { Words } from "./same-words.ts";

/** The languages of the application's own words. */
export const LANGUAGES = { en: "English", fr: "Français" } as const;

export type Language = keyof typeof LANGUAGES;

const KEPT = "metaction.language";

const isLanguage = (text: unknown): text is Language => typeof text === "string" && Object.hasOwn(LANGUAGES, text);

function firstLanguage(): Language {
  const kept = globalThis.localStorage?.getItem(KEPT);
  if (isLanguage(kept)) return kept;
  return (globalThis.navigator?.languages ?? []).map((tag) => tag.slice(0, 2)).find(isLanguage) ?? "en";
}

/** The one store of words; each screen adds its English ones when it is loaded. */
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

/** Adds the words of a language other than English, which screens bring themselves. */
async function load(language: Language): Promise<void> {
  if (language !== "fr") return;
  const { french } = await import("./french.ts");
  for (const [space, words] of Object.entries(french)) texts.addResourceBundle("fr", space, words);
}

await load(firstLanguage());

/** The names of words as they are asked for, without what a count adds. */
type WordName<W extends Words> = keyof W extends infer K extends string
  ? K extends `${infer Base}_${"one" | "other"}`
    ? Base
    : K
  : never;

/** Answers a text by its name, with values for its `{{places}}`; a `count` chooses the plural. */
export type Say<W extends Words> = (name: WordName<W>, values?: Readonly<Record<string, string | number>>) => string;

/** A hook that answers the words of a screen in the language of the moment. `space` names the screen, once. */
export function wordsOf<const W extends Words>(space: keyof typeof french, english: W): () => Say<W> {
  texts.addResourceBundle("en", space, english);
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
  await load(language);
  localStorage.setItem(KEPT, language);
  await texts.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Writes the language of the moment on the document. */
export function markDocument(): void {
  document.documentElement.lang = current();
}
