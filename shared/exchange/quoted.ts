/** The first `length` UTF-16 units of a text, never half of a surrogate pair. */
export function clipped(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** A text from a source as a sentence may repeat it: quoted, on one line, at most 60 characters. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${clipped(text, 59)}…` : text);
}
