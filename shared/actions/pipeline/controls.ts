import { Problem } from "../../domain/problems.ts";
import { type Action, isWrite, type Reading } from "../contract/action.ts";
import { type Answer, type Controls, formatEtag } from "../contract/call.ts";
import { IDENTITY_LEDGER, type ReadView, TAGS_LEDGER } from "../contract/view.ts";
import type { CallContext } from "./call-context.ts";

/** Refuses controls that cannot apply to the action (`bad_precondition`); no control is ignored. */
export function checkControls(action: Action, controls: Controls): void {
  const refuse = (header: string, why: string): never => {
    throw new Problem("bad_precondition", `${header} cannot apply to ${action.group}/${action.name}: ${why}`);
  };
  const addressesModel = [action.target, action.within, action.ledger].some((address) => address !== undefined);
  const many = action.manyModels === true;
  if (controls.ifMatch.length > 0 && !(isWrite(action) && (addressesModel || many))) {
    refuse("If-Match", "it does not write to an existing model");
  }
  if (controls.ifMatch.length > 1 && !many) refuse("If-Match", "the action concerns one model, so one tag is enough");
  if (controls.ifNoneMatch.length > 0 && (isWrite(action) || !addressesModel)) {
    refuse("If-None-Match", "it does not read one model");
  }
  if (controls.dryRun && !isWrite(action)) refuse("Dry-Run", "it writes nothing");
  if (controls.idempotencyKey !== undefined && action.answersSecret) {
    refuse("Idempotency-Key", "it answers a secret, which is never kept to be answered again");
  }
  if (controls.idempotencyKey !== undefined && !isWrite(action)) refuse("Idempotency-Key", "it does not write");
  if (controls.idempotencyKey !== undefined && controls.dryRun) {
    refuse("Idempotency-Key", "a dry run writes nothing, so there is nothing to repeat");
  }
}

/** Throws `precondition_failed` if `If-Match` names another revision than that at which a ledger was read. */
export async function checkPreconditions({ action, models, controls, ports }: CallContext): Promise<void> {
  const views = action.manyModels ? await models.all() : models.view ? [models.view] : [];
  for (const view of views) {
    // A call that concerns many models may bring an entity tag for each of them, or for none.
    const concerns = ({ ledgerId }: { readonly ledgerId: string }) => !action.manyModels || ledgerId === view.ledgerId;
    for (const expected of controls.ifMatch.filter(concerns)) {
      if (expected.ledgerId === view.ledgerId && expected.revision === view.revision) continue;
      const isBehind = expected.ledgerId === view.ledgerId && expected.revision < view.revision;
      const changesSince = isBehind ? await ports.store.listCommitsSince(view, expected.revision) : undefined;
      const detail =
        expected.ledgerId === view.ledgerId
          ? `${describeLedger(view)} is at revision ${view.revision}, not ${expected.revision}; read it again and decide on the new state`
          : `the tag ${formatEtag(expected)} is not of ${describeLedger(view)} (${view.ledgerId})`;
      throw new Problem("precondition_failed", detail, {
        currentRevision: view.revision,
        ...(changesSince && { changesSince }),
      });
    }
  }
}

function describeLedger({ ledgerId, modelKey }: ReadView): string {
  if (ledgerId === IDENTITY_LEDGER) return "the ledger of users, actors and roles";
  return ledgerId === TAGS_LEDGER ? "the ledger of tags" : `the model ${modelKey}`;
}

/** Returns the answer 304, before anything else is read, if the caller's copy is still current. */
export async function findCurrentCopy(context: CallContext): Promise<Answer | undefined> {
  const { view } = context.models;
  if (!view || readsPast(context)) return undefined;
  const etag = await findMatchingTag(view, context);
  if (etag === undefined) return undefined;
  return { mediaType: context.action.output.mediaType, body: undefined, etag, notModified: true };
}

/** Returns the entity tag of the caller's copy if it is current; `*` matches any (RFC 9110 section 13.1.2). */
async function findMatchingTag(view: ReadView, { models, controls }: CallContext): Promise<string | undefined> {
  const { ifNoneMatch } = controls;
  const etag = formatEtag(view);
  if (ifNoneMatch.includes(etag) || ifNoneMatch.includes("*")) return etag;
  if (!ifNoneMatch.some((tag) => tag.startsWith(`${etag}.`))) return undefined;
  const withTags = formatEtag(view, await models.tagsForComparison());
  return ifNoneMatch.includes(withTags) ? withTags : undefined;
}

/** Returns the answer of a read at the revision up to which it was confirmed. */
export async function formatReading({ action, models }: CallContext, reading: Reading): Promise<Answer> {
  const { view } = models;
  return {
    mediaType: action.output.mediaType,
    // Confirming may have advanced the view.
    body: view && reading.showsRevision ? { ...reading.body, revision: view.revision } : reading.body,
    ...(view && { etag: reading.etag ?? formatEtag(view, await models.shownTags()) }),
    ...(reading.next !== undefined && { next: reading.next }),
  };
}

/** Removes the body and the next page of an answer if the caller already has that past state. */
export function withoutKnownBody(context: CallContext, answer: Answer): Answer {
  const { ifNoneMatch } = context.controls;
  const isKnown = answer.etag !== undefined && (ifNoneMatch.includes(answer.etag) || ifNoneMatch.includes("*"));
  if (!readsPast(context) || !isKnown) return answer;
  const { next: _, ...known } = answer;
  return { ...known, body: undefined, notModified: true };
}

/** Returns true if the entity tag of the answer is that of a past state, which is known only after reading it. */
function readsPast({ action, payload: { input } }: CallContext): boolean {
  return action.past === true && (input.version ?? input.revision) !== undefined;
}
