import fc from "fast-check";
import type { Action } from "../../../shared/actions/define-action.ts";
import { semanticsOf } from "../../../shared/actions/describe-semantics.ts";
import type { Param } from "../../../shared/actions/params.ts";
import { addressedKinds, allParams } from "../../../shared/actions/payload.ts";
import { KINDS, type Kind } from "../../../shared/domain/kinds.ts";
import { valuesOfType } from "./fuzz-values.ts";

/** An object that payloads can name, and what it lives in; a model lives in nothing. */
export interface Known {
  readonly kind: Kind;
  readonly id: string;
  readonly key: string;
  readonly within: Known | undefined;
}

/** What a world holds that payloads can name. */
export interface WorldState {
  readonly objects: readonly Known[];
  /**
   * By the id of a parameter's type: values that mean something in this world alone, such as its users' names. Of a type of
   * keys: those that are taken, which are given now and then.
   */
  readonly values?: Readonly<Record<string, readonly unknown[]>>;
}

/** The parameters of a call as a JSON body holds them. */
export type PayloadJson = Readonly<Record<string, unknown>>;

/** Types of parameters that give a source to read; an action takes exactly one of them. */
const SOURCES: ReadonlySet<string> = new Set(["JsonContent", "Location"]);

/**
 * Payloads that an action accepts in a world: every parameter as its type has it, refs naming what is there, by id or by key.
 * They may still be refused for what the world holds (a key that is taken). Undefined while there is nothing to address.
 */
export function validPayload(action: Action, world: WorldState): fc.Arbitrary<PayloadJson> | undefined {
  // The world goes on while payloads are drawn; they are all of this moment.
  const state = { ...world };
  const innermost = addressedKinds(action).at(-1);
  if (!innermost) return parameters(action, undefined, state);
  const addressable = state.objects.filter(
    (known) => known.kind.name === innermost.name && isComplete(action, known, state),
  );
  if (addressable.length === 0) return undefined;
  // Made when one is chosen: most of them never are.
  return fc.constantFrom(...addressable).chain((known) => parameters(action, known, state) ?? fc.constant({}));
}

/** One such payload, the same for the same seed. */
export function samplePayload(action: Action, state: WorldState, seed: number): PayloadJson | undefined {
  const payloads = validPayload(action, state);
  return payloads && fc.sample(payloads, { seed, numRuns: 1 })[0];
}

/** The kind of object an action makes; undefined where it makes none that can be named. */
export function kindMade(action: Action): Kind | undefined {
  if (action.intent !== "create") return undefined;
  const subject = semanticsOf(action).subjects[0]?.type;
  return Object.values<Kind>(KINDS).find((kind) => kind.noun.replaceAll(" ", "_") === subject);
}

/** Every object from this one outwards, itself first. */
export function chainOf(known: Known): readonly Known[] {
  return known.within ? [known, ...chainOf(known.within)] : [known];
}

/** True where every parameter that has to be given can name something. */
function isComplete(action: Action, addressed: Known, state: WorldState): boolean {
  return Object.values(action.input).every(({ type, required }) => {
    const kind = kindNamed(type.id);
    return !required || !kind || state.objects.some((known) => isCandidate(known, kind, addressed));
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
  for (const kind of addressedKinds(action)) {
    const named = chain.find((known) => known.kind.name === kind.name);
    if (!named) return undefined;
    always[kind.refParameter] = refTo(named);
  }
  for (const [name, param] of Object.entries(allParams(action))) {
    if (name in always) continue;
    const values = valuesOf(param, addressed, state);
    if (SOURCES.has(param.type.id) && !param.required) sources.push([name, values ?? fc.constant(undefined)]);
    else if (values && param.required) always[name] = values;
    else if (values) sometimes[name] = values;
    else if (param.required) return undefined;
  }
  const payloads = fc.record({ ...always, ...sometimes }, { requiredKeys: Object.keys(always) });
  if (sources.length === 0) return payloads;
  const given = sources.map(([name, values]) => values.map((value): [string, unknown] => [name, value]));
  return fc.tuple(payloads, fc.oneof(...given)).map(([payload, [name, value]]) => ({ ...payload, [name]: value }));
}

function valuesOf(param: Param, addressed: Known | undefined, state: WorldState): fc.Arbitrary<unknown> | undefined {
  const { type } = param;
  const [, listed] = /^List<(.+)>$/.exec(type.id) ?? [];
  const kind = kindNamed(listed ?? type.id);
  if (!kind) {
    const own = state.values?.[type.id];
    if (!own?.length) return valuesOfType(type);
    const isKey = type.id.endsWith("Key");
    return fc.oneof(
      { weight: isKey ? 9 : 1, arbitrary: valuesOfType(type) },
      { weight: isKey ? 1 : 3, arbitrary: fc.constantFrom(...own) },
    );
  }
  const candidates = state.objects.filter((known) => isCandidate(known, kind, addressed));
  if (listed !== undefined) {
    return fc
      .subarray([...candidates], { maxLength: Math.min(5, candidates.length) })
      .chain((chosen) => fc.tuple(...chosen.map(refTo)));
  }
  return candidates.length === 0 ? undefined : fc.oneof(...candidates.map(refTo));
}

/** The kind that refs of a type name; undefined where the type is none of refs. */
function kindNamed(typeId: string): Kind | undefined {
  return Object.values<Kind>(KINDS).find((kind) => kind.refType === typeId);
}

/** Of the kind, in the same model as what the call addresses, and where its key is unique in its owner only, in that owner. */
function isCandidate(known: Known, kind: Kind, addressed: Known | undefined): boolean {
  if (known.kind.name !== kind.name) return false;
  if (!addressed) return true;
  if (kind.owned) return known.within === addressed;
  return chainOf(known).at(-1) === chainOf(addressed).at(-1);
}

function refTo({ id, key }: Known): fc.Arbitrary<string> {
  return fc.constantFrom(`id:${id}`, `key:${key}`, `id:${id.toUpperCase()}`);
}
