import type { KeyPair } from "../../domain/key-pairs.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Relationship } from "../../domain/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { entityAttributeRef } from "../../domain/ref-types.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import { listOf, pairOf } from "../../domain/value-types.ts";
import type { View } from "../contract/view.ts";
import { attributesOf } from "./attributes-named.ts";

/** The parameter type of key pairs. */
export const keyPairList = listOf(pairOf(entityAttributeRef), LIMITS.keyPairs);

/** An entity in a role, as problems name it. */
interface Side {
  readonly id: string;
  readonly key: string;
}

/**
 * Ids of the attributes that the pairs of refs in a list parameter name, the first of each of one entity and the second of
 * the other; undefined for no pairs. `not_found` for a ref to none, `bad_parameters` where two pairs are the same.
 */
export async function pairsNamed(
  view: View,
  sides: readonly [Side, Side],
  parameter: string,
  pairs: readonly (readonly [Ref, Ref])[] = [],
): Promise<readonly KeyPair[] | undefined> {
  if (pairs.length === 0) return undefined;
  const [firsts, seconds] = await Promise.all(
    sides.map((side, i) =>
      attributesOf(
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
    if (seen.has(name)) refuseRepeated(parameter, i, pair);
    seen.add(name);
    return ids;
  });
}

/** The two sides of a relationship that has two roles; `too_many_roles` where it has more. */
export function sidesOf({ key, roles }: Relationship): readonly [Side, Side] {
  const [a, b, ...others] = roles;
  if (a && b && others.length === 0) return [sideOf(a), sideOf(b)];
  throw new Problem(
    "too_many_roles",
    `the relationship ${key} has ${roles.length} roles, and only one with two has key pairs; delete roles, or leave the pairs out`,
  );
}

function sideOf({ key, entity }: Relationship["roles"][number]): Side {
  return { id: entity, key: `the entity in role ${key}` };
}

function refuseRepeated(parameter: string, position: number, pair: readonly Ref[]): never {
  const detail = `${parameter}: the pair ${pair.map(printRef).join(", ")} is in the list already`;
  throw new Problem("bad_parameters", detail, { errors: [{ pointer: `/${parameter}/${position}`, detail }] });
}
