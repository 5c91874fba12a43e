import { createHash } from "node:crypto";
import { LIMITS } from "../../domain/limits.ts";
import { Problem } from "../../domain/problems.ts";
import type { Call } from "../contract/call.ts";
import type { Payload } from "../contract/payload.ts";
import type { Store, View } from "../contract/store.ts";
import type { Answer } from "./dispatch.ts";

/** What a write answered, kept for callers that ask again with the same idempotency key. */
export interface AnswerRecord {
  /** Digest of caller, action and idempotency key. */
  readonly id: string;
  /** Keyed digest of the whole payload: every ref and every parameter, secrets too. */
  readonly fingerprint: string;
  readonly answer: Answer;
  /** Id of the job that will give the answer, while it has not ended. */
  readonly job?: string;
  /** Seconds since the epoch; after that the record counts as absent. */
  readonly expiresAt: number;
}

/** Who asks, for what: a record before there is an answer. */
export type RecordClaim = Omit<AnswerRecord, "answer" | "job">;

/** The claim of a call that came with an idempotency key. `digest` is keyed, so that a record gives nothing of its payload away. */
export async function claimOf(
  payload: Payload,
  key: string,
  call: Call,
  digest: (text: string) => Promise<string>,
): Promise<RecordClaim> {
  const caller = call.principal?.actorId ?? "";
  const { path, input } = payload;
  return {
    id: createHash("sha256")
      .update(JSON.stringify([caller, call.action, key]))
      .digest("base64url"),
    fingerprint: await digest(canonicalJson({ path: path.map(({ ref }) => ref), input })),
    expiresAt: Math.floor(Date.parse(call.time) / 1000) + LIMITS.idempotencyHours * 3_600,
  };
}

/**
 * The stored answer again, once what it tells of shows to every reader, as it does where the call has `opened` it;
 * `idempotency_key_reused` when it was given to another payload, `job_running` while a job works on it.
 */
export async function replay(
  claim: RecordClaim,
  record: AnswerRecord,
  store: Pick<Store, "operationAt">,
  opened?: Pick<View, "modelId" | "revision">,
): Promise<Answer> {
  if (record.fingerprint === claim.fingerprint && record.job !== undefined) {
    throw new Problem("job_running", `the job id:${record.job} works on this call; ask batch/job_get for it`, {
      retryAfter: 5,
    });
  }
  if (record.fingerprint === claim.fingerprint) {
    // The record may show before the rest of its transaction: whoever reads next would be answered what was before.
    for (const [id, revision] of revisionsIn(record.answer)) {
      if (opened?.modelId !== id || opened.revision < revision) await store.operationAt(id, revision);
    }
    return { ...record.answer, replayed: true };
  }
  throw new Problem(
    "idempotency_key_reused",
    "this idempotency key was used for a call with other parameters; use a new key for a new call",
  );
}

/** The revisions of ledgers that an answer names. */
function revisionsIn({ etag = "", body }: Answer): readonly (readonly [ledger: string, revision: number])[] {
  const [, ledger, revision] = /^(.+)-(\d+)/.exec(etag) ?? [];
  if (ledger !== undefined) return [[ledger, Number(revision)]];
  // A batch may have made several.
  const { revisions = [] } = Object(body) as { revisions?: readonly { id: string; revision: number }[] };
  return revisions.map((one) => [one.id, one.revision]);
}

/** JSON with the members of every object in order, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, v]) => v !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, v]) => `${JSON.stringify(name)}:${canonicalJson(v)}`).join(",")}}`;
}
