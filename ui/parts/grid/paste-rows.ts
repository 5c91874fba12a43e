import type { Column } from "./column.ts";

/** The cells of one pasted row by the id of their column. */
export type PastedRow = Readonly<Record<string, string>>;

/** What applying a pasted row would do. */
export interface PlannedRow {
  readonly cells: PastedRow;
  readonly change: "create" | "update" | "same" | "wrong";
  /** Why it is wrong, or what would change. */
  readonly why?: string;
}

/** How a grid takes rows that are pasted. */
export interface Pasting {
  /** Ids of the columns that a pasted row has, in the order that is expected. */
  readonly columns: readonly string[];
  /** Says of each row what it would do. */
  readonly plan: (rows: readonly PastedRow[]) => readonly PlannedRow[];
  /** Does it, as one batch; what it throws stands in the dialog. */
  readonly apply: (rows: readonly PlannedRow[]) => Promise<void>;
}

/** Reads pasted text as rows; a first row of titles or ids of columns is taken as such. */
export function parsePastedRows<T>(
  text: string,
  expected: readonly string[],
  columns: readonly Column<T>[],
): readonly PastedRow[] {
  const cells = parseTsv(text);
  const findColumnId = (title: string): string | undefined => {
    const sought = title.trim().toLowerCase();
    return expected.find(
      (id) => id.toLowerCase() === sought || columns.find((c) => c.id === id)?.title.toLowerCase() === sought,
    );
  };
  const titles = (cells[0] ?? []).map(findColumnId);
  const isTitled = titles.length > 0 && titles.every((id) => id !== undefined);
  const ids = isTitled ? titles : expected;
  return cells.slice(isTitled ? 1 : 0).map((row) =>
    Object.fromEntries(
      row.flatMap((cell, at) => {
        const id = ids[at];
        return id === undefined ? [] : [[id, cell.trim()]];
      }),
    ),
  );
}

/** The cells of rows that a spreadsheet put on the clipboard: tabs between cells, quotes around what has tabs, quotes or lines. */
export function parseTsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let [cell, at] = ["", 0];
  const endCell = (): void => {
    row.push(cell);
    cell = "";
  };
  const endRow = (): void => {
    endCell();
    rows.push(row);
    row = [];
  };
  while (at < text.length) {
    const char = text[at] as string;
    if (char === '"' && cell === "" && isClosingQuote(text, at)) {
      const end = isClosingQuote(text, at) as number;
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
      continue;
    }
    if (char === "\t") endCell();
    else if (char === "\n") endRow();
    else if (char !== "\r" || text[at + 1] !== "\n") cell += char;
    at++;
  }
  if (cell !== "" || row.length > 0) endRow();
  return rows.filter((cells) => cells.some((one) => one.trim() !== ""));
}

/** Where a quote that opens a cell is closed: before a tab, a line's end or the end; undefined where it is a plain quote. */
function isClosingQuote(text: string, open: number): number | undefined {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] !== '"') continue;
    if (text[at + 1] === '"') at++;
    else return /^(?:\t|\r?\n|$)/.test(text.slice(at + 1, at + 3)) ? at : undefined;
  }
  return undefined;
}

/** What a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function formatCsvCell(text: string): string {
  const safe = FORMULA.test(text) && !/^[+-]?\d+(?:[.,]\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV (RFC 4180) with a byte order mark, so that spreadsheets read it as UTF-8; none runs a cell as a formula. */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((cells) => cells.map(formatCsvCell).join(",")).join("\r\n")}\r\n`;
}

/** Rows as a spreadsheet takes them from the clipboard. */
export function formatTsv(rows: readonly (readonly string[])[]): string {
  const formatTsvCell = (text: string): string => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((cells) => cells.map(formatTsvCell).join("\t")).join("\n");
}
