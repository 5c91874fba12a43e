import middy from "@middy/core";
import type { Context } from "aws-lambda";
import type { Service } from "../actions/pipeline/call-context.ts";
import { toRecordedAddress } from "../domain/accounts/source-address.ts";
import { LIMITS } from "../domain/limits.ts";
import { omitUndefined } from "../domain/model/content.ts";
import { Problem } from "../domain/problems.ts";
import { type HttpOptions, handle, refuse } from "../http/handle.ts";
import { getClientRequestId, type PlainRequest, type PlainResponse, type ReceivedRequest } from "../http/request.ts";

/** Answers a plain request. `cutOff` is when the platform ends the call, in milliseconds since the epoch. */
export type HandleRequest = (request: PlainRequest, cutOff?: number) => Promise<PlainResponse>;

/** Milliseconds before the platform ends the call by which an action has to be done. */
const RESERVE_MS = 1_500;
/** Milliseconds after its deadline at which an action is given up. */
const GRACE_MS = 500;

/** Creates the middy chain that every transport shares. A call that takes too long is answered `out_of_time`. */
export function createChain(service: Service, options: HttpOptions): HandleRequest {
  const { now, newId } = service.runtime;
  const chain = middy<ReceivedRequest, PlainResponse, Error, Context>({
    timeoutEarlyInMillis: 1,
    timeoutEarlyResponse: () => {
      throw new Problem("out_of_time", "The call took too long; read again before repeating a change");
    },
  })
    .handler((event: ReceivedRequest) => handle(event, service, options))
    .onError(async (request) => {
      request.response = await refuse(request.error, request.event, service, options);
    });
  let running = 0;
  return async (request, cutOff = Number.POSITIVE_INFINITY) => {
    const start = now();
    const deadline = Math.min(start + LIMITS.callMs, cutOff - RESERVE_MS);
    const event: ReceivedRequest = {
      ...request,
      requestId: newId(),
      source: omitUndefined({
        address: toRecordedAddress(request.sourceAddress, options.recordedAddresses ?? "full"),
        gatewayRequestId: request.gatewayRequestId,
        clientRequestId: getClientRequestId(request.headers),
      }),
      began: start,
      deadline,
    };
    // Refused before anything is read, so that it does not slow down the calls that are running.
    if (running >= LIMITS.callsAtOnce) return refuse(createOverloadProblem(), event, service, options);
    // This is all that middy reads of Lambda's context, once, at the start.
    const context = { getRemainingTimeInMillis: () => deadline + GRACE_MS - start } as Context;
    running += 1;
    try {
      return await chain(event, context);
    } finally {
      running -= 1;
    }
  };
}

function createOverloadProblem(): Problem {
  return new Problem("unavailable", `the service works on ${LIMITS.callsAtOnce} calls already; try again`);
}
