import { foldText } from "../../words/formats.ts";
import type { Column } from "./column.ts";

/** What of a grid is in the address: the text sought in all columns, one text per column, and the order. */
export interface GridView {
  readonly q?: string | undefined;
  /** Texts sought, by the id of their column. */
  readonly in?: Readonly<Record<string, string>> | undefined;
  /** The id of a column; with `-` before it for the other direction. Without it the rows stay as they came. */
  readonly sort?: string | undefined;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** The column and the direction that a view sorts by. */
export function getSort(view: GridView): { readonly id: string; readonly isDescending: boolean } | undefined {
  const { sort } = view;
  if (!sort) return undefined;
  return sort.startsWith("-") ? { id: sort.slice(1), isDescending: true } : { id: sort, isDescending: false };
}

/** The order after a click on a column's title: up, down, as the rows came. */
export function getNextSort(view: GridView, id: string): string | undefined {
  const now = getSort(view);
  if (now?.id !== id) return id;
  return now.isDescending ? undefined : `-${id}`;
}

/** The rows that a view shows, in its order. */
export function arrangeRows<T>(rows: readonly T[], columns: readonly Column<T>[], view: GridView): readonly T[] {
  const words = foldText(view.q ?? "")
    .split(/\s+/)
    .filter((word) => word !== "");
  const sought = columns.flatMap((column) => {
    const text = view.in?.[column.id];
    return text ? [{ column, text: foldText(text) }] : [];
  });
  const matchesFilter = (row: T): boolean => {
    if (!sought.every(({ column, text }) => foldText(column.text(row)).includes(text))) return false;
    if (words.length === 0) return true;
    const all = foldText(columns.map((column) => column.text(row)).join("\n"));
    return words.every((word) => all.includes(word));
  };
  const shown = words.length > 0 || sought.length > 0 ? rows.filter(matchesFilter) : rows;
  const sort = getSort(view);
  const column = columns.find(({ id }) => id === sort?.id);
  if (!sort || !column) return shown;
  const order = column.order ?? ((a: T, b: T) => collator.compare(column.text(a), column.text(b)));
  return [...shown].sort((a, b) => (sort.isDescending ? order(b, a) : order(a, b)));
}
