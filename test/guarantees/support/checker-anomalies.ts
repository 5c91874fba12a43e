import { claimOf, type Op } from "./checker-history.ts";
import { asCall, MODEL_ID, outcomeOf, refused, type Simulated, simulate } from "./checker-simulation.ts";
import { judge } from "./reference-answer.ts";
import { exportOf } from "./reference-document.ts";
import { emptyState, type RefModel } from "./reference-state.ts";

/** Spoils a good history; undefined where it offers no chance. */
type Spoil = (good: Simulated, seed: number) => Simulated | undefined;

const commitOf = (op: Op): number | undefined => {
  const claim = claimOf(op);
  return claim.kind === "commit" ? claim.revision : undefined;
};
const seenBy = (op: Op): number | undefined => {
  const claim = claimOf(op);
  return claim.kind === "seen" && "answer" in op.outcome ? claim.revision : undefined;
};

/** The history with other ops in place of some. */
const withOps = (s: Simulated, change: (op: Op) => Op): Simulated => ({ ...s, ops: s.ops.map(change) });

/** What the reference answers to an op's call at another state of the model. */
function answerAt(op: Op, model: RefModel, revision = model.revision): Op {
  const state = emptyState();
  state.models.set(MODEL_ID, { ...structuredClone(model), revision });
  const { expected } = judge(op.call, { state, now: 0, newId: () => MODEL_ID, newCursor: () => "" });
  return { ...op, outcome: outcomeOf(expected) };
}

/** A read that began after a later revision than the one before it was known. */
function lateRead(s: Simulated): { readonly read: Op; readonly known: number } | undefined {
  for (const read of s.ops) {
    if (!/export|list/.test(read.call.action) || seenBy(read) === undefined) continue;
    const known = Math.max(1, ...s.ops.filter((o) => o.end < read.start).map((o) => commitOf(o) ?? 1));
    if (known > 3) return { read, known };
  }
  return undefined;
}

/** Two writes, the second of which began after the first had ended. */
function apart(s: Simulated): readonly [Op, Op] | undefined {
  const commits = s.ops.filter((o) => commitOf(o) !== undefined);
  for (const first of commits) for (const second of commits) if (first.end < second.start) return [first, second];
  return undefined;
}

function told(op: Op, revision: number): Op {
  if (!("answer" in op.outcome)) return op;
  const body = { ...(op.outcome.answer.body as object), revision };
  return { ...op, outcome: { answer: { ...op.outcome.answer, body, etag: `${MODEL_ID}-${revision}` } } };
}

/** An op in the midst of the history that is none of its own. */
const another = (s: Simulated, call: Op["call"], outcome: Op["outcome"]): Simulated => ({
  ...s,
  ops: [...s.ops, { request: "another", start: 600.5, end: 603.5, call, outcome }],
});

