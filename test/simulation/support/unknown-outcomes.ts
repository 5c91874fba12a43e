import { weatherOf } from "./call-mix.ts";
import { PARTITION_CAPACITY } from "./capacity.ts";
import { label, type Op } from "./history.ts";
import type { Network, Suffered } from "./network.ts";
import type { RequestFault } from "./request-faults.ts";

const IN_DOUBT = /did not (say whether|confirm)/;
const UNANSWERED: ReadonlySet<RequestFault["fault"]> = new Set(["unsent", "unheard", "late"]);
/** A call that gives a request up later has too little time left to find out. */
const SOON_MS = 2_000;
/** Items that are let go later refuse whoever looks for them, or writes them once more. */
const SHORT_MS = 60;

/** Calls with an unknown outcome although only one request had no answer: they could have looked it up. */
export function listOutcomeFaults(
  ops: readonly Op[],
  { seed, suffered }: Network,
  senders: ReadonlyMap<string, number>,
): readonly string[] {
  const { freezes, spreadMs, capacity } = weatherOf(seed);
  if (freezes > 0 || spreadMs > SHORT_MS || capacity !== PARTITION_CAPACITY) return [];
  return ops
    .filter(({ outcome }) => "problem" in outcome && IN_DOUBT.test(outcome.problem.message))
    .filter(({ request }) => isOneSoon(suffered.get(senders.get(request) ?? 0) ?? []))
    .map((op) => `${label(op)} was left in doubt by one request without an answer`);
}

function isOneSoon([only, ...others]: readonly Suffered[]) {
  return only !== undefined && others.length === 0 && UNANSWERED.has(only.fate.fault) && only.after <= SOON_MS;
}
