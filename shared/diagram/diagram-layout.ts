import type { DiagramGraph } from "./diagram-graph.ts";
import { createLines, createNodes, type DiagramLine, type DiagramNode, getNodeSize } from "./diagram-nodes.ts";
import { formatDot, type GraphPart, movePart, type PlacedPart, parseDotAnswer } from "./dot.ts";
import { type Curve, findBounds, findCurveBounds, type Point, type Rect } from "./geometry.ts";

/** The places of a diagram: nodes by their ids, and lines by theirs as far as they were routed around the nodes. */
export interface DiagramLayout {
  readonly nodes: ReadonlyMap<string, Rect>;
  readonly curves: ReadonlyMap<string, Curve>;
}

/** Lays out a text in the language dot and answers JSON with `y` growing downwards. */
export type LayoutDot = (text: string) => string;

/** Pixels between parts of a diagram. */
const PART_GAP = 120;
/** Pixels between entities that no line leads to. */
const LONELY_GAP = 32;

/** Finds a place for each node of a diagram, and a way for each line inside a part of it. The same diagram gives the same. */
export function layOutDiagram(graph: DiagramGraph, dot: LayoutDot): DiagramLayout {
  const { connected, lonely } = splitGraph(graph);
  const placed = connected.map((part) => parseDotAnswer(part, dot(formatDot(part))));
  const sizes = lonely.map(getNodeSize);
  if (lonely.length > 0) {
    const places = packBoxes(sizes, LONELY_GAP);
    const nodes = new Map(
      lonely.map(({ id }, at) => [id, { x: 0, y: 0, width: 0, height: 0, ...places[at], ...sizes[at] }]),
    );
    placed.push({ nodes, curves: new Map() });
  }
  const bounds = placed.map(findPartBounds);
  const places = packBoxes(bounds, PART_GAP);
  const moved = placed.map((part, at) => {
    const { x, y } = bounds[at] ?? { x: 0, y: 0 };
    const to = places[at] ?? { x: 0, y: 0 };
    return movePart(part, { x: to.x - x, y: to.y - y });
  });
  return {
    nodes: new Map(moved.flatMap(({ nodes }) => [...nodes])),
    curves: new Map(moved.flatMap(({ curves }) => [...curves])),
  };
}

function findPartBounds({ nodes, curves }: PlacedPart): Rect {
  return findBounds([...nodes.values(), ...[...curves.values()].map(findCurveBounds)]);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Width by height that a whole diagram comes near to, as screens have it. */
const ASPECT = 1.6;

/**
 * Places for boxes of these sizes in their order, without overlap: rows from the left as on a shelf, each box at the top of
 * the lowest place where it fits. The whole comes near the shape of a screen.
 */
export function packBoxes(sizes: readonly Size[], gap: number): readonly Point[] {
  const area = sizes.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0);
  const limit = Math.max(Math.sqrt(area * ASPECT) * 1.05, ...sizes.map(({ width }) => width + gap));
  // The skyline: from each `x` on, how far down the boxes above reach.
  let skyline: readonly Point[] = [{ x: 0, y: 0 }];
  return sizes.map(({ width, height }) => {
    const place = findLowest(skyline, width + gap, limit);
    skyline = raiseSkyline(skyline, place, width + gap, place.y + height + gap, limit);
    return place;
  });
}

function findLowest(skyline: readonly Point[], width: number, limit: number): Point {
  let best: Point | undefined;
  for (const { x } of skyline) {
    if (x + width > limit + 0.5 && x > 0) continue;
    const y = Math.max(
      ...skyline.filter((step, at) => step.x < x + width && (skyline[at + 1]?.x ?? limit) > x).map((s) => s.y),
    );
    if (!best || y < best.y) best = { x, y };
  }
  return best ?? { x: 0, y: Math.max(...skyline.map(({ y }) => y)) };
}

function raiseSkyline(
  skyline: readonly Point[],
  { x }: Point,
  width: number,
  y: number,
  limit: number,
): readonly Point[] {
  const end = x + width;
  const under = skyline.findLast((step) => step.x <= end)?.y ?? 0;
  const kept = skyline.filter((step) => step.x < x || step.x > end);
  const after = end < limit ? [{ x: end, y: under }] : [];
  return [...kept, { x, y }, ...after].sort((a, b) => a.x - b.x);
}

