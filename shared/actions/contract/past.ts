import type { GlobalTags, ModelContent } from "../../domain/content.ts";
import type { AnyObject } from "../../domain/objects.ts";
import { Problem } from "../../domain/problems.ts";
import type { View } from "./view.ts";

/** A past state of a model: a released version, or the state after a revision. */
export type Moment = { readonly version: string } | { readonly revision: number };

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
  blob(name: string): Promise<unknown>;
  /** The model at a moment; undefined when it had no such version or revision, or was deleted then. */
  state(view: View, moment: Moment): Promise<PastState | undefined>;
  /** The model at a moment, to be read object by object; undefined as in `state`. */
  objects(view: View, moment: Moment): Promise<PastObjects | undefined>;
  /** All releases, newest first; that `wanted` is not among them is confirmed with the answer. */
  releases(view: View, wanted?: string): Promise<readonly Release[]>;
  /** The commits of revisions that the model has. */
  facts(view: View, revisions: readonly number[]): Promise<ReadonlyMap<number, CommitFacts>>;
  /** Commits in order, read page after page as they are asked for. */
  commits(view: View, range: CommitRange): AsyncIterable<PastCommit>;
}

/** The moment two optional parameters name; undefined for the newest state. `bad_parameters` where both are given. */
export function momentOf(version: string | undefined, revision: number | undefined): Moment | undefined {
  if (version !== undefined && revision !== undefined) {
    const detail = "give either version or revision, and not both";
    const errors = ["/version", "/revision"].map((pointer) => ({ pointer, detail }));
    throw new Problem("bad_parameters", detail, { errors });
  }
  if (version !== undefined) return { version };
  return revision === undefined ? undefined : { revision };
}

/** The model at a moment it must have had; `not_found`. */
export async function needPast(past: Past, view: View, moment: Moment): Promise<PastState> {
  const state = await past.state(view, moment);
  if (state) return state;
  throw noMoment(view, moment);
}

/** The model at a moment it must have had, to be read object by object; `not_found`. */
export async function needPastObjects(past: Past, view: View, moment: Moment): Promise<PastObjects> {
  const then = await past.objects(view, moment);
  if (then) return then;
  throw noMoment(view, moment);
}

/** The problem that a model has no such version or revision. */
export function noMoment(view: View, moment: Moment): Problem {
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
