import type { Action } from "../../../shared/actions/define-action.ts";
import { addressedKinds, allParams } from "../../../shared/actions/payload.ts";
import type { Chance } from "./history-chance.ts";
import { anImportSource } from "./history-sources.ts";
import { aRef, aValue, type Surroundings } from "./history-values.ts";
import type { SentCall, SentControls } from "./reference-answer.ts";
import type { SentPayload } from "./reference-payload.ts";
import type { CallerName } from "./reference-people.ts";
import { named, type RefModel, type RefState } from "./reference-state.ts";

/** How often an action is chosen; one that is not listed has its intent's weight. */
const WEIGHTS: Readonly<Record<string, number>> = {
  "model/model_create": 9,
  "model/type_create": 8,
  "model/entity_create": 8,
  "model/entity_attribute_create": 14,
  "model/entity_primary_key_update": 6,
  "model/model_delete": 2,
  "model/import": 6,
  "model/model_copy": 4,
  "model/model_export": 4,
  // Deriving a key from a password takes 20 ms, by design.
  "auth/login": 1.5,
};
const WEIGHT_OF_INTENT = { create: 6, read: 2, update: 3, delete: 2, other: 1.5 } as const;

const CALLERS: readonly (readonly [CallerName, number])[] = [
  ["admin", 62],
  ["manager", 22],
  ["reader", 6],
  ["nobody", 2],
  ["disabled", 2],
  ["anonymous", 3],
  ["invalid", 2],
  ["expired", 1],
];

/** What a call is made of. */
export interface Ground {
  readonly chance: Chance;
  readonly actions: readonly Action[];
  readonly state: RefState;
  readonly prefix: string;
  readonly ids: readonly string[];
  /** A key that no call of the history has used. */
  readonly newIdempotencyKey: () => string;
}

/** A random call, most of them sensible. */
export function aCall(ground: Ground): SentCall {
  const { chance } = ground;
  if (chance.happens(0.004)) return { action: "model/model_creat", caller: "admin", payload: body({}), controls: {} };
  if (ground.state.models.size === 0 && chance.happens(0.5)) return anImport(ground);
  const action = chance.weighted(ground.actions.map((a) => [a, weightOf(a, ground.state)] as const));
  const values = parametersOf(action, ground);
  return {
    action: pathOf(action),
    caller: chance.weighted(CALLERS),
    payload: chance.happens(0.01) ? body(chance.pick<unknown>([[], "text", 7])) : sentAs(values, action, chance),
    controls: controlsOf(action, values, ground),
  };
}

/** A model with entities and attributes at once, so that the calls after it have something to work on. */
function anImport({ chance, state, prefix, ids }: Ground): SentCall {
  const content = anImportSource({ chance, state, prefix, ids, model: undefined, entity: undefined });
  return { action: "model/import", caller: "admin", payload: body({ content }), controls: {} };
}

/** `<group>/<action>` */
export const pathOf = ({ group, name }: Action): string => `${group}/${name}`;

function weightOf(action: Action, { models }: RefState): number {
  const weight = WEIGHTS[pathOf(action)] ?? WEIGHT_OF_INTENT[action.intent];
  // Without a model most actions can only say that it is not there.
  const begins = action.intent === "create" && !action.within;
  if (begins) return models.size === 0 ? weight * 20 : models.size > 3 ? weight / 3 : weight;
  if (addressedKinds(action).length === 0) return weight;
  return [...models.values()].some((m) => hasWhatItNames(action, m))
    ? weight * 2 ** addressedKinds(action).length
    : weight / 6;
}

/** Whether a model holds something for every ref that the action takes. */
function hasWhatItNames(action: Action, { types, entities }: RefModel): boolean {
  const params = allParams(action);
  if ("typeRef" in params || params.type) return types.length > 0 && (!("entityRef" in params) || entities.length > 0);
  if ("attributeRef" in params) return entities.some((e) => e.attributes.length > 0);
  return !("entityRef" in params) || entities.length > 0;
}

function parametersOf(action: Action, ground: Ground): Record<string, unknown> {
  const { chance, state, prefix, ids } = ground;
  const values: Record<string, unknown> = {};
  let at: Surroundings = { chance, state, prefix, ids, model: undefined, entity: undefined };
  const inPath = new Set(addressedKinds(action).map((k) => k.refParameter));
  for (const [name, { type, required, clears }] of Object.entries(allParams(action))) {
    const often = required ? 0.985 : clears || name === "content" ? 0.8 : 0.45;
    if (!chance.happens(often) || type.id === "Cursor") {
      if (chance.happens(0.3) && type.id !== "Cursor") values[name] = chance.pick([null, ""]);
      continue;
    }
    values[name] = inPath.has(name) ? aRef(at, candidates(name, action, at)) : aValue(type.id, at);
    const ref = String(values[name]);
    if (name === "modelRef") at = { ...at, model: named(state.models.values(), ref) };
    if (name === "entityRef") at = { ...at, entity: named(at.model?.entities ?? [], ref) };
  }
  if (action.name === "import" && values.content !== undefined && !chance.happens(0.05)) delete values.from;
  if (chance.happens(0.015)) values[chance.pick(["modelReff", "colour", "__proto__x", "a/b~c"])] = 1;
  return values;
}

