import { Problem } from "../domain/problems.ts";
import type { Action } from "./define-action.ts";
import type { Store, View } from "./store.ts";

/** One model at one revision, as an entity tag names it. */
export interface Pin {
  readonly modelId: string;
  readonly revision: number;
}

/** What a caller asks of a call beside its parameters; headers over HTTP, flags on the command line. */
export interface Controls {
  /** Run only while the model is at that revision. */
  readonly ifMatch: readonly Pin[];
  /** Entity tags of answers the caller still has; a read whose model has not moved answers nothing new. */
  readonly ifNoneMatch: readonly string[];
  /** Everything but the commit. */
  readonly dryRun: boolean;
  readonly idempotencyKey?: string;
}

export const NO_CONTROLS: Controls = { ifMatch: [], ifNoneMatch: [], dryRun: false };

/** The entity tag of a model at a revision, without quotes. */
export function etagOf(pin: Pin): string {
  return `${pin.modelId}-${pin.revision}`;
}

/** True for actions that decide a commit. */
export function isWrite(action: Action): boolean {
  return action.intent !== "read" && action.intent !== "other";
}

/** Refuses controls that cannot apply to the action; none is ever ignored. */
export function checkControls(action: Action, controls: Controls): void {
  const refuse = (header: string, why: string): never => {
    throw new Problem("bad_precondition", `${header} cannot apply to ${action.group}/${action.name}: ${why}`);
  };
  const addressesModel = action.target !== undefined || action.within !== undefined;
  if (controls.ifMatch.length > 0 && !(isWrite(action) && addressesModel)) {
    refuse("If-Match", "it is no write to an existing model");
  }
  if (controls.ifMatch.length > 1) refuse("If-Match", "the action concerns one model, so one tag is enough");
  if (controls.ifNoneMatch.length > 0 && (isWrite(action) || !addressesModel)) {
    refuse("If-None-Match", "it is no read of one model");
  }
  if (controls.dryRun && !isWrite(action)) refuse("Dry-Run", "it writes nothing");
  if (controls.idempotencyKey !== undefined && !isWrite(action)) refuse("Idempotency-Key", "it is no write");
  if (controls.idempotencyKey !== undefined && controls.dryRun) {
    refuse("Idempotency-Key", "a dry run writes nothing, so there is nothing to repeat");
  }
}

/** `precondition_failed`, with what changed since, when the caller pinned another revision than the view's. */
export async function checkIfMatch(view: View, controls: Controls, store: Store): Promise<void> {
  for (const pin of controls.ifMatch) {
    if (pin.modelId === view.modelId && pin.revision === view.revision) continue;
    const isBehind = pin.modelId === view.modelId && pin.revision < view.revision;
    const changesSince = isBehind ? await store.since(view, pin.revision) : undefined;
    const detail =
      pin.modelId === view.modelId
        ? `the model ${view.modelKey} is at revision ${view.revision}, not ${pin.revision}; read it again and decide anew`
        : `the tag ${etagOf(pin)} is not of the model ${view.modelKey} (${view.modelId})`;
    throw new Problem("precondition_failed", detail, {
      currentRevision: view.revision,
      ...(changesSince && { changesSince }),
    });
  }
}
