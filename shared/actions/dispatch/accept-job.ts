import { ifDefined } from "../../domain/content.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import type { Answer, IdempotencyRequest } from "../contract/answer.ts";
import type { Job } from "../contract/jobs.ts";
import type { Payload } from "../contract/payload.ts";
import type { Running } from "./running.ts";

/** The prepared value and the idempotency request that a call was decided with. */
interface Decided {
  readonly prepared: unknown;
  readonly claim: IdempotencyRequest | undefined;
}

/** Hands a call that is too large for one commit to a worker, with all it was decided from. */
export async function acceptJob(r: Running, objects: number, { prepared, claim }: Decided): Promise<Answer> {
  const { principal, channel, requestId } = r.call;
  if (objects > LIMITS.objectsPerJob || !principal) {
    throw new Problem(
      "too_large",
      `one job may write ${LIMITS.objectsPerJob} objects; this one has ${objects}: split the model`,
    );
  }
  const { actorId, issuer, subject, fullname, claimedRoles, apiToken } = principal;
  const order = {
    payload: { ...r.payload, input: keptInput(r) },
    prepared: r.action.preparesAnew ? undefined : prepared,
    channel,
    requestId,
    principal: { actorId, issuer, subject, fullname, claimedRoles, ...ifDefined("apiToken", apiToken) },
    ...(claim && { claim }),
    ifMatch: r.request.controls.ifMatch.map(({ ledgerId: modelId, revision }) => ({ modelId, revision })),
  };
  return acceptedAnswer(await r.ports.jobs.accept(r.call, order, objects));
}

function keptInput({ action: { preparedFrom = [] }, payload: { input } }: Running): Payload["input"] {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !preparedFrom.includes(name)));
}

/** The answer of a call that became a job. */
export function acceptedAnswer(job: Job): Answer {
  return { mediaType: "application/json", body: { status: "accepted", job: `id:${job.id}` }, accepted: true };
}
