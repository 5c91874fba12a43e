import { isDeepStrictEqual } from "node:util";
import type { At, Claim } from "./claimed-revisions.ts";
import { duplicatesName, type LogRow, label, type Op } from "./history.ts";

/** The commits that duplicates of a call made: it is answered like them, or was refused before they were. */
export function duplicatesDone(ops: readonly Op[], rows: readonly LogRow[]): (op: Op) => readonly At[] {
  const names = new Map(ops.map((op) => [op.request, duplicatesName(op)]));
  const done = Map.groupBy(rows, ({ request }) => names.get(request));
  return (op) => {
    const name = duplicatesName(op);
    return (name === undefined ? [] : (done.get(name) ?? [])).filter(({ request }) => request !== op.request);
  };
}

/** Faults of concurrent duplicates: a call denied its own work, or refused because of its duplicate's work. */
export function duplicateFaults(ops: readonly Op[], claims: readonly Claim[], rows: readonly LogRow[]): string[] {
  const wrote = new Set(rows.map(({ request }) => request));
  const done = duplicatesDone(ops, rows);
  return [
    ...ops
      .filter((op) => "answer" in op.outcome && op.outcome.answer.replayed && wrote.has(op.request))
      .map((op) => `${label(op)} was told that another call did what it did`),
    ...claims.flatMap(({ op, kind, seen }) => {
      if (kind !== "refused") return [];
      const after = done(op).filter((at) => seen.some((s) => s.ledger === at.ledger && s.revision >= at.revision));
      return after.map(({ ledger, revision }) => {
        return `${label(op)} was refused after revision ${revision} of ${ledger}, which a call with its key had made`;
      });
    }),
  ];
}

/** Faults of repeated answers: of all calls with one idempotency key, exactly one does the work. */
export function listDuplicateFaults(claimed: readonly Claim[]): string[] {
  const faults: string[] = [];
  const first = new Map<string, Claim>();
  for (const one of claimed) {
    const key = duplicatesName(one.op);
    if (key === undefined || !("answer" in one.op.outcome) || one.kind === "replayed") continue;
    if (first.has(key)) faults.push(`${label(one.op)} was done twice`);
    first.set(key, one);
  }
  for (const one of claimed) {
    if (one.kind !== "replayed" || !("answer" in one.op.outcome)) continue;
    const origin = first.get(duplicatesName(one.op) ?? "");
    if (!origin || !("answer" in origin.op.outcome)) faults.push(`${label(one.op)} replays a call that nobody made`);
    else if (origin.op.start > one.op.end) faults.push(`${label(one.op)} replays a call that began later`);
    else if (!isDeepStrictEqual(origin.op.outcome.answer.body, one.op.outcome.answer.body))
      faults.push(`${label(one.op)} replays another answer`);
  }
  return faults;
}
