import type { Claim, LogRow, ModelHistory, Op } from "./checker-history.ts";

/** What real time allows: which revisions an op may have met. */
export interface Order {
  /** The newest revision that was certainly there when something began. */
  lowest(start: number): number;
  /** The newest revision that may have been there when something ended. */
  highest(end: number): number;
}

/** An op with what it says of the revisions. */
export interface Claimed {
  readonly op: Op;
  readonly claim: Claim;
}

/** The order in real time, from the log and from what ended when. */
export function orderOf(history: ModelHistory, claimed: readonly Claimed[]): Order {
  const base = history.before.revision;
  const byRequest = new Map(history.ops.map((op) => [op.request, op]));
  // When the last of all revisions up to each began: none of them can have been seen by what had ended then.
  const begun: number[] = [];
  for (const { request } of history.log) {
    begun.push(
      Math.max(begun.at(-1) ?? Number.NEGATIVE_INFINITY, byRequest.get(request)?.start ?? Number.NEGATIVE_INFINITY),
    );
  }
  const ends = claimed
    .flatMap(({ op, claim }) =>
      claim.kind === "commit" || claim.kind === "seen" ? [{ at: op.end, revision: claim.revision }] : [],
    )
    .sort((a, b) => a.at - b.at);
  const newest: number[] = [];
  for (const { revision } of ends) newest.push(Math.max(newest.at(-1) ?? base, revision));
  return {
    lowest: (start) => newest[countBelow(ends, (e) => e.at < start) - 1] ?? base,
    highest: (end) => base + countBelow(begun, (at) => at < end),
  };
}

/** How many of a sorted list pass, where those that pass come first. */
function countBelow<T>(sorted: readonly T[], passes: (one: T) => boolean): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const one = sorted[middle];
    if (one !== undefined && passes(one)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** What is wrong with the log: revisions twice or missing, writes that are not in it or that nobody was told of. */
export function logFaults(history: ModelHistory, claimed: readonly Claimed[]): string[] {
  const faults: string[] = [];
  const rows = new Map<string, LogRow>();
  for (const [i, row] of history.log.entries()) {
    const due = history.before.revision + 1 + i;
    if (row.revision !== due) faults.push(`the log has revision ${row.revision} where ${due} is due`);
    if (rows.has(row.request)) faults.push(`request ${row.request} made two revisions`);
    rows.set(row.request, row);
  }
  for (const { op, claim } of claimed) {
    const row = rows.get(op.request);
    rows.delete(op.request);
    if (claim.kind === "commit" && row?.revision !== claim.revision) {
      faults.push(`${label(op)} was told revision ${claim.revision}, the log has it at ${row?.revision ?? "none"}`);
    }
    if (row && claim.kind !== "commit" && claim.kind !== "unknown") {
      faults.push(`${label(op)} made revision ${row.revision} and was told otherwise`);
    }
  }
  for (const { revision, request } of rows.values()) faults.push(`revision ${revision} is by nobody: ${request}`);
  return faults;
}

/** What contradicts the order of events as the clients lived through it. */
export function orderFaults(claimed: readonly Claimed[], order: Order): string[] {
  return claimed.flatMap(({ op, claim }) => {
    if (claim.kind !== "commit" && claim.kind !== "seen") return [];
    const [lowest, highest] = [order.lowest(op.start), order.highest(op.end)];
    const { kind, revision } = claim;
    if (revision > highest) return [`${label(op)} met revision ${revision} before its writer had begun`];
    if (kind === "seen" && revision < lowest) return [`${label(op)} saw revision ${revision} when ${lowest} was known`];
    if (kind === "commit" && revision <= lowest) return [`${label(op)} became ${revision} when ${lowest} was known`];
    return [];
  });
}

/** An op in a few words. */
export function label({ call, request, start, end }: Op): string {
  const payload = JSON.stringify(call.payload.body ?? call.payload.query).slice(0, 160);
  const controls = Object.keys(call.controls).length > 0 ? ` with ${JSON.stringify(call.controls)}` : "";
  return `${call.action} ${payload}${controls} [${start}-${end}] ${request}`;
}
