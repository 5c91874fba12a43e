import { withoutControl } from "./checks.ts";

/** A JSON object of a source. */
export type Source = Readonly<Record<string, unknown>>;

/** The key and the name that the caller wants the model to have. */
export interface ImportTerms {
  readonly modelKey: string | undefined;
  readonly modelName: string | undefined;
}

/**
 * The faults and losses noticed during an import: `faults` while reading, `wrong` in the content read, `warnings` of lost
 * parts.
 */
export interface Found {
  readonly faults: string[];
  readonly wrong: string[];
  readonly warnings: string[];
}

/** A text, or nothing. */
export const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** A source as an import takes it: each control that no text may hold is replaced, which is a warning at its place. */
export function readable(value: unknown, found: Found, place = ""): unknown {
  if (typeof value === "string") {
    const replaced = withoutControl(value);
    if (replaced !== value) found.warnings.push(place);
    return replaced;
  }
  if (Array.isArray(value)) return value.map((one, i) => readable(one, found, `${place}/${i}`));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, readable(one, found, `${place}/${name}`)]),
  );
}

/** The members of a list; what is none has none. */
export const list = (value: unknown): readonly Source[] => (Array.isArray(value) ? value : []);
