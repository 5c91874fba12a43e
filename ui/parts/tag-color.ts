/** How many colours tags have; `tag-colors.css` holds them, each legible in both themes. */
export const TAG_COLORS = 10;

/** The colours of a tag, as CSS values that follow the theme. */
export interface TagColor {
  readonly text: string;
  readonly fill: string;
  readonly line: string;
}

/** The colour of a tag by its key, the same wherever it is shown; tags of one group differ. */
export function tagColor(key: string): TagColor {
  let sum = 0x811c9dc5;
  for (const char of key) sum = Math.imul(sum ^ (char.codePointAt(0) ?? 0), 0x01000193);
  const at = (sum >>> 0) % TAG_COLORS;
  return { text: `var(--tag-${at}-text)`, fill: `var(--tag-${at}-fill)`, line: `var(--tag-${at}-line)` };
}
