import type { Action, NotInBatch } from "./action.ts";
import { isWrite } from "./action.ts";

/**
 * The reason that keeps an action out of a batch: its own `notInBatch`, or that it addresses no ledger that a batch
 * stages.
 */
export function notInBatch(action: Action): NotInBatch | undefined {
  if (action.notInBatch) return action.notInBatch;
  const { target, within, ledger } = action;
  const lies = ledger ?? (target ?? within)?.ledger;
  if (lies === "identity") return { why: "who may do what changes in a call of its own" };
  const addresses = [target, within, ledger].some((address) => address !== undefined);
  return isWrite(action) || addresses ? undefined : { why: "it concerns no single model" };
}

/** The sentence of an action's description that no batch can have it; "" where one may. */
export function batchSentence(action: Action): string {
  const not = notInBatch(action);
  if (!not) return "";
  const named = not.parameters?.map((parameter) => `\`${parameter}\``).join(" or ");
  const what = named === undefined ? "Cannot" : `With ${named} it cannot`;
  return ` ${what} be part of a batch: ${not.why}.`;
}
