import { classIn, type Told } from "./colours.ts";
import type { Styled } from "./text-stream.ts";
import { filledLines, longest, partsOfName, wordsIn } from "./wrapping.ts";

/** One table of texts: the names of its columns, and its rows. */
export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The blanks between two columns. */
export const GAP = "  ";
/** A row of more lines is no row for the eye. */
const MOST_LINES = 6;

/**
 * Rows under the names of their columns, behind an indent; undefined where a terminal of that width has no place for them
 * without breaking a word, or with more lines in a row than are read as one.
 */
export function gridOf(table: Rows, width: number | undefined, indent: string): Styled | undefined {
  const { columns, rows } = table;
  const widths = fitted(table, width === undefined ? undefined : width - indent.length);
  if (widths === undefined) return undefined;
  const wrapped = rows.map((row) => row.map((text, i) => linesIn(wordsIn(text), text, widths[i] ?? 0)));
  if (columns.length > 1 && wrapped.some((row) => row.some((lines) => lines.length > MOST_LINES))) return undefined;
  const head = columns.map((name, i) => linesIn(partsOfName(name), name, widths[i] ?? 0));
  const text = (cells: readonly (readonly string[])[]): string => rowText(cells, widths).replace(/^/gm, indent);
  const lines = wrapped.flatMap((cells, n) => {
    const classes = columns.map((name, i) => classIn(name, rows[n]?.[i] ?? ""));
    return inColours(`${text(cells)}\n`, classes, widths, indent);
  });
  return [{ bold: text(head) }, "\n", ...lines];
}

/** A row with its classes in their colours: a class is one word, at the place of its column in the first line. */
function inColours(
  row: string,
  classes: readonly (Told | undefined)[],
  widths: readonly number[],
  indent: string,
): Styled {
  let at = 0;
  let column = indent.length;
  const pieces = classes.flatMap((told, i): Styled => {
    const start = column;
    column += (widths[i] ?? 0) + GAP.length;
    if (told === undefined) return [];
    const before = row.slice(at, start);
    at = start + told.length;
    return [before, { text: told, told }];
  });
  return [...pieces, row.slice(at)];
}

function linesIn(parts: readonly string[], text: string, width: number): readonly string[] {
  return text.length <= width ? [text] : filledLines(parts, width);
}

/** The lines of a row, as many as its longest cell needs. */
function rowText(cells: readonly (readonly string[])[], widths: readonly number[]): string {
  const height = cells.reduce((most, lines) => Math.max(most, lines.length), 1);
  const line = (n: number): string => cells.map((lines, i) => (lines[n] ?? "").padEnd(widths[i] ?? 0)).join(GAP);
  return Array.from({ length: height }, (_, n) => line(n).trimEnd()).join("\n");
}

/**
 * The widths of columns that fit, none under its longest word: what is over is taken where it makes the fewest lines, of
 * several such columns from the widest.
 */
function fitted({ columns, rows }: Rows, width: number | undefined): readonly number[] | undefined {
  const cells = columns.map((_, i) => rows.map((row) => row[i] ?? ""));
  const whole = columns.map((name, i) => Math.max(name.length, longest(cells[i] ?? [])));
  if (width === undefined) return whole;
  const least = columns.map((name, i) => longest([...partsOfName(name), ...(cells[i] ?? []).flatMap(wordsIn)]));
  const widths = [...whole];
  const linesWithout = (i: number): number => Math.ceil((whole[i] ?? 0) / Math.max(1, (widths[i] ?? 0) - 1));
  let over = widths.reduce((sum, one) => sum + one, 0) + GAP.length * (widths.length - 1) - width;
  for (; over > 0; over -= 1) {
    const wide = widths.map((_, i) => i).filter((i) => (widths[i] ?? 0) > (least[i] ?? 0));
    const [next] = wide.sort((a, b) => linesWithout(a) - linesWithout(b) || (widths[b] ?? 0) - (widths[a] ?? 0));
    if (next === undefined) return undefined;
    widths[next] = (widths[next] ?? 0) - 1;
  }
  return widths;
}
