import { compareSortKeys, getBounds } from "../../../shared/store/table/dynamo-rules.ts";
import type { Item, Range } from "../../../shared/store/table/table.ts";

export interface Version {
  /** Absent once the row was deleted. */
  readonly item: Item | undefined;
  readonly bytes: number;
  /** The moment from which queries see it, in milliseconds since the epoch. */
  readonly shownFrom: number;
}

export interface Row {
  /** Oldest first; the last one is what the table holds. */
  versions: Version[];
  /** The moment at which the last transaction on it lets it go. */
  heldUntil: number;
}

export interface Partition {
  readonly rows: Map<string, Row>;
  readonly sorted: string[];
}

/** Gives a row its next version. */
export function versionOf({ rows, sorted }: Partition, sk: string, version: Version, now: number): void {
  const { shownFrom } = version;
  const row = rows.get(sk);
  if (row) {
    if (shownFrom <= now) row.versions = [version];
    else row.versions.push(version);
    row.heldUntil = shownFrom;
    return;
  }
  rows.set(sk, { versions: [version], heldUntil: shownFrom });
  sorted.splice(firstFrom(sorted, sk), 0, sk);
}

/** Shows queries the newest version of a row; until it shows, no other version can follow. */
export function showNow(row: Row, now: number): void {
  const newest = row.versions.at(-1);
  if (newest && newest.shownFrom > now) row.versions = [{ ...newest, shownFrom: now }];
  row.heldUntil = Math.min(row.heldUntil, now);
}

/** The version of a row that queries see at a moment, unless there is none. */
export function shownAt(row: Row, moment: number): Version | undefined {
  const { versions } = row;
  let newest = versions.length - 1;
  while (newest >= 0 && (versions[newest]?.shownFrom ?? 0) > moment) newest -= 1;
  // Versions before the one that is shown are never shown again.
  if (newest > 0) row.versions = versions.slice(newest);
  const version = versions[newest];
  return version?.item && version;
}

/** The rows of a range that queries see at a moment, in the order they ask for. */
export function* inRange(partition: Partition | undefined, range: Range, moment: number): Generator<Version> {
  if (!partition) return;
  const { sorted, rows } = partition;
  const { prefix, after, descending = false } = range;
  const bounds = getBounds(range);
  const low = firstFrom(sorted, prefix ?? bounds?.from ?? "");
  const high =
    prefix !== undefined ? firstPast(sorted, prefix) : bounds ? firstAfter(sorted, bounds.to) : sorted.length;
  const start = !descending && after !== undefined ? Math.max(low, firstAfter(sorted, after)) : low;
  const end = descending && after !== undefined ? Math.min(high, firstFrom(sorted, after)) : high;
  for (let i = 0; i < end - start; i++) {
    const row = rows.get(sorted[descending ? end - 1 - i : start + i] ?? "");
    const version = row && shownAt(row, moment);
    if (version) yield version;
  }
}

/** A partition of its own, with the same rows at rest. */
export function copyOf({ rows, sorted }: Partition): Partition {
  const copies = new Map<string, Row>();
  for (const [sk, { versions }] of rows) {
    const newest = versions.at(-1);
    if (newest) copies.set(sk, { versions: [{ ...newest, shownFrom: 0 }], heldUntil: 0 });
  }
  return { rows: copies, sorted: [...sorted] };
}

function firstFrom(sorted: readonly string[], sk: string): number {
  return firstOf(sorted, (one) => compareSortKeys(one, sk) >= 0);
}

/** The place of the first sort key that comes after all those with this prefix. */
function firstPast(sorted: readonly string[], prefix: string): number {
  return firstOf(sorted, (one) => !one.startsWith(prefix) && compareSortKeys(one, prefix) > 0);
}

function firstAfter(sorted: readonly string[], sk: string): number {
  return firstOf(sorted, (one) => compareSortKeys(one, sk) > 0);
}

function firstOf(sorted: readonly string[], isReached: (sk: string) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isReached(sorted[middle] ?? "")) high = middle;
    else low = middle + 1;
  }
  return low;
}
