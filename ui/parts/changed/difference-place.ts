import type { Actions } from "../../../client/create-client.ts";
import { type ObjectPlace, placeOf } from "../object-place.ts";

/** One difference of a comparison, as the service tells it. */
export type Difference = Actions["model"]["model_compare"]["output"]["entries"][number];

export type SideName = "left" | "right";

/** The keys on the way to a difference, outermost first; none of the model itself. */
function pathOf(difference: Difference): readonly string[] {
  const { typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey } = difference;
  const path = [typeKey, entityKey, relationshipKey, roleKey, attributeKey, businessKeyKey, tagKey];
  return path.filter((key) => key !== undefined);
}

const textIn = (object: Difference[SideName], member: string): string | undefined => {
  const value = object?.[member];
  return typeof value === "string" ? value : undefined;
};

/** The place of a difference by its keys, such as `loan.member`; that of the model itself is its key. */
export function placeText(difference: Difference): string {
  return pathOf(difference).join(".") || keyOn(difference, "left");
}

/** A name for a difference that no other one of the same comparison has. */
export function differenceId(difference: Difference): string {
  const path = pathOf(difference).map(encodeURIComponent);
  return [difference.status, difference.objectType, ...path].join("/");
}

/** The key that the object of a difference has on a side; that of the other side where it is not there. */
export function keyOn(difference: Difference, side: SideName): string {
  const other = side === "left" ? "right" : "left";
  return textIn(difference[side], "key") ?? textIn(difference[other], "key") ?? pathOf(difference).at(-1) ?? "";
}

/** The name of the object of a difference, on the right where it has one there. */
export function nameOf({ left, right }: Difference): string | undefined {
  return textIn(right, "name") ?? textIn(left, "name");
}

/** The key of the entity that a difference of a business key is about. */
export function identifiedBy({ left, right }: Difference, side?: SideName): string | undefined {
  const ref = side === "right" ? textIn(right, "entity") : (textIn(left, "entity") ?? textIn(right, "entity"));
  return ref?.replace(/^key:/, "");
}

/**
 * The place of the object of a difference in the model of a side. `ownerKey` is the key that what it lies in has on that
 * side, where that is another than the comparison names it by.
 */
export function placeOn(difference: Difference, side: SideName, modelRef: string, ownerKey?: string): ObjectPlace {
  const { objectType, typeKey, entityKey, relationshipKey, attributeKey, roleKey, businessKeyKey, tagKey } = difference;
  const own = keyOn(difference, side);
  const ref = (key: string | undefined): string | undefined => (key === undefined ? undefined : `key:${key}`);
  const ownOr = (kind: string, key: string | undefined): string | undefined =>
    key === undefined ? undefined : objectType === kind ? own : (ownerKey ?? key);
  return placeOf({
    modelRef,
    typeRef: ref(ownOr("type", typeKey)),
    entityRef: ref(businessKeyKey === undefined ? ownOr("entity", entityKey) : identifiedBy(difference, side)),
    relationshipRef: ref(ownOr("relationship", relationshipKey)),
    attributeRef: attributeKey === undefined ? undefined : ref(own),
    roleKey: roleKey === undefined ? undefined : own,
    businessKeyKey: businessKeyKey === undefined ? undefined : own,
    tagKey: tagKey === undefined ? undefined : own,
  });
}
