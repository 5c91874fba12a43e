import type { DiagramGraph } from "./diagram-graph.ts";
import { type DiagramLine, linesOf } from "./diagram-lines.ts";
import { type DiagramNode, nodesOf } from "./diagram-nodes.ts";
import type { GraphPart } from "./dot-text.ts";

/** A part of more nodes than this is split where few lines hold it together, or it becomes a tower that nobody reads. */
export const LARGEST_PART = 48;

/** How often labels may pass from neighbour to neighbour; they settle long before in practice. */
const ROUNDS = 12;

/** A diagram cut into what is laid out together, the largest part first, and the nodes that no line leads to. */
export interface Parts {
  readonly connected: readonly GraphPart[];
  readonly lonely: readonly DiagramNode[];
}

/** Cuts a diagram into its connected parts, and large ones of those into neighbourhoods. */
export function partsOf(graph: DiagramGraph): Parts {
  const nodes = nodesOf(graph);
  const lines = linesOf(graph).filter(({ from, to }) => from.node !== to.node);
  const neighbours = neighboursOf(nodes, lines);
  const lonely = nodes.filter(({ id }) => neighbours.get(id)?.length === 0);
  const groups = components(neighbours).flatMap((ids) =>
    ids.length > LARGEST_PART ? neighbourhoods(ids, neighbours) : [ids],
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

function neighboursOf(nodes: readonly DiagramNode[], lines: readonly DiagramLine[]): Neighbours {
  const found = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { from, to } of lines) {
    found.get(from.node)?.push(to.node);
    found.get(to.node)?.push(from.node);
  }
  return found;
}

/** The sets of nodes that lines hold together, without those that have none. */
function components(neighbours: Neighbours): readonly (readonly string[])[] {
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
function neighbourhoods(ids: readonly string[], neighbours: Neighbours): readonly (readonly string[])[] {
  const labels = new Map(ids.map((id) => [id, id]));
  const sizes = new Map(ids.map((id) => [id, 1]));
  const byDegree = [...ids].sort((a, b) => (neighbours.get(a)?.length ?? 0) - (neighbours.get(b)?.length ?? 0));
  for (let round = 0, changed = true; changed && round < ROUNDS; round++) {
    changed = false;
    for (const id of byDegree) {
      const now = labels.get(id) ?? id;
      const next = bestLabel(id, now, { labels, sizes, neighbours });
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

function bestLabel(id: string, now: string, { labels, sizes, neighbours }: Labelling): string {
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
