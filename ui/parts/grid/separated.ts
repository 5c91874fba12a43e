/** The cells of rows that a spreadsheet put on the clipboard: tabs between cells, quotes around what has tabs, quotes or lines. */
export function cellsOfTsv(text: string): readonly (readonly string[])[] {
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
    if (char === '"' && cell === "" && closes(text, at)) {
      const end = closes(text, at) as number;
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
function closes(text: string, open: number): number | undefined {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] !== '"') continue;
    if (text[at + 1] === '"') at++;
    else return /^(?:\t|\r?\n|$)/.test(text.slice(at + 1, at + 3)) ? at : undefined;
  }
  return undefined;
}

/** What a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function csvCell(text: string): string {
  const safe = FORMULA.test(text) && !/^[+-]?\d+(?:[.,]\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV (RFC 4180) with a byte order mark, so that spreadsheets read it as UTF-8; none runs a cell as a formula. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((cells) => cells.map(csvCell).join(",")).join("\r\n")}\r\n`;
}

/** Rows as a spreadsheet takes them from the clipboard. */
export function tsvOf(rows: readonly (readonly string[])[]): string {
  const cellOf = (text: string): string => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((cells) => cells.map(cellOf).join("\t")).join("\n");
}
