import { Problem } from "../../domain/problems.ts";
import type { Action } from "../contract/action.ts";
import { type Controls, etagOf } from "../contract/controls.ts";
import type { Store } from "../contract/store.ts";
import type { View } from "../contract/view.ts";
import { IDENTITY_LEDGER, TAGS_LEDGER } from "../contract/view.ts";
import type { Ledgers } from "./ledgers.ts";

/** Refuses a call whose caller named another revision than that at which its ledgers were read: `precondition_failed`. */
export async function checkPreconditions(
  action: Action,
  controls: Controls,
  ledgers: Ledgers,
  store: Store,
): Promise<void> {
  if (action.manyModels) await checkIfMatchOfEach(await ledgers.all(), controls, store);
  else if (ledgers.view) await checkIfMatch(ledgers.view, controls, store);
}

/** `precondition_failed`, with the commits since, when the caller named another revision than the view's. */
async function checkIfMatch(view: View, controls: Controls, store: Store): Promise<void> {
  for (const expected of controls.ifMatch) {
    if (expected.ledgerId === view.ledgerId && expected.revision === view.revision) continue;
    const isBehind = expected.ledgerId === view.ledgerId && expected.revision < view.revision;
    const changesSince = isBehind ? await store.since(view, expected.revision) : undefined;
    const detail =
      expected.ledgerId === view.ledgerId
        ? `${nameOf(view)} is at revision ${view.revision}, not ${expected.revision}; read it again and decide anew`
        : `the tag ${etagOf(expected)} is not of ${nameOf(view)} (${view.ledgerId})`;
    throw new Problem("precondition_failed", detail, {
      currentRevision: view.revision,
      ...(changesSince && { changesSince }),
    });
  }
}

function nameOf({ ledgerId, modelKey }: View): string {
  if (ledgerId === IDENTITY_LEDGER) return "the ledger of users, actors and roles";
  return ledgerId === TAGS_LEDGER ? "the ledger of tags" : `the model ${modelKey}`;
}

/** Checks the revisions of a call that concerns many models, each with an entity tag of its own or none. */
async function checkIfMatchOfEach(views: readonly View[], controls: Controls, store: Store): Promise<void> {
  for (const view of views) {
    const ifMatch = controls.ifMatch.filter(({ ledgerId }) => ledgerId === view.ledgerId);
    await checkIfMatch(view, { ...controls, ifMatch }, store);
  }
}

/** Refuses the entity tag of a model that a call did not concern after all. */
export function checkTagsUsed(views: readonly View[], controls: Controls): void {
  const unused = controls.ifMatch.find((named) => views.every(({ ledgerId }) => ledgerId !== named.ledgerId));
  if (!unused) return;
  throw new Problem(
    "bad_precondition",
    `If-Match: the tag ${etagOf(unused)} is of a model that no entry concerns; leave it out`,
  );
}
