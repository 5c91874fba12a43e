import type { Principal } from "../../domain/accounts/principal.ts";
import type { Channel } from "../../domain/channels.ts";
import type { Kind } from "../../domain/kinds.ts";
import type { Ref } from "../../domain/refs.ts";
import { CallBudget } from "./budget.ts";
import type { UsedDeprecation } from "./params.ts";

/** Clock, ids and random numbers, which tests can control. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Returns a random number from 0 to 1, excluding 1. */
  readonly random: () => number;
  /** Waits for some milliseconds; ends early if `ended` is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** What the store records of one call, with its clock and its ids. All attempts of the call share it. */
export interface RecordedCall {
  readonly operationId: string;
  readonly requestId: string;
  readonly action: string;
  readonly channel: Channel;
  readonly principal: Principal | undefined;
  /** Network address of the caller; absent if unknown, such as in a job. */
  readonly sourceAddress?: string | undefined;
  /** What is recorded of the request; absent in a job. */
  readonly source?: CallSource | undefined;
  /** Id of the run that its commits belong to. */
  readonly run?: string | undefined;
  /** Called with each deprecated name that the call or an entry of its batch uses; absent in a job. */
  readonly noteDeprecation?: ((used: UsedDeprecation) => void) | undefined;
  /** ISO 8601; equal in all attempts. */
  readonly time: string;
  readonly deadline: number;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: Runtime["now"];
  readonly sleep: Runtime["sleep"];
  /** Returns a new id. After `repeat`, the same ids are returned in the same order. */
  readonly nextId: () => string;
  readonly repeat: () => void;
  /** Returns a new id that only this attempt uses. */
  readonly newId: () => string;
}

/** One call of one action. */
export interface Call extends RecordedCall {
  readonly budget: CallBudget;
}

/** What the log and the audit log record of a request, to find it in other logs. */
export interface CallSource {
  /** Network address of the caller, or its network, by the setting `METACTION_RECORDED_ADDRESSES`. */
  readonly address?: string;
  /** Id of the request in the access log of API Gateway. */
  readonly gatewayRequestId?: string;
  /** `X-Request-Id` of the caller. */
  readonly clientRequestId?: string;
}

/** Origin of a call, known before authentication. */
export type Origin = Pick<Call, "requestId" | "channel" | "deadline">;

type CallInput = Origin &
  Pick<Call, "action" | "principal" | "sourceAddress" | "source" | "run" | "noteDeprecation"> & {
    readonly budget?: CallBudget;
  };

/** Creates a call that starts now. */
export function beginCall(input: CallInput, runtime: Runtime): Call {
  const { newId, now, sleep } = runtime;
  const { budget = new CallBudget(runtime, input.deadline) } = input;
  const ids: string[] = [];
  let index = 0;
  return {
    ...input,
    budget,
    operationId: newId(),
    time: new Date(now()).toISOString(),
    now,
    sleep,
    nextId: () => {
      const id = ids[index] ?? newId();
      ids[index] = id;
      index += 1;
      return id;
    },
    repeat: () => {
      index = 0;
      budget.repeat();
    },
    newId,
  };
}

/** One model at one revision, as in an entity tag. */
export interface ExpectedRevision {
  readonly ledgerId: string;
  readonly revision: number;
}

/** Controls of a call, in addition to its parameters: HTTP headers or command-line flags. */
export interface Controls {
  readonly ifMatch: readonly ExpectedRevision[];
  /** Entity tags of answers that the caller has cached. An unchanged read returns no body. */
  readonly ifNoneMatch: readonly string[];
  readonly dryRun: boolean;
  readonly idempotencyKey?: string;
  /** Id of a run. */
  readonly run?: string;
}

export const NO_CONTROLS: Controls = { ifMatch: [], ifNoneMatch: [], dryRun: false };

/** Formats an entity tag without quotes; with the revision of global tags if the answer has them. */
export function formatEtag(model: ExpectedRevision, tags?: { readonly revision: number }): string {
  return `${model.ledgerId}-${model.revision}${tags ? `.${tags.revision}` : ""}`;
}

/** Query parameters and parsed body of a call, not assigned to an action yet. */
export interface RawPayload {
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body: unknown;
}

/** Payload of a call that was not read yet. */
export interface UnreadPayload {
  readonly bytes: number;
  /** Reads the payload once. Rejects with a `Problem` for an invalid size, media type, JSON or control. */
  readonly read: () => Promise<RawPayload>;
}

/** Creates the payload of a caller that passes values instead of bytes. */
export function toUnreadPayload(body: unknown, query: RawPayload["query"] = []): UnreadPayload {
  return { bytes: 0, read: async () => ({ query, body }) };
}

/** Checked parameters: refs of the addressed path, outermost first, and the input of `run`. */
export interface Payload {
  readonly path: readonly { readonly kind: Kind; readonly ref: Ref }[];
  readonly input: Readonly<Record<string, unknown>>;
}

/** Answer of a call, for all transports; `body` is a string if the media type is text. */
export interface Answer {
  readonly mediaType: string;
  readonly body: unknown;
  /** Body that the idempotency record keeps in place of `body`. */
  readonly recorded?: unknown;
  /** Entity tag without quotes; present if the answer is about one ledger. */
  readonly etag?: string;
  /** True if the cached copy of the caller is still valid; there is no body. */
  readonly notModified?: boolean;
  /** True if the call became a job, which continues after the answer. */
  readonly accepted?: true;
  readonly next?: string;
  /** True if the answer was stored by an earlier call with the same idempotency key. */
  readonly replayed?: true;
}

/** Stored answer of a write, for repeated calls with the same idempotency key. */
export interface AnswerRecord {
  /** Digest of caller, action and idempotency key. */
  readonly id: string;
  /** Keyed digest of the whole payload, including refs and secrets. */
  readonly fingerprint: string;
  readonly answer: Answer;
  /** Id of the job that will provide the answer, while it is running. */
  readonly job?: string;
  /** Expiry in seconds since the epoch; an expired record is ignored. */
  readonly expiresAt: number;
}

/** Idempotency record of a call without its answer. */
export type IdempotencyRequest = Omit<AnswerRecord, "answer" | "job">;
