import type { Action } from "../../../shared/actions/define-action.ts";
import { addressedKinds, allParams } from "../../../shared/actions/payload.ts";
import { someEntries } from "./history-batch.ts";
import type { Chance } from "./history-chance.ts";
import { controlsOf } from "./history-controls.ts";
import { anImportSource } from "./history-sources.ts";
import { aRef, aValue, type Surroundings } from "./history-values.ts";
import type { SentCall } from "./reference-answer.ts";
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
  "model/relationship_create": 9,
  "model/business_key_create": 8,
  "tag/tag_local_create": 9,
  "tag/tag_group_create": 6,
  "tag/tag_global_create": 9,
  "batch/batch_run": 7,
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
  const action = anAction(ground);
  const values = parametersOf(action, ground);
  const call = {
    action: pathOf(action),
    caller: chance.weighted(CALLERS),
    payload: chance.happens(0.01) ? body(chance.pick<unknown>([[], "text", 7])) : sentAs(values, action, chance),
    controls: {},
  };
  return { ...call, controls: controlsOf(action, call, String(values.modelRef), ground) };
}

/** One of the actions, rather one that has something to work on. */
export function anAction({ chance, actions, state }: Pick<Ground, "chance" | "actions" | "state">): Action {
  // So that none is rare, however seldom there is something for it.
  if (chance.happens(0.3)) return chance.pick(actions);
  return chance.weighted(actions.map((a) => [a, weightOf(a, state)] as const));
}

/** Nothing that a path has named yet. */
const NOWHERE = { model: undefined, entity: undefined, relationship: undefined };

/** A model with entities and attributes at once, so that the calls after it have something to work on. */
function anImport({ chance, state, prefix, ids }: Ground): SentCall {
  const content = anImportSource({ chance, state, prefix, ids, ...NOWHERE });
  return { action: "model/import", caller: "admin", payload: body({ content }), controls: {} };
}

/** `<group>/<action>` */
export const pathOf = ({ group, name }: Action): string => `${group}/${name}`;

function weightOf(action: Action, { models, tags }: RefState): number {
  const weight = WEIGHTS[pathOf(action)] ?? WEIGHT_OF_INTENT[action.intent];
  const kinds = addressedKinds(action);
  const factor = 2 ** kinds.length;
  const [outermost] = kinds;
  // Without a model most actions can only say that it is not there.
  const begins = action.intent === "create" && !outermost && !action.ledger;
  if (begins) return models.size === 0 ? weight * 20 : models.size > 3 ? weight / 3 : weight;
  if (!outermost) return weight;
  const isThere =
    outermost.ledger === "tags"
      ? tags.groups.some((group) => outermost.name === "tag_group" || group.tags.length > 0)
      : [...models.values()].some((m) => hasWhatItNames(action, m));
  return isThere ? weight * (outermost.ledger === "tags" ? 4 : factor) : weight / 6;
}

/** Whether a model holds something for every ref that the action takes. */
function hasWhatItNames(action: Action, model: RefModel): boolean {
  const { types, entities, relationships, businessKeys, localTags } = model;
  const params = allParams(action);
  const holders = "entityRef" in params ? entities : "relationshipRef" in params ? relationships : undefined;
  if (("typeRef" in params || params.type) && types.length === 0) return false;
  if (holders && !holders.some((one) => !("attributeRef" in params) || one.attributes.length > 0)) return false;
  if ("roleAEntityRef" in params && entities.length === 0) return false;
  if ("businessKeyRef" in params && businessKeys.length === 0) return false;
  return params.tagRef?.type.id !== "LocalTagRef" || localTags.length > 0;
}

/** A value for every parameter of an action, or most of them. */
export function parametersOf(action: Action, ground: Ground): Record<string, unknown> {
  const { chance, state, prefix, ids } = ground;
  const values: Record<string, unknown> = {};
  let at: Surroundings = { chance, state, prefix, ids, ...NOWHERE };
  for (const [name, { type, required, clears }] of Object.entries(allParams(action))) {
    // The past has suites of its own.
    if (action.past && (name === "version" || name === "revision")) continue;
    const often = required ? 0.985 : clears || name === "content" ? 0.8 : 0.45;
    if (!chance.happens(often) || type.id === "Cursor") {
      if (chance.happens(0.3) && type.id !== "Cursor") values[name] = chance.pick([null, ""]);
      continue;
    }
    const leading = leadOn(name, action, at);
    if (leading) values[name] = aRef(at, leading);
    else
      values[name] =
        type.id === "List<BatchEntry>" ? someEntries(ground, { anAction, parametersOf, pathOf }) : aValue(type.id, at);
    at = within(at, name, String(values[name]));
  }
  if (action.name === "import" && values.content !== undefined && !chance.happens(0.05)) delete values.from;
  if (chance.happens(0.015)) values[chance.pick(["modelReff", "colour", "__proto__x", "a/b~c"])] = 1;
  return values;
}

/** What a ref names, for those that come after it. */
function within(at: Surroundings, name: string, ref: string): Surroundings {
  const { model, state } = at;
  if (name === "modelRef") return { ...at, model: named(state.models.values(), ref) };
  if (name === "entityRef") return { ...at, entity: named(model?.entities ?? [], ref) };
  if (name === "relationshipRef") return { ...at, relationship: named(model?.relationships ?? [], ref) };
  if (name !== "businessKeyRef") return at;
  const businessKey = named(model?.businessKeys ?? [], ref);
  return { ...at, entity: model?.entities.find(({ id }) => id === businessKey?.entity) };
}

/** The objects that a ref of the path can name, mostly those that lead on to more; undefined for any other parameter. */
function leadOn(name: string, action: Action, { state, model, chance }: Surroundings): readonly Named[] | undefined {
  if (name === "modelRef") {
    const all = [...state.models.values()];
    const leading = all.filter((m) => hasWhatItNames(action, m));
    return leading.length > 0 && chance.happens(0.9) ? leading : all;
  }
  const all = name === "entityRef" ? model?.entities : name === "relationshipRef" ? model?.relationships : undefined;
  const leading = all?.filter((e) => e.attributes.length > 0) ?? [];
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
