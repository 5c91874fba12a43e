import type { Change } from "../../domain/model/changes.ts";
import type { GlobalTags, ModelContent } from "../../domain/model/content.ts";
import type { AnyObject, Model } from "../../domain/model/objects.ts";
import { type CommitNote, Problem } from "../../domain/problems.ts";
import type { ModelIdentity, Ref } from "../../domain/refs.ts";
import type { Edit } from "../../domain/undo/undo.ts";
import type { AnswerRecord, Call } from "./call.ts";
import { createParameterProblem } from "./params.ts";
import type { Page, ReadView, Rows } from "./view.ts";

/** Row of a model in `model_list`. */
export interface Summary {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly version: string;
  readonly authority: Model["authority"];
}

/** Row of a model in `deleted_list`. */
export interface DeletedModel extends Pick<CommitFacts, "revision" | "time" | "actor"> {
  readonly id: string;
  /** Key at the deletion; another model may have it now. */
  readonly key: string;
}

/** Job of a commit. The commit ends the job, and only succeeds while its worker has the lease. */
export interface JobLease {
  readonly id: string;
  readonly epoch: number;
  /** Records the number of written objects. Throws `job_ended` if the worker lost the job. */
  readonly progress: (done: number, total: number) => Promise<void>;
}

/** Job that a worker ends successfully. */
export interface FinishedJob {
  readonly lease: JobLease;
  readonly result: unknown;
}

/** JSON value that is stored separately from the objects that refer to it. The name is a new id of this attempt. */
export interface StoredBlob {
  readonly name: string;
  readonly value: unknown;
}

/** Changes of a call to one ledger. */
export interface Part {
  readonly changes: readonly Change[];
  readonly release?: string;
  /** Source of the content, for the log: a label, or what was restored or undone, such as `revision 4`. */
  readonly source?: string;
  /** All objects after the commit, for the snapshot of the release. */
  readonly holds?: readonly AnyObject[];
  readonly blobs?: readonly StoredBlob[];
  /** Actions for the log, if they differ from the called action. */
  readonly actions?: readonly string[];
  /** Revision of the global tags that the decision is based on. */
  readonly tagsSeen?: number;
}

/** Object of another ledger that a commit depends on. */
export interface Requirement {
  readonly view: ReadView;
  readonly object: AnyObject;
}

/** Password hash of a user. Not a part of the user, so that logs, answers and dry runs never contain it. */
export interface StoredPassword {
  readonly username: string;
  readonly hash: string;
}

/** Everything that a call writes in one transaction. */
export interface Commit extends Part {
  readonly passwords?: readonly StoredPassword[];
  readonly alongside?: readonly (Part & { readonly view: ReadView })[];
  /** True if the views confirmed that all its keys are free, so that a dry run need not check. */
  readonly keysLookedUp?: true;
  /** Objects that must still exist when committing; otherwise the call decides again. */
  readonly requires?: readonly Requirement[];
  /** Unchanged ledgers that must still have the named revision; otherwise the call decides again. */
  readonly expectedRevisions?: readonly SeenRevision[];
  readonly record?: AnswerRecord;
  /** True if a worker may make a commit that exceeds the time of a call. */
  readonly orJob?: boolean;
  /** Set by the worker of a job. `checkRights` throws if the rights of its caller have changed since the decision. */
  readonly job?: FinishedJob & { readonly checkRights: () => Promise<void> };
  /** True to write everything as a new generation that is published at the end, independent of its size. */
  readonly publish?: boolean;
  /** True for the only commit that may follow the deletion of a model. It publishes a new generation. */
  readonly undeletes?: true;
  /** Returns this commit for a later revision; absent if it is only valid for the next revision. */
  readonly rebase?: (revision: number) => Commit;
}

/**
 * Outcome of a commit, and the reaction of the caller:
 * - `revision`: committed; the answer is returned.
 * - `duplicate`: a call with the same idempotency key was faster; its record is returned.
 * - `tooLong`: the number of objects exceeds the time of a call; nothing is kept, and a worker takes over.
 * - `conflict`: another commit came first, or a required revision has changed; the call decides again.
 * - `conflict_after_staging`: a conflict while a generation was written; the next attempt reuses its unchanged parts.
 * - `staging_abandoned`: a write before the commit had no definite answer; it is repeated under another name.
 * - `unknown`: there was no answer; the log is checked before anything else is sent or answered.
 */
