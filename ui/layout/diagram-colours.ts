import type { Sign } from "./diagram-graph.ts";

/** A tag's colour: what its boxes are filled with, and texts and borders in it. */
export interface TagColour {
  readonly fill: string;
  readonly ink: string;
}

/** The colours of a diagram in one theme. Texts keep a contrast of 4.5 on what they stand on. */
export interface DiagramColours {
  readonly page: string;
  readonly box: string;
  readonly header: string;
  readonly border: string;
  readonly line: string;
  readonly text: string;
  readonly dimmed: string;
  readonly accent: string;
  readonly signs: Readonly<Record<Sign, string>>;
  readonly tags: readonly TagColour[];
}

export type Theme = "light" | "dark";

/** The colours of diagrams, on the screen and in exports. */
export const DIAGRAM_COLOURS: Readonly<Record<Theme, DiagramColours>> = {
  light: {
    page: "#fbfcfd",
    box: "#ffffff",
    header: "#f4f6f9",
    border: "#cfd5dd",
    line: "#8b94a1",
    text: "#1b1f24",
    dimmed: "#5c6470",
    accent: "#2552e0",
    signs: { added: "#1a7340", removed: "#b42318", changed: "#8a5a00" },
    tags: [
      { fill: "#dbe6fe", ink: "#1d41bd" },
      { fill: "#d5f2df", ink: "#166236" },
      { fill: "#fde6cf", ink: "#8c4006" },
      { fill: "#f1dcfb", ink: "#7a1fa2" },
      { fill: "#d3f0f3", ink: "#0b5f6b" },
      { fill: "#fbdbe4", ink: "#a3153f" },
      { fill: "#f6ecc0", ink: "#6b5300" },
      { fill: "#e2e0fc", ink: "#4635b8" },
      { fill: "#e6efcd", ink: "#4a5d0b" },
      { fill: "#ece3db", ink: "#6b4a2f" },
    ],
  },
  dark: {
    page: "#131619",
    box: "#1b1f24",
    header: "#22272e",
    border: "#3a414b",
    line: "#737c89",
    text: "#e3e6eb",
    dimmed: "#9aa2ae",
    accent: "#6f9bfb",
    signs: { added: "#6fd195", removed: "#ff9a8f", changed: "#f0b849" },
    tags: [
      { fill: "#1d2f5e", ink: "#9fbcff" },
      { fill: "#16402a", ink: "#8bdca9" },
      { fill: "#4d2c10", ink: "#f6b87d" },
      { fill: "#43204f", ink: "#e2aaf5" },
      { fill: "#103f47", ink: "#7fd6e2" },
      { fill: "#511a2d", ink: "#f9a5bc" },
      { fill: "#443a0d", ink: "#e7d06a" },
      { fill: "#2f2867", ink: "#bdb4fb" },
      { fill: "#303d10", ink: "#bfd877" },
      { fill: "#42311f", ink: "#dcbd9f" },
    ],
  },
};

/** The text that goes with a sign, so that its colour is never alone. */
export const SIGN_MARKS: Readonly<Record<Sign, string>> = { added: "+", removed: "−", changed: "~" };
