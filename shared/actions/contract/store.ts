import type { Change } from "../../domain/model/changes.ts";
import type { GlobalTags, ModelContent } from "../../domain/model/content.ts";
import type { AnyObject, Model } from "../../domain/model/objects.ts";
import { type CommitNote, Problem } from "../../domain/problems.ts";
import type { ModelIdentity, Ref } from "../../domain/refs.ts";
import type { AnswerRecord, Call } from "./call.ts";
import type { Page, ReadView, Rows } from "./view.ts";

/** The row of a model in `model_list`. */
export interface Summary {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly version: string;
  readonly authority: Model["authority"];
}

/** The job a commit belongs to: the commit ends it, and succeeds only while its worker has it. */
export interface JobLease {
  readonly id: string;
  readonly epoch: number;
  /** Notes how many objects are written; `job_ended` when the worker has lost the job. */
  readonly progress: (done: number, total: number) => Promise<void>;
}

/** A JSON value that is kept beside objects, which name it; the name is a new id of this attempt. */
export interface StoredBlob {
  readonly name: string;
  readonly value: unknown;
}

/** The changes that a call makes to one ledger. */
export interface Part {
  readonly changes: readonly Change[];
  /** The version this commit releases. */
  readonly release?: string;
  /** Every object after the commit, kept as a snapshot of the release. */
  readonly holds?: readonly AnyObject[];
  /** The blobs that the changed objects name. */
  readonly blobs?: readonly StoredBlob[];
  /** The actions that the log names, where that is not the action called. */
  readonly actions?: readonly string[];
  /** Revision of the global tags that the decision saw. */
  readonly tagsSeen?: number;
}

/** An object of another ledger that a commit relies on. */
export interface Requirement {
  readonly view: ReadView;
  readonly object: AnyObject;
}

/** The hash of a user's password. It is no part of the user, so that no log, answer or rehearsal can hold it. */
export interface StoredPassword {
  readonly username: string;
  readonly hash: string;
}

/** All that a call writes, in one transaction. */
export interface Commit extends Part {
  /** Passwords that users have from this commit on. */
  readonly passwords?: readonly StoredPassword[];
  /** The changes of other ledgers in the same transaction. */
  readonly alongside?: readonly (Part & { readonly view: ReadView })[];
  /** True where every key it takes was found free through the views, so that a rehearsal need not look. */
  readonly keysLookedUp?: true;
  /** Objects that have to be there still at the moment of the commit; otherwise the call decides again. */
  readonly requires?: readonly Requirement[];
  /**
   * Ledgers that nothing is written to and that have to be at the revision the caller named still at the moment of the
   * commit; otherwise the call decides again.
   */
  readonly expectedRevisions?: readonly SeenRevision[];
  /** The answer to keep, in the same transaction, for whoever asks again with the same idempotency key. */
  readonly record?: AnswerRecord;
  /** True where a worker may make a commit that takes longer than a call has. */
  readonly orJob?: boolean;
  /** Set by the worker of a job, with the answer the job ends with. */
  readonly job?: { readonly lease: JobLease; readonly result: unknown };
  /** Writes everything as a new generation that is published at the end, whatever its size. */
  readonly publish?: boolean;
  /**
   * This commit with the record and the answer it has at a later revision; absent where it may become none but the next.
   */
  readonly at?: (revision: number) => Commit;
}

/**
 * The outcome of a commit, and how the caller goes on:
 * - `revision`: it was made, and is answered.
 * - `duplicate`: a call with the same idempotency key was faster, and the record it left is answered.
 * - `tooLong`: so many objects take longer than a call has; nothing of them is kept, and a worker does it.
 * - `conflict`: another commit came first, or a revision the caller named is gone; the call decides again.
 * - `conflict_after_staging`: a conflict that came while a generation was written; the next attempt uses what is the same of it.
 * - `staging_abandoned`: something that is written before the commit had no definite answer; it is done again under another name.
 * - `unknown`: no answer came. The log is asked before anything is sent or answered.
 */
export type CommitOutcome =
  | { readonly revision: number }
  | { readonly duplicate: AnswerRecord }
  | { readonly tooLong: number }
  | "conflict"
  | "conflict_after_staging"
  | "staging_abandoned"
  | "unknown";

