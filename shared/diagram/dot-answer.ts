import { type GraphPart, isTurned, POINTS } from "./dot-text.ts";
import type { Curve, Point, Rect } from "./geometry.ts";
import { movedCurve } from "./geometry.ts";

/** Where the nodes and lines of a part are, from 0, 0 on. */
export interface PlacedPart {
  readonly nodes: ReadonlyMap<string, Rect>;
  readonly curves: ReadonlyMap<string, Curve>;
}

/** The members of dot's JSON that matter here. */
interface DotAnswer {
  readonly objects?: readonly {
    readonly name: string;
    readonly pos?: string;
    readonly width?: string;
    readonly height?: string;
  }[];
  readonly edges?: readonly { readonly id?: string; readonly pos?: string }[];
}

/** Reads the answer of dot to the text of a part, written with `y` growing downwards. */
export function readAnswer(part: GraphPart, text: string): PlacedPart {
  // The format of a library of ours whose version is fixed.
  const { objects = [], edges = [] } = JSON.parse(text) as DotAnswer;
  const nodes = new Map<string, Rect>();
  for (const { name, pos, width, height } of objects) {
    const node = /^n\d+$/.test(name) ? part.nodes[Number(name.slice(1))] : undefined;
    if (!node || !pos) continue;
    const middle = pointOf(pos);
    const size = { width: Number(width) * POINTS, height: Number(height) * POINTS };
    nodes.set(node.id, { x: middle.x - size.width / 2, y: middle.y - size.height / 2, ...size });
  }
  const curves = new Map<string, Curve>();
  for (const { id, pos } of edges) {
    const line = part.lines[Number(id)];
    const curve =
      pos === undefined
        ? []
        : pos
            .split(" ")
            .filter((word) => !/^[es],/.test(word))
            .map(pointOf);
    if (line && curve.length > 3) curves.set(line.id, isTurned(line) ? curve.toReversed() : curve);
  }
  return { nodes, curves };
}

/** A part moved by a distance. */
export function movedPart({ nodes, curves }: PlacedPart, by: Point): PlacedPart {
  return {
    nodes: new Map([...nodes].map(([id, rect]) => [id, { ...rect, x: rect.x + by.x, y: rect.y + by.y }])),
    curves: new Map([...curves].map(([id, curve]) => [id, movedCurve(curve, by)])),
  };
}

function pointOf(text: string): Point {
  const [x = 0, y = 0] = text.split(",").map(Number);
  return { x, y };
}
