import { type DiagramEntity, type DiagramGraph, type DiagramRelationship, isDiamond } from "./diagram-graph.ts";
import { diamondId } from "./diagram-lines.ts";
import { BOX, type EntityBox, entityBox } from "./entity-box.ts";

/** The box of an entity, or the diamond of a relationship, before it has a place. */
export type DiagramNode =
  | { readonly is: "entity"; readonly id: string; readonly entity: DiagramEntity; readonly box: EntityBox }
  | { readonly is: "diamond"; readonly id: string; readonly relationship: DiagramRelationship };

/** The nodes of a diagram: its entities in their order, then its diamonds. */
export function nodesOf({ entities, relationships }: DiagramGraph): readonly DiagramNode[] {
  return [
    ...entities.map((entity) => ({ is: "entity", id: entity.id, entity, box: entityBox(entity) }) as const),
    ...relationships
      .filter(isDiamond)
      .map((relationship) => ({ is: "diamond", id: diamondId(relationship), relationship }) as const),
  ];
}

/** Width and height of a node, in pixels. */
export function sizeOf(node: DiagramNode): { readonly width: number; readonly height: number } {
  return node.is === "entity" ? node.box : { width: BOX.diamond, height: BOX.diamond };
}
