import type { Page, Rows } from "../actions/contract/view.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import type { FoundObject } from "../domain/search/rows.ts";
import type { Cursor, Hits } from "./index-reader.ts";

/** Ends the key of the model in a cursor. It sorts before every character of a key. */
const END = "\n";
const ROW_BYTES = 150;
const START: Cursor = { key: "", place: "" };

/** Parses the cursor after which a page begins. */
export function parseCursor({ after }: Page): Cursor {
  if (after === undefined) return START;
  const [key = "", ...rest] = after.split(END);
  return { key, place: rest.join(END) };
}

interface PlacedRow {
  readonly row: FoundObject;
  readonly at: Cursor;
}

/** Collects the rows of a page. */
export interface PageRows {
  readonly isFull: () => boolean;
  readonly countFree: () => number;
  add(rows: readonly PlacedRow[]): void;
  toPage(): Rows<FoundObject>;
}

/** Creates an empty page. Throws `result_too_large` for too many rows. */
export function createPage({ limit = Number.POSITIVE_INFINITY }: Page): PageRows {
  const rows: PlacedRow[] = [];
  return {
    isFull: () => rows.length > limit,
    countFree: () => limit + 1 - rows.length,
    add: (newRows) => {
      for (const row of newRows) rows.push(row);
      if (limit === Number.POSITIVE_INFINITY && rows.length * ROW_BYTES > LIMITS.inflatedResponseBytes)
        throw new Problem("result_too_large", "the result is larger than one answer; use limit");
    },
    toPage: () => {
      const last = rows[limit - 1];
      return {
        items: rows.slice(0, limit).map(({ row }) => row),
        ...(rows.length > limit && last && { next: `${last.at.key}${END}${last.at.place}` }),
      };
    },
  };
}

/** Fills a page with the results of reads. `listedKey` is for cursors. */
export async function fillPage(
  page: PageRows,
  after: Cursor,
  look: (after: Cursor, most: number) => Promise<Hits>,
  listedKey?: string,
): Promise<void> {
  let from: Cursor | undefined = after;
  while (from && !page.isFull()) {
    const batch: Hits = await look(from, page.countFree());
    page.add(batch.hits.map(({ model, row }) => ({ row, at: { key: listedKey ?? model[2], place: row.place } })));
    from = batch.more;
    // Other work of the process runs in between.
    if (from && !page.isFull()) await new Promise((resolve) => setImmediate(resolve));
  }
}
