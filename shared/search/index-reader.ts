import { createRowTest, type SearchFilters } from "../domain/search/filters.ts";
import type { SearchRow } from "../domain/search/rows.ts";
import { convertFilters } from "./expressions.ts";
import { decodeRow, type IndexStatements, type StoredModel, type StoredRow } from "./index-statements.ts";
import type { MarkNumbers } from "./marks.ts";

/** Position among all rows: after this place in the model of this key. */
export interface Cursor {
  readonly key: string;
  readonly place: string;
}

/** One read of the index. */
export interface Look {
  readonly filters: SearchFilters<string>;
  readonly globalTags: ReadonlySet<string>;
  readonly among?: ReadonlySet<string>;
  readonly after: Cursor;
  readonly most: number;
}

/** A row that was found, and its model in the index. */
export interface Hit {
  readonly model: StoredModel;
  readonly row: SearchRow;
}

/** Rows that were found. `more` is where to continue; absent at the end. */
export interface Hits {
  readonly hits: readonly Hit[];
  readonly more?: Cursor;
}

/** Rows that one read checks, so that nobody waits long for it. */
const ROWS_AT_ONCE = 5_000;

/** Creates the index reader. `models` returns all models by number. */
export function createIndexReader(
  statements: IndexStatements,
  marks: MarkNumbers,
  models: () => readonly StoredModel[],
) {
  /** Finds the first position of a model after a place by binary search. */
  const findPosition = (model: number, place: string): number => {
    let [low, high] = [0, 2 ** 31];
    while (low < high) {
      const middle = low + Math.floor((high - low) / 2);
      const row = statements.getRowFrom(model, middle);
      if (!row || row[1] > place) high = middle;
      else low = row[0] + 1;
    }
    return low;
  };

  return {
    find: ({ filters, globalTags, among, after, most }: Look): Hits => {
      const { expression, within } = convertFilters({ statements, marks, globalTags }, filters);
      const visibleModels = models().filter((one) => one[2] >= after.key && (among?.has(one[1]) ?? true));
      const [first] = visibleModels;
      if (expression === false || !first) return { hits: [] };
      const passes = createRowTest(filters, globalTags);
      const byNumber = new Map(visibleModels.map((one) => [one[0], one]));
      const readRows = (model: number, position: number): Iterable<StoredRow> => {
        if (expression !== true) return statements.iterateMatches(model, position, expression, within);
        return statements.iterateRows(model, position, within);
      };
      const hits: Hit[] = [];
      let count = 0;
      let next: StoredModel | undefined = first;
      let position = first[2] === after.key && after.place !== "" ? findPosition(first[0], after.place) : 0;
      while (next) {
        const from: StoredModel = next;
        next = undefined;
        for (const cells of readRows(from[0], position)) {
          const model = byNumber.get(cells[0]);
          if (!model) {
            // The row belongs to another model. Continue at the next requested one.
            next = findFirstAfter(visibleModels, cells[0]);
            break;
          }
          const row = decodeRow(model, cells);
          if (passes(row)) hits.push({ model, row });
          count += 1;
          if (hits.length >= most || count >= ROWS_AT_ONCE) return { hits, more: { key: model[2], place: row.place } };
        }
        position = 0;
      }
      return { hits };
    },
  };
}

function findFirstAfter(models: readonly StoredModel[], number: number): StoredModel | undefined {
  let [low, high] = [0, models.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((models[middle]?.[0] ?? 0) > number) high = middle;
    else low = middle + 1;
  }
  return models[low];
}
