import { useCallback, useEffect, useMemo, useState } from "react";
import type { DiagramGraph } from "../../../shared/diagram/diagram-graph.ts";
import type { DiagramLayout } from "../../../shared/diagram/diagram-layout.ts";
import { createLines, createNodes, type DiagramLine, type DiagramNode } from "../../../shared/diagram/diagram-nodes.ts";
import type { Point, Rect } from "../../../shared/diagram/geometry.ts";
import type { NodesById } from "../../../shared/diagram/line-routes.ts";
import type { LayoutAnswer } from "../../layout/layout-worker.ts";
import { placeNodes } from "./flow-elements.ts";

/** A diagram that is laid out, with the places that a person gave to its nodes. */
export interface Diagram {
  readonly graph: DiagramGraph;
  readonly layout: DiagramLayout;
  readonly nodes: readonly DiagramNode[];
  readonly byId: NodesById;
  readonly lines: readonly DiagramLine[];
  /** Where each node is now. */
  readonly places: ReadonlyMap<string, Rect>;
  /** How many nodes a person moved. */
  readonly movedCount: number;
  /** Moves nodes, by whole pixels; `isDone` keeps it in this browser. */
  move(places: MovedPlaces, isDone: boolean): void;
  /** Puts every node where the layout has it. */
  arrange(): void;
}

/** What is known of a diagram: it, or why there is none, or neither while it is laid out. */
export interface DiagramState {
  readonly diagram?: Diagram;
  readonly reason?: string | undefined;
}

/** Lays out a graph; places that a person gives to nodes are kept in this browser under a name, if there is one. */
export function useDiagram(graph: DiagramGraph, keepAs?: string): DiagramState {
  const { laidOut, reason } = useLayout(graph);
  const [moved, setMoved] = useState<MovedPlaces>(() => (keepAs === undefined ? new Map() : readPlaces(keepAs)));
  const parts = useMemo(() => {
    if (!laidOut) return undefined;
    const nodes = createNodes(laidOut.graph);
    return {
      ...laidOut,
      nodes,
      byId: new Map(nodes.map((node) => [node.id, node])),
      lines: createLines(laidOut.graph),
    };
  }, [laidOut]);
  const move = useCallback(
    (places: MovedPlaces, isDone: boolean) =>
      setMoved((before) => {
        const whole = [...places].map(([id, { x, y }]) => [id, { x: Math.round(x), y: Math.round(y) }] as const);
        const after = new Map([...before, ...whole]);
        if (isDone && keepAs !== undefined) keepPlaces(keepAs, after);
        return after;
      }),
    [keepAs],
  );
  const arrange = useCallback(() => {
    if (keepAs !== undefined) keepPlaces(keepAs, new Map());
    setMoved(new Map());
  }, [keepAs]);
  const diagram = useMemo((): Diagram | undefined => {
    if (!parts) return undefined;
    const movedCount = parts.nodes.filter(({ id }) => moved.has(id)).length;
    return { ...parts, places: placeNodes(parts.nodes, parts.layout, moved), movedCount, move, arrange };
  }, [parts, moved, move, arrange]);
  return { ...(diagram && { diagram }), reason };
}

/** Places that a person gave to nodes, by the ids of the nodes. */
type MovedPlaces = ReadonlyMap<string, Point>;

const getStorageName = (diagram: string): string => `metaction.diagram.${diagram}`;

/** The places that were kept in this browser for a diagram; what is no place is left out. */
function readPlaces(diagram: string, storage: Storage = localStorage): MovedPlaces {
  try {
    const kept: unknown = JSON.parse(storage.getItem(getStorageName(diagram)) ?? "{}");
    if (typeof kept !== "object" || kept === null) return new Map();
    return new Map(
      Object.entries(kept).flatMap(([id, place]) => {
        const [x, y] = Array.isArray(place) ? place : [];
        return Number.isFinite(x) && Number.isFinite(y) ? [[id, { x, y }] as const] : [];
      }),
    );
  } catch {
    return new Map();
  }
}

/** Keeps the places of a diagram in this browser; none forgets it. A storage that is full or closed keeps nothing. */
function keepPlaces(diagram: string, places: MovedPlaces, storage: Storage = localStorage): void {
  try {
    const written = [...places].map(([id, { x, y }]) => [id, [x, y]] as const);
    if (written.length === 0) storage.removeItem(getStorageName(diagram));
    else storage.setItem(getStorageName(diagram), JSON.stringify(Object.fromEntries(written)));
  } catch {
    // The diagram stays as it is until the page is left.
  }
}

/** A graph with its layout, or why there is none. */
interface LaidOut {
  readonly graph: DiagramGraph;
  readonly layout: DiagramLayout;
}

/** What is known of the layout of a graph: that of the graph before while the new one is made. */
interface LayoutState {
  readonly laidOut?: LaidOut;
  /** Why the layout failed. */
  readonly reason?: string;
}

/** Lays out a graph in a worker, which ends with its answer or with the component. */
function useLayout(graph: DiagramGraph): LayoutState {
  const [state, setState] = useState<LayoutState>({});
  useEffect(() => {
    const worker = new Worker(new URL("../../layout/layout-worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data: answer }: MessageEvent<LayoutAnswer>) => {
      setState("layout" in answer ? { laidOut: { graph, layout: answer.layout } } : answer);
      worker.terminate();
    });
    worker.addEventListener("error", ({ message }) => setState({ reason: message }));
    worker.postMessage(graph);
    return () => worker.terminate();
  }, [graph]);
  return state;
}
