import type { Column } from "./column.ts";

/** Cells of a pasted row by column id. */
export type PastedRow = Readonly<Record<string, string>>;

/** Effect of a pasted row. */
export interface PlannedRow {
  readonly cells: PastedRow;
  readonly change: "create" | "update" | "same" | "wrong";
  readonly why?: string;
}

/** Handling of pasted rows in a grid. */
export interface Pasting {
  readonly columns: readonly string[];
  readonly plan: (rows: readonly PastedRow[]) => readonly PlannedRow[];
  readonly apply: (rows: readonly PlannedRow[]) => Promise<void>;
}

/** Parses pasted text as rows; a first row with titles or ids of columns is the header. */
export function parsePastedRows<T>(
  text: string,
  columnIds: readonly string[],
  columns: readonly Column<T>[],
): readonly PastedRow[] {
  const cells = parseTsv(text);
  const findColumnId = (title: string) => {
    const searchText = title.trim().toLowerCase();
    return columnIds.find(
      (id) => id.toLowerCase() === searchText || columns.find((c) => c.id === id)?.title.toLowerCase() === searchText,
    );
  };
  const titles = (cells[0] ?? []).map(findColumnId);
  const isTitled = titles.length > 0 && titles.every((id) => id !== undefined);
  const ids = isTitled ? titles : columnIds;
  return cells.slice(isTitled ? 1 : 0).map((row) =>
    Object.fromEntries(
      row.flatMap((cell, at) => {
        const id = ids[at];
        return id === undefined ? [] : [[id, cell.trim()]];
      }),
    ),
  );
}

/** Parses tab-separated rows from a spreadsheet, with quoted cells. */
export function parseTsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let [cell, at] = ["", 0];
  const endCell = () => {
    row.push(cell);
    cell = "";
  };
  const endRow = () => {
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

/** Returns the index of the closing quote, before a tab, a line end or the end; undefined for a plain quote. */
function isClosingQuote(text: string, open: number): number | undefined {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] !== '"') continue;
    if (text[at + 1] === '"') at++;
    else return /^(?:\t|\r?\n|$)/.test(text.slice(at + 1, at + 3)) ? at : undefined;
  }
  return undefined;
}

/** Texts that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function formatCsvCell(text: string) {
  const safe = FORMULA.test(text) && !/^[+-]?\d+(?:[.,]\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats rows as CSV (RFC 4180) with a byte order mark for UTF-8; escapes formulas. */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((cells) => cells.map(formatCsvCell).join(",")).join("\r\n")}\r\n`;
}

/** Formats rows as tab-separated text for the clipboard. */
export function formatTsv(rows: readonly (readonly string[])[]): string {
  const formatTsvCell = (text: string) => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((cells) => cells.map(formatTsvCell).join("\t")).join("\n");
}
