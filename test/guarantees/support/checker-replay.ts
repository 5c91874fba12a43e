import type { ModelHistory, Op } from "./checker-history.ts";
import { type Claimed, label, type Order } from "./checker-order.ts";
import { createBinding } from "./history-binding.ts";
import { differs } from "./history-differs.ts";
import { judge, type SentControls } from "./reference-answer.ts";
import { exportOf } from "./reference-document.ts";
import { emptyState, type RefState } from "./reference-state.ts";

/** Something that has to hold at one revision of an interval. */
interface Pending {
  readonly from: number;
  readonly to: number;
  readonly what: string;
  readonly differs: (state: RefState) => string | undefined;
}

/**
 * Applies the writes in the order of the log to the reference, and holds every answer against the state at the revision
 * it speaks of; refusals, and what was seen without a revision, against those it may have met.
 */
export function replayFaults(history: ModelHistory, claimed: readonly Claimed[], order: Order): string[] {
  const faults: string[] = [];
  const state = { ...emptyState(), tags: history.tags };
  const model = structuredClone(history.before);
  state.models.set(model.id, model);
  const { commits, seen, pending } = sorted(history, claimed, order);
  let open: Pending[] = [];
  const last = history.before.revision + history.log.length;
  for (let revision = history.before.revision; ; revision++) {
    for (const op of seen.get(revision) ?? []) {
      const what = judged(op, state).what;
      if (what !== undefined)
        faults.push(`at revision ${revision} ${label(op)}: ${what}${around(history, revision, commits)}`);
    }
    open = [...open, ...(pending.get(revision) ?? [])].filter((p) => p.differs(state) !== undefined);
    for (const p of open) {
      if (p.to > revision) continue;
      const range = `${p.from} to ${p.to}`;
      faults.push(`at no revision from ${range}: ${p.what}: ${p.differs(state)}${around(history, revision, commits)}`);
    }
    open = open.filter((p) => p.to > revision);
    if (revision >= last) break;
    const op = commits.get(history.log[revision - history.before.revision]?.request ?? "");
    if (!op) return [...faults, `revision ${revision + 1} has no call, so nothing after it can be told`];
    const row = history.log[revision - history.before.revision];
    const { what, apply } = judged(op, state, row?.untold);
    if (what !== undefined) faults.push(`revision ${revision + 1}, ${label(op)}: ${what}`);
    apply();
    model.revision = revision + 1;
  }
  const what = createBinding().differs(exportOf(model, state).body, history.after);
  return what === undefined ? faults : [...faults, `the state at the end: ${what}`];
}

/** The writes before and after a revision, for whoever looks for the cause. */
function around({ before, log }: ModelHistory, revision: number, commits: ReadonlyMap<string, Op>): string {
  const by = (r: number): string => {
    const op = commits.get(log[r - before.revision - 1]?.request ?? "");
    return op ? `\n    ${r}: ${label(op)}` : "";
  };
  return by(revision) + by(revision + 1);
}

interface Sorted {
  /** By request. */
  readonly commits: ReadonlyMap<string, Op>;
  /** By revision. */
  readonly seen: ReadonlyMap<number, readonly Op[]>;
  /** By the first revision they may have met. */
  readonly pending: ReadonlyMap<number, readonly Pending[]>;
}

function sorted(history: ModelHistory, claimed: readonly Claimed[], order: Order): Sorted {
  const commits = new Map<string, Op>();
  const seen = new Map<number, Op[]>();
  const pending = new Map<number, Pending[]>();
  const wait = (start: number, end: number, what: string, differs: Pending["differs"]): void => {
    const [from, to] = [order.lowest(start), order.highest(end)];
    pending.set(from, [...(pending.get(from) ?? []), { from, to, what, differs }]);
  };
  for (const { op, claim } of claimed) {
    if (claim.kind === "commit" || claim.kind === "unknown") commits.set(op.request, op);
    else if (claim.kind === "seen") seen.set(claim.revision, [...(seen.get(claim.revision) ?? []), op]);
    else if (claim.kind === "refused") {
      const code = "problem" in op.outcome ? op.outcome.problem.code : "";
      wait(op.start, op.end, `${label(op)} answered ${code}`, (state) => judged(op, state).what);
    }
  }
  const { id } = history.before;
  for (const { start, end, what, holds } of history.glimpses) {
    wait(start, end, what, ({ models }) => {
      const model = models.get(id);
      return model !== undefined && holds(model) ? undefined : "it was otherwise";
    });
  }
  return { commits, seen, pending };
}

/** Holds an op's answer against what the reference answers now; `apply` brings its effect about. */
function judged(
  op: Op,
  state: RefState,
  untold: readonly string[] = [],
): { readonly what: string | undefined; readonly apply: () => void } {
  const told = "answer" in op.outcome ? (Object(op.outcome.answer.body) as { readonly id?: string }).id : undefined;
  const ids = [told ?? op.request, ...untold];
  let made = 0;
  // Twins are compared apart: here every call is the first of its key.
  state.records.clear();
  const { expected, apply } = judge(
    { ...op.call, controls: controlsOf(op) },
    { state, now: 0, newId: () => ids[made++] ?? op.request, newCursor: () => op.request },
  );
  return { what: differs(createBinding(), expected, op.outcome, op.call), apply };
}

/** Whoever guessed the tag of a revision that came while it was answered may be sent that revision all the same. */
function controlsOf({ call: { controls }, outcome }: Op): SentControls {
  if ("answer" in outcome && outcome.answer.notModified) return controls;
  const { ifNoneMatch: _, ...others } = controls;
  return "answer" in outcome ? others : controls;
}
