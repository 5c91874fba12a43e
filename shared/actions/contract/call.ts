import type { Principal } from "../../domain/accounts/principal.ts";
import type { Channel } from "../../domain/channels.ts";
import type { Kind } from "../../domain/kinds.ts";
import type { Ref } from "../../domain/refs.ts";

/** Time, ids and chance, given by the entry points so that tests can choose them. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A new UUID, version 7. */
  readonly newId: () => string;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Waits so many milliseconds; ends early when `ended` is aborted. */
  readonly sleep: (ms: number, ended?: AbortSignal) => Promise<void>;
}

/** One call of one action: what every attempt of it has in common. */
export interface Call {
  readonly operationId: string;
  readonly requestId: string;
  /** `<group>/<action>` */
  readonly action: string;
  readonly channel: Channel;
  readonly principal: Principal | undefined;
  /** The network address the call came from; absent where nobody knows it, such as in a job. */
  readonly sourceAddress?: string | undefined;
  /** ISO 8601, the same for every attempt. */
  readonly time: string;
  /** When the call has to be answered, in milliseconds since the epoch. */
  readonly deadline: number;
  /** A new id; after `repeat` the same ids come again in the same order. */
  readonly nextId: () => string;
  readonly repeat: () => void;
  /** A new id of this attempt alone. */
  readonly newId: () => string;
}

/** Where a call comes from, known before it is known who calls. */
export type Origin = Pick<Call, "requestId" | "channel" | "deadline">;

interface CallInput {
  readonly requestId: string;
  readonly action: string;
  readonly channel: Channel;
  readonly principal: Principal | undefined;
  readonly sourceAddress?: string | undefined;
  readonly deadline: number;
}

/** A call that begins now. */
export function beginCall(facts: CallInput, { newId, now }: Runtime): Call {
  const ids: string[] = [];
  let used = 0;
  return {
    ...facts,
    operationId: newId(),
    time: new Date(now()).toISOString(),
    nextId: () => {
      const id = ids[used] ?? newId();
      ids[used] = id;
      used += 1;
      return id;
    },
    repeat: () => {
      used = 0;
    },
    newId,
  };
}

/** One model at one revision, as an entity tag names it. */
export interface ExpectedRevision {
  readonly ledgerId: string;
  readonly revision: number;
}

/** The controls of a call, beside its parameters; headers over HTTP, flags on the command line. */
export interface Controls {
  /** The revisions that the models have to be at for the call to run. */
  readonly ifMatch: readonly ExpectedRevision[];
  /** Entity tags of answers the caller still has; a read whose model has not changed since answers nothing new. */
  readonly ifNoneMatch: readonly string[];
  /** True for a dry run, which does everything but commit. */
  readonly dryRun: boolean;
  readonly idempotencyKey?: string;
}

export const NO_CONTROLS: Controls = { ifMatch: [], ifNoneMatch: [], dryRun: false };

/** The entity tag of a model at a revision, without quotes; where global tags are shown, with their revision. */
export function formatEtag(model: ExpectedRevision, tags?: { readonly revision: number }): string {
  return `${model.ledgerId}-${model.revision}${tags ? `.${tags.revision}` : ""}`;
}

/** The query pairs of a call in order and its parsed body, before anything is known about the action. */
export interface RawPayload {
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body: unknown;
}

/** The payload of a call, not yet read. */
export interface UnreadPayload {
  /** True where reading it costs next to nothing, so that it may be read while it is looked up who calls. */
  readonly isShort: boolean;
  /**
   * The payload, the same each time; rejects with a `Problem` where none can be read: size, media type, malformed JSON,
   * a control.
   */
  readonly read: () => Promise<RawPayload>;
}

/** The payload of a caller who hands over values, not bytes. */
export function toUnreadPayload(body: unknown, query: RawPayload["query"] = []): UnreadPayload {
  return { isShort: true, read: async () => ({ query, body }) };
}

/** Checked parameters: refs of the addressed path, outermost first, and the input of `run`. */
export interface Payload {
  readonly path: readonly { readonly kind: Kind; readonly ref: Ref }[];
  readonly input: Readonly<Record<string, unknown>>;
}

/** The answer of a call, which every door sends back; `body` is text where the media type is. */
export interface Answer {
  readonly mediaType: string;
  readonly body: unknown;
  /** The entity tag, without quotes; present where the answer concerns one ledger. */
  readonly etag?: string;
  /** True where the caller's own copy is still right, so that there is no body. */
  readonly notModified?: boolean;
  /** True where the call became a job, which goes on after the answer. */
  readonly accepted?: true;
  /** The cursor of the next page of a list. */
  readonly next?: string;
  /** True for the stored answer of an earlier call with the same idempotency key. */
  readonly replayed?: true;
}

/** The answer of a write, kept for callers that ask again with the same idempotency key. */
export interface AnswerRecord {
  /** Digest of caller, action and idempotency key. */
  readonly id: string;
  /** Keyed digest of the whole payload: every ref and every parameter, secrets too. */
  readonly fingerprint: string;
  readonly answer: Answer;
  /** Id of the job that will give the answer, while it has not ended. */
  readonly job?: string;
  /** Seconds since the epoch; after that the record counts as absent. */
  readonly expiresAt: number;
}

/** The record of a call before there is an answer: its caller, action and payload. */
export type IdempotencyRequest = Omit<AnswerRecord, "answer" | "job">;
