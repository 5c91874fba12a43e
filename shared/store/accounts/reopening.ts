import type { Ambient } from "../../actions/contract/call.ts";
import { REOPENING } from "../../domain/audit.ts";
import { LIMITS } from "../../domain/limits.ts";
import { auditItem } from "../commit/audit-items.ts";
import { auditKey, BOOTSTRAP } from "../table/keys.ts";
import { createRetryPolicy, retryingTable } from "../table/retry.ts";
import { ConditionFailed, type Item, OutcomeUnknown, type Table, type Write } from "../table/table.ts";

/** The outcome of a reopening: the time until which its secret is good, or that no administrator was ever made. */
export type Reopened = { readonly until: string } | "never_used";

/** The digest that a mark of the bootstrap is open to; undefined where it is closed. */
export function reopenedBy(mark: Item, { now }: Pick<Ambient, "now">): string | undefined {
  return typeof mark.reopened === "string" && Number(mark.reopenedUntil) > now() ? mark.reopened : undefined;
}

/**
 * Opens the bootstrap once more, to the secret of a digest, and leaves it in the audit log. An earlier secret is good
 * no more. Accounts made with the bootstrap stay as they are, and so does the secret of the deployment.
 */
export async function reopenBootstrap(plainTable: Table, ambient: Ambient, digest: string): Promise<Reopened> {
  const table = retryingTable(plainTable, createRetryPolicy(ambient));
  const now = ambient.now();
  const until = now + LIMITS.reopenedHours * 3_600_000;
  const fields = { act: REOPENING, outcome: "ok", channel: "operator" } as const;
  const audited = auditItem(auditKey(new Date(now).toISOString(), ambient.newId()), fields);
  for (let repeats = 0; ; repeats++) {
    const mark = await table.get(BOOTSTRAP);
    if (!mark) return "never_used";
    if (mark.reopened === digest && mark.reopenedUntil === until) return { until: new Date(until).toISOString() };
    const writes: readonly Write[] = [
      {
        put: { ...mark, reopened: digest, reopenedUntil: until },
        expect: { equal: { operation: String(mark.operation) } },
      },
      { put: audited, expect: { absent: true } },
    ];
    try {
      await table.transactWrite(writes);
    } catch (error) {
      // The next look tells whether it was written after all.
      if (!(error instanceof OutcomeUnknown || error instanceof ConditionFailed) || repeats >= MOST_LOOKS) throw error;
    }
  }
}

/** Number of times the mark is read again before a table that gives no clear answer is given up. */
const MOST_LOOKS = 5;
