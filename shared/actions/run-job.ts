import { Problem } from "../domain/problems.ts";
import { NO_RIGHTS } from "../domain/rights.ts";
import { answerCall } from "./attempts.ts";
import { beginCall } from "./call.ts";
import { NO_CONTROLS } from "./controls.ts";
import type { Service } from "./dispatch.ts";
import type { TakenJob } from "./jobs.ts";

/** How a worker left a job. */
export type JobOutcome = "done" | "failed" | "left" | "not_taken";

/**
 * Runs one job until `deadline` (milliseconds since the epoch). What may pass leaves the job to the next worker, which
 * begins anew with a generation of its own; everything else ends it as failed.
 */
export async function runJob(id: string, service: Service, deadline: number): Promise<JobOutcome> {
  const { jobs } = service.ports(deadline);
  const taken = await jobs.take(id);
  if (!taken) return "not_taken";
  try {
    await answer(taken, service, deadline);
    return "done";
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === "job_ended" || mayPass(error)) return "left";
    await jobs.fail(taken, error);
    return "failed";
  }
}

function mayPass({ code }: Problem): boolean {
  return code === "unavailable" || code === "throttled" || code === "out_of_time" || code === "contention";
}

async function answer({ job, order, mark }: TakenJob, service: Service, deadline: number): Promise<void> {
  const [group = "", name = ""] = job.action.split("/");
  const { payload, prepared, channel, requestId, principal, ifMatch = [] } = order;
  const call = beginCall(
    // The rule let the caller through when the job was accepted.
    { requestId, action: job.action, channel, deadline, principal: { ...principal, claimedRoles: [], ...NO_RIGHTS } },
    service.ambient,
  );
  const request = { controls: { ...NO_CONTROLS, ifMatch }, deadline };
  const action = await service.registry.find(group, name);
  const ports = service.ports(deadline);
  await answerCall(
    { action, payload, request, call, service, ports, job: { mark, prepared, claim: order.claim } },
    undefined,
  );
}
