import type { Ambient } from "../../actions/contract/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import { auditKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { DAY_MS } from "./expected-state.ts";
import type { Finding } from "./finding.ts";

/** Keys that one request reads. */
const ASKED = 100;

/** Operations, each with its time, that the audit log ought to tell of and does not. Nothing is put in the place of an entry. */
export async function withoutAudit(
  table: Table,
  ambient: Ambient,
  operations: ReadonlyMap<string, string>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  // DynamoDB removes what has expired at any time from then on, by a clock of its own.
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
