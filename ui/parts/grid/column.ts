import type { ComponentType, ReactNode } from "react";

/** Ends the editing of a cell; the key says where to go next. */
export type LeaveCell = (by: "Enter" | "Tab" | "Shift-Tab" | "Escape" | "blur") => void;

/** What the field in a cell is given. */
export interface CellFieldProps<T> {
  readonly row: T;
  readonly edit: CellEdit<T>;
  readonly label: string;
  /** The text that the field begins with. */
  readonly text: string;
  readonly leave: LeaveCell;
}

/** How the cells of a column are edited. */
export interface CellEdit<T> {
  /** The field, which has to be there when the first key comes; grids that are only read do without it. */
  readonly field: ComponentType<CellFieldProps<T>>;
  /** Whether the cell of a row can be edited; all of them unless given. */
  readonly may?: (row: T) => boolean;
  /** Saves what was typed; what it throws stands at the cell. */
  readonly save: (row: T, text: string) => Promise<void>;
  /** The only texts that it takes. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** The text that is edited, where it is not the one that is shown. */
  readonly text?: (row: T) => string;
}

/** One column of a grid over rows of a type. */
export interface Column<T> {
  /** Names the column in addresses and in what the browser remembers. */
  readonly id: string;
  readonly title: string;
  /** The text of a cell as filter, sort, copy and export see it. */
  readonly text: (row: T) => string;
  /** What a cell shows; its text unless given. */
  readonly cell?: (row: T) => ReactNode;
  /** Orders two rows; by their texts unless given. */
  readonly order?: (a: T, b: T) => number;
  /** Pixels; the column shares what is left unless given. */
  readonly width?: number;
  /** Numbers stand at the end. */
  readonly align?: "start" | "end";
  /** True to show it only when somebody asks for it. */
  readonly isHidden?: boolean;
  readonly edit?: CellEdit<T>;
  /** True where the texts of the cells are not known before they are drawn: it is not sorted, filtered and exported. */
  readonly isOpaque?: boolean;
  /** True where the cells read what they show: they are drawn once their row has stayed in sight. */
  readonly isRead?: boolean;
}
