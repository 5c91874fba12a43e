import { createHash } from "node:crypto";
import { canonicalJson } from "../../domain/canonical-json.ts";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import type { Answer, AnswerRecord, IdempotencyRequest } from "../contract/answer.ts";
import type { Call } from "../contract/call.ts";
import type { Payload } from "../contract/payload.ts";
import type { Store } from "../contract/store.ts";
import type { View } from "../contract/view.ts";

/**
 * The record that a call with an idempotency key asks for. `digest` is keyed, so that a record gives nothing of its
 * payload away.
 */
export async function idempotencyRequestOf(
  payload: Payload,
  key: string,
  call: Call,
  digest: (text: string) => Promise<string>,
): Promise<IdempotencyRequest> {
  const { path, input } = payload;
  return {
    id: createHash("sha256")
      .update(JSON.stringify([...askerOf(call), call.action, key]))
      .digest("base64url"),
    fingerprint: await digest(canonicalJson({ path: path.map(({ ref }) => ref), input })),
    expiresAt: Math.floor(Date.parse(call.time) / 1000) + LIMITS.idempotencyHours * 3_600,
  };
}

/** Who a key is one of: the actor, or the API token for some models, which is not answered what its actor did elsewhere. */
function askerOf({ principal }: Call): readonly string[] {
  if (!principal) return [""];
  const { actorId, within, apiToken } = principal;
  return within && apiToken !== undefined ? [actorId, apiToken] : [actorId];
}

/**
 * The stored answer again, once its commit shows to every reader, as it does where the call has `opened` it;
 * `idempotency_key_reused` when it was given to another payload, `job_running` while a job works on it.
 */
export async function replay(
  claim: IdempotencyRequest,
  record: AnswerRecord,
  store: Pick<Store, "operationAt">,
  opened?: Pick<View, "ledgerId" | "revision">,
): Promise<Answer> {
  if (record.fingerprint === claim.fingerprint && record.job !== undefined) {
    throw new Problem("job_running", `the job id:${record.job} works on this call; ask batch/job_get for it`, {
      retryAfter: 5,
    });
  }
  if (record.fingerprint === claim.fingerprint) {
    // The record may show before the rest of its transaction: whoever reads next would be answered what was before.
    for (const { id, revision, isListed } of revisionsIn(record.answer)) {
      const isOpened = opened?.ledgerId === id && opened.revision >= revision;
      if (!isOpened || isListed) await store.operationAt(id, revision);
    }
    return { ...record.answer, replayed: true };
  }
  throw new Problem(
    "idempotency_key_reused",
    "this idempotency key was used for a call with other parameters; use a new key for a new call",
  );
}

/** A revision of a ledger; `isListed` where the row of the model in the list of models may have changed with it. */
interface NamedRevision {
  readonly id: string;
  readonly revision: number;
  readonly isListed: boolean;
}

/** The revisions of ledgers that an answer names. */
function revisionsIn({ etag = "", body }: Answer): readonly NamedRevision[] {
  const told = Object(body) as { id?: string; revisions?: readonly Omit<NamedRevision, "isListed">[] };
  // A batch may have made several.
  if (told.revisions) return told.revisions.map(({ id, revision }) => ({ id, revision, isListed: true }));
  const [, id, revision] = /^(.+)-(\d+)/.exec(etag) ?? [];
  return id === undefined ? [] : [{ id, revision: Number(revision), isListed: id === told.id }];
}
