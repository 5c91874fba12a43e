import type { Action } from "../contract/action.ts";
import type { Answer } from "../contract/answer.ts";
import { type Controls, etagOf } from "../contract/controls.ts";
import type { Reading } from "../contract/decision.ts";
import type { View } from "../contract/view.ts";
import type { Ledgers } from "./ledgers.ts";
import type { Running } from "./running.ts";

/** The answer that the caller's own copy is still right, before anything is read for the call; undefined where it is not. */
export async function notModifiedAnswer(r: Running, ledgers: Ledgers): Promise<Answer | undefined> {
  if (!ledgers.view || asksForPast(r)) return undefined;
  const etag = await tagOfCopy(ledgers.view, ledgers, r.request.controls);
  if (etag === undefined) return undefined;
  return { mediaType: r.action.output.mediaType, body: undefined, etag, notModified: true };
}

/** The entity tag of the copy a caller still has, if that is right; `*` matches any (RFC 9110 section 13.1.2). */
async function tagOfCopy(view: View, ledgers: Ledgers, { ifNoneMatch }: Controls): Promise<string | undefined> {
  const etag = etagOf(view);
  if (ifNoneMatch.includes(etag) || ifNoneMatch.includes("*")) return etag;
  if (!ifNoneMatch.some((tag) => tag.startsWith(`${etag}.`))) return undefined;
  const withTags = etagOf(view, await ledgers.unshownTags());
  return ifNoneMatch.includes(withTags) ? withTags : undefined;
}

/** The answer of a read, at the revision up to which it is known to be right. */
export async function answerOf(action: Action, reading: Reading, { view, opened }: Ledgers): Promise<Answer> {
  return {
    mediaType: action.output.mediaType,
    // Confirming advances the view.
    body: view && reading.showsRevision ? { ...reading.body, revision: view.revision } : reading.body,
    ...(view && { etag: reading.etag ?? etagOf(view, await opened()) }),
    ...(reading.next !== undefined && { next: reading.next }),
  };
}

/** The answer, or that it is not modified where the caller still has that past state. */
export function unlessKnown(r: Running, answer: Answer): Answer {
  const { ifNoneMatch } = r.request.controls;
  const isKnown = answer.etag !== undefined && (ifNoneMatch.includes(answer.etag) || ifNoneMatch.includes("*"));
  if (!asksForPast(r) || !isKnown) return answer;
  // Where nothing is answered anew, no next page is either.
  const { next: _, ...known } = answer;
  return { ...known, body: undefined, notModified: true };
}

/** True where the answer has an entity tag of a past state, known only when it has been read. */
function asksForPast({ action, payload: { input } }: Running): boolean {
  return action.past === true && (input.version ?? input.revision) !== undefined;
}
