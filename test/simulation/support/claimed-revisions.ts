import type { LogRow, Op } from "./history.ts";

/** The revisions of ledgers that the answer to a call says it made or met. */
export interface Claim {
  readonly op: Op;
  /** Revisions that it made. */
  readonly made: readonly At[];
  /** Revisions that its answer is of. */
  readonly seen: readonly At[];
  readonly kind: "done" | "refused" | "replayed" | "nothing" | "unknown";
}

export interface At {
  readonly ledger: string;
  readonly revision: number;
}

export const TAGS = "tags";

/** Refusals that say nothing of any model: the service was busy. */
const NOTHING_DONE: ReadonlySet<string> = new Set(["contention", "throttled", "unavailable", "job_running"]);

const ETAG = /^(.+)-(\d+)(?:\.(\d+))?$/;

function inTag(etag = ""): readonly At[] {
  const [, ledger, revision, tags] = ETAG.exec(etag) ?? [];
  if (ledger === undefined) return [];
  return [
    { ledger, revision: Number(revision) },
    ...(tags === undefined ? [] : [{ ledger: TAGS, revision: Number(tags) }]),
  ];
}

interface Written {
  readonly revision?: number;
  readonly changed?: boolean;
  readonly dryRun?: boolean;
  readonly revisions?: readonly { readonly id: string; readonly revision: number }[];
}

export function readClaim(op: Op, rows: readonly LogRow[]): Claim {
  const none = { op, made: [], seen: [] };
  const { outcome } = op;
  if ("problem" in outcome) {
    const { code, members } = outcome.problem;
    if (code === "out_of_time" || code === "internal") return { ...none, kind: "unknown" };
    // The job with its key may be its own, which was accepted though the answer to that was lost.
    const isOwnJob = code === "job_running" && rows.some(({ request }) => request === op.request);
    if (isOwnJob) return { ...none, kind: "unknown" };
    if (NOTHING_DONE.has(code)) return { ...none, kind: "nothing" };
    const pinned = op.call.controls.ifMatch?.[0];
    const { currentRevision } = members;
    // Calls on several ledgers are compared with the revisions that they may have read.
    const isOfPinned = op.call.action !== "batch/batch_run" && pinned?.ledgerId !== TAGS;
    const seen =
      isOfPinned && pinned && currentRevision !== undefined
        ? [{ ledger: pinned.ledgerId, revision: currentRevision }]
        : [];
    return { ...none, kind: "refused", seen };
  }
  const { body, etag, replayed } = outcome.answer;
  if (replayed) return { ...none, kind: "replayed" };
  const { changed, dryRun, revision, revisions } = Object(body) as Written;
  const [first, ...others] = inTag(etag);
  if (changed === undefined) return { ...none, kind: "done", seen: first ? [first, ...others] : [] };
  if (revisions) {
    const own = rows.filter(({ request }) => request === op.request);
    const all = revisions.map((one) => ({ ledger: one.id, revision: one.revision }));
    const made = changed && !dryRun ? all.filter((one) => own.some(({ ledger }) => ledger === one.ledger)) : [];
    // A dry run tells of revisions that there will be.
    return { op, kind: "done", made, seen: dryRun ? [] : all.filter((one) => !made.includes(one)) };
  }
  const ledger = first?.ledger ?? op.call.controls.ifMatch?.[0]?.ledgerId;
  if (ledger === undefined || revision === undefined) return { ...none, kind: "done" };
  if (dryRun) return { ...none, kind: "done", seen: [{ ledger, revision: changed ? revision - 1 : revision }] };
  return { op, kind: "done", made: changed ? [{ ledger, revision }] : [], seen: changed ? [] : [{ ledger, revision }] };
}
