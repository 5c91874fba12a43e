/** Characters that a terminal obeys instead of showing: controls, and those that turn the direction of writing. */
const OBEYED = /[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * A text for a terminal: controls are escapes as JSON has them (`\u001b`); tabs and line ends stay. Inside JSON it means
 * the same.
 */
export function escaped(text: string): string {
  return text.replace(OBEYED, (character) =>
    character === "\n" || character === "\t" ? character : escapeOf(character),
  );
}

/** A text for a terminal as one line. */
export function escapedLine(text: string): string {
  return escaped(text).replace(/[\n\u2028\u2029]/g, escapeOf);
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
