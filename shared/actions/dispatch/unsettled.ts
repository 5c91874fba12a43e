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
