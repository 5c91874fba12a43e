import type { AnyObject, KindName, ObjectByKind } from "./objects.ts";

/** Plain facts about one sort of stored object; doors, store and builders read these and never branch on a kind's name. */
export interface Kind<N extends KindName = KindName> {
  readonly name: N;
  /** How a sentence to a caller names it. */
  readonly noun: string;
  /** The parameter that addresses it. */
  readonly refParameter: string;
  /** The domain type of that parameter, as `inspect_type_system` lists it. */
  readonly refType: string;
  /** The kind it is nested in, whose ref has to be given too. */
  readonly parent?: KindName;
  /** True where its key is unique in its parent object rather than in the model. */
  readonly owned: boolean;
}

const kind = <N extends KindName>(k: Kind<N>): Kind<N> => k;

export const model = kind({
  name: "model",
  noun: "model",
  refParameter: "modelRef",
  refType: "ModelRef",
  owned: false,
});

export const type = kind({
  name: "type",
  noun: "type",
  refParameter: "typeRef",
  refType: "TypeRef",
  parent: "model",
  owned: false,
});

export const entity = kind({
  name: "entity",
  noun: "entity",
  refParameter: "entityRef",
  refType: "EntityRef",
  parent: "model",
  owned: false,
});

export const attribute = kind({
  name: "attribute",
  noun: "entity attribute",
  refParameter: "attributeRef",
  refType: "EntityAttributeRef",
  parent: "entity",
  owned: true,
});

/** All kinds by name. */
export const KINDS: { readonly [N in KindName]: Kind<N> } = { model, type, entity, attribute };

/** The kinds from the model down to `k`, in the order their refs are asked for. */
export function pathOf(k: Kind): readonly Kind[] {
  return k.parent ? [...pathOf(KINDS[k.parent]), k] : [k];
}

/** The id of the object an object lives in, where its key is unique only there. */
export function ownerOf(object: AnyObject): string | undefined {
  return "owner" in object ? object.owner : undefined;
}

export type { ObjectByKind };
