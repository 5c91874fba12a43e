import { tagColourIndex } from "../../shared/diagram/tag-colour.ts";

/** The colours of a tag, as CSS values that follow the theme. */
export interface TagColor {
  readonly text: string;
  readonly fill: string;
  readonly line: string;
}

/** The colour of a tag by its key, of those in `tag-colors.css`, the same wherever it is shown; tags of one group differ. */
export function tagColor(key: string): TagColor {
  const at = tagColourIndex(key);
  return { text: `var(--tag-${at}-text)`, fill: `var(--tag-${at}-fill)`, line: `var(--tag-${at}-line)` };
}
