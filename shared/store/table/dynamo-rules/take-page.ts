import { DYNAMO } from "./limits.ts";

/** The page of one Query over the rows in its range. */
export interface TakenPage<T> {
  readonly rows: readonly T[];
  /** Bytes of the rows that were read. */
  readonly bytes: number;
  /** True where the page ended before the range did, or exactly at `limit` rows: DynamoDB does not look further. */
  readonly more: boolean;
}

/** The first page of `rows`: as many as fit a megabyte, and at most `limit`. It asks for one row more than it takes. */
export function takePage<T>(rows: Iterable<T>, bytesOf: (row: T) => number, limit?: number): TakenPage<T> {
  const taken: T[] = [];
  let bytes = 0;
  for (const row of rows) {
    const one = bytesOf(row);
    if (bytes + one > DYNAMO.pageBytes) return { rows: taken, bytes, more: true };
    taken.push(row);
    bytes += one;
    if (taken.length === limit) return { rows: taken, bytes, more: true };
  }
  return { rows: taken, bytes, more: false };
}
