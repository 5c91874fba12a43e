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
  readonly plain: string;
  readonly border: string;
  readonly line: string;
  readonly text: string;
  readonly detail: string;
  readonly accent: string;
  readonly signs: Readonly<Record<Sign, string>>;
  readonly tags: readonly TagColour[];
}

/** Tag colours: fill and ink of the light theme, then of the dark theme. */
const TAG_COLOURS = [
  ["#ffdad6", "#7e302d", "#582c29", "#ffbdb7"],
  ["#ffdec7", "#793900", "#543016", "#fbc49f"],
  ["#f6e4c1", "#684600", "#4a370a", "#e9ce94"],
  ["#e1ecc7", "#465500", "#363f15", "#cad99e"],
  ["#d0f0d5", "#0b5d2a", "#1f4428", "#ace0b6"],
  ["#c2f2ea", "#005f55", "#00453f", "#93e3d8"],
  ["#c1effb", "#005a72", "#004350", "#92dff2"],
  ["#ceeaff", "#0e4f86", "#1e3d5b", "#a9d6ff"],
  ["#e5e1ff", "#4d4084", "#3a345a", "#d0c9ff"],
  ["#ffdaee", "#75305b", "#522c42", "#f8bcdd"],
] as const;

export const DIAGRAM_COLOURS: Readonly<Record<"light" | "dark", DiagramColours>> = {
  light: {
    page: "#fbfcfd",
    box: "#ffffff",
    header: "#f4f6f9",
    plain: "#e4e8ee",
    border: "#cfd5dd",
    line: "#8b94a1",
    text: "#1b1f24",
    detail: "#5c6470",
    accent: "#2552e0",
    signs: { added: "#1a7340", removed: "#b42318", changed: "#8a5a00" },
    tags: TAG_COLOURS.map(([fill, ink]) => ({ fill, ink })),
  },
  dark: {
    page: "#131619",
    box: "#1b1f24",
    header: "#22272e",
    plain: "#2b313a",
    border: "#3a414b",
    line: "#737c89",
    text: "#e3e6eb",
    detail: "#9aa2ae",
    accent: "#6f9bfb",
    signs: { added: "#6fd195", removed: "#ff9a8f", changed: "#f0b849" },
    tags: TAG_COLOURS.map(([, , fill, ink]) => ({ fill, ink })),
  },
};

/** Texts for signs, so that colour is never the only information. */
export const SIGN_MARKS: Readonly<Record<Sign, string>> = { added: "+", removed: "−", changed: "~" };

/** Returns the index of a tag's colour, which depends on its key only. */
export function findTagColourIndex(key: string): number {
  let sum = 0x811c9dc5;
  for (const letter of key) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return (sum >>> 0) % TAG_COLOURS.length;
}
