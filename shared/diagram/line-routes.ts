import type { DiagramLayout } from "./diagram-layout.ts";
import type { DiagramLine } from "./diagram-lines.ts";
import type { DiagramNode } from "./diagram-nodes.ts";
import { anchorOf, freeRoute, loopRoute } from "./free-route.ts";
import type { Curve, Rect } from "./geometry.ts";

/** Nodes by their ids. */
export type NodesById = ReadonlyMap<string, DiagramNode>;

/** Where a node is now: where the layout put it, or where a person moved it. */
export type Places = ReadonlyMap<string, Rect>;

/**
 * The way of a line between nodes at these places: that of the layout while both ends are where the layout put them, else a
 * free one; undefined where a node has no place.
 */
export function routeOf(line: DiagramLine, nodes: NodesById, places: Places, layout: DiagramLayout): Curve | undefined {
  const [a, b] = [nodes.get(line.from.node), nodes.get(line.to.node)];
  const [rectA, rectB] = [places.get(line.from.node), places.get(line.to.node)];
  if (!a || !b || !rectA || !rectB) return undefined;
  const [from, to] = [anchorOf(a, rectA, line.from.attribute), anchorOf(b, rectB, line.to.attribute)];
  if (a === b) return loopRoute(rectA, from.row, to.row);
  const curve = layout.curves.get(line.id);
  const isKept = isAt(rectA, layout.nodes.get(a.id)) && isAt(rectB, layout.nodes.get(b.id));
  return curve && isKept ? curve : freeRoute(from, to);
}

function isAt(rect: Rect, place: Rect | undefined): boolean {
  return place !== undefined && Math.abs(rect.x - place.x) < 0.5 && Math.abs(rect.y - place.y) < 0.5;
}