/** A revision that a model was read at. */
export interface SeenRevision {
  readonly ledgerId: string;
  readonly revision: number;
}

/** True for a model that is shown to a caller; one that is not is answered as if it did not exist. */
export type IsVisible = (model: ModelIdentity) => boolean;

/** The ways in which a model may be opened from what the process knows of it. */
export interface OpenOptions {
  /**
   * At a revision that was the newest when this process last asked: a commit on another one is refused, and any other
   * answer has to be confirmed.
   */
  readonly mayAssume?: boolean;
  /** Before it is known who calls, who is expected to see all models: for others what is known must not show in the work. */
  readonly seesAll?: boolean;
}

/** Where models live. Implemented by `shared/store`; owned by its user. */
export interface Store {
  /**
   * The model a ref names at its newest revision; `not_found` when there is none. One that is not shown ends so after the
   * same work; who calls may be found out meanwhile.
   */
  open(ref: Ref, isShown?: IsVisible | Promise<IsVisible | undefined>, from?: OpenOptions): Promise<ReadView>;
  /** A model that was deleted, by its id, at its last revision: for its past, because nothing else is left. */
  openDeleted(ref: Ref): Promise<ReadView | undefined>;
  /** The past of models, read from their logs. */
  openPast(): Promise<Past>;
  /** The ledger of tag groups and global tags at its newest revision. */
  openTags(): Promise<ReadView>;
  /** The ledger of users, actors and roles at its newest revision. */
  openIdentity(): Promise<ReadView>;
  /** A model that does not exist yet, at revision 0. */
  beginModel(id: string, key: string): ReadView;
  /** True when what was read through the view still held at the moment of asking. */
  confirm(view: ReadView): Promise<boolean>;
  /** Ids of those models that are still at the revision they were seen at; each at most once. */
  listUnchanged(seen: readonly SeenRevision[]): Promise<ReadonlySet<string>>;
  /** Writes the changes as the next revision. Refusals that concern the caller are thrown as problems (`key_taken`). */
  commit(view: ReadView, commit: Commit, call: Call): Promise<CommitOutcome>;
  /** Gives up what was written for commits that were not made; for a call that ends. */
  abandon(): Promise<void>;
  /** Waits until `models` shows what a commit changed there; for whoever is about to answer that it was made. */
  waitUntilListed(commit: Commit): Promise<void>;
  /** Checks what only a commit would find out, and writes nothing. */
  rehearse(view: ReadView, commit: Commit, call: Call): Promise<void>;
  /** The newest commits after a revision up to the view's, oldest first. */
  listCommitsSince(view: ReadView, revision: number): Promise<readonly CommitNote[]>;
  /** The operation that holds a revision of a model, once that shows to every reader; undefined while none does. */
  findOperation(ledgerId: string, revision: number): Promise<string | undefined>;
  /** The record an idempotency key left, unless it has expired. */
  getRecord(id: string): Promise<AnswerRecord | undefined>;
  /** Keeps a record alone, for a write that changed nothing; answers the record of a duplicate that was faster. */
  putRecord(record: AnswerRecord): Promise<AnswerRecord | undefined>;
  /** The models that the caller may see; absent where these are all. */
  readonly isVisible?: IsVisible;
  /** Summaries of all models, sorted by key. */
  listModels(page?: Page): Promise<Rows<Summary>>;
}

/** A past state of a model: a released version, or the state after a revision. */
export type PointInTime = { readonly version: string } | { readonly revision: number };

/** A model as it was after one of its revisions. */
export interface PastState {
  readonly revision: number;
  readonly content: ModelContent;
  /** Revision of the ledger of tags that the commit saw; 0 for a model that had never used a global tag. */
  readonly tags: number;
  /** The global tags of that revision, as far as the model could show them. */
  readonly globalTags: GlobalTags;
}

/** A model as it was after one of its revisions, read object by object, so that it need not be in memory as a whole. */
export interface PastObjects extends Pick<PastState, "revision"> {
  /** Every object once, in no order. */
  readonly objects: AsyncIterable<AnyObject>;
  /** All global tags of that revision of the ledger of tags. */
  readonly globalTags: () => Promise<GlobalTags>;
}

