/** The JSON value that a text is, or undefined. */
function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/**
 * A JSON value as people write it: a text without quotes, unless it could be read as something else; all else as JSON.
 * `valueOfText` reads it back.
 */
export function textOfValue(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value) ?? "";
  return value === "" || value !== value.trim() || /[\r\n]/.test(value) || parsed(value)
    ? JSON.stringify(value)
    : value;
}

/** The value that a person wrote: JSON where the text is JSON, else the text itself. */
export function valueOfText(text: string): unknown {
  const trimmed = text.trim();
  const json = parsed(trimmed);
  return json ? json.value : trimmed;
}

/** Values as lines of a text, one each. */
export const linesOfValues = (values: readonly unknown[]): string => values.map(textOfValue).join("\n");

/** The values of the lines of a text; empty lines are none. */
export function valuesOfLines(text: string): readonly unknown[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(valueOfText);
}
