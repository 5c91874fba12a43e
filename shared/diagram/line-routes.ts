import { BOX, type DiagramLine, type DiagramNode, findRowMiddle } from "./diagram-nodes.ts";
import type { Curve, DiagramLayout, Point, Rect } from "./geometry.ts";

export type NodesById = ReadonlyMap<string, DiagramNode>;

/** Current positions: of the layout, or moved by a person. */
export type RectsById = ReadonlyMap<string, Rect>;

/** Returns the curve of a line: that of the layout unless an end was moved. Undefined if a node has no position. */
export function routeLine(
  line: DiagramLine,
  nodes: NodesById,
  rects: RectsById,
  layout: DiagramLayout,
): Curve | undefined {
  const [a, b] = [nodes.get(line.from.node), nodes.get(line.to.node)];
  const [rectA, rectB] = [rects.get(line.from.node), rects.get(line.to.node)];
  if (!a || !b || !rectA || !rectB) return undefined;
  const [from, to] = [createAnchor(a, rectA, line.from.attribute), createAnchor(b, rectB, line.to.attribute)];
  if (a === b) return routeLoop(rectA, from.row, to.row);
  const curve = layout.curves.get(line.id);
  const isKept = isAt(rectA, layout.nodes.get(a.id)) && isAt(rectB, layout.nodes.get(b.id));
  return curve && isKept ? curve : routeFreely(from, to);
}

function isAt(rect: Rect, other: Rect | undefined) {
  return other !== undefined && Math.abs(rect.x - other.x) < 0.5 && Math.abs(rect.y - other.y) < 0.5;
}

/** Minimum and maximum swing of a line out of a box, in pixels. */
const SWING = { least: 44, most: 160 } as const;

interface Anchor {
  readonly rect: Rect;
  /** From the top of the rectangle. */
  readonly row: number;
}

function createAnchor(node: DiagramNode, rect: Rect, attribute: string | undefined): Anchor {
  return { rect, row: node.is === "entity" ? findRowMiddle(node.box, attribute) : BOX.diamond / 2 };
}

function routeFreely(from: Anchor, to: Anchor): Curve {
  const [start, end] = chooseSides(from.rect, to.rect);
  const a = findPoint(from, start);
  const b = findPoint(to, end);
  const swing = Math.min(SWING.most, Math.max(SWING.least, Math.abs(b.x - a.x) / 2));
  return [a, { x: a.x + start * swing, y: a.y }, { x: b.x + end * swing, y: b.y }, b];
}

function routeLoop(rect: Rect, rowA: number, rowB: number): Curve {
  const isOneRow = Math.abs(rowA - rowB) < BOX.row;
  const right = rect.x + rect.width;
  const [yA, yB] = [rect.y + rowA, rect.y + (isOneRow ? rowA + BOX.row : rowB)];
  const swing = SWING.least + Math.min(40, Math.abs(yA - yB) / 3);
  return [
    { x: right, y: yA },
    { x: right + swing, y: yA },
    { x: right + swing, y: yB },
    { x: right, y: yB },
  ];
}

/** Right (1) or left (-1) side of a box. */
type Side = 1 | -1;

function chooseSides(a: Rect, b: Rect): readonly [Side, Side] {
  const rightOfA = a.x + a.width;
  const rightOfB = b.x + b.width;
  if (b.x >= rightOfA + 24) return [1, -1];
  if (a.x >= rightOfB + 24) return [-1, 1];
  // Boxes above each other are joined at the side where their edges are closer.
  return Math.abs(rightOfA - rightOfB) <= Math.abs(a.x - b.x) ? [1, 1] : [-1, -1];
}

function findPoint({ rect, row }: Anchor, side: Side): Point {
  return { x: side === 1 ? rect.x + rect.width : rect.x, y: rect.y + row };
}
