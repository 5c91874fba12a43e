const FAMILIES = {
  sans: "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif",
  mono: "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
};

interface TextBox {
  readonly x: number;
  readonly y: number;
  /** Available width. Longer texts end in an ellipsis. */
  readonly width: number;
  readonly face: Face;
  readonly fill: string;
  readonly anchor?: "start" | "middle" | "end";
}

/** Formats a text element. The title of a shortened text contains the whole text. */
export function formatText(text: string, { x, y, width, face, fill, anchor = "start" }: TextBox): string {
  const visibleText = fitText(text, face, width);
  const title = visibleText === text ? "" : `<title>${escapeMarkup(text)}</title>`;
  const weight = face.bold ? ' font-weight="600"' : "";
  const family = face.mono ? FAMILIES.mono : FAMILIES.sans;
  const at = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
  return `<text x="${x}" y="${y}" font-family="${family}" font-size="${face.size}"${weight}${at} fill="${fill}">${title}${escapeMarkup(visibleText)}</text>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Removes characters that XML does not allow. */
export function removeIllegal(text: string): string {
  return text.toWellFormed().replace(/(?![\t\n\r])\p{Cc}|[\u{fffe}\u{ffff}]/gu, "");
}

/** Escapes a text for an element or attribute of XML and HTML. */
export function escapeMarkup(text: string): string {
  return removeIllegal(text).replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? "");
}

/** A font face of diagrams. */
export interface Face {
  /** Pixels. */
  readonly size: number;
  readonly mono?: boolean;
  readonly bold?: boolean;
}

/** Widths of letters relative to the font size, for the widest sans-serif system fonts. */
const NARROW = 0.32;
const MIDDLE = 0.56;
const CAPITAL = 0.7;
const WIDE = 0.92;
const FULL = 1.05;
const MONO = 0.605;

/** Estimates the width of a text in pixels, as an upper bound. */
export function measureText(text: string, { size, mono = false, bold = false }: Face): number {
  let width = 0;
  for (const letter of text) width += measureLetter(letter, mono);
  return width * size * (bold && !mono ? 1.05 : 1);
}

/** Shortens a text to a width, with an ellipsis. */
export function fitText(text: string, face: Face, width: number): string {
  if (measureText(text, face) <= width) return text;
  const letters = [...text];
  let space = width - measureText("…", face);
  let length = 0;
  for (const letter of letters) {
    space -= measureText(letter, face);
    if (space < 0) break;
    length++;
  }
  return `${letters.slice(0, length).join("")}…`;
}

function measureLetter(letter: string, mono: boolean) {
  const code = letter.codePointAt(0) ?? 0;
  if (code >= 0x1100) return code >= 0x2000 && code < 0x2e80 ? 1 : FULL;
  if (mono) return MONO;
  if (/[ijl.,:;'|!()[\]ftrI /-]/.test(letter)) return NARROW;
  if (/[mwMW@%]/.test(letter)) return WIDE;
  return /\p{Lu}|\d|_/u.test(letter) ? (/[\d_]/.test(letter) ? 0.6 : CAPITAL) : MIDDLE;
}
