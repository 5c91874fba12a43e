import type { Claim } from "./claimed-revisions.ts";
import { type LogRow, label } from "./history.ts";

export type Order = ReturnType<typeof orderOf>;

interface Known {
  readonly at: number;
  readonly revision: number;
}

/** Computes which revisions of each ledger a call may have read, by real time. `base` has the first revisions. */
export function orderOf(rows: readonly LogRow[], claims: readonly Claim[], base: ReadonlyMap<string, number>) {
  const starts = new Map(claims.map(({ op }) => [op.request, op.start]));
  const known = new Map<string, Known[]>();
  const told = new Map<string, Known[]>();
  const begun = new Map<string, Known[]>();
  for (const { op, made, seen } of claims) {
    for (const { ledger, revision } of [...made, ...seen]) add(known, ledger, { at: op.end, revision });
    for (const { ledger, revision } of made) add(told, ledger, { at: op.end, revision });
  }
  for (const { ledger, revision, request } of rows) {
    const before = begun.get(ledger)?.at(-1)?.at ?? 0;
    // None of the later ones can have been seen by what had ended before.
    const at = Math.max(before, starts.get(request) ?? 0);
    add(begun, ledger, { at, revision });
  }
  const answered = (ledger: string, moment: number) => {
    const ends = new Map((told.get(ledger) ?? []).map(({ at, revision }) => [revision, at]));
    let revision = base.get(ledger) ?? 0;
    while ((ends.get(revision + 1) ?? Number.POSITIVE_INFINITY) < moment) revision += 1;
    return revision;
  };
  const newest = (all: ReadonlyMap<string, readonly Known[]>) => (ledger: string, moment: number) => {
    const before = (all.get(ledger) ?? []).filter(({ at }) => at < moment);
    return Math.max(base.get(ledger) ?? 0, ...before.map(({ revision }) => revision));
  };
  return {
    /** The newest revision that was certainly there when something began. */
    lowest: newest(known),
    /** The newest revision up to which every writer had been answered when something began. */
    answered,
    /** The newest revision that may have been there when something ended. */
    highest: newest(begun),
  };
}

function add(all: Map<string, Known[]>, ledger: string, one: Known) {
  const there = all.get(ledger) ?? [];
  there.push(one);
  all.set(ledger, there);
}

/** The faults of the logs: revisions twice or missing, writes that are not in them or that nobody was told of. */
export function logFaults(rows: readonly LogRow[], claims: readonly Claim[], base: ReadonlyMap<string, number>) {
  const faults: string[] = [];
  const newest = new Map(base);
  const byRequest = new Map<string, LogRow[]>();
  for (const row of rows) {
    const { ledger, revision, request } = row;
    const due = (newest.get(ledger) ?? 0) + 1;
    if (revision !== due) faults.push(`the log of ${ledger} has revision ${revision} where ${due} is due`);
    newest.set(ledger, revision);
    const own = byRequest.get(request) ?? [];
    if (own.some((one) => one.ledger === ledger)) faults.push(`${request} made two revisions of ${ledger}`);
    byRequest.set(request, [...own, row]);
  }
  for (const { op, made, kind } of claims) {
    const own = byRequest.get(op.request) ?? [];
    byRequest.delete(op.request);
    for (const { ledger, revision } of made) {
      if (own.some((row) => row.ledger === ledger && row.revision === revision)) continue;
      faults.push(`${label(op)} was told revision ${revision} of ${ledger}, which it did not make`);
    }
    if (kind === "unknown") continue;
    for (const { ledger, revision } of own) {
      if (made.some((one) => one.ledger === ledger && one.revision === revision)) continue;
      faults.push(`${label(op)} made revision ${revision} of ${ledger} and was told otherwise`);
    }
  }
  for (const [request] of byRequest) faults.push(`a revision is by nobody: ${request}`);
  return faults;
}

/** The claims that contradict the order of events as the clients lived through it, in sentences. */
export function orderFaults(claims: readonly Claim[], order: Order): readonly string[] {
  return claims.flatMap(({ op, made, seen }) => [
    ...[...made, ...seen].flatMap(({ ledger, revision }) =>
      revision > order.highest(ledger, op.end)
        ? [`${label(op)} met revision ${revision} of ${ledger} before its writer had begun`]
        : [],
    ),
    ...seen.flatMap(({ ledger, revision }) => {
      const lowest = order.lowest(ledger, op.start);
      return revision < lowest ? [`${label(op)} saw revision ${revision} of ${ledger} when ${lowest} was known`] : [];
    }),
    ...made.flatMap(({ ledger, revision }) => {
      const lowest = order.lowest(ledger, op.start);
      if (revision > lowest) return [];
      return [`${label(op)} became revision ${revision} of ${ledger} when ${lowest} was known`];
    }),
  ]);
}
