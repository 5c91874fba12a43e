import fc from "fast-check";
import { type Action, explainBatchExclusion } from "../../../shared/actions/contract/action.ts";
import { getAllParams, listAddressedKinds } from "../../../shared/actions/contract/action-parameters.ts";
import type { Param } from "../../../shared/actions/contract/params.ts";
import { describeSemantics } from "../../../shared/actions/describe/describe.ts";
import { KINDS, type Kind, relationshipAttribute } from "../../../shared/domain/kinds.ts";
import { ACTIONS } from "../../support/actions.ts";
import { valuesOfType } from "./fuzz/values.ts";

/** An object that payloads can name, and what it lives in; a model lives in nothing. */
export interface Known {
  readonly kind: Kind;
  readonly id: string;
  readonly key: string;
  /** The object that this one lies in; for a tag of a group its group, though its refs name that themselves. */
  readonly within: Known | undefined;
}

/** The objects and values of a world that payloads can name. */
export interface WorldState {
  readonly objects: readonly Known[];
  /** Values with a meaning in this world only, by the id of a type. For keys: taken ones, used sometimes. */
  readonly values?: Readonly<Record<string, readonly unknown[]>>;
}

/** The parameters of a call as a JSON body holds them. */
export type PayloadJson = Readonly<Record<string, unknown>>;

/** Every sort of object that parameters name, attributes told apart by what they belong to. */
export const SORTS: readonly Kind[] = [...Object.values<Kind>(KINDS), relationshipAttribute];

/** Types of parameters that give a source to read; an action takes exactly one of them. */
const SOURCES: ReadonlySet<string> = new Set(["SourceContent", "Location"]);

/** Creates payloads of valid types with existing refs. The world may still refuse them. Undefined without a target. */
export function validPayload(action: Action, world: WorldState): fc.Arbitrary<PayloadJson> | undefined {
  // The world goes on while payloads are drawn; they are all of this moment.
  const state = { ...world };
  const innermost = listAddressedKinds(action).at(-1);
  if (!innermost) return parameters(action, undefined, state);
  const addressable = state.objects.filter(
    (known) => known.kind.refType === innermost.refType && isComplete(action, known, state),
  );
  if (addressable.length === 0) return undefined;
  // Made when one is chosen: most of them never are.
  return fc.constantFrom(...addressable).chain((known) => parameters(action, known, state) ?? fc.constant({}));
}

/** One payload that the action accepts in a world, the same for the same seed. */
export function samplePayload(action: Action, state: WorldState, seed: number): PayloadJson | undefined {
  const payloads = validPayload(action, state);
  return payloads && fc.sample(payloads, { seed, numRuns: 1 })[0];
}

/** The kind of object an action makes; undefined where it makes none that can be named. */
export function kindMade(action: Action): Kind | undefined {
  // An object that is made in the object addressed, as a role is, cannot be named by itself.
  if (action.intent !== "create" || action.target) return undefined;
  // The subjects of an action do not tell its tags from those of models.
  if (action.within?.name === "tag_group") return KINDS.global_tag;
  const subject = describeSemantics(action).subjects[0]?.type;
  return SORTS.find((kind) => kind.noun.replaceAll(" ", "_") === subject);
}

/** Every object from this one outwards, itself first. */
export function chainOf(known: Known): readonly Known[] {
  return known.within ? [known, ...chainOf(known.within)] : [known];
}

/** True where every parameter that has to be given can name something. */
function isComplete(action: Action, addressed: Known, state: WorldState) {
  return Object.values(action.input).every(({ type, required }) => {
    const kinds = kindsNamed(type.id);
    const isOne = (known: Known) => kinds.some((kind) => isCandidate(known, kind, addressed));
    return !required || kinds.length === 0 || state.objects.some(isOne);
  });
}

function parameters(
  action: Action,
  addressed: Known | undefined,
  state: WorldState,
): fc.Arbitrary<PayloadJson> | undefined {
  const chain = addressed ? chainOf(addressed) : [];
  const always: Record<string, fc.Arbitrary<unknown>> = {};
  const sometimes: Record<string, fc.Arbitrary<unknown>> = {};
  const sources: [string, fc.Arbitrary<unknown>][] = [];
  for (const kind of listAddressedKinds(action)) {
    const named = chain.find((known) => known.kind.refType === kind.refType);
    if (!named) return undefined;
    always[kind.refParameter] = refTo(named);
  }
  for (const [name, param] of Object.entries(getAllParams(action))) {
    if (name in always) continue;
    const values = valuesOf(param, addressed, state);
    if (SOURCES.has(param.type.id) && !param.required) sources.push([name, values ?? fc.constant(undefined)]);
    else if (values && param.required) always[name] = values;
    else if (values) sometimes[name] = values;
    else if (param.required) return undefined;
  }
  const payloads = fc.record({ ...always, ...sometimes }, { requiredKeys: Object.keys(always) });
  const together = (payload: PayloadJson) => TOGETHER[action.name]?.(payload, state) ?? payload;
  if (sources.length === 0) return payloads.map(together);
  const given = sources.map(([name, values]) => values.map((value): [string, unknown] => [name, value]));
  return fc
    .tuple(payloads, fc.oneof(...given))
    .map(([payload, [name, value]]) => together({ ...payload, [name]: value }));
}

