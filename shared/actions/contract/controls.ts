/** One model at one revision, as an entity tag names it. */
export interface ExpectedRevision {
  readonly ledgerId: string;
  readonly revision: number;
}

/** The controls of a call, beside its parameters; headers over HTTP, flags on the command line. */
export interface Controls {
  /** Run only while the model is at that revision. */
  readonly ifMatch: readonly ExpectedRevision[];
  /** Entity tags of answers the caller still has; a read whose model has not moved answers nothing new. */
  readonly ifNoneMatch: readonly string[];
  /** Everything but the commit. */
  readonly dryRun: boolean;
  readonly idempotencyKey?: string;
}

export const NO_CONTROLS: Controls = { ifMatch: [], ifNoneMatch: [], dryRun: false };

/** The entity tag of a model at a revision, without quotes; where global tags are shown, with their revision. */
export function etagOf(pin: ExpectedRevision, tags?: { readonly revision: number }): string {
  return `${pin.ledgerId}-${pin.revision}${tags ? `.${tags.revision}` : ""}`;
}
