import type { Action } from "../../../../shared/actions/contract/action.ts";
import { may, type RefAction } from "./action.ts";
import { isOfAccounts } from "./auth.ts";
import { PAGING } from "./lists.ts";

/**
 * The action that shows the trail of acts on accounts. Its rule and parameters are those that discovery tells; what it
 * answers is held by the histories of accounts, test/guarantees/grants.test.ts, because those of models have next to no
 * such acts.
 */
export const ELSEWHERE: Readonly<Record<string, RefAction>> = {
  "auth/audit_list": {
    rule: "admin",
    writes: false,
    params: {
      actorId: may("ObjectId"),
      act: may("AuditAct"),
      outcome: may("AuditOutcome"),
      from: may("Moment"),
      until: may("Moment"),
      ...PAGING,
    },
    run: () => {
      throw new Error("no history has this action");
    },
  },
};

/** True for an action that random histories have: what is left to suites of its own has none. */
export function isInHistories(action: Action): boolean {
  return !isOfAccounts(action) && !Object.hasOwn(ELSEWHERE, `${action.group}/${action.name}`);
}
