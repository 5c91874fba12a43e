/** Languages of the interface by their code; each name is written in its own language. */
export const LANGUAGES = { en: "English", fr: "Français" } as const;

export type Language = keyof typeof LANGUAGES;
