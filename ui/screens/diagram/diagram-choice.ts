import { findTagColourIndex } from "../../../shared/diagram/diagram-colours.ts";
import type { DiagramEntity, DiagramGraph, DiagramTag } from "../../../shared/diagram/diagram-graph.ts";
import { DISTANCES, type DiagramNode, findNodesWithin } from "../../../shared/diagram/diagram-nodes.ts";
import type { Choice } from "../../parts/diagram/diagram-canvas.tsx";

interface Target {
  readonly id: string;
  readonly key: string;
}

const refersTo = (ref: string | undefined, { id, key }: Target) => ref === `key:${key}` || ref === `id:${id}`;

/** Returns the selected object of an address; undefined if it does not exist. */
export function findChoice(graph: DiagramGraph, { entity, relationship }: DiagramSearch): Choice | undefined {
  const match = graph.entities.find((one) => refersTo(entity, one));
  if (match) return { is: "entity", id: match.id };
  const line = graph.relationships.find((one) => refersTo(relationship, one));
  return line && { is: "relationship", id: line.id };
}

/** Returns the query parameters that select an object. */
export function toChoiceSearch(graph: DiagramGraph, choice: Choice | undefined): DiagramSearch {
  const findRef = (list: readonly Target[]) => {
    const match = list.find(({ id }) => id === choice?.id);
    return match && `key:${match.key}`;
  };
  return {
    entity: choice?.is === "entity" ? findRef(graph.entities) : undefined,
    relationship: choice?.is === "relationship" ? findRef(graph.relationships) : undefined,
  };
}

/** Returns the focused entity of an address. */
export function findFocus(graph: DiagramGraph, { focus }: DiagramSearch): DiagramEntity | undefined {
  return focus === undefined ? undefined : graph.entities.find((one) => refersTo(focus, one));
}

/** Returns the nodes near the focus that have one of the tags; undefined for all nodes. */
export function findVisibleNodes(graph: DiagramGraph, search: DiagramSearch): ReadonlySet<string> | undefined {
  const focus = findFocus(graph, search);
  const nearIds = focus && findNodesWithin(graph, focus.id, readDistance(search));
  const { tags = [] } = search;
  if (tags.length === 0) return nearIds;
  const ids = graph.entities.filter((entity) => entity.tags.some((tag) => tags.includes(tag))).map(({ id }) => id);
  return new Set(nearIds ? ids.filter((id) => nearIds.has(id)) : ids);
}

/** Creates a function that returns the tag colour of a node: its first tag, or its first selected one. */
export function createTagFinder(tags: readonly DiagramTag[], chosenRefs: readonly string[]) {
  const index = new Map(tags.map((tag) => [tag.ref, tag]));
  return (node: DiagramNode) => {
    if (node.is !== "entity") return undefined;
    const ref = node.entity.tags.find((one) => chosenRefs.length === 0 || chosenRefs.includes(one));
    const tag = ref === undefined ? undefined : index.get(ref);
    return tag && findTagColourIndex(tag.key);
  };
}

/** Query parameters of the diagram. */
export interface DiagramSearch {
  /** `key:` of the selected entity. */
  readonly entity?: string | undefined;
  /** `key:` of the selected relationship. */
  readonly relationship?: string | undefined;
  /** `key:` of the focused entity. */
  readonly focus?: string | undefined;
  readonly distance?: number | undefined;
  /** Refs of tags in the form of documents. */
  readonly tags?: readonly string[] | undefined;
  readonly view?: "list" | undefined;
}

/** Changes query parameters; creates a history entry unless `replace` is set. */
export type ChangeSearch = (next: DiagramSearch, replace?: boolean) => void;

/** Returns the distance of an address; 1 if it is missing or unknown. */
export function readDistance({ distance }: DiagramSearch): number {
  return DISTANCES.find((one) => one === distance) ?? DISTANCES[0];
}
