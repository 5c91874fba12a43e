import type { Ambient } from "../../actions/contract/call.ts";
import { blobKey, JOBS } from "../table/keys.ts";
import { itemsOf } from "../table/pages.ts";
import type { Item, Table } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";
import { DAY_MS } from "./expected-state.ts";
import type { Finding } from "./finding.ts";

/**
 * Findings for jobs that nobody works on, or that cannot run. A person cancels them with `batch/job_cancel`, which
 * tells those who wait.
 */
export async function checkJobs(table: Table, ambient: Ambient): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const job of itemsOf(table, { pk: JOBS })) {
    if (hasEnded(job)) continue;
    const place = { pk: job.pk, sk: job.sk };
    // The job is read again where its order is missing, since it may have ended meanwhile.
    if (!(await table.get(blobKey(job.sk, 0))) && !hasEnded((await table.get(place)) ?? job)) {
      const sentence = `the ${job.state} job ${job.sk} has lost its order and cannot run: cancel it`;
      findings.push({ code: "job-order-missing", place, sentence });
    } else if (Number(job.leaseUntil) + DAY_MS <= ambient.now()) {
      const sentence = `nobody has worked on the ${job.state} job ${job.sk} since ${new Date(Number(job.leaseUntil)).toISOString()}: does the worker run?`;
      findings.push({ code: "job-stale", place, sentence });
    }
  }
  return findings;
}

/** True for a job that has ended: only such a job expires. */
function hasEnded(job: Item): boolean {
  return job[TABLE.timeToLive] !== undefined;
}
