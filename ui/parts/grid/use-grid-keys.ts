import { type KeyboardEvent, type RefObject, useState } from "react";
import type { Column, LeaveCell } from "./column.ts";
import type { Editing } from "./grid-row.tsx";

interface GridKeysSettings<T> {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly open?: ((row: T) => void) | undefined;
  readonly reveal: (row: number) => void;
  readonly choose?: ((row: T) => void) | undefined;
}

/** Position of the keyboard in a grid, and its key handlers. */
export interface GridKeys {
  readonly active: CellPosition | undefined;
  readonly editing: Editing | undefined;
  activate(position: CellPosition): void;
  begin(position: CellPosition): void;
  readonly leave: LeaveCell;
  handleKey(event: KeyboardEvent): void;
}

/** Handles keyboard navigation, editing and opening of cells. */
export function useGridKeys<T>({ scroller, rows, columns, open, reveal, choose }: GridKeysSettings<T>): GridKeys {
  const [active, setActive] = useState<CellPosition>();
  const [editing, setEditing] = useState<Editing>();
  const size = { rows: rows.length, columns: columns.length };

  const goTo = (position: CellPosition) => {
    setActive(position);
    reveal(position.row);
    // The cell may render only after its row is visible.
    const focus = (tries: number) => {
      const cell = scroller.current?.querySelector<HTMLElement>(`[data-cell="${position.row}:${position.column}"]`);
      if (cell) cell.focus();
      else if (tries > 0) requestAnimationFrame(() => focus(tries - 1));
    };
    // Focuses at once if possible: the next key may come before the next frame.
    focus(10);
  };
  const begin = (position: CellPosition, text?: string) => {
    const row = rows[position.row];
    const column = columns[position.column];
    if (row === undefined || !column?.edit) return false;
    setActive(position);
    setEditing({ column: position.column, text: text ?? (column.edit.getText ?? column.getText)(row) });
    return true;
  };
  const handleKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    const isCell = target instanceof HTMLElement && target.dataset.cell !== undefined;
    if (altKey || !isCell) return;
    const [row = 0, column = 0] = (target.dataset.cell ?? "").split(":").map(Number);
    const position = { row, column };
    const ctrl = ctrlKey || metaKey;
    const next = getMovedPosition(key, ctrl, position, size);
    const at = rows[row];
    if (next) goTo(next);
    else if (at === undefined || !runKeyAction(key, ctrl, at, position)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const runKeyAction = (key: string, ctrl: boolean, row: T, position: CellPosition) => {
    const isChoice = columns[position.column]?.edit?.choices !== undefined;
    if (key === "F2") return begin(position);
    if (key === "Enter" && begin(position)) return true;
    const run = key === "Enter" ? open : key === " " ? choose : undefined;
    if (run) {
      run(row);
      return true;
    }
    if (isChoice || ctrl) return false;
    if (key === "Delete" || key === "Backspace") return begin(position, "");
    return key.length === 1 && begin(position, key);
  };
  const leave: LeaveCell = (cause) => {
    setEditing(undefined);
    if (!active || cause === "blur") return;
    const { row, column } = active;
    const [down, side] = [cause === "Enter" ? 1 : 0, cause === "Tab" ? 1 : cause === "Shift-Tab" ? -1 : 0];
    goTo({
      row: Math.min(size.rows - 1, row + down),
      column: Math.max(0, Math.min(size.columns - 1, column + side)),
    });
  };
  return { active, editing, activate: setActive, begin: (position) => void begin(position), leave, handleKey };
}

interface CellPosition {
  readonly row: number;
  readonly column: number;
}

const PAGE_ROWS = 12;

/** Returns the cell that a key leads to; undefined for keys that do not move. */
export function getMovedPosition(
  key: string,
  ctrl: boolean,
  from: CellPosition,
  size: { readonly rows: number; readonly columns: number },
): CellPosition | undefined {
  const clamp = (row: number, column: number): CellPosition => ({
    row: Math.max(0, Math.min(size.rows - 1, row)),
    column: Math.max(0, Math.min(size.columns - 1, column)),
  });
  const { row, column } = from;
  switch (key) {
    case "ArrowUp":
      return ctrl ? clamp(0, column) : clamp(row - 1, column);
    case "ArrowDown":
      return ctrl ? clamp(size.rows - 1, column) : clamp(row + 1, column);
    case "ArrowLeft":
      return ctrl ? clamp(row, 0) : clamp(row, column - 1);
    case "ArrowRight":
      return ctrl ? clamp(row, size.columns - 1) : clamp(row, column + 1);
    case "Home":
      return ctrl ? clamp(0, 0) : clamp(row, 0);
    case "End":
      return ctrl ? clamp(size.rows - 1, size.columns - 1) : clamp(row, size.columns - 1);
    case "PageUp":
      return clamp(row - PAGE_ROWS, column);
    case "PageDown":
      return clamp(row + PAGE_ROWS, column);
    default:
      return undefined;
  }
}
