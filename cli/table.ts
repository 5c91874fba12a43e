import { escaped } from "./escape.ts";
import type { Styled } from "./text-stream.ts";

/** One table of texts: the names of its columns, and its rows. */
interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const GAP = "  ";
const NARROWEST = 6;

/**
 * A body as people read it: a list as a table, cut to the width of the terminal where there is one, an object as a name
 * and a value on each line, anything else as it is.
 */
export function tableOf(body: unknown, width: number | undefined): Styled {
  const list = listIn(body);
  if (list) return list.length === 0 ? [] : drawn(rowsOf(list), width);
  if (typeof body !== "object" || body === null) return [`${cell(body)}\n`];
  const members = Object.entries(body).map(([name, value]) => [cell(name), cell(value)] as const);
  const widest = Math.max(0, ...members.map(([name]) => name.length));
  // Nothing is cut: it may be a secret that is shown this once.
  return members.flatMap(([name, value]) => [{ bold: name.padEnd(widest) }, `${GAP}${value}\n`]);
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

function drawn({ columns, rows }: Rows, width: number | undefined): Styled {
  const widths = fitted(
    columns.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0))),
    width,
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((text, i) => cut(text, widths[i]).padEnd(widths[i] ?? 0))
      .join(GAP)
      .trimEnd();
  return [{ bold: line(columns) }, "\n", ...rows.map((row) => `${line(row)}\n`)];
}

/** Takes from the widest columns until the line fits. */
function fitted(wanted: readonly number[], width: number | undefined): readonly number[] {
  const widths = [...wanted];
  if (width === undefined) return widths;
  let over = widths.reduce((sum, w) => sum + w, 0) + GAP.length * (widths.length - 1) - width;
  while (over > 0) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    widths[widths.indexOf(widest)] = widest - 1;
    over -= 1;
  }
  return widths;
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "object" ? short(value) : String(value);
  // One line, as wide as it will be shown.
  return escaped(text.replace(/\s+/g, " "));
}

/** Objects with a key are shown by it, and by their sort where that is told; a list inside an object as a list. */
function short(value: object): string {
  if (!Array.isArray(value)) {
    if ("items" in value && Array.isArray(value.items)) return short(value.items);
    if (!("key" in value)) return JSON.stringify(value);
    return "kind" in value ? `${value.kind} ${value.key}` : String(value.key);
  }
  return value
    .map((member) => (typeof member === "object" && member !== null ? short(member) : String(member)))
    .join(", ");
}

function cut(text: string, width: number | undefined): string {
  return width === undefined || text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}
