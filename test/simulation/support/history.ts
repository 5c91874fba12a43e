import type { Answer, Runtime } from "../../../shared/actions/contract/call.ts";
import type { Job } from "../../../shared/actions/contract/jobs.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { createJobStore } from "../../../shared/store/jobs/job-store.ts";
import { type LogChange, toLogEntry } from "../../../shared/store/log/log.ts";
import { readHistoryChanges } from "../../../shared/store/log/replay.ts";
import { type ItemKey, JOBS } from "../../../shared/store/table/keys.ts";
import type { Item, Table } from "../../../shared/store/table/table.ts";
import type { Outcome } from "../../guarantees/support/history/clocked-world.ts";
import type { SentCall } from "../../guarantees/support/reference/answer.ts";

/** An object that a commit made: its kind, the id of its owner where it has one, its key. */
export interface MadeObject {
  readonly place: string;
  readonly id: string;
}

/** One commit to one ledger, as its log has it. */
export interface LogRow {
  readonly ledger: string;
  readonly revision: number;
  /** The request id of the call that made the commit. */
  readonly request: string;
  readonly run: string | undefined;
  readonly actions: readonly string[];
  /** Revision of the global tags that it saw. */
  readonly tags: number;
  readonly made: readonly MadeObject[];
}

/** The place of an object as both the log and the reference tell it. */
export function placeOf(kind: string, owner: unknown, key: unknown): string {
  return `${kind}|${owner ?? ""}|${key}`;
}

/** Every commit after those that were there before, in the order in which the table took them. */
export async function rowsOf(table: Table, committed: readonly ItemKey[]): Promise<readonly LogRow[]> {
  const rows: LogRow[] = [];
  for (const { pk, sk } of committed) {
    const item = await table.get({ pk, sk });
    if (!item) throw new Error(`the log item ${pk}|${sk} is gone`);
    rows.push(await rowOf(table, item));
  }
  return rows;
}

async function rowOf(table: Table, item: Item): Promise<LogRow> {
  const { revision, request, run, actions, tags } = toLogEntry(item);
  const changes = await readHistoryChanges(table, toLogEntry(item));
  const ledger = item.pk.slice("log#".length);
  return { ledger, revision, request, run, actions, tags, made: changes.flatMap(madeBy) };
}

interface Role {
  readonly id: string;
  readonly key: string;
}

function madeBy({ does, kind, id, after = {} }: LogChange): readonly MadeObject[] {
  const roles = (after.roles ?? []) as readonly Role[];
  return [
    ...(does === "create" ? [{ place: placeOf(kind, after.owner, kind === "model" ? "" : after.key), id }] : []),
    ...roles.map((role) => ({ place: placeOf("role", id, role.key), id: role.id })),
  ];
}

/** A call with its answer, or with what its job ended in. */
export interface EndedOp extends Op {
  /** A job tells the code of a problem and its sentence, and nothing else of it. */
  readonly isJob?: true;
}

/** Calls that became jobs, with what their jobs ended in for an answer; `end` is the tick at which all had ended. */
export async function withJobs(table: Table, runtime: Runtime, ops: readonly Op[], end: number) {
  const jobs = createJobStore(table, runtime, async () => undefined);
  const ended: EndedOp[] = [];
  for (const op of ops) {
    const id = "answer" in op.outcome && op.outcome.answer.accepted ? jobIn(op.outcome.answer) : undefined;
    const job = id === undefined ? undefined : await jobs.get(id);
    // Of two calls with one key the second is told of the first one's job by its answer.
    ended.push(id === undefined ? op : { ...op, end, isJob: true, outcome: outcomeOf(job, id) });
  }
  return ended;
}

interface At {
  readonly id: string;
  readonly revision: number;
}

function jobIn({ body }: Answer): string {
  return (body as { readonly job: string }).job.slice("id:".length);
}

function outcomeOf(job: Job | undefined, id: string): Op["outcome"] {
  if (job?.state === "done") {
    const body = job.result;
    // Only the answer of a call has an entity tag; a batch has one where it is about one model.
    const result = body as At | { readonly revisions: readonly At[] };
    const [only, ...others] = "revisions" in result ? result.revisions : [result];
    const etag = only && others.length === 0 ? `${only.id}-${only.revision}` : undefined;
    return { answer: { mediaType: "application/json", body, ...(etag !== undefined && { etag }) } };
  }
  if (job?.state === "failed" && job.problem && job.problem.code !== "internal")
    return { problem: new Problem(job.problem.code, job.problem.detail) };
  return {
    problem: new Problem("internal", `the job ${id} of ${JOBS} ended as ${job?.state}: ${job?.problem?.detail}`),
  };
}

/** Returns the calls with lost answers together with the answer that a later duplicate got. */
export function withReplays(ops: readonly Op[], rows: readonly LogRow[]): readonly Op[] {
  const wrote = new Set(rows.map(({ request }) => request));
  const adopted = new Map<string, Op>();
  for (const [name, group] of Map.groupBy(ops, duplicatesName)) {
    if (name === undefined) continue;
    const replayed = group.filter(({ outcome }) => "answer" in outcome && outcome.answer.replayed);
    const [first] = replayed;
    const isKnown = group.some(({ outcome }) => "answer" in outcome && !outcome.answer.replayed);
    if (!first || isKnown || !("answer" in first.outcome)) continue;
    const lost = group.filter(({ outcome }) => "problem" in outcome);
    // A call that changed nothing, and was not told whether its answer was kept, finds that answer itself.
    const origin = lost.find(({ request }) => wrote.has(request)) ?? lost[0] ?? first;
    const { replayed: _, ...answer } = first.outcome.answer;
    const end = Math.min(...replayed.map((op) => op.end));
    adopted.set(origin.request, { ...origin, end: Math.max(origin.end, end), outcome: { answer } });
  }
  return ops.map((op) => adopted.get(op.request) ?? op);
}

/** The name that calls with one idempotency key share; undefined for a call without. */
export function duplicatesName({ call }: Op): string | undefined {
  const { idempotencyKey } = call.controls;
  return idempotencyKey === undefined ? undefined : `${call.caller}|${call.action}|${idempotencyKey}`;
}

/** One call that a client made. Times are ticks of one counter: no two are equal. */
export interface Op {
  /** The request id, which the log entry of its commit carries. */
  readonly request: string;
  readonly start: number;
  readonly end: number;
  readonly call: SentCall;
  readonly outcome: Outcome;
}

export function label({ call, request, start, end }: Op): string {
  const payload = JSON.stringify(call.payload.body ?? call.payload.query).slice(0, 160);
  const controls = Object.keys(call.controls).length > 0 ? ` with ${JSON.stringify(call.controls)}` : "";
  return `${call.action} ${payload}${controls} [${start}-${end}] ${request}`;
}
