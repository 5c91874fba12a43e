import type { Ambient } from "../../actions/contract/call.ts";
import { blobKey, JOBS } from "../table/keys.ts";
import { itemsOf } from "../table/pages.ts";
import type { Item, Table } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";
import { DAY_MS } from "./expected-state.ts";
import type { Finding } from "./finding.ts";

/** Jobs that nobody works on, or nobody can. They are cancelled with `batch/job_cancel`, which tells whoever waits for them. */
export async function checkJobs(table: Table, ambient: Ambient): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const job of itemsOf(table, { pk: JOBS })) {
    if (hasEnded(job)) continue;
    const place = { pk: job.pk, sk: job.sk };
    // Asked again once the order is missed, since the job may have ended meanwhile.
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

/** Only a job that has ended expires. */
function hasEnded(job: Item): boolean {
  return job[TABLE.timeToLive] !== undefined;
}
