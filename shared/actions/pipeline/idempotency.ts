import { createHash } from "node:crypto";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import { toCanonicalJson } from "../../domain/text/json-values.ts";
import type { Answer, AnswerRecord, Call, IdempotencyRequest, Payload } from "../contract/call.ts";
import type { Store } from "../contract/store.ts";
import type { ReadView } from "../contract/view.ts";

/**
 * Returns the record that a call with an idempotency key asks for. `digest` is keyed, so that the record reveals nothing of
 * the payload.
 */
export async function createIdempotencyRequest(
  { path, input }: Payload,
  key: string,
  call: Call,
  digest: (text: string) => Promise<string>,
): Promise<IdempotencyRequest> {
  return {
    id: createHash("sha256")
      .update(JSON.stringify([...listOwner(call), call.action, key]))
      .digest("base64url"),
    fingerprint: await digest(toCanonicalJson({ path: path.map(({ ref }) => ref), input })),
    expiresAt: Math.floor(Date.parse(call.time) / 1000) + LIMITS.idempotencyHours * 3_600,
  };
}

/** Returns the owner of a key: the actor, or an API token for some models, which must not see what its actor did elsewhere. */
function listOwner({ principal }: Call): readonly string[] {
  if (!principal) return [""];
  const { actorId, within, apiToken } = principal;
  return within && apiToken !== undefined ? [actorId, apiToken] : [actorId];
}

/**
 * Returns the recorded answer once its commit is visible to every reader; the ledger that the call has `opened` at that
 * revision already is. Throws `idempotency_key_reused` if the key was used with another payload, and `job_running` while a
 * job works on the call.
 */
export async function replayAnswer(
  claim: IdempotencyRequest,
  record: AnswerRecord,
  store: Pick<Store, "findOperation">,
  opened?: Pick<ReadView, "ledgerId" | "revision">,
): Promise<Answer> {
  if (record.fingerprint === claim.fingerprint && record.job !== undefined) {
    throw new Problem("job_running", `the job id:${record.job} works on this call; ask batch/job_get for it`, {
      retryAfter: 5,
    });
  }
  if (record.fingerprint === claim.fingerprint) {
    // The record may be visible before the rest of its transaction. The next read would return the former state.
    for (const { id, revision, isListed } of listRevisions(record.answer)) {
      const isOpened = opened?.ledgerId === id && opened.revision >= revision;
      if (!isOpened || isListed) await store.findOperation(id, revision);
    }
    return { ...record.answer, replayed: true };
  }
  throw new Problem(
    "idempotency_key_reused",
    "this idempotency key was used for a call with other parameters; use a new key for a new call",
  );
}

/** A revision of a ledger; `isListed` is true where the row of the model in the list of models may have changed with it. */
interface NamedRevision {
  readonly id: string;
  readonly revision: number;
  readonly isListed: boolean;
}

/** Returns the revisions of ledgers that an answer names. */
function listRevisions({ etag = "", body }: Answer): readonly NamedRevision[] {
  const told = Object(body) as { id?: string; revisions?: readonly Omit<NamedRevision, "isListed">[] };
  // A batch may have made several.
  if (told.revisions) return told.revisions.map(({ id, revision }) => ({ id, revision, isListed: true }));
  const [, id, revision] = /^(.+)-(\d+)/.exec(etag) ?? [];
  return id === undefined ? [] : [{ id, revision: Number(revision), isListed: id === told.id }];
}
