import type { DiagramGraph } from "./diagram-graph.ts";
import { createLines, createNodes, type DiagramLine, type DiagramNode, getNodeSize } from "./diagram-nodes.ts";
import { formatDot, type GraphPart, movePart, parseDotAnswer } from "./dot.ts";
import { type DiagramLayout, findBounds, findCurveBounds, type Point, type Rect } from "./geometry.ts";

/** Lays out a text in the language dot. Returns JSON with `y` growing downwards. */
export type LayoutDot = (text: string) => string;

/** Pixels between parts of a diagram. */
const PART_GAP = 120;
/** Pixels between entities without lines. */
const LONELY_GAP = 32;

/** Finds positions for nodes and curves for lines. The result is deterministic. */
export function layOutDiagram(graph: DiagramGraph, dot: LayoutDot): DiagramLayout {
  const { parts, lonely } = splitGraph(graph);
  const layouts = parts.map((part) => parseDotAnswer(part, dot(formatDot(part))));
  if (lonely.length > 0) layouts.push(packNodes(lonely, LONELY_GAP));
  const bounds = layouts.map(({ nodes, curves }) =>
    findBounds([...nodes.values(), ...[...curves.values()].map(findCurveBounds)]),
  );
  const points = packBoxes(bounds, PART_GAP);
  const results = layouts.map((part, at) => {
    const { x, y } = bounds[at] ?? { x: 0, y: 0 };
    const to = points[at] ?? { x: 0, y: 0 };
    return movePart(part, { x: to.x - x, y: to.y - y });
  });
  return {
    nodes: new Map(results.flatMap(({ nodes }) => [...nodes])),
    curves: new Map(results.flatMap(({ curves }) => [...curves])),
  };
}

/** Packs nodes without regard to their lines. */
export function packNodes(nodes: readonly DiagramNode[], gap: number): DiagramLayout {
  const sizes = nodes.map(getNodeSize);
  const points = packBoxes(sizes, gap);
  const rects = nodes.map(
    ({ id }, at) => [id, { x: 0, y: 0, width: 0, height: 0, ...points[at], ...sizes[at] }] as const,
  );
  return { nodes: new Map(rects), curves: new Map() };
}

type Size = Pick<Rect, "width" | "height">;

const ASPECT = 1.6;

/** Packs boxes in their order, each at the lowest free position from the left. */
export function packBoxes(sizes: readonly Size[], gap: number): readonly Point[] {
  const area = sizes.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0);
  const limit = Math.max(Math.sqrt(area * ASPECT) * 1.05, ...sizes.map(({ width }) => width + gap));
  // The skyline: bottom of the boxes from each `x` on.
  let skyline: readonly Point[] = [{ x: 0, y: 0 }];
  return sizes.map(({ width, height }) => {
    const point = findLowest(skyline, width + gap, limit);
    skyline = raiseSkyline(skyline, point, width + gap, point.y + height + gap, limit);
    return point;
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
  const baseY = skyline.findLast((step) => step.x <= end)?.y ?? 0;
  const steps = skyline.filter((step) => step.x < x || step.x > end);
  const after = end < limit ? [{ x: end, y: baseY }] : [];
  return [...steps, { x, y }, ...after].sort((a, b) => a.x - b.x);
}

/** Parts with more nodes are split; otherwise they become too tall to read. */
export const LARGEST_PART = 48;

const ROUNDS = 12;

interface Parts {
  readonly parts: readonly GraphPart[];
  readonly lonely: readonly DiagramNode[];
}

/** Splits a diagram into connected parts, and large parts into neighbourhoods. */
export function splitGraph(graph: DiagramGraph): Parts {
  const nodes = createNodes(graph);
  const lines = createLines(graph).filter(({ from, to }) => from.node !== to.node);
  const neighbours = indexNeighbours(nodes, lines);
  const lonely = nodes.filter(({ id }) => neighbours.get(id)?.length === 0);
  const groups = findComponents(neighbours).flatMap((ids) =>
    ids.length > LARGEST_PART ? splitComponent(ids, neighbours) : [ids],
  );
  const groupOf = new Map(groups.flatMap((ids, at) => ids.map((id) => [id, at] as const)));
  const parts = groups
    .map((_, at) => ({
      nodes: nodes.filter(({ id }) => groupOf.get(id) === at),
      lines: lines.filter(({ from, to }) => groupOf.get(from.node) === at && groupOf.get(to.node) === at),
    }))
    .sort((a, b) => b.nodes.length - a.nodes.length);
  return { parts, lonely };
}

type Neighbours = ReadonlyMap<string, readonly string[]>;

function indexNeighbours(nodes: readonly DiagramNode[], lines: readonly DiagramLine[]): Neighbours {
  const index = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { from, to } of lines) {
    index.get(from.node)?.push(to.node);
    index.get(to.node)?.push(from.node);
  }
  return index;
}

function findComponents(neighbours: Neighbours): readonly (readonly string[])[] {
  const visitedIds = new Set<string>();
  const groups: string[][] = [];
  for (const [start, neighbourIds] of neighbours) {
    if (neighbourIds.length === 0 || visitedIds.has(start)) continue;
    const ids = [start];
    visitedIds.add(start);
    for (const id of ids) {
      for (const next of neighbours.get(id) ?? []) {
        if (visitedIds.has(next)) continue;
        visitedIds.add(next);
        ids.push(next);
      }
    }
    groups.push(ids);
  }
  return groups;
}

/** Splits a large component by deterministic label propagation. Neighbours with few lines count more. */
function splitComponent(ids: readonly string[], neighbours: Neighbours): readonly (readonly string[])[] {
  const labels = new Map(ids.map((id) => [id, id]));
  const sizes = new Map(ids.map((id) => [id, 1]));
  const byDegree = [...ids].sort((a, b) => (neighbours.get(a)?.length ?? 0) - (neighbours.get(b)?.length ?? 0));
  for (let round = 0, hasChanged = true; hasChanged && round < ROUNDS; round++) {
    hasChanged = false;
    for (const id of byDegree) {
      const now = labels.get(id) ?? id;
      const next = chooseLabel(id, now, { labels, sizes, neighbours });
      if (next === now) continue;
      labels.set(id, next);
      sizes.set(now, (sizes.get(now) ?? 1) - 1);
      sizes.set(next, (sizes.get(next) ?? 0) + 1);
      hasChanged = true;
    }
  }
  return [...Map.groupBy(ids, (id) => labels.get(id) ?? id).values()];
}

interface Labelling {
  readonly labels: ReadonlyMap<string, string>;
  readonly sizes: ReadonlyMap<string, number>;
  readonly neighbours: Neighbours;
}

function chooseLabel(id: string, now: string, { labels, sizes, neighbours }: Labelling) {
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