/** A version or a revision, and not both; of revisions the one that every model has. */
function oneMoment({ version, revision, ...payload }: PayloadJson): PayloadJson {
  if (revision !== undefined) return { ...payload, revision: 1 };
  return version === undefined ? payload : { ...payload, version };
}

/** Makes each side of a comparison a model, then at one moment, or content; one of the two has content. */
function twoSides(payload: PayloadJson): PayloadJson {
  const content = payload.leftContent ?? payload.rightContent;
  const sides = ["left", "right"].map((side): PayloadJson => {
    const { [`${side}ModelRef`]: ref, [`${side}Content`]: own, [`${side}Revision`]: revision } = payload;
    if (own !== undefined || ref === undefined) return { [`${side}Content`]: own ?? content };
    return { [`${side}ModelRef`]: ref, ...(revision !== undefined && { [`${side}Revision`]: revision }) };
  });
  const others = Object.entries(payload).filter(([name]) => !/^(left|right)/.test(name));
  return { ...Object.fromEntries(others), ...sides[0], ...sides[1] };
}

function keyCursor({ cursor, ...payload }: PayloadJson): PayloadJson {
  return cursor !== undefined && payload.sort === "key" ? { ...payload, cursor } : payload;
}

const APPLIED = { $schema: "urn:metaction:model:2", key: "applied", description: "Applied." };

/** Rules that the parameters of an action have to keep together, beyond the type of each. */
const TOGETHER: Readonly<Record<string, (payload: PayloadJson, state: WorldState) => PayloadJson>> = {
  model_export: oneMoment,
  model_export_as: oneMoment,
  model_restore: (payload) => {
    const one = oneMoment(payload);
    return "version" in one || "revision" in one ? one : { ...one, revision: 1 };
  },
  // Every model has its first revision.
  model_undo: ({ runRef: _, request: __, since: ___, plan: ____, ...payload }) => ({ ...payload, revisions: [1] }),
  model_compare: twoSides,
  model_compare_as: twoSides,
  import: ({ format: _, onConflict, ...payload }) => {
    if (payload.into === undefined) return payload;
    // A model that is there keeps its key and its name.
    const { modelKey: _key, modelName: _name, ...others } = payload;
    // Content has no URL to be remembered by.
    const label = others.from === undefined && others.source === undefined ? { source: "erp" } : {};
    return { ...others, ...label, ...(onConflict !== undefined && { onConflict }) };
  },
  model_apply: ({ modelKey, from, content, plan: _, format: _f, source: _s, ...payload }) => ({
    ...payload,
    ...(payload.modelRef === undefined ? { modelKey: modelKey ?? "applied", create: true } : { create: false }),
    ...(content === undefined && from !== undefined ? { from } : { content: content ?? APPLIED }),
  }),
  relationship_create: ({ roleAKey, roleBKey, keyPairs, ...payload }, state) => ({
    ...payload,
    ...(keyPairs !== undefined && { keyPairs: pairsOf(payload, state) }),
    roleAKey,
    roleBKey: roleAKey !== roleBKey ? roleBKey : roleAKey === "b" ? "a" : "b",
  }),
  // The entities in the roles of a relationship are not known.
  relationship_update_key_pairs: ({ value, ...payload }) => (value === undefined ? payload : { ...payload, value: [] }),
  entity_attribute_move: (payload, state) => besideAnother(payload, "entityRef", state),
  relationship_attribute_move: (payload, state) => besideAnother(payload, "relationshipRef", state),
  entity_attribute_list: keyCursor,
  relationship_attribute_list: keyCursor,
  // The cursors of this action are positions in a log and no keys.
  history_version_changes: ({ cursor: _, ...payload }) => payload,
};

/** The known objects of a model that a ref may name, where they lie in an owner in that one too. */
function namedBy(ref: unknown, sort: Kind, { modelRef }: PayloadJson, { objects }: WorldState, owner?: unknown) {
  const isNamed = (known: Known | undefined, by: unknown) => known !== undefined && refsOf(known).includes(String(by));
  return objects.filter(
    (known) =>
      known.kind === sort &&
      (ref === undefined || isNamed(known, ref)) &&
      (owner === undefined || isNamed(known.within, owner)) &&
      isNamed(chainOf(known).at(-1), modelRef),
  );
}

