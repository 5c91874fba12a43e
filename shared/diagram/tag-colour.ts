import { DIAGRAM_COLOURS } from "./diagram-colours.ts";

/** The place of a tag's colour among those of diagrams: by its key, and the same as on all other screens. */
export function tagColourIndex(key: string): number {
  let sum = 0x811c9dc5;
  for (const letter of key) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return (sum >>> 0) % DIAGRAM_COLOURS.light.tags.length;
}
