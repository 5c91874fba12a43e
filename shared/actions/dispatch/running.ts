import { LIMITS } from "../../domain/limits.ts";
import type { Action, Ports } from "../contract/action.ts";
import type { IdempotencyRequest } from "../contract/answer.ts";
import type { Call } from "../contract/call.ts";
import type { Decision } from "../contract/decision.ts";
import type { Payload } from "../contract/payload.ts";
import type { CommitOutcome, JobLease } from "../contract/store.ts";
import type { View } from "../contract/view.ts";
import type { Scoping } from "./scopes.ts";
import type { ActionCall, Service } from "./service.ts";
import type { QueueSlot } from "./write-queue.ts";

/** An authorized, well-formed call on its way through its attempts. */
export interface Running {
  readonly action: Action;
  readonly payload: Payload;
  readonly request: Pick<ActionCall, "controls" | "deadline">;
  readonly call: Call;
  readonly service: Service;
  readonly ports: Ports;
  /**
   * The models shown to a caller with rights on some models only; absent in a job, whose caller was judged when it was
   * accepted.
   */
  readonly scoping?: Scoping | undefined;
  /** Set by the worker of a job: what was prepared when it was accepted, and the lease its commit carries. */
  readonly job?: {
    readonly lease: JobLease;
    readonly prepared: unknown;
    readonly claim: IdempotencyRequest | undefined;
  };
}

/** The state that the attempts of a call share. */
export interface Attempts {
  readonly prepared: unknown;
  /** The record that a call with an idempotency key asked for. */
  readonly claim: IdempotencyRequest | undefined;
  /** Commits that were sent and whose answer never came: each may have been applied, or may still be. */
  readonly unsettled: Unsettled[];
  /** The slot of a call that writes in the write queue; a call that writes nothing waits for nobody. */
  readonly slot: QueueSlot | undefined;
  /** Until when the call tries, in milliseconds since the epoch. */
  readonly giveUp: number;
  /** True while the attempt under way writes what it decided. */
  isDecided: boolean;
  /** The outcome of the last commit. */
  last?: CommitOutcome;
  /** True once most of a generation is written: then the call goes on as long as it may. */
  staged: boolean;
}

/** A commit without an answer. */
export interface Unsettled {
  readonly view: View;
  readonly decision: Decision;
  /** True where it rests on a model that it does not write to: it may still be made when that has moved on. */
  readonly restsOnOthers: boolean;
}

/** Until when a call tries. Nobody waits for a job, so it may try as long as its worker lives. */
export function giveUpAt({ job, request, service }: Running): number {
  const patience = job ? Number.POSITIVE_INFINITY : LIMITS.contentionMs;
  return Math.min(request.deadline, service.ambient.now() + patience);
}
