import type { Ambient } from "../../actions/contract/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import { auditKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { DAY_MS } from "./expected-state.ts";
import type { Finding } from "./finding.ts";

/** Keys that one request reads. */
const ASKED = 100;

/**
 * Findings for operations that the audit log does not show though it should; `operations` has the time of each. No
 * entry is made up for them.
 */
export async function withoutAudit(
  table: Table,
  ambient: Ambient,
  operations: ReadonlyMap<string, string>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  // DynamoDB removes expired items at any time from then on, by a clock of its own.
  const oldest = ambient.now() - (LIMITS.auditDays - 1) * DAY_MS;
  const kept = [...operations].filter(([, time]) => Date.parse(time) > oldest);
  for (let at = 0; at < kept.length; at += ASKED) {
    const keys = kept.slice(at, at + ASKED).map(([operation, time]) => auditKey(time, operation));
    const there = new Set((await table.batchGet(keys)).map(({ sk }) => sk));
    for (const place of keys) {
      if (there.has(place.sk)) continue;
      const sentence = `the log of accounts holds the operation ${place.sk}, of which the audit log does not tell`;
      findings.push({ code: "audit-missing", place, sentence });
    }
  }
  return findings;
}
