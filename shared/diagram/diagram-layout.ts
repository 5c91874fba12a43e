import type { DiagramGraph } from "./diagram-graph.ts";
import { sizeOf } from "./diagram-nodes.ts";
import { movedPart, type PlacedPart, readAnswer } from "./dot-answer.ts";
import { dotOf } from "./dot-text.ts";
import { boundsOf, boundsOfCurve, type Curve, type Rect } from "./geometry.ts";
import { partsOf } from "./graph-parts.ts";
import { packed } from "./packing.ts";

/** The places of a diagram: nodes by their ids, and lines by theirs as far as they were routed around the nodes. */
export interface DiagramLayout {
  readonly nodes: ReadonlyMap<string, Rect>;
  readonly curves: ReadonlyMap<string, Curve>;
}

/** Lays out a text in the language dot and answers JSON with `y` growing downwards. */
export type Dot = (text: string) => string;

/** Pixels between parts of a diagram. */
const PART_GAP = 120;
/** Pixels between entities that no line leads to. */
const LONELY_GAP = 32;

/** Finds a place for each node of a diagram, and a way for each line inside a part of it. The same diagram gives the same. */
export function layOut(graph: DiagramGraph, dot: Dot): DiagramLayout {
  const { connected, lonely } = partsOf(graph);
  const placed = connected.map((part) => readAnswer(part, dot(dotOf(part))));
  const sizes = lonely.map(sizeOf);
  if (lonely.length > 0) {
    const places = packed(sizes, LONELY_GAP);
    const nodes = new Map(
      lonely.map(({ id }, at) => [id, { x: 0, y: 0, width: 0, height: 0, ...places[at], ...sizes[at] }]),
    );
    placed.push({ nodes, curves: new Map() });
  }
  const bounds = placed.map(boundsOfPart);
  const places = packed(bounds, PART_GAP);
  const moved = placed.map((part, at) => {
    const { x, y } = bounds[at] ?? { x: 0, y: 0 };
    const to = places[at] ?? { x: 0, y: 0 };
    return movedPart(part, { x: to.x - x, y: to.y - y });
  });
  return {
    nodes: new Map(moved.flatMap(({ nodes }) => [...nodes])),
    curves: new Map(moved.flatMap(({ curves }) => [...curves])),
  };
}

function boundsOfPart({ nodes, curves }: PlacedPart): Rect {
  return boundsOf([...nodes.values(), ...[...curves.values()].map(boundsOfCurve)]);
}
