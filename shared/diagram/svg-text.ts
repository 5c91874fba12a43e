import { escapedText } from "./markup-text.ts";
import { type Face, fittedText } from "./text-width.ts";

/** Families as an SVG names them; what opens it has its own. */
const FAMILIES = {
  sans: "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif",
  mono: "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
};

interface TextPlace {
  readonly x: number;
  /** The base line. */
  readonly y: number;
  /** What it may take; longer texts end in an ellipsis. */
  readonly width: number;
  readonly face: Face;
  readonly fill: string;
  readonly anchor?: "start" | "middle" | "end";
}

/** A text element; a text that is cut tells the whole in its title. */
export function svgText(text: string, { x, y, width, face, fill, anchor = "start" }: TextPlace): string {
  const shown = fittedText(text, face, width);
  const title = shown === text ? "" : `<title>${escapedText(text)}</title>`;
  const weight = face.bold ? ' font-weight="600"' : "";
  const family = face.mono ? FAMILIES.mono : FAMILIES.sans;
  const at = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
  return `<text x="${x}" y="${y}" font-family="${family}" font-size="${face.size}"${weight}${at} fill="${fill}">${title}${escapedText(shown)}</text>`;
}
