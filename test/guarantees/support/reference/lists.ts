import { type Asked, may, type RefRead } from "./action.ts";
import { badParameters } from "./problem.ts";
import { byKey } from "./state.ts";

export const PAGING = { limit: may("PageLimit"), cursor: may("Cursor") };

/** Returns the place after which a page begins. Throws `bad_parameters` for a cursor that no answer contained. */
export function placeOf({ input: { cursor }, state }: Asked): string | undefined {
  const place = cursor === undefined ? undefined : state.cursors.get(String(cursor));
  if (cursor !== undefined && place === undefined) throw badParameters("/cursor");
  return place;
}

/** The page asked for, of rows sorted by key. */
export function page<T extends { readonly key: string }>(
  asked: Asked,
  all: Iterable<T>,
  body: (rows: readonly T[]) => unknown,
): RefRead {
  const { limit } = asked.input;
  const after = placeOf(asked);
  const rows = [...all].sort(byKey).filter((row) => after === undefined || row.key > after);
  const shown = limit === undefined ? rows : rows.slice(0, Number(limit));
  const last = shown.at(-1);
  const next = shown.length < rows.length && last && { next: asked.cursorAfter(last.key) };
  return { does: "read", body: body(shown), ...next };
}
