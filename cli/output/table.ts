import { escapeControls, findClass, type RichText, type Tone } from "../terminal/text-stream.ts";
import { fillLines, findLongestLength, splitColumnName, splitWords, wrapAtBlanks } from "../terminal/wrapping.ts";
import { formatCell, isDetailedList } from "./cell-text.ts";

/** Formats a body for people: a list as a table, an object as one member per line. */
export function formatTable(body: unknown, width: number | undefined): RichText {
  const list = findList(body);
  if (list) return list.length === 0 ? [] : formatRows(list, width, "");
  if (typeof body !== "object" || body === null) return [`${formatLine(body)}\n`];
  const members = Object.entries(body);
  const nameWidth = findLongestLength(members.map(([name]) => formatLine(name)));
  return members.flatMap(([name, value]): RichText => {
    if (isDetailedList(value)) return [{ bold: formatLine(name) }, "\n", ...formatRows(value, width, GAP)];
    // The text of a file is printed as it is; an additional line end could change its meaning.
    if (typeof value === "string" && "mediaType" in body && value.includes("\n"))
      return [{ bold: formatLine(name) }, `\n${value.replace(/\n*$/, "\n")}`];
    return formatMembers([[formatLine(name), formatMember(value)]], width, "", nameWidth);
  });
}

/** Returns the rows of a list, bare or in `items`. */
export function findList(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body;
  if (typeof body !== "object" || body === null || !("items" in body)) return undefined;
  return Array.isArray(body.items) ? body.items : undefined;
}

/** Formats rows as a grid if the terminal is wide enough, else as records. */
export function formatRows(list: readonly unknown[], width: number | undefined, indent: string): RichText {
  const table = toTableRows(list);
  return formatGrid(table, width, indent) ?? formatRecords(table, width, indent);
}

function toTableRows(list: readonly unknown[]): Rows {
  const objects = list.map((row) => (typeof row === "object" && row !== null ? { ...row } : { value: row }));
  const names = [...new Set(objects.flatMap(Object.keys))];
  const cells = objects.map((row: Record<string, unknown>) => names.map((name) => formatLine(row[name])));
  const isFilled = names.map((_, i) => cells.some((row) => row[i] !== ""));
  const keepFilled = (row: readonly string[]) => row.filter((_, i) => isFilled[i]);
  return { columns: keepFilled(names.map(formatLine)), rows: cells.map(keepFilled) };
}

function formatLine(value: unknown) {
  return escapeControls(formatCell(value).replace(/\s+/g, " "));
}

function formatMember(value: unknown) {
  if (Array.isArray(value) && value.length === 0) return "none";
  return typeof value === "string" ? escapeControls(formatCell(value).trimEnd()) : formatLine(value);
}

/** Narrower columns are hard to read. */
const NARROWEST = 20;

function formatMembers(
  members: readonly (readonly [name: string, value: string])[],
  width: number | undefined,
  indent = "",
  nameWidth = findLongestLength(members.map(([name]) => name)),
): RichText {
  const before = indent.length + nameWidth + GAP.length;
  return members.flatMap(([name, value]): RichText => {
    if (value === "") return [indent, { bold: name }, "\n"];
    const text = width === undefined ? value : wrapAtBlanks(value, Math.max(NARROWEST, width - before));
    const lines = text.replace(/\n(?=[^\n])/g, `\n${" ".repeat(before)}`);
    const tone = findClass(name, value);
    return [indent, { bold: name.padEnd(nameWidth) }, GAP, tone ? { text: lines, tone } : lines, "\n"];
  });
}

function formatRecords({ columns, rows }: Rows, width: number | undefined, indent: string): RichText {
  const nameWidth = findLongestLength(columns);
  return rows.flatMap((row, i): RichText => {
    const cells = columns.flatMap((name, n) => (row[n] ? [[name, row[n]] as const] : []));
    return [...(i === 0 ? [] : ["\n"]), ...formatMembers(cells, width, indent, nameWidth)];
  });
}

interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const GAP = "  ";
/** A row with more lines is hard to read as one row. */
const MOST_LINES = 6;

function formatGrid(table: Rows, width: number | undefined, indent: string): RichText | undefined {
  const { columns, rows } = table;
  const widths = fitWidths(table, width === undefined ? undefined : width - indent.length);
  if (widths === undefined) return undefined;
  const grid = rows.map((row) => row.map((text, i) => wrapCell(splitWords(text), text, widths[i] ?? 0)));
  if (columns.length > 1 && grid.some((row) => row.some((lines) => lines.length > MOST_LINES))) return undefined;
  const head = columns.map((name, i) => wrapCell(splitColumnName(name), name, widths[i] ?? 0));
  const indentRow = (cells: readonly (readonly string[])[]) => formatRow(cells, widths).replace(/^/gm, indent);
  const lines = grid.flatMap((cells, n) => {
    const classes = columns.map((name, i) => findClass(name, rows[n]?.[i] ?? ""));
    return colourRow(`${indentRow(cells)}\n`, classes, widths, indent);
  });
  return [{ bold: indentRow(head) }, "\n", ...lines];
}

function colourRow(
  row: string,
  classes: readonly (Tone | undefined)[],
  widths: readonly number[],
  indent: string,
): RichText {
  let at = 0;
  let column = indent.length;
  const pieces = classes.flatMap((tone, i): RichText => {
    const start = column;
    column += (widths[i] ?? 0) + GAP.length;
    if (tone === undefined) return [];
    const before = row.slice(at, start);
    at = start + tone.length;
    return [before, { text: tone, tone }];
  });
  return [...pieces, row.slice(at)];
}

function wrapCell(parts: readonly string[], text: string, width: number): readonly string[] {
  return text.length <= width ? [text] : fillLines(parts, width);
}

function formatRow(cells: readonly (readonly string[])[], widths: readonly number[]) {
  const height = cells.reduce((maximum, lines) => Math.max(maximum, lines.length), 1);
  const joinLine = (n: number) => cells.map((lines, i) => (lines[n] ?? "").padEnd(widths[i] ?? 0)).join(GAP);
  return Array.from({ length: height }, (_, n) => joinLine(n).trimEnd()).join("\n");
}

/** Returns column widths that fit. The excess is taken where it adds the fewest lines. */
function fitWidths({ columns, rows }: Rows, width: number | undefined): readonly number[] | undefined {
  const cells = columns.map((_, i) => rows.map((row) => row[i] ?? ""));
  const fullWidths = columns.map((name, i) => Math.max(name.length, findLongestLength(cells[i] ?? [])));
  if (width === undefined) return fullWidths;
  const minWidths = columns.map((name, i) =>
    findLongestLength([...splitColumnName(name), ...(cells[i] ?? []).flatMap(splitWords)]),
  );
  const widths = [...fullWidths];
  const countLines = (i: number) => Math.ceil((fullWidths[i] ?? 0) / Math.max(1, (widths[i] ?? 0) - 1));
  let excess = widths.reduce((sum, one) => sum + one, 0) + GAP.length * (widths.length - 1) - width;
  for (; excess > 0; excess -= 1) {
    const wideColumns = widths.map((_, i) => i).filter((i) => (widths[i] ?? 0) > (minWidths[i] ?? 0));
    const [next] = wideColumns.sort((a, b) => countLines(a) - countLines(b) || (widths[b] ?? 0) - (widths[a] ?? 0));
    if (next === undefined) return undefined;
    widths[next] = (widths[next] ?? 0) - 1;
  }
  return widths;
}
