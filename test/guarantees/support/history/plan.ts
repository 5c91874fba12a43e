import type { Action } from "../../../../shared/actions/contract/action.ts";
import { type Chance, createChance } from "../../../support/chance.ts";
import { judge, type SentCall } from "../reference/answer.ts";
import { exportOf } from "../reference/document.ts";
import type { Expected, ExpectedAnswer } from "../reference/expected-answer.ts";
import type { RefModel } from "../reference/objects.ts";
import { emptyState, type RefState } from "../reference/state.ts";
import { REFERENCE } from "../reference/table.ts";
import { listTags } from "../reference/tags.ts";
import { PLAN } from "../reference/values.ts";
import { referenceId } from "./binding.ts";
import { aCall } from "./calls.ts";
import { UNDONE } from "./weights.ts";

/** One step of a history: what is called, after how long a pause of the clock. Ids in it are the reference's own. */
export interface Step {
  /** Position in the original history; the reference gives new objects ids with this number. */
  readonly number: number;
  readonly pauseMs: number;
  readonly call: SentCall;
}

export interface JudgedStep extends Step {
  readonly expected: Expected;
  /** Reads that tell the ids of what it makes beside the object its answer is about. */
  readonly told: readonly { readonly action: string; readonly body: object; readonly answer: ExpectedAnswer }[];
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
  const undone = chance.happens(0.35) ? chance.pick(UNDONE) : undefined;
  const steps: Step[] = [];
  // What is to be taken back has to be there first.
  for (let number = 0; number < (undone ? 1.5 * length : length); number++) {
    const newIdempotencyKey = () => `${prefix.trim()}-${number}`;
    const call =
      again(run.done, prefix, chance, run.state) ??
      aCall({ chance, actions, state: run.state, prefix, ids: run.ids, undone, newIdempotencyKey });
    const step = { number, pauseMs: aPause(chance), call };
    steps.push(step);
    run.judge(step);
  }
  return steps;
}

/** Returns the expected outcome of each step of a history that begins at a time, and the final state. */
export function judgeHistory(steps: readonly Step[], began: number): Judged {
  const run = createRun(began);
  for (const step of steps) run.judge(step);
  return { steps: run.done, state: run.state };
}

function createRun(began = 0) {
  const state = emptyState();
  const ids: string[] = [];
  const done: JudgedStep[] = [];
  let now = began;
  return {
    state,
    ids,
    done,
    judge: (step: Step) => {
      let count = 0;
      now += step.pauseMs;
      const newId = () => {
        const id = referenceId(step.number, count++);
        ids.push(id);
        return id;
      };
      const newCursor = () => cursorOf(step.number);
      const { expected, apply } = judge(step.call, { state, now, newId, newCursor, requestId: requestOf(step) });
      apply();
      const isNew = ({ id }: { readonly id: string }) => id.startsWith(referenceId(step.number, 0).slice(0, 28));
      done.push({ ...step, expected, told: reads(state, isNew) });
    },
  };
}

/** Reads that show the ids of new objects: exports of models and relationships, and a search for tags. */
function reads(state: RefState, isNew: (object: { readonly id: string }) => boolean): JudgedStep["told"] {
  const isFilled = ({ types, entities, relationships, businessKeys, localTags }: RefModel) =>
    [types, entities, relationships, businessKeys, localTags].some((all) => all.length > 0);
  const models = [...state.models.values()].filter((m) => (isNew(m) && isFilled(m)) || m.relationships.some(isNew));
  const exports = models.map((model) => ({
    action: "model/model_export",
    body: { modelRef: `id:${model.id}` },
    answer: exportOf(model, state),
  }));
  if (!state.tags.groups.some((group) => isNew(group) || group.tags.some(isNew))) return exports;
  const body = { filters: { items: [{ type: "scopeRef", condition: "is", value: { type: "global" } }] } };
  const answer = { body: structuredClone(listTags(state.tags)), etag: undefined };
  return [...exports, { action: "tag/tag_search", body, answer }];
}

/** The request id of the call that a step makes. */
export function requestOf({ number }: Step): string {
  return `step-${number}`;
}

/** The reference's name for the cursor that a step is answered. */
export function cursorOf(step: number): string {
  return `the cursor of step ${step}`;
}

const HOUR = 3_600_000;

/** A pause before a step, in milliseconds: mostly none, now and then beyond the life of a token or of an idempotency key. */
function aPause(chance: Chance): number {
  if (!chance.happens(0.06)) return 0;
  return chance.pick([1_000, 10 * 60_000, 2 * HOUR, 40 * HOUR, 49 * HOUR]);
}

/** An undo of which a dry run told the plan, done now; undefined where tags have changed since, of which plans may tell. */
function planned(done: readonly JudgedStep[], { tags }: RefState): SentCall | undefined {
  const { call, expected } = done.findLast((s) => s.call.action === "model/model_undo" && s.call.controls.dryRun) ?? {};
  const { plan } = Object(expected && "answer" in expected && expected.answer.body) as { readonly plan?: string };
  if (!call || Number(PLAN.exec(plan ?? "")?.[2]) !== tags.revision) return undefined;
  const { query, body } = call.payload;
  return {
    ...call,
    payload: { query: query.filter(([name]) => name !== "plan"), body: { ...Object(body), plan } },
    controls: {},
  };
}

/** An earlier call once more: a next page, a planned undo, or an idempotency key with the same payload or another. */
function again(done: readonly JudgedStep[], prefix: string, chance: Chance, state: RefState): SentCall | undefined {
  if (!chance.happens(0.12)) return undefined;
  const undo = chance.happens(0.25) ? planned(done, state) : undefined;
  if (undo) return undo;
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
  const params = REFERENCE[call.action]?.params ?? {};
  const names = ["name", "value", "description", "key", "modelNewKey"].filter((one) => Object.hasOwn(params, one));
  const name = chance.pick([...names, "colour"]);
  return {
    ...call,
    payload: { query: payload.query.filter(([n]) => n !== name), body: { ...Object(payload.body), [name]: other } },
  };
}
