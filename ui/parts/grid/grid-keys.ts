/** A cell by its place among the shown rows and columns. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** Rows that Page Up and Page Down leap over. */
const LEAP = 12;

/** Where a key leads from a cell in a grid of a size; undefined for keys that do not move. */
export function movedBy(
  key: string,
  ctrl: boolean,
  from: CellPlace,
  size: { readonly rows: number; readonly columns: number },
): CellPlace | undefined {
  const at = (row: number, column: number): CellPlace => ({
    row: Math.max(0, Math.min(size.rows - 1, row)),
    column: Math.max(0, Math.min(size.columns - 1, column)),
  });
  const { row, column } = from;
  switch (key) {
    case "ArrowUp":
      return ctrl ? at(0, column) : at(row - 1, column);
    case "ArrowDown":
      return ctrl ? at(size.rows - 1, column) : at(row + 1, column);
    case "ArrowLeft":
      return ctrl ? at(row, 0) : at(row, column - 1);
    case "ArrowRight":
      return ctrl ? at(row, size.columns - 1) : at(row, column + 1);
    case "Home":
      return ctrl ? at(0, 0) : at(row, 0);
    case "End":
      return ctrl ? at(size.rows - 1, size.columns - 1) : at(row, size.columns - 1);
    case "PageUp":
      return at(row - LEAP, column);
    case "PageDown":
      return at(row + LEAP, column);
    default:
      return undefined;
  }
}
