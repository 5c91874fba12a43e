/** Where an object is shown: its address as the router takes it, and the mark that it wears there. */
export interface ObjectPlace {
  readonly to: string;
  readonly params: Readonly<Record<string, string>>;
  /** The tab of the page that shows it, where that is not the first. */
  readonly search?: { readonly tab: "keys" };
  /** The part behind `#`: the key of an object that has no page of its own, which is marked on the page. */
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
export function getObjectPlace(refs: ObjectRefs): ObjectPlace {
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

/** A state of a model in an address: a version as it is, a revision as `r5`; nothing for the newest state. */
export type MomentText = string;

/** A state of a model as actions take it. */
export interface Moment {
  readonly version?: string;
  readonly revision?: number;
}

/** Reads a state of a model from an address. */
export function parseMoment(text: MomentText | undefined): Moment {
  if (text === undefined || text === "") return {};
  const [, revision] = /^r(\d{1,12})$/.exec(text) ?? [];
  return revision === undefined ? { version: text } : { revision: Number(revision) };
}

/** Writes a revision of a model for an address. */
export const formatRevision = (revision: number): MomentText => `r${revision}`;