/** Ways in which a service can be wrong, by name. */
export const ANOMALIES: Readonly<Record<string, Spoil>> = {
  "a write that was acknowledged and forgotten": (good, seed) => {
    const n = good.ops.findIndex(
      (o) =>
        o.call.action === "model/type_create" &&
        commitOf(o) !== undefined &&
        JSON.stringify(o.call).includes("forgotten"),
    );
    return n < 0 ? undefined : simulate(seed, { forget: n });
  },
  "a stale read": (s) => {
    const late = lateRead(s);
    const old = late && s.states[late.known - 2];
    return old && withOps(s, (op) => (op === late.read ? answerAt(op, old) : op));
  },
  "a stale read under the newest tag": (s) => {
    const read = s.ops.find((o) => o.call.action === "model/model_export" && (seenBy(o) ?? 0) > 5);
    const old = s.states[1];
    const revision = read && seenBy(read);
    return old && revision === undefined
      ? undefined
      : old && withOps(s, (op) => (op === read ? answerAt(op, old, revision) : op));
  },
  "a read from the future": (s) => {
    const read = s.ops.find((o) => o.call.action === "model/model_export" && seenBy(o) !== undefined);
    const last = s.states.at(-1);
    const begun = s.ops.find((o) => commitOf(o) === last?.revision)?.start ?? 0;
    return read && last && read.end < begun ? withOps(s, (op) => (op === read ? answerAt(op, last) : op)) : undefined;
  },
  "two writes in the wrong order": (s) => {
    const pair = apart(s);
    if (!pair) return undefined;
    const [first, second] = pair;
    const [a = 0, b = 0] = [commitOf(first), commitOf(second)];
    const request = (r: number) => (r === a ? second.request : first.request);
    return {
      ...withOps(s, (op) => (op === first ? told(op, b) : op === second ? told(op, a) : op)),
      log: s.log.map((row) =>
        row.revision === a || row.revision === b ? { ...row, request: request(row.revision) } : row,
      ),
    };
  },
  "a key said to be taken that nobody had": (s) =>
    another(s, asCall("type_create", { typeKey: "free" }), refused("key_taken", { mentions: ["free"] })),
  "an object said not to be there that was": (s) =>
    another(s, asCall("model_get", {}), refused("not_found", { mentions: [`id:${MODEL_ID}`] })),
  "a type said to be used that was not": (s) =>
    another(s, asCall("type_delete", { typeRef: "key:a" }), refused("still_used", { mentions: ["a"] })),
  "two winners of one key": (s) => {
    const loser = s.ops.find((o) => o.call.action === "model/type_create" && "problem" in o.outcome);
    const n = loser ? s.ops.indexOf(loser) : -1;
    const next = s.ops.slice(n).find((o) => commitOf(o) !== undefined);
    const revision = next && commitOf(next);
    if (!loser || revision === undefined) return undefined;
    const body = {
      status: "ok",
      id: "another",
      key: (loser.call.payload.body as { typeKey: string }).typeKey,
      revision,
      changed: true,
    };
    const won: Op = {
      ...loser,
      outcome: { answer: { mediaType: "application/json", body, etag: `${MODEL_ID}-${revision}` } },
    };
    const later = withOps(s, (op) =>
      op === loser ? won : (commitOf(op) ?? 0) >= revision ? told(op, (commitOf(op) ?? 0) + 1) : op,
    );
    const log = s.log.map((row) => (row.revision >= revision ? { ...row, revision: row.revision + 1 } : row));
    return { ...later, log: [...log, { revision, request: loser.request }].sort((x, y) => x.revision - y.revision) };
  },
  "one revision told to two writers": (s) => {
    const [first, second] = s.ops.filter((o) => commitOf(o) !== undefined);
    const revision = first && commitOf(first);
    return revision === undefined ? undefined : withOps(s, (op) => (op === second ? told(op, revision) : op));
  },
  "a revision that is missing": (s) => ({ ...s, log: s.log.filter(({ revision }) => revision !== 4) }),
  "a write that the log does not have": (s) => {
    const last = s.log.at(-1);
    return last && { ...s, log: s.log.slice(0, -1) };
  },
  "a write that was refused and done": (s) => {
    const made = s.ops.find((o) => o.call.action === "model/type_create" && commitOf(o) !== undefined);
    return (
      made && withOps(s, (op) => (op === made ? { ...op, outcome: refused("key_taken", { mentions: ["a"] }) } : op))
    );
  },
  "a write by nobody": (s) => ({ ...s, log: [...s.log, { revision: s.log.length + 2, request: "nobody" }] }),
  "a torn read": (s) => {
    const read = s.ops.find((o) => o.call.action === "model/model_export" && (seenBy(o) ?? 0) > 8);
    const revision = read && seenBy(read);
    const [old, now] = [s.states[2], s.states[revision ?? 0]];
    if (!read || !old || !now || JSON.stringify(old.types) === JSON.stringify(now.types)) return undefined;
    return withOps(s, (op) => (op === read ? answerAt(op, { ...now, types: old.types }) : op));
  },
  "a change said to change nothing": (s) => {
    const model = s.states[Math.floor(s.states.length / 2)];
    if (!model) return undefined;
    const body = { status: "ok", id: MODEL_ID, key: "m", revision: model.revision, changed: false };
    const call = asCall("model_update_description", { value: "never there" });
    return another(s, call, { answer: { mediaType: "application/json", body, etag: `${MODEL_ID}-${model.revision}` } });
  },
  "a precondition failed at the revision it names": (s) => {
    const failed = s.ops.find((o) => "problem" in o.outcome && o.outcome.problem.code === "precondition_failed");
    const pinned = failed?.call.controls.ifMatch?.[0]?.revision;
    if (!failed || pinned === undefined) return undefined;
    return withOps(s, (op) =>
      op === failed ? { ...op, outcome: refused("precondition_failed", { currentRevision: pinned }) } : op,
    );
  },
  "a state at the end that nobody wrote": (s) => {
    const last = s.states.at(-1);
    return (
      last && {
        ...s,
        after: JSON.parse(JSON.stringify(exportOf({ ...last, description: "from nowhere" }, emptyState()).body)),
      }
    );
  },
  "one idempotency key that worked twice": (s) => {
    const [first, second] = s.ops.filter((o) => commitOf(o) !== undefined && o.call.action === "model/type_create");
    const controls = { idempotencyKey: "once" };
    return (
      first &&
      second &&
      withOps(s, (op) => (op === first || op === second ? { ...op, call: { ...op.call, controls } } : op))
    );
  },
};
