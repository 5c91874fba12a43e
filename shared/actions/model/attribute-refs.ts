import { attribute } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Attribute, Relationship } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { type KeyPair, printRef, type Ref } from "../../domain/refs.ts";
import { entityAttributeRef } from "../../domain/values/ref-types.ts";
import { createListType, createPairType } from "../../domain/values/value-types.ts";
import type { ReadView } from "../contract/view.ts";
import { need } from "../pipeline/resolve.ts";

/**
 * Ids of the attributes of an entity that the refs in a list parameter name, in their order. `not_found` for a ref to
 * none, `bad_parameters` where two name the same.
 */
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

/** The attributes of an entity that refs name, or `not_found`; those named by id are found in one read together. */
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
    refs.map((ref) => (ref.scheme === "id" && byId.get(ref.value)) || need(view, attribute, ref, owner)),
  );
}

function throwRepeatedAttribute(parameter: string, position: number, ref: Ref | undefined): never {
  const detail = `${parameter}: ${ref ? printRef(ref) : position} names an attribute that is in the list already`;
  throw new Problem("bad_parameters", detail, { errors: [{ pointer: `/${parameter}/${position}`, detail }] });
}

/** The parameter type of key pairs. */
export const keyPairList = createListType(createPairType(entityAttributeRef), LIMITS.keyPairs);

/** An entity in a role, as problems name it. */
interface Side {
  readonly id: string;
  readonly key: string;
}

/**
 * Ids of the attributes that the pairs of refs in a list parameter name, the first of each of one entity and the second of
 * the other; undefined for no pairs. `not_found` for a ref to none, `bad_parameters` where two pairs are the same.
 */
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
  const seen = new Set<string>();
  return pairs.map((pair, i) => {
    const ids: KeyPair = [firsts?.[i]?.id ?? "", seconds?.[i]?.id ?? ""];
    const name = ids.join();
    if (seen.has(name)) throwRepeatedPair(parameter, i, pair);
    seen.add(name);
    return ids;
  });
}

/** The two sides of a relationship that has two roles; `too_many_roles` where it has more. */
export function getJoinedSides({ key, roles }: Relationship): readonly [Side, Side] {
  const [a, b, ...others] = roles;
  if (a && b && others.length === 0) return [toSide(a), toSide(b)];
  throw new Problem(
    "too_many_roles",
    `the relationship ${key} has ${roles.length} roles, and only one with two has key pairs; delete roles, or leave the pairs out`,
  );
}

function toSide({ key, entity }: Relationship["roles"][number]): Side {
  return { id: entity, key: `the entity in role ${key}` };
}

function throwRepeatedPair(parameter: string, position: number, pair: readonly Ref[]): never {
  const detail = `${parameter}: the pair ${pair.map(printRef).join(", ")} is in the list already`;
  throw new Problem("bad_parameters", detail, { errors: [{ pointer: `/${parameter}/${position}`, detail }] });
}