export type CommitOutcome =
  | { readonly revision: number }
  | { readonly duplicate: AnswerRecord }
  | { readonly tooLong: number }
  | "conflict"
  | "conflict_after_staging"
  | "staging_abandoned"
  | "unknown";

/** Revision at which a model was read. */
export interface SeenRevision {
  readonly ledgerId: string;
  readonly revision: number;
}

/** Tests whether a caller may see a model. Invisible models are answered like missing ones. */
export type IsVisible = (model: ModelIdentity) => boolean;

/** Options for opening a model from the cache. */
export interface OpenOptions {
  /** True to use the newest revision known to this process. Answers other than commits must be confirmed. */
  readonly mayAssume?: boolean;
  /** True if the caller is expected to see all models. Otherwise the work must not reveal what is cached. */
  readonly seesAll?: boolean;
  /** True to open a deleted model by its id, too, at the revision of its deletion. */
  readonly findsDeleted?: boolean;
}

/** Store of models. Implemented by `shared/store`; owned by its user. */
export interface Store {
  /** Opens a model at its newest revision. Throws `not_found`, after the same work also if it is not visible. */
  open(ref: Ref, isShown?: IsVisible | Promise<IsVisible | undefined>, from?: OpenOptions): Promise<ReadView>;
  openPast(): Promise<Past>;
  openTags(): Promise<ReadView>;
  openIdentity(): Promise<ReadView>;
  beginModel(id: string, key: string): ReadView;
  /** Returns the view to undelete a deleted model that was opened: at its revision, and without objects. */
  beginAgain(view: ReadView): ReadView;
  /** Tests whether everything that was read through a view is still valid. */
  confirm(view: ReadView): Promise<boolean>;
  /** Returns the ids of the models that still have the revision they were read at. */
  listUnchanged(revisions: readonly SeenRevision[]): Promise<ReadonlySet<string>>;
  /** Writes the changes as the next revision. Throws problems for the caller, such as `key_taken`. */
  commit(view: ReadView, commit: Commit, call: Call): Promise<CommitOutcome>;
  /** Ensures that a commit without an answer is never applied. Returns false if it may be, or was. */
  revoke(view: ReadView): Promise<boolean>;
  /** Abandons the data that was written for commits that did not happen, at the end of a call. */
  abandon(): Promise<void>;
  /** Waits until `listModels` contains the changes of a commit, before the commit is answered. */
  waitUntilListed(commit: Commit): Promise<void>;
  preview(view: ReadView, commit: Commit, call: Call): Promise<void>;
  /** Lists the newest commits after a revision up to that of the view, oldest first. */
  listCommitsSince(view: ReadView, revision: number): Promise<readonly CommitNote[]>;
  /** Returns the operation that committed a revision, once it is visible to every reader; undefined before. */
  findOperation(ledgerId: string, revision: number): Promise<string | undefined>;
  /** Returns the record of an idempotency key, unless it has expired. */
  getRecord(id: string): Promise<AnswerRecord | undefined>;
  /** Stores a record of a write without changes. Returns the record of a faster duplicate, if there is one. */
  putRecord(record: AnswerRecord): Promise<AnswerRecord | undefined>;
  /** Tests whether the caller may see a model; absent if all are visible. */
  readonly isVisible?: IsVisible;
  listModels(page?: Page): Promise<Rows<Summary>>;
  /** Lists deleted models in the order of their ids; `next` is the id before the next page. */
  listDeletedModels(page: Page): Promise<Rows<DeletedModel>>;
}

/** Point in time of a model: a released version, or a revision. */
export type PointInTime = { readonly version: string } | { readonly revision: number };

/** Past state of a model after one of its revisions. */
export interface PastState {
  readonly revision: number;
  readonly content: ModelContent;
  /** Revision of the ledger of tags at the commit; 0 if the model had never used a global tag. */
  readonly tags: number;
  readonly globalTags: GlobalTags;
}

/** Past state of a model, read object by object to limit memory. */
export interface PastObjects extends Pick<PastState, "revision"> {
  /** Every object once, in no particular order. */
  readonly objects: AsyncIterable<AnyObject>;
  readonly listTags: () => Promise<GlobalTags>;
}

/** Actor, API token, time, channel and actions of a commit. */
export interface CommitFacts {
  readonly revision: number;
  /** ISO 8601 */
  readonly time: string;
  readonly actor?: string;
  readonly apiToken?: string;
  readonly channel: string;
  readonly requestId: string;
  /** Id of the run that the commit belongs to. */
  readonly run?: string;
  /** See `Part`. */
  readonly source?: string;
  readonly actions: readonly string[];
}

