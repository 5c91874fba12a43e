import { cellText, isTelling } from "./cell-text.ts";
import { escaped } from "./escape.ts";
import { GAP, gridOf, type Rows } from "./grid.ts";
import { membersText, recordsText } from "./members.ts";
import type { Styled } from "./text-stream.ts";
import { longest } from "./wrapping.ts";

/** A body as people read it: a list as a table, an object as a name and a value on each line, anything else as it is. */
export function tableOf(body: unknown, width: number | undefined): Styled {
  const list = listIn(body);
  if (list) return list.length === 0 ? [] : drawn(list, width, "");
  if (typeof body !== "object" || body === null) return [`${cell(body)}\n`];
  const members = Object.entries(body);
  const widest = longest(members.map(([name]) => cell(name)));
  return members.flatMap(([name, value]): Styled => {
    if (isTelling(value)) return [{ bold: cell(name) }, "\n", ...drawn(value, width, GAP)];
    if (typeof value === "string" && "mediaType" in body && value.includes("\n")) return documentText(name, value);
    return membersText([[cell(name), memberText(value)]], width, "", widest);
  });
}

/** The text of a file inside an answer, as it stands: a line end more could change what it means. */
function documentText(name: string, text: string): Styled {
  return [{ bold: cell(name) }, `\n${text.replace(/\n*$/, "\n")}`];
}

/** The rows of a list, bare or as `items`. */
export function listIn(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body;
  if (typeof body !== "object" || body === null || !("items" in body)) return undefined;
  return Array.isArray(body.items) ? body.items : undefined;
}

/** A list as a table behind an indent. */
export function indentedTable(list: readonly object[], width: number | undefined, indent: string): Styled {
  return drawn(list, width, indent);
}

/** Rows side by side where the terminal has place for them, and else each as a record of its own. */
function drawn(list: readonly unknown[], width: number | undefined, indent: string): Styled {
  const table = rowsOf(list);
  return gridOf(table, width, indent) ?? recordsText(table, width, indent);
}

/** The rows of a list, without the columns that no row fills. */
function rowsOf(list: readonly unknown[]): Rows {
  const objects = list.map((row) => (typeof row === "object" && row !== null ? { ...row } : { value: row }));
  const names = [...new Set(objects.flatMap(Object.keys))];
  const cells = objects.map((row: Record<string, unknown>) => names.map((name) => cell(row[name])));
  const isFilled = names.map((_, i) => cells.some((row) => row[i] !== ""));
  const kept = (row: readonly string[]): readonly string[] => row.filter((_, i) => isFilled[i]);
  return { columns: kept(names.map(cell)), rows: cells.map(kept) };
}

/** A value in one line, as wide as it will be shown. */
function cell(value: unknown): string {
  return escaped(cellText(value).replace(/\s+/g, " "));
}

/** A value of an object, with the line ends of a text of several paragraphs; an empty list says that it is one. */
function memberText(value: unknown): string {
  if (Array.isArray(value) && value.length === 0) return "none";
  return typeof value === "string" ? escaped(cellText(value).trimEnd()) : cell(value);
}