/** The actor, API token, time, channel and actions of a commit. */
export interface CommitFacts {
  readonly revision: number;
  /** ISO 8601 */
  readonly time: string;
  /** Id of the actor. */
  readonly actor?: string;
  /** Id of the API token the call came with. */
  readonly apiToken?: string;
  readonly channel: string;
  readonly request: string;
  /** `<group>/<action>` */
  readonly actions: readonly string[];
}

/** A released version of a model. */
export interface Release {
  readonly version: string;
  readonly revision: number;
}

/** Members of an object on one side of a change; null stands for one that was not there. */
export type Members = Readonly<Record<string, unknown>>;

/** The change that a commit made to one object. Objects that it owned go with it, and have no row of their own. */
export interface PastChange {
  readonly change: "create" | "update" | "delete";
  readonly kind: string;
  readonly id: string;
  /** Its key after the commit, or its last one. */
  readonly key: string;
  /** The members that were changed, as they were. */
  readonly before?: Members;
  /** The members that were changed, as they became. */
  readonly after?: Members;
}

/** One commit of a model. */
export interface PastCommit extends CommitFacts {
  /** Its changes, in order; none for a commit that made a whole model at once. */
  readonly changes: readonly PastChange[];
  /** The key of a model that was made at once, and how many objects of each kind it had. */
  readonly made?: { readonly key: string; readonly counts: Readonly<Record<string, number>> };
}

/** The commits of a model that are asked for. */
export interface CommitRange {
  /** First and last revision, both included. */
  readonly from: number;
  readonly to: number;
  /** The id of the only object whose changes are asked for; of a commit that made a whole model, its creation. */
  readonly objectId?: string;
}

/**
 * Reads the past of a model from its log. Everything is as of the view's revision; a deleted model has a past as well.
 */
export interface Past {
  /** The value of a blob that an object names. */
  readBlob(name: string): Promise<unknown>;
  /** The model at a moment; undefined when it had no such version or revision, or was deleted then. */
  readState(view: ReadView, moment: PointInTime): Promise<PastState | undefined>;
  /** The model at a moment, to be read object by object; undefined as in `state`. */
  readObjects(view: ReadView, moment: PointInTime): Promise<PastObjects | undefined>;
  /** All releases, newest first; that `wanted` is not among them is confirmed with the answer. */
  listReleases(view: ReadView, wanted?: string): Promise<readonly Release[]>;
  /** The commits of revisions that the model has. */
  readCommitFacts(view: ReadView, revisions: readonly number[]): Promise<ReadonlyMap<number, CommitFacts>>;
  /** Commits in order, read page after page as they are asked for. */
  listCommits(view: ReadView, range: CommitRange): AsyncIterable<PastCommit>;
}

/** The moment two optional parameters name; undefined for the newest state. `bad_parameters` where both are given. */
export function parsePointInTime(version: string | undefined, revision: number | undefined): PointInTime | undefined {
  if (version !== undefined && revision !== undefined) {
    const detail = "give either version or revision, and not both";
    const errors = ["/version", "/revision"].map((pointer) => ({ pointer, detail }));
    throw new Problem("bad_parameters", detail, { errors });
  }
  if (version !== undefined) return { version };
  return revision === undefined ? undefined : { revision };
}

/** The model at a moment it must have had; `not_found`. */
export async function requirePastState(past: Past, view: ReadView, moment: PointInTime): Promise<PastState> {
  const state = await past.readState(view, moment);
  if (state) return state;
  throw createNotThereProblem(view, moment);
}

/** The model at a moment it must have had, to be read object by object; `not_found`. */
export async function requirePastObjects(past: Past, view: ReadView, moment: PointInTime): Promise<PastObjects> {
  const then = await past.readObjects(view, moment);
  if (then) return then;
  throw createNotThereProblem(view, moment);
}

/** The problem that a model has no such version or revision. */
export function createNotThereProblem(view: ReadView, moment: PointInTime): Problem {
  const { modelKey, revision } = view;
  if ("version" in moment) {
    return new Problem(
      "not_found",
      `the model ${modelKey} has no version ${moment.version}; history_versions lists them`,
    );
  }
  const why =
    moment.revision > revision ? `its newest is ${revision}` : "there was no model after it: it had just been deleted";
  return new Problem("not_found", `the model ${modelKey} cannot be read at revision ${moment.revision}: ${why}`);
}
