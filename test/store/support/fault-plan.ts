import type { Table } from "../../../shared/store/table/table.ts";
import { createChance } from "../../support/chance.ts";

export type Operation = keyof Table;

/** One call at the storage table. Keys are written `<pk>|<sk>`, of a query `<pk>|<prefix>`. */
export interface TableCall {
  /** The number of the call since the plan was armed, from 1. */
  readonly nth: number;
  readonly operation: Operation;
  readonly keys: readonly string[];
}

export type Fault =
  | "lose" // No answer; it never reached the table.
  | "lose-answer" // No answer; it reached the table.
  | "throttle" // Refused, and certainly not done; so is `conflict`.
  | "conflict"
  | "half" // A batch of which only the first half is taken.
  | "none-taken"
  | "repeat" // Applied, then sent once more by the client below, whose second answer is returned.
  | "kill" // The process dies before it; every later call fails as well.
  | "kill-after"
  | { readonly slow: number } // Answered that many milliseconds later.
  | { readonly applyLater: number } // No answer; it reaches the table before the call that many calls later.
  // A transaction whose items become visible one by one, after `hold` calls; `answered` if the writer is told at once.
  | { readonly scatter: number; readonly hold: number; readonly answered: boolean }
  | { readonly before: () => Promise<unknown> }
  | { readonly after: () => Promise<unknown> };

/** The calls that a rule is for: all that fit, or the nth of those. */
export interface Match {
  readonly operation?: Operation | readonly Operation[];
  readonly key?: RegExp;
  readonly nth?: number;
}

export interface Rule {
  readonly match: Match;
  readonly do: Fault;
  /** How often the rule holds; once unless given. */
  readonly times?: number;
}

/** Creates a rule for transactions whose items become visible one after the other; see `scatter` of a fault. */
export const scatterWrites = (scatter: number, hold: number, answered: boolean, times = 1): Rule => ({
  match: { operation: "transactWrite" },
  do: { scatter, hold, answered },
  times,
});

/** Faults by chance: the same seed and the same calls give the same faults. */
export interface RandomFaults {
  readonly seed: number;
  /** Share of the calls that go wrong, from 0 to 1. */
  readonly rate: number;
  readonly faults: readonly Fault[];
}

/** Planned faults. `pageRows`: rows in a page of objects or log entries, as large rows end a page at 1 MB. */
export interface Plan {
  readonly rules?: readonly Rule[];
  readonly random?: RandomFaults;
  readonly pageRows?: number;
}

const WRITES: ReadonlySet<Operation> = new Set(["transactWrite", "write", "batchPut", "batchDelete"]);

/** True for the operations that change the table. */
export const isWriting = (operation: Operation): boolean => WRITES.has(operation);

/** Picks the faults of a plan. */
export type FaultPicker = ReturnType<typeof createFaultPicker>;

export function createFaultPicker(plan: Plan) {
  const rules = (plan.rules ?? []).map((rule) => ({ rule, seen: 0, left: rule.times ?? 1 }));
  const chance = plan.random && createChance(plan.random.seed);
  const pick = (call: TableCall): Fault | undefined => {
    let picked: Fault | undefined;
    for (const state of rules) {
      if (!fits(state.rule.match, call)) continue;
      state.seen += 1;
      const due = state.rule.match.nth === undefined || state.seen >= state.rule.match.nth;
      if (picked !== undefined || !due || state.left === 0) continue;
      state.left -= 1;
      picked = state.rule.do;
    }
    if (picked !== undefined || !plan.random || !chance) return picked;
    const [hit, which] = [chance.next(), chance.next()];
    const possible = plan.random.faults.filter((fault) => isPossible(fault, call.operation));
    return hit < plan.random.rate ? possible[Math.floor(which * possible.length)] : undefined;
  };
  /** Lists the rules that matched no call and therefore tested nothing, for example because `nth` is too large. */
  const missed = (): readonly Rule[] =>
    rules.filter(({ rule, seen }) => seen === 0 && rule.match.nth === undefined).map(({ rule }) => rule);
  return { pick, missed };
}

function fits(match: Match, call: TableCall): boolean {
  const { operation, key } = match;
  if (operation !== undefined && ![operation].flat().includes(call.operation)) return false;
  return key === undefined || call.keys.some((one) => key.test(one));
}

/** Reads are not applied later, only batches are taken by half, only a transaction has items that scatter. */
function isPossible(fault: Fault, operation: Operation) {
  if (fault === "half" || fault === "none-taken") return operation === "batchPut" || operation === "batchDelete";
  if (fault === "repeat") return operation === "write";
  if (typeof fault === "object" && "scatter" in fault) return operation === "transactWrite";
  if (fault === "lose-answer" || (typeof fault === "object" && "applyLater" in fault)) return isWriting(operation);
  return true;
}
