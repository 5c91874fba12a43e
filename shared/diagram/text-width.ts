/** The faces that diagrams are written in. */
export interface Face {
  /** Pixels. */
  readonly size: number;
  readonly mono?: boolean;
  readonly bold?: boolean;
}

/** Widths of letters in parts of the size, as sans-serif system faces have them at their widest. */
const NARROW = 0.32;
const MIDDLE = 0.56;
const CAPITAL = 0.7;
const WIDE = 0.92;
const FULL = 1.05;
const MONO = 0.605;

/** How wide a text becomes, in pixels: a bound that holds for the usual system faces, since no screen is asked. */
export function textWidth(text: string, { size, mono = false, bold = false }: Face): number {
  let width = 0;
  for (const letter of text) width += letterWidth(letter, mono);
  return width * size * (bold && !mono ? 1.05 : 1);
}

/** A text as it fits a width, with an ellipsis for what is left out. */
export function fittedText(text: string, face: Face, width: number): string {
  if (textWidth(text, face) <= width) return text;
  const letters = [...text];
  let room = width - textWidth("…", face);
  let fits = 0;
  for (const letter of letters) {
    room -= textWidth(letter, face);
    if (room < 0) break;
    fits++;
  }
  return `${letters.slice(0, fits).join("")}…`;
}

function letterWidth(letter: string, mono: boolean): number {
  const code = letter.codePointAt(0) ?? 0;
  if (code >= 0x1100) return code >= 0x2000 && code < 0x2e80 ? 1 : FULL;
  if (mono) return MONO;
  if (/[ijl.,:;'|!()[\]ftrI /-]/.test(letter)) return NARROW;
  if (/[mwMW@%]/.test(letter)) return WIDE;
  return /\p{Lu}|\d|_/u.test(letter) ? (/[\d_]/.test(letter) ? 0.6 : CAPITAL) : MIDDLE;
}
