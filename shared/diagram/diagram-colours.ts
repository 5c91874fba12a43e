import type { Sign } from "./diagram-graph.ts";

/** Colours of a tag: background, and text and borders on it. */
export interface TagColour {
  readonly fill: string;
  readonly ink: string;
}

/** Colours of a diagram in one theme. The contrast of texts is at least 4.5. */
export interface DiagramColours {
  readonly page: string;
  readonly box: string;
  readonly header: string;
  /** Boxes without rows and without tag colour. */
  readonly plain: string;
  readonly border: string;
  readonly line: string;
  readonly text: string;
  readonly dimmed: string;
  readonly accent: string;
  readonly signs: Readonly<Record<Sign, string>>;
  readonly tags: readonly TagColour[];
}

export type Theme = "light" | "dark";

/** Colours of diagrams on the screen and in exports. */
export const DIAGRAM_COLOURS: Readonly<Record<Theme, DiagramColours>> = {
  light: {
    page: "#fbfcfd",
    box: "#ffffff",
    header: "#f4f6f9",
    plain: "#e4e8ee",
    border: "#cfd5dd",
    line: "#8b94a1",
    text: "#1b1f24",
    dimmed: "#5c6470",
    accent: "#2552e0",
    signs: { added: "#1a7340", removed: "#b42318", changed: "#8a5a00" },
    tags: [
      { fill: "#ffdad6", ink: "#7e302d" },
      { fill: "#ffdec7", ink: "#793900" },
      { fill: "#f6e4c1", ink: "#684600" },
      { fill: "#e1ecc7", ink: "#465500" },
      { fill: "#d0f0d5", ink: "#0b5d2a" },
      { fill: "#c2f2ea", ink: "#005f55" },
      { fill: "#c1effb", ink: "#005a72" },
      { fill: "#ceeaff", ink: "#0e4f86" },
      { fill: "#e5e1ff", ink: "#4d4084" },
      { fill: "#ffdaee", ink: "#75305b" },
    ],
  },
  dark: {
    page: "#131619",
    box: "#1b1f24",
    header: "#22272e",
    plain: "#2b313a",
    border: "#3a414b",
    line: "#737c89",
    text: "#e3e6eb",
    dimmed: "#9aa2ae",
    accent: "#6f9bfb",
    signs: { added: "#6fd195", removed: "#ff9a8f", changed: "#f0b849" },
    tags: [
      { fill: "#582c29", ink: "#ffbdb7" },
      { fill: "#543016", ink: "#fbc49f" },
      { fill: "#4a370a", ink: "#e9ce94" },
      { fill: "#363f15", ink: "#cad99e" },
      { fill: "#1f4428", ink: "#ace0b6" },
      { fill: "#00453f", ink: "#93e3d8" },
      { fill: "#004350", ink: "#92dff2" },
      { fill: "#1e3d5b", ink: "#a9d6ff" },
      { fill: "#3a345a", ink: "#d0c9ff" },
      { fill: "#522c42", ink: "#f8bcdd" },
    ],
  },
};

/** Texts for signs, so that colour is never the only information. */
export const SIGN_MARKS: Readonly<Record<Sign, string>> = { added: "+", removed: "−", changed: "~" };

/** Returns the index of a tag's colour, which depends on its key only. */
export function findTagColourIndex(key: string): number {
  let sum = 0x811c9dc5;
  for (const letter of key) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return (sum >>> 0) % DIAGRAM_COLOURS.light.tags.length;
}