/** Released version of a model. */
export interface Release {
  readonly version: string;
  readonly revision: number;
}

/** Members of an object on one side of a change; null if the value was absent. */
export type Members = Readonly<Record<string, unknown>>;

/** Change of one object in a commit. Objects that were deleted with their owner have no row. */
export interface PastChange {
  readonly change: "create" | "update" | "delete";
  readonly kind: string;
  readonly id: string;
  /** Key after the commit, or the last one of a deleted object. */
  readonly key: string;
  readonly before?: Members;
  readonly after?: Members;
}

/** Commit of a model. */
export interface PastCommit extends CommitFacts {
  /** Changes in order; empty if the commit created a whole model at once. */
  readonly changes: readonly PastChange[];
  /** Key of a model that was created at once, and its number of objects by kind. */
  readonly creation?: { readonly key: string; readonly counts: Readonly<Record<string, number>> };
}

/** Commit of a model with every object before and after it. */
export interface CommitEdits extends CommitFacts {
  readonly edits: readonly Edit[];
}

/** Number of objects that a commit created, changed or deleted, and of those that are still as it left them. */
export interface Standing {
  readonly changes: number;
  readonly standing: number;
}

/** Range of commits to read. */
export interface CommitRange {
  /** First and last revision, both included. */
  readonly from: number;
  readonly to: number;
  /** Id of the only object to include; for a commit that created a whole model, its creation. */
  readonly objectId?: string;
}

/** Reads the past of a model from its log, up to the revision of the view. Deleted models have a past as well. */
export interface Past {
  readBlob(name: string): Promise<unknown>;
  /** Reads the model at a point in time; undefined if it had no such version or revision, or was deleted then. */
  readState(view: ReadView, point: PointInTime): Promise<PastState | undefined>;
  readObjects(view: ReadView, point: PointInTime): Promise<PastObjects | undefined>;
  /** Lists all releases, newest first. If `version` is missing, its absence is confirmed with the answer. */
  listReleases(view: ReadView, version?: string): Promise<readonly Release[]>;
  readCommitFacts(view: ReadView, revisions: readonly number[]): Promise<ReadonlyMap<number, CommitFacts>>;
  /** Counts what still stands of commits; none of those that are newer than the view. Reads the whole model. */
  readStanding(view: ReadView, revisions: readonly number[]): Promise<ReadonlyMap<number, Standing>>;
  /** Lists commits in order, reading page by page on demand. */
  listCommits(view: ReadView, range: CommitRange): AsyncIterable<PastCommit>;
  /** Lists the commits of a model from a revision on with their edits, oldest first. */
  listEdits(view: ReadView, from: number): AsyncIterable<CommitEdits>;
  /** Finds the newest commit of a request; undefined if it made none. */
  findRequest(view: ReadView, requestId: string): Promise<CommitFacts | undefined>;
  /** Finds the revision of the first commit of a run in a model; undefined if it made none. */
  findRun(view: ReadView, run: string): Promise<number | undefined>;
}

/** Parses a point in time; undefined for the newest state. Throws `bad_parameters` if both are given. */
export function parsePointInTime(version: string | undefined, revision: number | undefined): PointInTime | undefined {
  if (version !== undefined && revision !== undefined) {
    throw createParameterProblem("give either version or revision, not both", "version", "revision");
  }
  if (version !== undefined) return { version };
  return revision === undefined ? undefined : { revision };
}

/** Returns what was read of a model at a point in time. Throws `not_found` if it did not exist. */
export async function requirePast<T>(reading: Promise<T | undefined>, view: ReadView, point: PointInTime): Promise<T> {
  const value = await reading;
  if (value !== undefined) return value;
  throw createNotThereProblem(view, point);
}

/** Creates the problem that a model has no such version or revision. */
export function createNotThereProblem(view: ReadView, point: PointInTime): Problem {
  const { modelKey, revision } = view;
  if ("version" in point) {
    return new Problem("not_found", `model ${modelKey} has no version ${point.version}; see history_versions`);
  }
  const reason = point.revision > revision ? `its newest revision is ${revision}` : "the model was deleted by it";
  return new Problem("not_found", `model ${modelKey} cannot be read at revision ${point.revision}: ${reason}`);
}