/** The objects that a ref of the path can name, mostly those that lead on to more. */
function candidates(name: string, action: Action, { state, model, entity, chance }: Surroundings): readonly Named[] {
  if (name === "modelRef") {
    const all = [...state.models.values()];
    const leading = all.filter((m) => hasWhatItNames(action, m));
    return leading.length > 0 && chance.happens(0.9) ? leading : all;
  }
  if (name === "typeRef") return model?.types ?? [];
  if (name === "attributeRef") return entity?.attributes ?? [];
  const all = model?.entities ?? [];
  const leading = all.filter((e) => e.attributes.length > 0);
  return "attributeRef" in allParams(action) && leading.length > 0 && chance.happens(0.9) ? leading : all;
}

type Named = { readonly id: string; readonly key: string };

const body = (value: unknown): SentPayload => ({ query: [], body: value });

/** The parameters in a body, in the query string, or in both. */
function sentAs(values: Record<string, unknown>, action: Action, chance: Chance): SentPayload {
  const params = allParams(action);
  const called = Object.entries(values).map(([name, value]): [string, unknown] => {
    const aliases = params[name]?.aliases ?? [];
    return [aliases.length > 0 && chance.happens(0.3) ? chance.pick(aliases) : name, value];
  });
  if (chance.happens(0.8))
    return body(called.length === 0 && chance.happens(0.5) ? undefined : Object.fromEntries(called));
  const query: [string, string][] = [];
  const rest: Record<string, unknown> = {};
  const all = chance.happens(0.5);
  for (const [name, value] of called) {
    const asText = typeof value === "string" ? value : JSON.stringify(value);
    const inQuery = value !== null && asText.length < 2_000 && (all || chance.happens(0.5));
    if (inQuery) query.push([name, asText]);
    else rest[name] = value;
    if (inQuery && chance.happens(0.03)) query.push([name, asText]);
  }
  return { query, body: Object.keys(rest).length === 0 ? undefined : rest };
}

function controlsOf(action: Action, values: Record<string, unknown>, ground: Ground): SentControls {
  const { chance, state } = ground;
  if (chance.happens(0.03)) return anyControl(ground);
  const isWrite = action.intent !== "read" && action.intent !== "other";
  const addresses = action.target !== undefined || action.within !== undefined;
  const model = addresses ? named(state.models.values(), String(values.modelRef)) : undefined;
  if (!isWrite) {
    if (!model || !isThere(values, model) || !chance.happens(0.25)) return {};
    return { ifNoneMatch: [chance.happens(0.1) ? "*" : `${model.id}-${aRevision(model, chance)}`] };
  }
  const pin = model &&
    chance.happens(0.15) && { ifMatch: [{ modelId: pinned(model, ground), revision: aRevision(model, chance) }] };
  if (chance.happens(0.12)) return { ...pin, dryRun: true };
  return { ...pin, ...(chance.happens(0.3) && { idempotencyKey: ground.newIdempotencyKey() }) };
}

/** Controls without regard to whether they apply. */
function anyControl({ chance, state, newIdempotencyKey }: Ground): SentControls {
  const [model] = state.models.values();
  const pin = { modelId: model?.id ?? "00000000-0000-0000-0000-000000000000", revision: model?.revision ?? 1 };
  return chance.pick<SentControls>([
    { ifMatch: [pin] },
    { ifMatch: [pin, pin] },
    { ifNoneMatch: [`${pin.modelId}-${pin.revision}`] },
    { dryRun: true },
    { idempotencyKey: newIdempotencyKey() },
    { dryRun: true, idempotencyKey: newIdempotencyKey() },
  ]);
}

/** Whether a model that has not moved also has what is asked for: a reader can only have an answer that there was. */
function isThere(values: Record<string, unknown>, model: RefModel): boolean {
  const entity = values.entityRef === undefined ? undefined : named(model.entities, String(values.entityRef));
  if (values.typeRef !== undefined && !named(model.types, String(values.typeRef))) return false;
  if (values.entityRef !== undefined && !entity) return false;
  return (
    values.attributeRef === undefined || named(entity?.attributes ?? [], String(values.attributeRef)) !== undefined
  );
}

function aRevision(model: RefModel, chance: Chance): number {
  return chance.happens(0.7) ? model.revision : Math.max(0, model.revision + chance.pick([-1, -2, 1]));
}

function pinned(model: RefModel, { chance, state }: Ground): string {
  return chance.happens(0.9) ? model.id : chance.pick([...state.models.keys()]);
}
