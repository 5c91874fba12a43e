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
export function etagOf(model: ExpectedRevision, tags?: { readonly revision: number }): string {
  return `${model.ledgerId}-${model.revision}${tags ? `.${tags.revision}` : ""}`;
}
