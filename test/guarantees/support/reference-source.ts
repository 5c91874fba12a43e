/** A JSON object of a source. */
export type Source = Readonly<Record<string, unknown>>;

/** What the caller wants the model to be called. */
export interface ImportTerms {
  readonly modelKey: string | undefined;
  readonly modelName: string | undefined;
}

/** What is noticed on the way: `faults` while reading, `wrong` in what was read, `warnings` of what is lost. */
export interface Found {
  readonly faults: string[];
  readonly wrong: string[];
  readonly warnings: string[];
}

/** A text, or nothing. */
export const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** The members of a list; what is none has none. */
export const list = (value: unknown): readonly Source[] => (Array.isArray(value) ? value : []);
