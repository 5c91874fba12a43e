import { NO_RIGHTS } from "../../domain/accounts/principal.ts";
import { Problem } from "../../domain/problems.ts";
import type { Action, Ports } from "../contract/action.ts";
import { beginCall, type Call, NO_CONTROLS } from "../contract/call.ts";
import type { LeasedJob } from "../contract/jobs.ts";
import { answerCall } from "./answer-call.ts";
import { CallContext, type Service } from "./call-context.ts";
import { findCaller, resolveCallerRights } from "./caller-rights.ts";

/** The outcome of a worker's run of a job. */
export type JobOutcome = "done" | "failed" | "left" | "not_taken";

/** Runs a job until `deadline` (ms). Temporary problems leave it to another worker; others fail it. */
export async function runJob(id: string, service: Service, deadline: number): Promise<JobOutcome> {
  const ports = service.ports(deadline);
  const leasedJob = await ports.jobs.lease(id);
  if (!leasedJob) return "not_taken";
  try {
    await answerCall(await createJobContext(leasedJob, service, deadline));
    return "done";
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === "job_ended" || mayPass(error)) return "left";
    await ports.jobs.fail(leasedJob, error);
    return "failed";
  }
}

function mayPass({ code }: Problem) {
  return code === "unavailable" || code === "throttled" || code === "out_of_time" || code === "contention";
}

async function createJobContext(
  { job, order, lease }: LeasedJob,
  service: Service,
  deadline: number,
): Promise<CallContext> {
  const [group = "", name = ""] = job.action.split("/");
  const { payload, channel, requestId } = order;
  const ifMatch = (order.ifMatch ?? []).map(({ modelId: ledgerId, revision }) => ({ ledgerId, revision }));
  const action = await service.registry.find(group, name);
  const ports = service.ports(deadline);
  // The rule let the caller through when the job was accepted.
  const principal = { claimedRoles: [], ...order.principal, ...NO_RIGHTS };
  const facts = { requestId, action: job.action, channel, deadline };
  const call = await checkCaller(beginCall({ ...facts, principal }, service.runtime), action, ports);
  const prepared = action.prepareAgain ? await action.prepare?.({ input: payload.input, ports, call }) : order.prepared;
  return new CallContext({
    service,
    action,
    payload,
    controls: { ...NO_CONTROLS, ifMatch },
    call,
    ports,
    job: { lease, prepared, claim: order.claim },
  });
}

/** Checks the caller of a job again. An action prepared again gets the caller's current rights. */
async function checkCaller(call: Call, action: Action, { store }: Ports): Promise<Call> {
  const { principal } = call;
  const view = await store.openIdentity();
  try {
    if (!principal || !action.prepareAgain) {
      await findCaller(view, principal);
      return call;
    }
    const { actor: _actor, roles: _roles, ...rights } = await resolveCallerRights(view, call, action);
    return { ...call, principal: { ...principal, ...rights } };
  } catch (error) {
    // A problem found in a state that another commit has replaced is left to the next worker.
    if (error instanceof Problem && !(await store.confirm(view))) throw new Problem("contention", error.message);
    throw error;
  }
}
