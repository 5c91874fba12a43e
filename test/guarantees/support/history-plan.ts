import type { Action } from "../../../shared/actions/define-action.ts";
import { referenceId } from "./history-binding.ts";
import { aCall } from "./history-calls.ts";
import { type Chance, createChance } from "./history-chance.ts";
import type { Expected, ExpectedAnswer } from "./reference-action.ts";
import { judge, type SentCall } from "./reference-answer.ts";
import { exportOf } from "./reference-document.ts";
import { emptyState, type RefModel, type RefState } from "./reference-state.ts";

/** One step of a history: what is called, after how long a pause of the clock. Ids in it are the reference's own. */
export interface Step {
  /** Its place in the history as it was made; what the reference makes at this step has ids of this number. */
  readonly number: number;
  readonly pauseMs: number;
  readonly call: SentCall;
}

/** A step and what has to come of it. */
export interface JudgedStep extends Step {
  readonly expected: Expected;
  /** The models it makes that hold something already, as an export shows them then. */
  readonly made: readonly { readonly ref: string; readonly export: ExpectedAnswer }[];
}

/** A history with what has to come of each step, and the state it has to end in. */
export interface Judged {
  readonly steps: readonly JudgedStep[];
  readonly state: RefState;
}

/** A random history; the same seed and the same actions give the same one. */
export function makeHistory(seed: number, length: number, prefix: string, actions: readonly Action[]): readonly Step[] {
  const chance = createChance(seed);
  const run = createRun();
  const steps: Step[] = [];
  for (let number = 0; number < length; number++) {
    const newIdempotencyKey = (): string => `${prefix.trim()}-${number}`;
    const call =
      again(run.done, prefix, chance) ??
      aCall({ chance, actions, state: run.state, prefix, ids: run.ids, newIdempotencyKey });
    const step = { number, pauseMs: aPause(chance), call };
    steps.push(step);
    run.judge(step);
  }
  return steps;
}

/** What has to come of the steps of a history, or of those left of it. */
export function judgeHistory(steps: readonly Step[]): Judged {
  const run = createRun();
  for (const step of steps) run.judge(step);
  return { steps: run.done, state: run.state };
}

function createRun() {
  const state = emptyState();
  const ids: string[] = [];
  const done: JudgedStep[] = [];
  let now = 0;
  return {
    state,
    ids,
    done,
    judge: (step: Step): void => {
      let count = 0;
      now += step.pauseMs;
      const newId = (): string => {
        const id = referenceId(step.number, count++);
        ids.push(id);
        return id;
      };
      const { expected, apply } = judge(step.call, { state, now, newId, newCursor: () => cursorOf(step.number) });
      const before = new Set(state.models.keys());
      apply();
      const filled = [...state.models.values()].filter((m) => !before.has(m.id) && objectsIn(m) > 0);
      const made = filled.map((m) => ({ ref: `id:${m.id}`, export: exportOf(m, state) }));
      done.push({ ...step, expected, made });
    },
  };
}

/** How many objects a model holds whose ids no answer may have told. */
function objectsIn({ types, entities, relationships, businessKeys, localTags }: RefModel): number {
  return [types, entities, relationships, businessKeys, localTags].reduce((sum, all) => sum + all.length, 0);
}

/** What the reference calls the cursor that a step is answered. */
export function cursorOf(step: number): string {
  return `the cursor of step ${step}`;
}

const HOUR = 3_600_000;

/** Mostly none; now and then beyond the life of a token, or of an idempotency key. */
function aPause(chance: Chance): number {
  if (!chance.happens(0.06)) return 0;
  return chance.pick([1_000, 10 * 60_000, 2 * HOUR, 40 * HOUR, 49 * HOUR]);
}

/** An earlier call once more: the next page of a list, or the same idempotency key with the same payload or another. */
function again(done: readonly JudgedStep[], prefix: string, chance: Chance): SentCall | undefined {
  if (!chance.happens(0.12)) return undefined;
  const pages = done.filter((s) => "answer" in s.expected && s.expected.answer.next !== undefined);
  const keyed = done.filter((s) => s.call.controls.idempotencyKey !== undefined);
  if (pages.length > 0 && chance.happens(0.5)) {
    const { number, call } = chance.pick(pages);
    const query = call.payload.query.filter(([name]) => name !== "cursor");
    const body = { ...Object(call.payload.body), cursor: cursorOf(number) };
    return { ...call, payload: { query, body }, controls: {} };
  }
  if (keyed.length === 0) return undefined;
  const { call } = chance.pick(keyed);
  if (chance.happens(0.7)) return { ...call, caller: chance.happens(0.9) ? call.caller : "manager" };
  const { payload } = call;
  const other = chance.pick([`${prefix}other`, "Another text", "key:a"]);
  const name = chance.pick(["name", "value", "description", "key", "modelNewKey"]);
  return {
    ...call,
    payload: { query: payload.query.filter(([n]) => n !== name), body: { ...Object(payload.body), [name]: other } },
  };
}