/** A pair of the first attributes of the entities in both roles, and of the last ones; none where one has none. */
function pairsOf(payload: PayloadJson, state: WorldState): readonly (readonly string[])[] {
  const sides = [payload.roleAEntityRef, payload.roleBEntityRef].map((entity) =>
    namedBy(undefined, KINDS.attribute, payload, state, entity).map(({ id }) => `id:${id}`),
  );
  const pairs = [0, -1].map((at) => sides.map((ids) => ids.at(at)));
  const isTwice = pairs[0]?.join() === pairs[1]?.join();
  // Where one side has none, there is no pair.
  return sides.some((ids) => ids.length === 0) ? [] : (pairs.slice(isTwice ? 1 : 0) as string[][]);
}

function besideAnother(payload: PayloadJson, owner: string, state: WorldState): PayloadJson {
  const sort = owner === "entityRef" ? KINDS.attribute : relationshipAttribute;
  const { beforeRef: _, afterRef, ...others } = payload;
  const last = namedBy(undefined, sort, payload, state, payload[owner]).at(-1);
  const ref = last ? `id:${last.id}` : payload.attributeRef;
  return { ...others, [afterRef === undefined ? "beforeRef" : "afterRef"]: ref };
}

function valuesOf(param: Param, addressed: Known | undefined, state: WorldState): fc.Arbitrary<unknown> | undefined {
  const { type } = param;
  if (type.id === "List<BatchEntry>") return someEntries(state);
  const [, listed] = /^List<(.+)>$/.exec(type.id) ?? [];
  const kinds = kindsNamed(listed ?? type.id);
  if (kinds.length === 0) {
    const own = state.values?.[type.id];
    if (!own?.length) return valuesOfType(type);
    const isKey = type.id.endsWith("Key");
    return fc.oneof(
      { weight: isKey ? 9 : 1, arbitrary: valuesOfType(type) },
      { weight: isKey ? 1 : 3, arbitrary: fc.constantFrom(...own) },
    );
  }
  const candidates = state.objects.filter((known) => kinds.some((kind) => isCandidate(known, kind, addressed)));
  if (listed !== undefined) {
    return fc
      .subarray([...candidates], { maxLength: Math.min(5, candidates.length) })
      .chain((chosen) => fc.tuple(...chosen.map(refTo)));
  }
  return candidates.length === 0 ? undefined : fc.oneof(...candidates.map(refTo));
}

/** The kinds that refs of a type name; none where the type is none of refs. */
function kindsNamed(typeId: string): readonly Kind[] {
  if (typeId === "TagRef") return [KINDS.tag, KINDS.global_tag];
  return SORTS.filter((kind) => kind.refType === typeId);
}

/** True for an object of the kind in the same model, or the same owner where keys are unique per owner. */
function isCandidate(known: Known, kind: Kind, addressed: Known | undefined) {
  if (known.kind.refType !== kind.refType) return false;
  if (!addressed || kind.ledger === "tags") return true;
  if (kind.owned) return known.within === addressed;
  return chainOf(known).at(-1) === chainOf(addressed).at(-1);
}

/** Every way in which an object may be named. */
export function refsOf({ id, key, kind, within }: Known): readonly string[] {
  const byId = [`id:${id}`, `id:${id.toUpperCase()}`];
  if (kind.name === "global_tag") return [...byId, `key:${within?.key}/${key}`, `key:global/${within?.key}/${key}`];
  if (kind.name === "tag") return [...byId, `key:${key}`, `key:model/${within?.id}/${key}`];
  return [...byId, `key:${key}`];
}

function refTo(known: Known): fc.Arbitrary<string> {
  return fc.constantFrom(...refsOf(known));
}

/** Entries that a batch accepts in a world, each of them valid by itself; there is always one. */
function someEntries(state: WorldState): fc.Arbitrary<readonly object[]> {
  const possible = ACTIONS.filter((action) => explainBatchExclusion(action) === undefined).flatMap((action) => {
    const payloads = validPayload(action, state);
    return payloads ? [{ action, payloads }] : [];
  });
  const entry = fc
    .constantFrom(...possible)
    .chain(({ action, payloads }) =>
      payloads.map((payload) => ({ group: action.group, action: action.name, payload: literal(payload) })),
    );
  return fc.array(entry, { minLength: 1, maxLength: 4 });
}

function literal(payload: PayloadJson): unknown {
  return JSON.parse(JSON.stringify(payload), (_, value: unknown) =>
    typeof value === "string" ? value.replace(/^((?:id|key):)?(\$+\d+\.)/, "$1$$$2") : value,
  );
}
