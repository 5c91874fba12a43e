import { attribute } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Attribute, Relationship } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { type KeyPair, printRef, type Ref } from "../../domain/refs.ts";
import { entityAttributeRef } from "../../domain/values/ref-types.ts";
import { createListType, createPairType } from "../../domain/values/value-types.ts";
import { createParameterProblem } from "../contract/params.ts";
import type { ReadView } from "../contract/view.ts";
import { requireRef } from "../pipeline/resolve.ts";

/** Returns the ids of attributes in the order of their refs. Throws `not_found`; `bad_parameters` if repeated. */
export async function resolveAttributeIds(
  view: ReadView,
  owner: { readonly id: string; readonly key: string },
  parameter: string,
  refs: readonly Ref[],
): Promise<readonly string[]> {
  const ids = (await resolveAttributes(view, owner, refs)).map(({ id }) => id);
  ids.forEach((id, i) => {
    if (ids.indexOf(id) !== i) throwRepeatedAttribute(parameter, i, refs[i]);
  });
  return ids;
}

/** Returns the attributes of an entity by refs; those named by id in one read. Throws `not_found`. */
export async function resolveAttributes(
  view: ReadView,
  owner: { readonly id: string; readonly key: string },
  refs: readonly Ref[],
): Promise<readonly Attribute[]> {
  const byId = new Map<string, Attribute>();
  if (refs.some((r) => r.scheme === "id")) {
    for (const one of (await view.list("attribute", owner.id)).items) byId.set(one.id, one);
  }
  return Promise.all(
    refs.map((ref) => (ref.scheme === "id" && byId.get(ref.value)) || requireRef(view, attribute, ref, owner)),
  );
}

function throwRepeatedAttribute(parameter: string, position: number, ref: Ref | undefined): never {
  const detail = `${parameter}: ${ref ? printRef(ref) : position} names an attribute that is already in the list`;
  throw createParameterProblem(detail, `${parameter}/${position}`);
}

export const keyPairList = createListType(createPairType(entityAttributeRef), LIMITS.keyPairs);

interface Side {
  readonly id: string;
  readonly key: string;
}

/** Resolves key pairs, each in the order of the two entities. Throws `not_found`, and `bad_parameters` if repeated. */
export async function resolveKeyPairs(
  view: ReadView,
  sides: readonly [Side, Side],
  parameter: string,
  pairs: readonly (readonly [Ref, Ref])[] = [],
): Promise<readonly KeyPair[] | undefined> {
  if (pairs.length === 0) return undefined;
  const [firsts, seconds] = await Promise.all(
    sides.map((side, i) =>
      resolveAttributes(
        view,
        side,
        pairs.map((pair) => pair[i === 0 ? 0 : 1]),
      ),
    ),
  );
  const usedNames = new Set<string>();
  return pairs.map((pair, i) => {
    const ids: KeyPair = [firsts?.[i]?.id ?? "", seconds?.[i]?.id ?? ""];
    const name = ids.join();
    if (usedNames.has(name)) throwRepeatedPair(parameter, i, pair);
    usedNames.add(name);
    return ids;
  });
}

/** Returns the two sides of a relationship. Throws `too_many_roles` if it has more than two roles. */
export function getJoinedSides({ key, roles }: Relationship): readonly [Side, Side] {
  const [a, b, ...others] = roles;
  if (a && b && others.length === 0) return [toSide(a), toSide(b)];
  throw new Problem(
    "too_many_roles",
    `The relationship ${key} has ${roles.length} roles, but key pairs require exactly two. Delete roles, or omit the pairs`,
  );
}

function toSide({ key, entity }: Relationship["roles"][number]): Side {
  return { id: entity, key: `the entity in role ${key}` };
}

function throwRepeatedPair(parameter: string, position: number, pair: readonly Ref[]): never {
  const detail = `${parameter}: the pair ${pair.map(printRef).join(", ")} is already in the list`;
  throw createParameterProblem(detail, `${parameter}/${position}`);
}
