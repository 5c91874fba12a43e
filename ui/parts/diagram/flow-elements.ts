import type { Edge, Node } from "@xyflow/react";
import { type DiagramLine, type DiagramNode, getNodeSize } from "../../../shared/diagram/diagram-nodes.ts";
import type { Curve, DiagramLayout, Point, Rect } from "../../../shared/diagram/geometry.ts";
import { type NodesById, routeLine } from "../../../shared/diagram/line-routes.ts";

/** Node of a diagram for React Flow. */
export type FlowNode = Node<
  { readonly node: DiagramNode; readonly tag: number | undefined; readonly isFaded: boolean },
  "entity" | "diamond"
>;

/** Line of a diagram for React Flow. */
export type FlowEdge = Edge<{ readonly line: DiagramLine; readonly curve: Curve; readonly isFaded: boolean }, "line">;

/** Returns the rectangle of each node: moved by the person, or placed by the layout. */
export function placeNodes(
  nodes: readonly DiagramNode[],
  layout: DiagramLayout,
  movedPoints: ReadonlyMap<string, Point>,
): ReadonlyMap<string, Rect> {
  return new Map(
    nodes.flatMap((node) => {
      const point = movedPoints.get(node.id) ?? layout.nodes.get(node.id);
      return point ? [[node.id, { x: point.x, y: point.y, ...getBoxSize(node) }] as const] : [];
    }),
  );
}

function getBoxSize(node: DiagramNode): { readonly width: number; readonly height: number } {
  const { width, height } = getNodeSize(node);
  return { width, height };
}

/** State that determines the appearance of nodes and lines. */
export interface Looks {
  /** Nodes that are not faded; undefined for all. */
  readonly subset: ReadonlySet<string> | undefined;
  readonly choiceId: string | undefined;
  readonly findTag: (node: DiagramNode) => number | undefined;
  readonly getLabel: (node: DiagramNode) => string;
}

/** Faded elements react to the pointer, but screen readers skip them; the list view contains them. */
const FADED = { className: "faded", focusable: false, domAttributes: { "aria-hidden": true } } as const;

/** Creates the nodes for React Flow. */
export function createFlowNodes(
  nodes: readonly DiagramNode[],
  rects: ReadonlyMap<string, Rect>,
  looks: Looks,
): FlowNode[] {
  return nodes.flatMap((node): FlowNode[] => {
    const rect = rects.get(node.id);
    if (!rect) return [];
    const { x, y, width, height } = rect;
    const isFaded = looks.subset !== undefined && !looks.subset.has(node.id);
    return [
      {
        id: node.id,
        type: node.is,
        position: { x, y },
        width,
        height,
        data: { node, tag: looks.findTag(node), isFaded },
        selected: looks.choiceId === (node.is === "entity" ? node.id : node.relationship.id),
        ariaLabel: looks.getLabel(node),
        ...(isFaded && FADED),
      },
    ];
  });
}

/** Creates the lines for React Flow; omits lines whose nodes have no position. */
export function createFlowEdges(
  lines: readonly DiagramLine[],
  nodes: NodesById,
  rects: ReadonlyMap<string, Rect>,
  layout: DiagramLayout,
  { subset: ids, choiceId }: Pick<Looks, "subset" | "choiceId">,
  getLabel: (line: DiagramLine) => string,
): FlowEdge[] {
  return lines.flatMap((line): FlowEdge[] => {
    const curve = routeLine(line, nodes, rects, layout);
    if (!curve) return [];
    const isFaded = ids !== undefined && !(ids.has(line.from.node) && ids.has(line.to.node));
    return [
      {
        id: line.id,
        type: "line",
        source: line.from.node,
        target: line.to.node,
        data: { line, curve, isFaded },
        selected: choiceId === line.relationship.id,
        ariaLabel: getLabel(line),
        ...(isFaded && FADED),
      },
    ];
  });
}

/** Reuses the old elements that are equal, so that only changed ones render again. */
export function reuseElements<E extends FlowNode | FlowEdge>(before: readonly E[], after: readonly E[]): E[] {
  const index = new Map(before.map((element) => [element.id, element]));
  return after.map((element) => {
    const old = index.get(element.id);
    return old && isSame(old, element) ? old : element;
  });
}

function isSame(a: object, b: object): boolean {
  const [one, other] = [Object.entries(a), new Map(Object.entries(b))];
  return (
    one.length === other.size &&
    one.every(([name, value]) => {
      const otherValue: unknown = other.get(name);
      if (Object.is(value, otherValue)) return true;
      const isPart = name === "data" || name === "position";
      return isPart && isSame(value as object, otherValue as object);
    })
  );
}
