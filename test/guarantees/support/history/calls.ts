import type { Action } from "../../../../shared/actions/contract/action.ts";
import { getAllParams } from "../../../../shared/actions/contract/action-parameters.ts";
import type { Chance } from "../../../support/chance.ts";
import { judge, type SentCall, type SentControls } from "../reference/answer.ts";
import { actorIdOf, type CallerName, PEOPLE } from "../reference/callers.ts";
import type { Named } from "../reference/objects.ts";
import type { SentPayload } from "../reference/payload.ts";
import { named, type RefState } from "../reference/state.ts";
import { REFERENCE } from "../reference/table.ts";
import { someEntries } from "./batch.ts";
import { aNextVersion, aReleasedVersion, deletedModels, goTogether, oftenChanged } from "./past-values.ts";
import { anImportSource } from "./sources.ts";
import type { CallContext, Surroundings } from "./surroundings.ts";
import { aRef, aValue } from "./values.ts";
import { hasWhatItNames, pathOf, weightOf, weightsInUndos } from "./weights.ts";

type Ledger = { readonly id: string; readonly revision: number };

/** The controls of a call, such as preconditions and an idempotency key; mostly ones that fit the call. */
function controlsOf(action: Action, call: SentCall, modelRef: string, context: CallContext): SentControls {
  const { chance, state } = context;
  if (chance.happens(0.03)) return anyControl(context);
  const isWrite = action.intent !== "read" && action.intent !== "other";
  if (!isWrite) return chance.happens(0.25) ? heldCopy(call, context) : {};
  const pins = chance.happens(0.15) ? pinsFor(action, modelRef, context) : [];
  const pin = pins.length > 0 && { ifMatch: pins.map((one) => aPin(one, chance, state)) };
  const run = chance.happens(context.undone ? 0.65 : 0.3) && aRunOf(call.caller, context);
  if (chance.happens(context.undone && action.name !== "model_undo" ? 0.04 : 0.12))
    return { ...pin, ...run, dryRun: true };
  return { ...pin, ...run, ...(chance.happens(0.3) && { idempotencyKey: context.newIdempotencyKey() }) };
}

/** The header with a run of the caller, rather a late one; now and then one of somebody else, or none that is there. */
function aRunOf(caller: CallerName, { state, chance, ids }: CallContext): SentControls {
  const runs = [...state.runs.values()].map(({ own }) => own);
  const own = runs.filter(({ actor }) => actor === actorIdOf(PEOPLE.get(caller))).slice(-2);
  if (chance.happens(0.05)) return { run: chance.pick([...runs.map(({ id }) => id), ...ids, NO_ID]) };
  return own.length > 0 ? { run: chance.pick(own).id } : {};
}

const NO_ID = "00000000-0000-0000-0000-000000000000";

/** The entity tag of a copy that the caller may have: of the answer there is now, or of one before. */
function heldCopy(call: SentCall, { state, chance }: CallContext): SentControls {
  const { expected } = judge(call, { state, now: 0, newId: () => "", newCursor: () => "" });
  const etag = "answer" in expected ? expected.answer.etag : undefined;
  const [, id, revision, tags] = /^(.+)-(\d+)(\.\d+)?$/.exec(String(etag)) ?? [];
  if (typeof etag !== "string" || id === undefined) return {};
  if (chance.happens(0.1)) return { ifNoneMatch: ["*"] };
  if (chance.happens(0.7)) return { ifNoneMatch: [etag] };
  if (tags !== undefined && chance.happens(0.5))
    return { ifNoneMatch: [`${id}-${revision}.${Number(tags.slice(1)) - 1}`] };
  // The tag of an answer that showed global tags, where this one shows none.
  if (tags === undefined && chance.happens(0.4)) return { ifNoneMatch: [`${etag}.1`] };
  return { ifNoneMatch: [`${id}-${Math.max(0, Number(revision) - 1)}${tags ?? ""}`] };
}

