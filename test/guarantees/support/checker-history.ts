import type { Outcome } from "./history-lane.ts";
import type { SentCall } from "./reference-answer.ts";
import type { RefModel, RefTags } from "./reference-state.ts";

/** One call that a client made on one model. Times are ticks of one counter: no two are equal. */
export interface Op {
  /** The request id, which the log entry of its commit carries. */
  readonly request: string;
  readonly start: number;
  readonly end: number;
  /** With the service's own ids. */
  readonly call: SentCall;
  readonly outcome: Outcome;
}

/** Something that was seen of a model without a revision: it has to have been so at some moment in between. */
export interface Glimpse {
  readonly start: number;
  readonly end: number;
  readonly what: string;
  readonly holds: (model: RefModel) => boolean;
}

/** One revision as the model's log has it. */
export interface LogRow {
  readonly revision: number;
  readonly request: string;
  /** Ids of what it made beside the object its answer is about. */
  readonly untold?: readonly string[];
}

/** Everything that happened to one model while its clients were at work. */
export interface ModelHistory {
  /** The model before the first call. */
  readonly before: RefModel;
  /** The tags of groups, which stayed as they were. */
  readonly tags: RefTags;
  readonly ops: readonly Op[];
  readonly glimpses: readonly Glimpse[];
  /** The revisions after `before`, in order. */
  readonly log: readonly LogRow[];
  /** What `model_export` answered after the last call. */
  readonly after: unknown;
}

/** What an op says of the model's revisions. */
export type Claim =
  /** It made that revision. */
  | { readonly kind: "commit"; readonly revision: number }
  /** Its answer is of that revision. */
  | { readonly kind: "seen"; readonly revision: number }
  /** Its refusal is of some revision in between. */
  | { readonly kind: "refused" }
  /** It gave the answer of another op again. */
  | { readonly kind: "replayed" }
  /** It did nothing. */
  | { readonly kind: "nothing" }
  /** It may have made a revision. */
  | { readonly kind: "unknown" };

/** Refusals that say nothing of the model: the service was busy. */
const NOTHING_DONE: ReadonlySet<string> = new Set(["contention", "throttled", "unavailable"]);

/** The model's revision in an entity tag, which may name that of the tags of groups too. */
export function revisionIn(etag = ""): number {
  return Number(/-(\d+)(?:\.\d+)?$/.exec(etag)?.[1]);
}

export function claimOf({ outcome }: Op): Claim {
  if ("problem" in outcome) {
    const { code, members } = outcome.problem;
    if (code === "out_of_time") return { kind: "unknown" };
    if (NOTHING_DONE.has(code)) return { kind: "nothing" };
    return members.currentRevision === undefined
      ? { kind: "refused" }
      : { kind: "seen", revision: members.currentRevision };
  }
  const { body, etag, replayed } = outcome.answer;
  if (replayed) return { kind: "replayed" };
  const { revision, changed, dryRun } = Object(body) as { revision?: number; changed?: boolean; dryRun?: boolean };
  if (changed !== undefined && revision !== undefined) {
    if (dryRun) return { kind: "seen", revision: changed ? revision - 1 : revision };
    return changed ? { kind: "commit", revision } : { kind: "seen", revision };
  }
  return { kind: "seen", revision: revisionIn(etag) };
}
