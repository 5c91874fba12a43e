import type { Ambient } from "../../actions/contract/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import { sweep } from "../sweep/sweep.ts";
import { createRetryPolicy, retryingTable } from "../table/retry.ts";
import { isWritten, type Table, type Write } from "../table/table.ts";
import type { Finding } from "./finding.ts";

/** The outcome of mending: how many findings were mended, and how many not. */
export interface Mended {
  readonly mended: number;
  /** Findings whose items changed since they were found: they have to be looked for again. */
  readonly moved: number;
}

/** Findings worked on at once. */
const LANES = 8;

/**
 * Mends findings, each only if everything it rests on is still as it was found. Logs are never touched. A sweep, where
 * one is needed, comes last, when nothing live is noted for it any more.
 */
export async function mendFindings(plainTable: Table, ambient: Ambient, findings: readonly Finding[]): Promise<Mended> {
  const table = retryingTable(plainTable, createRetryPolicy(ambient));
  const direct = findings.flatMap(({ mend }) => (mend && mend.by !== "sweep" ? [mend.by] : []));
  const swept = findings.filter(({ mend }) => mend?.by === "sweep").length;
  let next = 0;
  let mended = 0;
  const lane = async (): Promise<void> => {
    for (let writes = direct[next++]; writes; writes = direct[next++]) {
      if (await written(table, writes)) mended += 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const moved = direct.length - mended;
  // The first round closes stagings, the second one forgets them.
  for (let round = 0; swept > 0 && round < 2; round++) await sweep(table, ambient);
  return { mended: mended + swept, moved };
}

/** Writes a mend, in several transactions where it is large; false where an expectation failed. */
async function written(table: Table, writes: readonly Write[]): Promise<boolean> {
  for (let at = 0; at < writes.length; at += LIMITS.transactionItems) {
    const some = writes.slice(at, at + LIMITS.transactionItems);
    if (!(await isWritten(() => table.transactWrite(some)))) return false;
  }
  return true;
}