function pinsFor(action: Action, modelRef: string, { state, chance }: CallContext): readonly Ledger[] {
  if (action.name === "import") return [...state.models.values()].filter(() => chance.happens(0.3));
  if (action.manyModels) return [...state.models.values(), state.tags].filter(() => chance.happens(0.3));
  if (action.ledger === "tags" || (action.target ?? action.within)?.ledger === "tags") return [state.tags];
  return [action.target || action.within ? named(state.models.values(), modelRef) : undefined].filter(
    (model) => model !== undefined,
  );
}

function aPin({ id, revision }: Ledger, chance: Chance, { models, tags }: RefState) {
  return {
    ledgerId: chance.happens(0.95) ? id : chance.pick([...models.keys(), tags.id]),
    revision: chance.happens(0.7) ? revision : Math.max(0, revision + chance.pick([-1, -2, 1])),
  };
}

function anyControl({ chance, state, newIdempotencyKey }: CallContext): SentControls {
  const [model] = state.models.values();
  const pin = { ledgerId: model?.id ?? NO_ID, revision: model?.revision ?? 1 };
  return chance.pick<SentControls>([
    { ifMatch: [pin] },
    { ifMatch: [pin, pin] },
    { ifNoneMatch: [`${pin.ledgerId}-${pin.revision}`] },
    { dryRun: true },
    { idempotencyKey: newIdempotencyKey() },
    { dryRun: true, idempotencyKey: newIdempotencyKey() },
    { run: NO_ID },
  ]);
}

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

const CALLERS_OF_UNDOS: typeof CALLERS = [
  ["admin", 60],
  ["manager", 35],
  ["reader", 5],
];

/** The same chance, but that what is rare is rarer still: one call in two that is refused leaves little to take back. */
const calm = (chance: Chance): Chance => ({
  ...chance,
  happens: (probability) => chance.happens(probability < 0.1 ? probability / 5 : probability),
});

export function aCall(all: CallContext): SentCall {
  const { undone } = all;
  const context = undone ? { ...all, chance: calm(all.chance) } : all;
  const { chance } = context;
  if (chance.happens(0.004)) return { action: "model/model_creat", caller: "admin", payload: body({}), controls: {} };
  if (context.state.models.size === 0 && chance.happens(undone ? 0.95 : 0.5)) return anImport(context);
  const action = anAction(context);
  const values = parametersOf(action, context);
  const call = {
    action: pathOf(action),
    caller: chance.weighted(undone ? CALLERS_OF_UNDOS : CALLERS),
    payload: chance.happens(0.01) ? body(chance.pick<unknown>([[], "text", 7])) : sentAs(values, chance),
    controls: {},
  };
  return { ...call, controls: controlsOf(action, call, String(values.modelRef), context) };
}

type ActionContext = Pick<CallContext, "chance" | "actions" | "state" | "undone">;

/** One of the actions, rather one that has something to work on. */
export function anAction({ chance, actions, state, undone }: ActionContext): Action {
  if (undone) {
    const name = chance.weighted(weightsInUndos(state));
    const own = actions.filter((a) => (name === "" ? a.intent !== "read" && undone.test(a.name) : a.name === name));
    return chance.weighted((own.length > 0 ? own : actions).map((a) => [a, weightOf(a, state)] as const));
  }
  // An even choice now and then keeps every action from being rare, however seldom there is something for it.
  if (chance.happens(0.3)) return chance.pick(actions);
  return chance.weighted(actions.map((a) => [a, weightOf(a, state)] as const));
}

const NOWHERE = { model: undefined, entity: undefined, relationship: undefined };

/** A model with entities and attributes at once, so that the calls after it have something to work on. */
function anImport({ chance, state, prefix, ids, undone }: CallContext): SentCall {
  const at = { chance, state, prefix, ids, undone, ...NOWHERE };
  return { action: "model/import", caller: "admin", payload: body({ content: anImportSource(at) }), controls: {} };
}

