import type { Page, Rows } from "../actions/contract/view.ts";
import { LIMITS } from "../domain/limits.ts";
import { Problem } from "../domain/problems.ts";
import type { Located } from "../domain/search/rows.ts";
import type { Cursor, Hits } from "./index-reader.ts";

/** Ends the key of the model in a cursor; it sorts below every character of a key. */
const END = "\n";
/** Fewest bytes of one row of an answer. */
const ROW_BYTES = 150;
/** The beginning of everything. */
const START: Cursor = { key: "", place: "" };

/** The place that a page begins after. */
export function parseCursor({ after }: Page): Cursor {
  if (after === undefined) return START;
  const [key = "", ...rest] = after.split(END);
  return { key, place: rest.join(END) };
}

/** A row of a page, and where it is. */
export interface PlacedRow {
  readonly row: Located;
  readonly at: Cursor;
}

/** The rows of a page, gathered until it is full. */
export interface PageRows {
  readonly isFull: () => boolean;
  /** Rows that the page takes beside those it has: one more than it shows tells that there is a next page. */
  readonly countFree: () => number;
  add(rows: readonly PlacedRow[]): void;
  toPage(): Rows<Located>;
}

/** An empty page; `result_too_large` where a page without a limit becomes larger than an answer. */
export function createPage({ limit = Number.POSITIVE_INFINITY }: Page): PageRows {
  const rows: PlacedRow[] = [];
  return {
    isFull: () => rows.length > limit,
    countFree: () => limit + 1 - rows.length,
    add: (more) => {
      for (const row of more) rows.push(row);
      if (limit === Number.POSITIVE_INFINITY && rows.length * ROW_BYTES > LIMITS.inflatedResponseBytes)
        throw createTooManyProblem();
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

/** Fills a page with all that looks find; its rows come under the key of their model, unless another one is given. */
export async function fillPage(
  page: PageRows,
  after: Cursor,
  look: (after: Cursor, most: number) => Promise<Hits>,
  listedKey?: string,
): Promise<void> {
  let from: Cursor | undefined = after;
  while (from && !page.isFull()) {
    const found: Hits = await look(from, page.countFree());
    page.add(found.hits.map(({ model, row }) => ({ row, at: { key: listedKey ?? model[2], place: row.place } })));
    from = found.more;
    // Everything else in the process gets its turn.
    if (from && !page.isFull()) await new Promise((resolve) => setImmediate(resolve));
  }
}

function createTooManyProblem(): Problem {
  return new Problem("result_too_large", "more was found than one answer may hold; ask for less with limit");
}
