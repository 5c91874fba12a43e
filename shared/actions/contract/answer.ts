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