/** A value for every parameter of an action, or most of them. */
export function parametersOf(action: Action, context: CallContext): Record<string, unknown> {
  const { chance, state, prefix, ids, undone } = context;
  const values: Record<string, unknown> = {};
  let at: Surroundings = { chance, state, prefix, ids, undone, ...NOWHERE };
  for (const [name, { type, required, clears }] of Object.entries(getAllParams(action))) {
    if (!Object.hasOwn(REFERENCE[pathOf(action)]?.params ?? {}, name)) continue;
    // A model whose past is not kept is not asked for a moment in it.
    if (action.past && !state.past.has(at.model?.id ?? "") && (name === "version" || name === "revision")) continue;
    const often = required ? 0.985 : clears || name === "content" ? 0.8 : 0.45;
    if (!chance.happens(often) || type.id === "Cursor") {
      if (chance.happens(0.3) && type.id !== "Cursor") values[name] = chance.pick([null, ""]);
      continue;
    }
    const leading = leadOn(name, action, at);
    if (leading) values[name] = aRef(at, leading);
    else if (type.id === "List<BatchEntry>") values[name] = someEntries(context, { anAction, parametersOf });
    else values[name] = aValueOf(name, type.id, action, at);
    at = within(at, name, String(values[name]));
  }
  goTogether(action, values, at, (name) => aValueOf(name, String(getAllParams(action)[name]?.type.id), action, at));
  if (chance.happens(0.015)) values[chance.pick(["modelReff", "colour", "__proto__x", "a/b~c"])] = 1;
  return values;
}

/** Versions are those that were released where they name a moment, and new ones where they are given. */
function aValueOf(name: string, type: string, action: Action, at: Surroundings): unknown {
  const otherwise = (): unknown => aValue(type, at);
  if (type !== "ModelVersion" || action.intent === "create") return otherwise();
  return name === "value" ? aNextVersion(at, otherwise) : aReleasedVersion(at, otherwise);
}

/** The surroundings with the object that a ref names, for the parameters that come after it. */
function within(at: Surroundings, name: string, ref: string): Surroundings {
  const { model, state } = at;
  if (name === "modelRef") return { ...at, model: named([...state.models.values(), ...deletedModels(state)], ref) };
  if (name === "entityRef") return { ...at, entity: named(model?.entities ?? [], ref) };
  if (name === "relationshipRef") return { ...at, relationship: named(model?.relationships ?? [], ref) };
  if (name !== "businessKeyRef") return at;
  const businessKey = named(model?.businessKeys ?? [], ref);
  return { ...at, entity: model?.entities.find(({ id }) => id === businessKey?.entity) };
}

/** The objects that a ref of the path can name, mostly those that lead on to more; undefined for any other parameter. */
function leadOn(name: string, action: Action, { state, model, chance }: Surroundings): readonly Named[] | undefined {
  if (name === "modelRef") {
    const gone = action.past || action.findsDeleted || action.intent === "other" ? deletedModels(state) : [];
    if (gone.length > 0 && chance.happens(action.findsDeleted ? 0.9 : 0.15)) return gone;
    const all = [...state.models.values()];
    if ((action.past || action.name === "model_restore") && all.length > 0 && chance.happens(0.6))
      return oftenChanged(all);
    const leading = all.filter((m) => hasWhatItNames(action, m));
    return leading.length > 0 && chance.happens(0.9) ? leading : all;
  }
  const all = name === "entityRef" ? model?.entities : name === "relationshipRef" ? model?.relationships : undefined;
  const leading = all?.filter((e) => e.attributes.length > 0) ?? [];
  return "attributeRef" in getAllParams(action) && leading.length > 0 && chance.happens(0.9) ? leading : all;
}

const body = (value: unknown): SentPayload => ({ query: [], body: value });

function sentAs(values: Record<string, unknown>, chance: Chance): SentPayload {
  const called = Object.entries(values);
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
