import { foldText } from "../../words/formats.ts";
import type { Column } from "./column.ts";

/** State of a grid in the address: search text, filter texts of columns, and order. */
export interface GridView {
  readonly q?: string | undefined;
  readonly in?: Readonly<Record<string, string>> | undefined;
  /** Column id, prefixed with `-` for descending order. Without it the rows keep their order. */
  readonly sort?: string | undefined;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** Returns the sort column and direction. */
export function getSort(view: GridView): { readonly id: string; readonly isDescending: boolean } | undefined {
  const { sort } = view;
  if (!sort) return undefined;
  return sort.startsWith("-") ? { id: sort.slice(1), isDescending: true } : { id: sort, isDescending: false };
}

/** Returns the sort order after a click on a column title: ascending, descending, unsorted. */
export function getNextSort(view: GridView, id: string): string | undefined {
  const now = getSort(view);
  if (now?.id !== id) return id;
  return now.isDescending ? undefined : `-${id}`;
}

/** Filters and sorts the rows. */
export function arrangeRows<T>(rows: readonly T[], columns: readonly Column<T>[], view: GridView): readonly T[] {
  const words = foldText(view.q ?? "")
    .split(/\s+/)
    .filter((word) => word !== "");
  const conditions = columns.flatMap((column) => {
    const text = view.in?.[column.id];
    return text ? [{ column, text: foldText(text) }] : [];
  });
  const matchesFilter = (row: T) => {
    if (!conditions.every(({ column, text }) => foldText(column.getText(row)).includes(text))) return false;
    if (words.length === 0) return true;
    const all = foldText(columns.map((column) => column.getText(row)).join("\n"));
    return words.every((word) => all.includes(word));
  };
  const visibleRows = words.length > 0 || conditions.length > 0 ? rows.filter(matchesFilter) : rows;
  const sort = getSort(view);
  const column = columns.find(({ id }) => id === sort?.id);
  if (!sort || !column) return visibleRows;
  const order = column.compareRows ?? ((a: T, b: T) => collator.compare(column.getText(a), column.getText(b)));
  return [...visibleRows].sort((a, b) => (sort.isDescending ? order(b, a) : order(a, b)));
}
