import { isDeepStrictEqual } from "node:util";
import { NO_RIGHTS, type Rights } from "../../domain/accounts/principal.ts";
import { PROBLEMS, Problem } from "../../domain/problems.ts";
import type { Action, Ports } from "../contract/action.ts";
import { beginCall, type Call, NO_CONTROLS } from "../contract/call.ts";
import type { LeasedJob } from "../contract/jobs.ts";
import { answerCall } from "./answer-call.ts";
import { CallContext, type Service } from "./call-context.ts";
import { createCallScoping, resolveCallerRights } from "./caller-rights.ts";

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
    if (error.code === "job_ended" || PROBLEMS[error.code].retryable) return "left";
    await ports.jobs.fail(leasedJob, error);
    return "failed";
  }
}

/** Creates the context of a job's call, under the rights that its caller has now. */
async function createJobContext(
  { job, order, lease }: LeasedJob,
  service: Service,
  deadline: number,
): Promise<CallContext> {
  const [group = "", name = ""] = job.action.split("/");
  const { payload, channel, requestId, run } = order;
  const ifMatch = (order.ifMatch ?? []).map(({ modelId: ledgerId, revision }) => ({ ledgerId, revision }));
  const action = await service.registry.find(group, name);
  const ports = service.ports(deadline);
  const facts = { requestId, action: job.action, channel, deadline, run };
  const caller = { claimedRoles: [], ...order.principal, ...NO_RIGHTS };
  const accepted = beginCall({ ...facts, principal: caller }, service.runtime);
  const rights = await findRights(accepted, action, ports);
  const principal = { ...caller, ...rights };
  const call = { ...accepted, principal };
  const prepared = action.prepareAgain ? await action.prepare?.({ input: payload.input, ports, call }) : order.prepared;
  const checkRights = async () => {
    if (isDeepStrictEqual(await findRights(accepted, action, ports), rights)) return;
    throw new Problem("contention", "the rights of the caller have changed; the job is decided again");
  };
  return new CallContext({
    service,
    action,
    payload,
    controls: { ...NO_CONTROLS, ifMatch },
    call,
    ports,
    scoping: createCallScoping(action, principal),
    job: { lease, prepared, claim: order.claim, checkRights },
  });
}

/** Finds the present rights of the caller of a job. Throws `not_allowed` and `actor_disabled`. */
async function findRights(call: Call, action: Action, { store }: Ports): Promise<Rights> {
  const view = await store.openIdentity();
  try {
    const { actor: _actor, roles: _roles, ...rights } = await resolveCallerRights(view, call, action);
    return rights;
  } catch (error) {
    // A problem found in a state that another commit has replaced is left to the next worker.
    if (error instanceof Problem && !(await store.confirm(view))) throw new Problem("contention", error.message);
    throw error;
  }
}
