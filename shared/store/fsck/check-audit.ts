import type { Ambient } from "../../actions/contract/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import { auditKey } from "../table/keys.ts";
import type { RetryingTable } from "../table/retry.ts";
import { DAY_MS } from "./expected-state.ts";
import type { Finding } from "./finding.ts";

/**
 * Findings for operations that the audit log does not show though it should; `operations` has the time of each. No
 * entry is made up for them.
 */
export async function withoutAudit(
  table: RetryingTable,
  ambient: Ambient,
  operations: ReadonlyMap<string, string>,
): Promise<Finding[]> {
  // DynamoDB removes expired items at any time from then on, by a clock of its own.
  const oldest = ambient.now() - (LIMITS.auditDays - 1) * DAY_MS;
  const kept = [...operations].filter(([, time]) => Date.parse(time) > oldest);
  const keys = kept.map(([operation, time]) => auditKey(time, operation));
  const there = new Set((await table.batchGet(keys)).map(({ sk }) => sk));
  const missing = keys.filter(({ sk }) => !there.has(sk));
  return missing.map((place) => {
    const sentence = `the log of accounts holds the operation ${place.sk}, of which the audit log does not tell`;
    return { code: "audit-missing", place, sentence };
  });
}
