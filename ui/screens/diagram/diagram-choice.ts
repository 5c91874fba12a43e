import { findTagColourIndex } from "../../../shared/diagram/diagram-colours.ts";
import type { DiagramEntity, DiagramGraph, DiagramTag } from "../../../shared/diagram/diagram-graph.ts";
import { DISTANCES, type DiagramNode, findNodesWithin } from "../../../shared/diagram/diagram-nodes.ts";
import type { Choice } from "../../parts/diagram/diagram-canvas.tsx";

interface Referred {
  readonly id: string;
  readonly key: string;
}

const refersTo = (ref: string | undefined, { id, key }: Referred): boolean =>
  ref === `key:${key}` || ref === `id:${id}`;

/** What an address chooses of a diagram; undefined where that is not there. */
export function findChoice(graph: DiagramGraph, { entity, relationship }: DiagramSearch): Choice | undefined {
  const chosen = graph.entities.find((one) => refersTo(entity, one));
  if (chosen) return { is: "entity", id: chosen.id };
  const line = graph.relationships.find((one) => refersTo(relationship, one));
  return line && { is: "relationship", id: line.id };
}

/** The members of an address that choose something. */
export function toChoiceSearch(graph: DiagramGraph, choice: Choice | undefined): DiagramSearch {
  const findRef = (list: readonly Referred[]): string | undefined => {
    const found = list.find(({ id }) => id === choice?.id);
    return found && `key:${found.key}`;
  };
  return {
    entity: choice?.is === "entity" ? findRef(graph.entities) : undefined,
    relationship: choice?.is === "relationship" ? findRef(graph.relationships) : undefined,
  };
}

/** The entity that an address has in the focus. */
export function findFocus(graph: DiagramGraph, { focus }: DiagramSearch): DiagramEntity | undefined {
  return focus === undefined ? undefined : graph.entities.find((one) => refersTo(focus, one));
}

/** The nodes that an address leaves in sight: those near the focus that have one of the tags; undefined for all. */
export function findVisibleNodes(graph: DiagramGraph, search: DiagramSearch): ReadonlySet<string> | undefined {
  const focus = findFocus(graph, search);
  const near = focus && findNodesWithin(graph, focus.id, readDistance(search));
  const { tags = [] } = search;
  if (tags.length === 0) return near;
  const tagged = graph.entities.filter((entity) => entity.tags.some((tag) => tags.includes(tag))).map(({ id }) => id);
  return new Set(near ? tagged.filter((id) => near.has(id)) : tagged);
}

/** Tells the colour of a node: that of its first tag, or of the first that the address names. */
export function createTagFinder(tags: readonly DiagramTag[], chosen: readonly string[]) {
  const known = new Map(tags.map((tag) => [tag.ref, tag]));
  return (node: DiagramNode): number | undefined => {
    if (node.is !== "entity") return undefined;
    const ref = node.entity.tags.find((one) => chosen.length === 0 || chosen.includes(one));
    const tag = ref === undefined ? undefined : known.get(ref);
    return tag && findTagColourIndex(tag.key);
  };
}

/** What the address of the diagram tells after `?`. */
export interface DiagramSearch {
  /** `key:` of the entity that is chosen. */
  readonly entity?: string | undefined;
  /** `key:` of the relationship that is chosen. */
  readonly relationship?: string | undefined;
  /** `key:` of the entity in the focus. */
  readonly focus?: string | undefined;
  readonly distance?: number | undefined;
  /** Refs of tags, as documents name them. */
  readonly tags?: readonly string[] | undefined;
  readonly view?: "list" | undefined;
}

/** Changes members of the address; back undoes it unless it takes the place of what was there. */
export type ChangeSearch = (next: DiagramSearch, replace?: boolean) => void;

/** The distance that an address tells; 1 where it tells none that there is. */
export function readDistance({ distance }: DiagramSearch): number {
  return DISTANCES.find((one) => one === distance) ?? DISTANCES[0];
}
