import { type Asked, may, type RefRead } from "./action.ts";
import { badParameters } from "./problem.ts";
import { byKey } from "./state.ts";

export const PAGING = { limit: may("PageLimit"), cursor: may("Cursor") };

/** The page asked for, of rows sorted by key. */
export function page<T extends { readonly key: string }>(
  { input, state, cursorAfter }: Asked,
  all: Iterable<T>,
  body: (rows: readonly T[]) => unknown,
): RefRead {
  const { cursor, limit } = input;
  const after = cursor === undefined ? undefined : state.cursors.get(String(cursor));
  if (cursor !== undefined && after === undefined) throw badParameters("/cursor");
  const rows = [...all].sort(byKey).filter((row) => after === undefined || row.key > after);
  const shown = limit === undefined ? rows : rows.slice(0, Number(limit));
  const last = shown.at(-1);
  return {
    does: "read",
    body: body(shown),
    ...(shown.length < rows.length && last && { next: cursorAfter(last.key) }),
  };
}
