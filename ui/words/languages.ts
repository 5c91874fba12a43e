/** The languages of the application's own words, by their codes, as each calls itself; English ones come with the screens. */
export const LANGUAGES = { en: "English", fr: "Français" } as const;

/** The code of such a language. */
export type Language = keyof typeof LANGUAGES;
