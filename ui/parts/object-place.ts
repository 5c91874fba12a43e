/** Where an object is shown: its address as the router takes it, and the mark that it wears there. */
export interface ObjectPlace {
  readonly to: string;
  readonly params: Readonly<Record<string, string>>;
  /** The part behind `#`, by which the page finds the element of an object that has no page of its own. */
  readonly hash?: string;
}

/** Refs of an object and of what it lies in; those that are missing it does not lie in, or nobody knows. */
export interface ObjectRefs {
  readonly modelRef: string;
  readonly typeRef?: string | undefined;
  readonly entityRef?: string | undefined;
  readonly relationshipRef?: string | undefined;
  readonly attributeRef?: string | undefined;
  readonly roleKey?: string | undefined;
  readonly businessKeyKey?: string | undefined;
  readonly tagKey?: string | undefined;
}

const ENTITY = "/models/$modelRef/entities/$entityRef";
const RELATIONSHIP = "/models/$modelRef/relationships/$relationshipRef";

/** The place of an object; that of what it lies in where it has none of its own. */
export function placeOf(refs: ObjectRefs): ObjectPlace {
  const { modelRef, typeRef, entityRef, relationshipRef, attributeRef, roleKey, businessKeyKey, tagKey } = refs;
  if (entityRef !== undefined && attributeRef !== undefined)
    return { to: `${ENTITY}/attributes/$attributeRef`, params: { modelRef, entityRef, attributeRef } };
  if (entityRef !== undefined)
    return {
      to: ENTITY,
      params: { modelRef, entityRef },
      ...(businessKeyKey !== undefined && { hash: `business-key:${businessKeyKey}` }),
    };
  if (relationshipRef !== undefined) {
    const attribute = attributeRef === undefined ? undefined : `attribute:${attributeRef.replace(/^key:/, "")}`;
    const mark = roleKey === undefined ? attribute : `role:${roleKey}`;
    return {
      to: RELATIONSHIP,
      params: { modelRef, relationshipRef },
      ...(mark !== undefined && { hash: mark }),
    };
  }
  if (typeRef !== undefined) return { to: "/models/$modelRef/types/$typeRef", params: { modelRef, typeRef } };
  if (tagKey !== undefined) return { to: "/models/$modelRef/tags", params: { modelRef }, hash: `tag:${tagKey}` };
  return { to: "/models/$modelRef", params: { modelRef } };
}
