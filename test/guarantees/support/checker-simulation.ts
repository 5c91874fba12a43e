import type { Answer } from "../../../shared/actions/contract/answer.ts";

import { Problem, type ProblemCode } from "../../../shared/domain/problems.ts";
import { type Chance, createChance } from "../../support/chance.ts";
import type { LogRow, ModelHistory, Op } from "./checker-history.ts";
import { referenceId } from "./history-binding.ts";
import type { Outcome } from "./history-lane.ts";
import type { Expected } from "./reference-action.ts";
import { judge, type SentCall } from "./reference-answer.ts";
import { exportOf } from "./reference-document.ts";
import type { RefusalFacts } from "./reference-problem.ts";
import { emptyModel, emptyState, type RefModel } from "./reference-state.ts";

/** A history as a faultless service would give it, with the model as it was at each revision. */
export interface Simulated {
  ops: Op[];
  log: LogRow[];
  after: unknown;
  readonly before: RefModel;
  /** By revision. */
  readonly states: RefModel[];
  readonly chance: Chance;
}

export const MODEL_ID = referenceId(0, 0);
const CALLS = 120;
const ROLES = {
  ...{ roleAKey: "x", roleAEntityRef: "key:a", roleACardinality: "one" },
  ...{ roleBKey: "y", roleBEntityRef: "key:b", roleBCardinality: "many" },
};

/** What a call does not do although it says so. */
export interface Betrayal {
  /** Of the call with that place: its changes are not made. */
  readonly forget?: number;
}

/** Calls that overlap in time, each of which takes effect at one moment between its start and its end. */
export function simulate(seed: number, { forget }: Betrayal = {}): Simulated {
  const chance = createChance(seed);
  const model: RefModel = { ...emptyModel({ id: MODEL_ID, key: "m", name: "M" }), revision: 1 };
  const before = structuredClone(model);
  const state = emptyState();
  state.models.set(model.id, model);
  const states: RefModel[] = [];
  const ops: Op[] = [];
  const log: LogRow[] = [];
  for (let n = 0; n < CALLS; n++) {
    states[model.revision] ??= structuredClone(model);
    let made = 0;
    const call = aSimpleCall(chance, n);
    const newId = (): string => referenceId(n + 1, made++);
    const { expected, apply } = judge(call, { state, now: 0, newId, newCursor: () => `${n}` });
    const { types, revision } = model;
    apply();
    if (n === forget) model.types = types.filter((t) => t.key !== `forgotten ${n}`);
    const request = `request ${n}`;
    const untold = Array.from({ length: Math.max(0, made - 1) }, (_, i) => referenceId(n + 1, i + 1));
    if (model.revision > revision) log.push({ revision: model.revision, request, untold });
    const moment = (n + 1) * 10;
    const [start, end] = [moment - chance.next() * 40, moment + chance.next() * 40];
    ops.push({ request, start, end, call, outcome: outcomeOf(expected) });
  }
  states[model.revision] ??= structuredClone(model);
  return { ops, log, after: plain(exportOf(model, state).body), before, states, chance };
}

export function historyOf({ before, ops, log, after }: Simulated): ModelHistory {
  return { before, tags: emptyState().tags, ops, glimpses: [], log, after };
}

/** A call as clients make it. */
export function asCall(action: string, body: object): SentCall {
  return {
    action: action.includes("/") ? action : `model/${action}`,
    caller: "admin",
    payload: { query: [], body: { modelRef: `id:${MODEL_ID}`, ...body } },
    controls: {},
  };
}

function aSimpleCall(chance: Chance, n: number): SentCall {
  const key = chance.pick(["a", "b", "c", "d"]);
  const pin = { ifMatch: [{ modelId: MODEL_ID, revision: chance.below(60) }] };
  return chance.weighted<SentCall>([
    [asCall("type_create", { typeKey: key }), 3],
    [asCall("type_create", { typeKey: `forgotten ${n}` }), 1],
    [asCall("type_update_name", { typeRef: `key:${key}`, value: `Name ${n}` }), 3],
    [asCall("type_delete", { typeRef: `key:${key}` }), 2],
    [asCall("entity_create", { entityKey: key }), 2],
    [asCall("entity_delete", { entityRef: `key:${key}` }), 1],
    [asCall("relationship_create", { relationshipKey: key, ...ROLES }), 2],
    [asCall("relationship_role_update_name", { relationshipRef: `key:${key}`, relationshipRoleRef: "key:x" }), 1],
    [asCall("relationship_delete", { relationshipRef: `key:${key}` }), 1],
    [asCall("business_key_create", { key, entityRef: "key:a", participants: [] }), 1],
    [asCall("tag/tag_local_create", { key }), 2],
    [asCall("tag/tag_local_delete", { tagRef: `key:${key}` }), 1],
    [asCall("entity_add_tag", { entityRef: "key:a", tagRef: `key:${key}` }), 2],
    [asCall("entity_list", {}), 1],
    [asCall("model_update_name", { name: chance.pick(["One", "Two"]) }), 2],
    [{ ...asCall("model_update_description", { value: `Text ${n}` }), controls: pin }, 1],
    [asCall("model_get", {}), 2],
    [asCall("type_list", {}), 2],
    [asCall("type_get", { typeRef: `key:${key}` }), 2],
    [asCall("model_export", {}), 3],
  ]);
}

/** A reference's answer as the service would have given it. */
export function outcomeOf(expected: Expected): Outcome {
  if ("refusal" in expected) return refused(expected.refusal.code, expected.refusal.facts);
  const { body, etag } = expected.answer;
  const answer: Answer = {
    mediaType: "application/json",
    body: plain(body),
    ...(typeof etag === "string" && { etag }),
  };
  return { answer };
}

/** A refusal as the service would have given it. */
export function refused(code: string, facts: RefusalFacts = {}): Outcome {
  const { currentRevision, pointers } = facts;
  return {
    problem: new Problem(code as ProblemCode, `refused: ${facts.mentions?.join() ?? ""}`, {
      ...(currentRevision !== undefined && { currentRevision }),
      ...(pointers && { errors: pointers.map((pointer) => ({ pointer, detail: "wrong" })) }),
    }),
  };
}

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
