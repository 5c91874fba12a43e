/** Page of an object: the address for the router, and the hash that marks the object. */
export interface ObjectPath {
  readonly to: string;
  readonly params: Readonly<Record<string, string>>;
  /** Tab of the page, unless it is the first. */
  readonly search?: { readonly tab: "keys" };
  /** Hash: the key of an object without its own page, which is marked on the page. */
  readonly hash?: string;
}

/** Refs of an object and its owners; unknown or absent owners are omitted. */
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

/** Returns the page of an object, or of its owner if it has no page. */
export function getObjectPath(refs: ObjectRefs): ObjectPath {
  const { modelRef, typeRef, entityRef, relationshipRef, attributeRef, roleKey, businessKeyKey, tagKey } = refs;
  if (entityRef !== undefined && attributeRef !== undefined)
    return { to: `${ENTITY}/attributes/$attributeRef`, params: { modelRef, entityRef, attributeRef } };
  if (entityRef !== undefined)
    return {
      to: ENTITY,
      params: { modelRef, entityRef },
      ...(businessKeyKey !== undefined && { search: { tab: "keys" as const }, hash: businessKeyKey }),
    };
  if (relationshipRef !== undefined) {
    const mark = roleKey ?? attributeRef?.replace(/^key:/, "");
    return {
      to: RELATIONSHIP,
      params: { modelRef, relationshipRef },
      ...(mark !== undefined && { hash: mark }),
    };
  }
  if (typeRef !== undefined) return { to: "/models/$modelRef/types/$typeRef", params: { modelRef, typeRef } };
  if (tagKey !== undefined) return { to: "/models/$modelRef/tags", params: { modelRef }, hash: tagKey };
  return { to: "/models/$modelRef", params: { modelRef } };
}

/** State of a model in an address: a version, a revision such as `r5`, or empty for the newest. */
export type StateText = string;

/** State of a model as parameters of actions. */
export interface ModelState {
  readonly version?: string;
  readonly revision?: number;
}

/** Parses a state of a model from an address. */
export function parseState(text: StateText | undefined): ModelState {
  if (text === undefined || text === "") return {};
  const [, revision] = /^r(\d{1,12})$/.exec(text) ?? [];
  return revision === undefined ? { version: text } : { revision: Number(revision) };
}

/** Formats a revision of a model for an address. */
export const formatRevision = (revision: number): StateText => `r${revision}`;
