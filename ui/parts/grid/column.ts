import type { ComponentType, ReactNode } from "react";

/** Ends editing a cell; the key determines the next cell. */
export type LeaveCell = (cause: "Enter" | "Tab" | "Shift-Tab" | "Escape" | "blur") => void;

/** Properties of the field in a cell. */
export interface CellFieldProps<T> {
  readonly row: T;
  readonly edit: CellEdit<T>;
  readonly label: string;
  readonly text: string;
  readonly leave: LeaveCell;
}

/** Editing of the cells of a column. */
export interface CellEdit<T> {
  /** Component of the field. It must be loaded before the first key press; read-only grids do without it. */
  readonly field: ComponentType<CellFieldProps<T>>;
  /** Saves the typed text; its error appears at the cell. */
  readonly save: (row: T, text: string) => Promise<void>;
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** The text to edit, if it differs from the visible one. */
  readonly getText?: (row: T) => string;
}

/** A column of a grid. */
export interface Column<T> {
  /** Identifier of the column in addresses and in the browser storage. */
  readonly id: string;
  readonly title: string;
  /** Text of a cell for filter, sort, copy and export. */
  readonly getText: (row: T) => string;
  /** Content of a cell; its text by default. */
  readonly renderCell?: (row: T) => ReactNode;
  /** True if the text is not translated: it is rendered as English. */
  readonly isEnglish?: boolean;
  /** Compares two rows; by text by default. */
  readonly compareRows?: (a: T, b: T) => number;
  /** Pixels; by default the column shares the remaining width. */
  readonly width?: number;
  readonly align?: "start" | "end";
  readonly isHidden?: boolean;
  readonly edit?: CellEdit<T>;
  /** True if cells have no text before rendering: the column is not sorted, filtered or exported. */
  readonly isOpaque?: boolean;
  /** True if cells read their content: they render after their row was visible for a moment. */
  readonly isRead?: boolean;
}
