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
  readonly active: CellPlace | undefined;
  readonly editing: Editing | undefined;
  activate(place: CellPlace): void;
  begin(place: CellPlace): void;
  readonly leave: LeaveCell;
  handleKey(event: KeyboardEvent): void;
}

/** Handles keyboard navigation, editing and opening of cells. */
export function useGridKeys<T>({ scroller, rows, columns, open, reveal, choose }: GridKeysSettings<T>): GridKeys {
  const [active, setActive] = useState<CellPlace>();
  const [editing, setEditing] = useState<Editing>();
  const size = { rows: rows.length, columns: columns.length };

  const goTo = (place: CellPlace) => {
    setActive(place);
    reveal(place.row);
    // The cell may render only after its row is visible.
    const focus = (tries: number) => {
      const cell = scroller.current?.querySelector<HTMLElement>(`[data-cell="${place.row}:${place.column}"]`);
      if (cell) cell.focus();
      else if (tries > 0) requestAnimationFrame(() => focus(tries - 1));
    };
    // Focuses at once if possible: the next key may come before the next frame.
    focus(10);
  };
  const begin = (place: CellPlace, text?: string) => {
    const row = rows[place.row];
    const column = columns[place.column];
    if (row === undefined || !column?.edit) return false;
    setActive(place);
    setEditing({ column: place.column, text: text ?? (column.edit.getText ?? column.getText)(row) });
    return true;
  };
  const handleKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    const isCell = target instanceof HTMLElement && target.dataset.cell !== undefined;
    if (altKey || !isCell) return;
    const [row = 0, column = 0] = (target.dataset.cell ?? "").split(":").map(Number);
    const place = { row, column };
    const ctrl = ctrlKey || metaKey;
    const next = getMovedPosition(key, ctrl, place, size);
    const at = rows[row];
    if (next) goTo(next);
    else if (at === undefined || !runKeyAction(key, ctrl, at, place)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const runKeyAction = (key: string, ctrl: boolean, row: T, place: CellPlace) => {
    const isChoice = columns[place.column]?.edit?.choices !== undefined;
    if (key === "F2") return begin(place);
    if (key === "Enter" && begin(place)) return true;
    const run = key === "Enter" ? open : key === " " ? choose : undefined;
    if (run) {
      run(row);
      return true;
    }
    if (isChoice || ctrl) return false;
    if (key === "Delete" || key === "Backspace") return begin(place, "");
    return key.length === 1 && begin(place, key);
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
  return { active, editing, activate: setActive, begin: (place) => void begin(place), leave, handleKey };
}

interface CellPlace {
  readonly row: number;
  readonly column: number;
}

const PAGE_ROWS = 12;

/** Returns the cell that a key leads to; undefined for keys that do not move. */
export function getMovedPosition(
  key: string,
  ctrl: boolean,
  from: CellPlace,
  size: { readonly rows: number; readonly columns: number },
): CellPlace | undefined {
  const clampPlace = (row: number, column: number): CellPlace => ({
    row: Math.max(0, Math.min(size.rows - 1, row)),
    column: Math.max(0, Math.min(size.columns - 1, column)),
  });
  const { row, column } = from;
  switch (key) {
    case "ArrowUp":
      return ctrl ? clampPlace(0, column) : clampPlace(row - 1, column);
    case "ArrowDown":
      return ctrl ? clampPlace(size.rows - 1, column) : clampPlace(row + 1, column);
    case "ArrowLeft":
      return ctrl ? clampPlace(row, 0) : clampPlace(row, column - 1);
    case "ArrowRight":
      return ctrl ? clampPlace(row, size.columns - 1) : clampPlace(row, column + 1);
    case "Home":
      return ctrl ? clampPlace(0, 0) : clampPlace(row, 0);
    case "End":
      return ctrl ? clampPlace(size.rows - 1, size.columns - 1) : clampPlace(row, size.columns - 1);
    case "PageUp":
      return clampPlace(row - PAGE_ROWS, column);
    case "PageDown":
      return clampPlace(row + PAGE_ROWS, column);
    default:
      return undefined;
  }
}
