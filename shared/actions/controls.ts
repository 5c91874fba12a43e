import { Problem } from "../domain/problems.ts";
import type { Action } from "./define-action.ts";
import { IDENTITY_LEDGER, type Ledgers, TAGS_LEDGER } from "./ledgers.ts";
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

/** The entity tag of a model at a revision, without quotes; where global tags are shown, with their revision. */
export function etagOf(pin: Pin, tags?: { readonly revision: number }): string {
  return `${pin.modelId}-${pin.revision}${tags ? `.${tags.revision}` : ""}`;
}

/** The entity tag of the copy a caller still has, if that is right; `*` matches any (RFC 9110 section 13.1.2). */
export async function unmovedTag(view: View, ledgers: Ledgers, controls: Controls): Promise<string | undefined> {
  const etag = etagOf(view);
  if (controls.ifNoneMatch.includes(etag) || controls.ifNoneMatch.includes("*")) return etag;
  if (!controls.ifNoneMatch.some((tag) => tag.startsWith(`${etag}.`))) return undefined;
  const withTags = etagOf(view, await ledgers.tags());
  return controls.ifNoneMatch.includes(withTags) ? withTags : undefined;
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
  const addressesModel = [action.target, action.within, action.ledger].some((address) => address !== undefined);
  const many = action.manyModels === true;
  if (controls.ifMatch.length > 0 && !(isWrite(action) && (addressesModel || many))) {
    refuse("If-Match", "it is no write to an existing model");
  }
  if (controls.ifMatch.length > 1 && !many) refuse("If-Match", "the action concerns one model, so one tag is enough");
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
        ? `${nameOf(view)} is at revision ${view.revision}, not ${pin.revision}; read it again and decide anew`
        : `the tag ${etagOf(pin)} is not of ${nameOf(view)} (${view.modelId})`;
    throw new Problem("precondition_failed", detail, {
      currentRevision: view.revision,
      ...(changesSince && { changesSince }),
    });
  }
}

function nameOf({ modelId, modelKey }: View): string {
  if (modelId === IDENTITY_LEDGER) return "the ledger of users, actors and roles";
  return modelId === TAGS_LEDGER ? "the ledger of tags" : `the model ${modelKey}`;
}

/** The same for a call that concerns many models, each with a tag of its own or none. */
export async function checkIfMatchOfEach(views: readonly View[], controls: Controls, store: Store): Promise<void> {
  for (const view of views) {
    const ifMatch = controls.ifMatch.filter(({ modelId }) => modelId === view.modelId);
    await checkIfMatch(view, { ...controls, ifMatch }, store);
  }
}

/** Refuses a tag of a model that a call did not concern after all. */
export function checkTagsUsed(views: readonly View[], controls: Controls): void {
  const unused = controls.ifMatch.find((pin) => views.every(({ modelId }) => modelId !== pin.modelId));
  if (!unused) return;
  throw new Problem(
    "bad_precondition",
    `If-Match: the tag ${etagOf(unused)} is of a model that no entry concerns; leave it out`,
  );
}
