import { isDeepStrictEqual } from "node:util";
import { label, type Op } from "./history.ts";

/** An op, and whether its answer was given again. */
interface Claimed {
  readonly op: Op;
  readonly kind: string;
}

/**
 * Faults of answers that were given again: of all calls with one idempotency key one does the work, and the others repeat
 * its answer.
 */
export function listDuplicateFaults(claimed: readonly Claimed[]): string[] {
  const faults: string[] = [];
  const first = new Map<string, Claimed>();
  for (const one of claimed) {
    const key = keyOf(one);
    if (key === undefined || !("answer" in one.op.outcome) || one.kind === "replayed") continue;
    if (first.has(key)) faults.push(`${label(one.op)} was done twice`);
    first.set(key, one);
  }
  for (const one of claimed) {
    if (one.kind !== "replayed" || !("answer" in one.op.outcome)) continue;
    const origin = first.get(keyOf(one) ?? "");
    if (!origin || !("answer" in origin.op.outcome)) faults.push(`${label(one.op)} replays a call that nobody made`);
    else if (origin.op.start > one.op.end) faults.push(`${label(one.op)} replays a call that began later`);
    else if (!isDeepStrictEqual(origin.op.outcome.answer.body, one.op.outcome.answer.body)) {
      faults.push(`${label(one.op)} replays another answer`);
    }
  }
  return faults;
}

function keyOf({ op }: Claimed): string | undefined {
  const { idempotencyKey } = op.call.controls;
  return idempotencyKey === undefined ? undefined : `${op.call.caller}|${op.call.action}|${idempotencyKey}`;
}
