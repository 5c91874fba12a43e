import { cellText, isTelling } from "./cell-text.ts";
import { escaped } from "./escape.ts";
import type { Styled } from "./text-stream.ts";

/** One table of texts: the names of its columns, and its rows. */
interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const GAP = "  ";
const NARROWEST = 6;
/** Longer words are broken; an id is not. */
const LONGEST_WORD = 36;
/** Lines of a cell at most; the last one tells that there is more. */
const MOST_LINES = 12;

/**
 * A body as people read it: a list as a table, whose cells go on in the next line where a terminal is too narrow, an
 * object as a name and a value on each line, anything else as it is.
 */
export function tableOf(body: unknown, width: number | undefined): Styled {
  const list = listIn(body);
  if (list) return list.length === 0 ? [] : drawn(rowsOf(list), width);
  if (typeof body !== "object" || body === null) return [`${cell(body)}\n`];
  const members = Object.entries(body);
  const widest = Math.max(0, ...members.map(([name]) => cell(name).length));
  return members.flatMap(([name, value]) => {
    if (isTelling(value)) return [{ bold: cell(name) }, "\n", ...drawn(rowsOf(value), width, GAP)];
    // Nothing is cut: it may be a secret that is shown this once.
    return [{ bold: cell(name).padEnd(widest) }, `${GAP}${cell(value)}\n`];
  });
}

/** The rows of a list, bare or as `items`. */
export function listIn(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body;
  if (typeof body !== "object" || body === null || !("items" in body)) return undefined;
  return Array.isArray(body.items) ? body.items : undefined;
}

function rowsOf(list: readonly unknown[]): Rows {
  const objects = list.map((row) => (typeof row === "object" && row !== null ? { ...row } : { value: row }));
  const columns = [...new Set(objects.flatMap(Object.keys))];
  return {
    columns: columns.map(cell),
    rows: objects.map((row: Record<string, unknown>) => columns.map((column) => cell(row[column]))),
  };
}

/** A list as a table behind an indent, without the columns that no row fills. */
export function indentedTable(list: readonly object[], width: number | undefined, indent: string): Styled {
  const { columns, rows } = rowsOf(list);
  const isFilled = columns.map((_, i) => rows.some((row) => row[i] !== ""));
  const kept = (row: readonly string[]): readonly string[] => row.filter((_, i) => isFilled[i]);
  return drawn({ columns: kept(columns), rows: rows.map(kept) }, width, indent);
}

/** A text of several paragraphs in lines of a width, cut nowhere. */
export function wrappedText(text: string, width: number): string {
  const lines = text.split("\n").flatMap((line) => {
    const made = [""];
    for (const word of line.trimEnd().split(/(?<= )(?=\S)/)) {
      const last = made.at(-1) ?? "";
      if (last !== "" && (last + word).trimEnd().length > width) made.push(word);
      else made[made.length - 1] = last + word;
    }
    return made.map((one) => one.trimEnd());
  });
  return lines.join("\n");
}

function drawn({ columns, rows }: Rows, width: number | undefined, indent = ""): Styled {
  const widths = fitted({ columns, rows }, width === undefined ? undefined : width - indent.length);
  const lines = (row: readonly string[]): string => linesOf(row, widths).replace(/^/gm, indent);
  return [{ bold: lines(columns) }, "\n", ...rows.map((row) => `${lines(row)}\n`)];
}

/** The lines of a row, as many as its longest cell needs. */
function linesOf(row: readonly string[], widths: readonly number[]): string {
  const cells = row.map((text, i) => wrapped(text, widths[i] ?? 0));
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  const line = (n: number): string => cells.map((lines, i) => (lines[n] ?? "").padEnd(widths[i] ?? 0)).join(GAP);
  return Array.from({ length: height }, (_, n) => line(n).trimEnd()).join("\n");
}

/** Takes from the widest columns until the line fits: down to their longest words, then through words, and last through ids. */
function fitted({ columns, rows }: Rows, width: number | undefined): readonly number[] {
  const all = columns.map((name, i) => [name, ...rows.map((row) => row[i] ?? "")]);
  const widths = all.map(longest);
  if (width === undefined) return widths;
  const words = all.map((texts) => Math.min(LONGEST_WORD, longest(texts.flatMap(partsOf))));
  let over = widths.reduce((sum, w) => sum + w, 0) + GAP.length * (widths.length - 1) - width;
  const unlessIds = words.map((word) => (word === LONGEST_WORD ? word : NARROWEST));
  for (const least of [words, unlessIds, widths.map(() => NARROWEST)]) {
    const spare = (i: number): number => (widths[i] ?? 0) - Math.max(NARROWEST, least[i] ?? 0);
    for (; over > 0; over -= 1) {
      const wide = widths.map((_, i) => i).filter((i) => spare(i) > 0);
      const widest = wide.reduce((a, b) => ((widths[b] ?? 0) > (widths[a] ?? 0) ? b : a), wide[0] ?? -1);
      if (widest < 0) break;
      widths[widest] = (widths[widest] ?? 0) - 1;
    }
  }
  return widths;
}

/** The length of the longest text. There may be more texts than a call takes arguments. */
function longest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.trimEnd().length), 0);
}

/** The parts of a text behind which a line may end. */
function partsOf(text: string): readonly string[] {
  return text.split(/(?<=[ /_,;])|(?<=:)(?=[A-Za-z])/);
}

/** A text in lines of a width, each of as many parts as it has place for. */
function wrapped(text: string, width: number): readonly string[] {
  if (text.length <= width) return [text];
  const lines = [""];
  for (const part of partsOf(text)) {
    let rest = part;
    const line = lines.at(-1) ?? "";
    if ((line + rest).trimEnd().length <= width) lines[lines.length - 1] = line + rest;
    else {
      for (; rest.trimEnd().length > width; rest = rest.slice(width)) lines.push(rest.slice(0, width));
      lines.push(rest);
    }
  }
  const shown = lines.map((line) => line.trimEnd()).filter((line) => line !== "");
  if (shown.length <= MOST_LINES) return shown;
  const last = shown[MOST_LINES - 1] ?? "";
  return [...shown.slice(0, MOST_LINES - 1), `${last.slice(0, Math.max(0, width - 1))}…`];
}

function cell(value: unknown): string {
  // One line, as wide as it will be shown.
  return escaped(cellText(value).replace(/\s+/g, " "));
}
