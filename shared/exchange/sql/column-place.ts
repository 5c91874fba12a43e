import { columnNamed, forgetNames } from "./column-named.ts";
import type { Cursor } from "./cursor.ts";
import type { DraftColumn } from "./drafts.ts";

/** The place that MySQL is told for a column: behind another, or before all. */
export interface ColumnPlace {
  readonly after: string | undefined;
}

/** The tokens that say a column, and its place where `FIRST` or `AFTER` name one behind them. */
export function takePlace(part: Cursor): { readonly column: Cursor; readonly place: ColumnPlace | undefined } {
  const tokens = part.rest();
  // A column may be named `first` or `after` as well.
  if (tokens.length > 3 && tokens.at(-2)?.key === "AFTER") {
    return { column: part.over(tokens.slice(0, -2)), place: { after: part.over(tokens.slice(-1)).name() ?? "" } };
  }
  if (tokens.length > 2 && tokens.at(-1)?.key === "FIRST") {
    return { column: part.over(tokens.slice(0, -1)), place: { after: undefined } };
  }
  return { column: part.over(tokens), place: undefined };
}

/** Puts a column at a place; at the end where there is none, or none of that name. */
export function putColumn(columns: DraftColumn[], column: DraftColumn, place: ColumnPlace | undefined): void {
  const before = place?.after === undefined ? undefined : columnNamed(columns, place.after);
  if (!place || (place.after !== undefined && !before)) {
    columns.push(column);
    return;
  }
  columns.splice(before ? columns.indexOf(before) + 1 : 0, 0, column);
  forgetNames(columns);
}
