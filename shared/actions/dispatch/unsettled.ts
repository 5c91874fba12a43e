import { Problem } from "../../domain/problems.ts";
import type { Answer } from "../contract/answer.ts";
import type { Attempts, Running } from "./running.ts";
import { writeAnswer } from "./written-answer.ts";

/**
 * The answer of an earlier attempt that became a revision after all; attempts whose revision is another call's are
 * forgotten.
 */
export async function settle(r: Running, { unsettled }: Pick<Attempts, "unsettled">): Promise<Answer | undefined> {
  for (const one of [...unsettled]) {
    const { view, decision } = one;
    const revision = view.revision + 1;
    const holder = await r.ports.store.operationAt(view.ledgerId, revision);
    if (holder === r.call.operationId) {
      await r.ports.store.listed(decision);
      return writeAnswer(r, view, decision, revision, true);
    }
    if (holder !== undefined) unsettled.splice(unsettled.indexOf(one), 1);
  }
  return undefined;
}

/** The problem of a call whose time was up before any attempt succeeded. */
export function tooLate({ unsettled, last }: Pick<Attempts, "unsettled" | "last">): Problem {
  const retryAfter = 1;
  if (unsettled.length > 0) {
    const detail = "the store did not say whether the change was made; read again before repeating it";
    return new Problem("out_of_time", detail, { retryAfter });
  }
  if (last === "staging_abandoned") {
    const detail = "the store gave no clear answer to what it was to write; nothing was changed, so try again";
    return new Problem("unavailable", detail, { retryAfter });
  }
  return new Problem("contention", "too many writers work on this model; try again", { retryAfter });
}
