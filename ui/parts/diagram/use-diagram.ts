import { useCallback, useEffect, useMemo, useState } from "react";
import type { DiagramGraph } from "../../../shared/diagram/diagram-graph.ts";
import { createLines, createNodes, type DiagramLine, type DiagramNode } from "../../../shared/diagram/diagram-nodes.ts";
import type { DiagramLayout, Point, Rect } from "../../../shared/diagram/geometry.ts";
import type { NodesById } from "../../../shared/diagram/line-routes.ts";
import type { LayoutAnswer } from "../../layout/layout-worker.ts";
import { placeNodes } from "./flow-elements.ts";

/** A laid out diagram with the positions that the person changed. */
export interface Diagram {
  readonly graph: DiagramGraph;
  readonly layout: DiagramLayout;
  readonly nodes: readonly DiagramNode[];
  readonly byId: NodesById;
  readonly lines: readonly DiagramLine[];
  readonly rects: ReadonlyMap<string, Rect>;
  readonly movedCount: number;
  /** Moves nodes by whole pixels; `isDone` stores the positions in this browser. */
  move(points: MovedPoints, isDone: boolean): void;
  arrange(): void;
}

/** Diagram, reason of a failure, or neither during layout. */
export interface DiagramState {
  readonly diagram?: Diagram;
  readonly reason?: string | undefined;
}

/** Lays out a graph; with a storage name, moved positions are stored in this browser. */
export function useDiagram(graph: DiagramGraph, keepAs?: string): DiagramState {
  const { result, reason } = useLayout(graph);
  const [moves, setMoves] = useState<MovedPoints>(() => (keepAs === undefined ? new Map() : readPoints(keepAs)));
  const parts = useMemo(() => {
    if (!result) return undefined;
    const nodes = createNodes(result.graph);
    return {
      ...result,
      nodes,
      byId: new Map(nodes.map((node) => [node.id, node])),
      lines: createLines(result.graph),
    };
  }, [result]);
  const move = useCallback(
    (points: MovedPoints, isDone: boolean) =>
      setMoves((before) => {
        const entries = [...points].map(([id, { x, y }]) => [id, { x: Math.round(x), y: Math.round(y) }] as const);
        const after = new Map([...before, ...entries]);
        if (isDone && keepAs !== undefined) storePoints(keepAs, after);
        return after;
      }),
    [keepAs],
  );
  const arrange = useCallback(() => {
    if (keepAs !== undefined) storePoints(keepAs, new Map());
    setMoves(new Map());
  }, [keepAs]);
  const diagram = useMemo((): Diagram | undefined => {
    if (!parts) return undefined;
    const movedCount = parts.nodes.filter(({ id }) => moves.has(id)).length;
    return { ...parts, rects: placeNodes(parts.nodes, parts.layout, moves), movedCount, move, arrange };
  }, [parts, moves, move, arrange]);
  return { ...(diagram && { diagram }), reason };
}

type MovedPoints = ReadonlyMap<string, Point>;

const getStorageName = (diagram: string) => `metaction.diagram.${diagram}`;

function readPoints(diagram: string): MovedPoints {
  try {
    const json: unknown = JSON.parse(localStorage.getItem(getStorageName(diagram)) ?? "{}");
    if (typeof json !== "object" || json === null) return new Map();
    return new Map(
      Object.entries(json).flatMap(([id, point]) => {
        const [x, y] = Array.isArray(point) ? point : [];
        return Number.isFinite(x) && Number.isFinite(y) ? [[id, { x, y }] as const] : [];
      }),
    );
  } catch {
    return new Map();
  }
}

/** Stores moved positions in this browser; an empty map removes them. Ignores a full or disabled storage. */
function storePoints(diagram: string, points: MovedPoints) {
  try {
    const entries = [...points].map(([id, { x, y }]) => [id, [x, y]] as const);
    if (entries.length === 0) localStorage.removeItem(getStorageName(diagram));
    else localStorage.setItem(getStorageName(diagram), JSON.stringify(Object.fromEntries(entries)));
  } catch {
    // The diagram stays as it is until the page is left.
  }
}

interface LayoutState {
  readonly result?: Pick<Diagram, "graph" | "layout">;
  readonly reason?: string;
}

/** Lays out a graph in a worker, which ends after its answer or when the component unmounts. */
function useLayout(graph: DiagramGraph): LayoutState {
  const [state, setState] = useState<LayoutState>({});
  useEffect(() => {
    const worker = new Worker(new URL("../../layout/layout-worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data: answer }: MessageEvent<LayoutAnswer>) => {
      setState("layout" in answer ? { result: { graph, layout: answer.layout } } : answer);
      worker.terminate();
    });
    worker.addEventListener("error", ({ message }) => setState({ reason: message }));
    worker.postMessage(graph);
    return () => worker.terminate();
  }, [graph]);
  return state;
}
