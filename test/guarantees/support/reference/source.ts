/** A JSON object of a source. */
export type Source = Readonly<Record<string, unknown>>;

/** The key and the name that the caller wants the model to have. */
export interface ImportTerms {
  readonly modelKey: string | undefined;
  readonly modelName: string | undefined;
}

/** The pointers of faults, and of lost members. */
export interface Found {
  readonly faults: string[];
  readonly warnings: string[];
}

/** A text, or nothing. */
export const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** The members of a list; what is none has none. */
export const list = (value: unknown): readonly Source[] => (Array.isArray(value) ? value : []);
