import type { RefModel, RefTags } from "./objects.ts";

export interface RefHistoryChange {
  readonly change: "create" | "update" | "delete";
  readonly kind: string;
  readonly id: string;
  readonly key: string;
  /** The members that changed; of what was made or deleted, all of them. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

export interface RefCommitFacts {
  readonly time: string;
  readonly actor: string;
  readonly requestId: string;
  readonly run?: string;
}

/** One revision of a model: who made it of what, and what there was then. */
export interface RefCommit extends RefCommitFacts {
  readonly revision: number;
  /** `<group>/<action>` of everything that changed it. */
  readonly actions: readonly string[];
  /** The changes to objects, in no order that means anything. */
  readonly changes: readonly RefHistoryChange[];
  /** True where the model began with all it held, which history tells in one row. */
  readonly madeWhole: boolean;
  readonly release: string | undefined;
  readonly source: string | undefined;
  /** The model after it; undefined where it deleted that. */
  readonly model: RefModel | undefined;
  /** The tags of groups as they were then. */
  readonly tags: RefTags;
}

/** Every revision of a model in order; the first one is at the place 0. */
export type RefPast = readonly RefCommit[];

/** A task, with the commits of it in all models and in the tags of groups. */
export interface RefRun {
  readonly own: { readonly id: string; readonly actor: string };
  readonly commits: {
    readonly ledger: string;
    readonly revision: number;
    readonly time: string;
    readonly requestId: string;
    readonly actions: readonly string[];
  }[];
}