/** A part of more nodes than this is split where few lines hold it together, or it becomes a tower that nobody reads. */
export const LARGEST_PART = 48;

/** How often labels may pass from neighbour to neighbour; they settle long before in practice. */
const ROUNDS = 12;

/** A diagram cut into what is laid out together, the largest part first, and the nodes that no line leads to. */
interface Parts {
  readonly connected: readonly GraphPart[];
  readonly lonely: readonly DiagramNode[];
}

/** Cuts a diagram into its connected parts, and large ones of those into neighbourhoods. */
export function splitGraph(graph: DiagramGraph): Parts {
  const nodes = createNodes(graph);
  const lines = createLines(graph).filter(({ from, to }) => from.node !== to.node);
  const neighbours = indexNeighbours(nodes, lines);
  const lonely = nodes.filter(({ id }) => neighbours.get(id)?.length === 0);
  const groups = findComponents(neighbours).flatMap((ids) =>
    ids.length > LARGEST_PART ? splitComponent(ids, neighbours) : [ids],
  );
  const groupOf = new Map(groups.flatMap((ids, at) => ids.map((id) => [id, at] as const)));
  const connected = groups
    .map((_, at) => ({
      nodes: nodes.filter(({ id }) => groupOf.get(id) === at),
      lines: lines.filter(({ from, to }) => groupOf.get(from.node) === at && groupOf.get(to.node) === at),
    }))
    .sort((a, b) => b.nodes.length - a.nodes.length);
  return { connected, lonely };
}

type Neighbours = ReadonlyMap<string, readonly string[]>;

function indexNeighbours(nodes: readonly DiagramNode[], lines: readonly DiagramLine[]): Neighbours {
  const found = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { from, to } of lines) {
    found.get(from.node)?.push(to.node);
    found.get(to.node)?.push(from.node);
  }
  return found;
}

/** The sets of nodes that lines hold together, without those that have none. */
function findComponents(neighbours: Neighbours): readonly (readonly string[])[] {
  const seen = new Set<string>();
  const found: string[][] = [];
  for (const [start, around] of neighbours) {
    if (around.length === 0 || seen.has(start)) continue;
    const ids = [start];
    seen.add(start);
    for (const id of ids) {
      for (const next of neighbours.get(id) ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        ids.push(next);
      }
    }
    found.push(ids);
  }
  return found;
}

/**
 * Splits a large component: each node takes the label that most of its neighbours have, a neighbour with few lines counting
 * more than a hub, until nothing changes; labels that grew past the largest part take nobody in. Always gives the same.
 */
function splitComponent(ids: readonly string[], neighbours: Neighbours): readonly (readonly string[])[] {
  const labels = new Map(ids.map((id) => [id, id]));
  const sizes = new Map(ids.map((id) => [id, 1]));
  const byDegree = [...ids].sort((a, b) => (neighbours.get(a)?.length ?? 0) - (neighbours.get(b)?.length ?? 0));
  for (let round = 0, changed = true; changed && round < ROUNDS; round++) {
    changed = false;
    for (const id of byDegree) {
      const now = labels.get(id) ?? id;
      const next = chooseLabel(id, now, { labels, sizes, neighbours });
      if (next === now) continue;
      labels.set(id, next);
      sizes.set(now, (sizes.get(now) ?? 1) - 1);
      sizes.set(next, (sizes.get(next) ?? 0) + 1);
      changed = true;
    }
  }
  return [...Map.groupBy(ids, (id) => labels.get(id) ?? id).values()];
}

interface Labelling {
  readonly labels: ReadonlyMap<string, string>;
  readonly sizes: ReadonlyMap<string, number>;
  readonly neighbours: Neighbours;
}

function chooseLabel(id: string, now: string, { labels, sizes, neighbours }: Labelling): string {
  const weights = new Map<string, number>();
  for (const other of neighbours.get(id) ?? []) {
    const label = labels.get(other) ?? other;
    if (label !== now && (sizes.get(label) ?? 0) >= LARGEST_PART) continue;
    weights.set(label, (weights.get(label) ?? 0) + 1 / Math.sqrt(neighbours.get(other)?.length ?? 1));
  }
  let [best, most] = [now, weights.get(now) ?? 0];
  for (const [label, weight] of weights) if (weight > most + 1e-9) [best, most] = [label, weight];
  return best;
}
