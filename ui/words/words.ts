import { useSyncExternalStore } from "react";
import type { Space, Translations, WordName } from "./en/words.ts";
import { LANGUAGES, type Language } from "./language.ts";

type Values = Readonly<Record<string, string | number>>;

/** Returns a text with `values` in its `{{placeholders}}`; `count` selects the plural form. */
export type Say<S extends Space> = (name: WordName<S>, values?: Values) => string;

const STORAGE_KEY = "metaction.language";

let language: Language = "en";
let words: Translations | undefined;
/** The language that was requested last; its texts may still be loading. */
let requestedLanguage: Language = "en";
const listeners = new Set<() => void>();

const isLanguage = (text: unknown): text is Language => typeof text === "string" && Object.hasOwn(LANGUAGES, text);

function findFirstLanguage(): Language {
  const code = localStorage.getItem(STORAGE_KEY);
  if (isLanguage(code)) return code;
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? "en";
}

/** Loads the texts of a language and switches to it; rejects when they cannot be loaded. */
async function switchLanguage(next: Language) {
  requestedLanguage = next;
  const texts = next === "en" ? (await import("./en/words.ts")).ENGLISH : (await import("./fr/words.ts")).FRENCH;
  if (requestedLanguage !== next) return;
  [language, words] = [next, texts];
  document.documentElement.lang = next;
  for (const listener of listeners) listener();
}

/** Switches to the language of this browser before the first screen; rejects if it cannot be loaded. */
export const startLanguage = (): Promise<void> => switchLanguage(findFirstLanguage());

/** Switches to a language and stores it in this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  await switchLanguage(language);
  localStorage.setItem(STORAGE_KEY, language);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns the current language; the component renders again when it changes. */
export const useLanguage = (): Language => useSyncExternalStore(subscribe, () => language);

const sayers = new Map<string, Say<Space>>();

/** Returns the function for the texts of a namespace, the same one in every render. */
export function useWords<S extends Space>(space: S): Say<S> {
  const id = `${useLanguage()} ${space}`;
  const say = sayers.get(id) ?? createSay(space);
  sayers.set(id, say as Say<Space>);
  return say as Say<S>;
}

function createSay(space: Space): Say<Space> {
  const plurals = new Intl.PluralRules(language);
  const texts: Readonly<Record<string, string>> = { ...words?.common, ...words?.[space] };
  return (name: string, values: Values = {}) => {
    const { count } = values;
    const plural = typeof count === "number" ? texts[`${name}_${plurals.select(count)}`] : undefined;
    const text = plural ?? texts[name] ?? texts[`${name}_other`] ?? name;
    return text.replace(/\{\{(\w+)\}\}/g, (_, placeholder: string) => String(values[placeholder] ?? ""));
  };
}

/** Returns the function for the word of a kind of object; an unknown kind is its own word. */
export function useKindWord(): (kind: string) => string {
  const say = useWords("changes");
  return (kind) => (words && (kind in words.changes || kind in words.common) ? say(kind as "entity") : kind);
}

/** Returns the function for the label of a member; an unknown one is its own label. */
export function useMemberWord(): (member: string) => string {
  const say = useWords("changes");
  return (member) => {
    if (words && `member_${member}` in words.changes) return say(`member_${member}` as "member_order");
    return words && member in words.common ? say(member as "name") : member;
  };
}
