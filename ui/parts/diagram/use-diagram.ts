import { useCallback, useMemo, useState } from "react";
import type { DiagramGraph } from "../../../shared/diagram/diagram-graph.ts";
import type { DiagramLayout } from "../../../shared/diagram/diagram-layout.ts";
import { type DiagramLine, linesOf } from "../../../shared/diagram/diagram-lines.ts";
import { type DiagramNode, nodesOf } from "../../../shared/diagram/diagram-nodes.ts";
import type { Rect } from "../../../shared/diagram/geometry.ts";
import type { NodesById } from "../../../shared/diagram/line-routes.ts";
import { placesOf } from "./flow-elements.ts";
import { keepPlaces, type MovedPlaces, readPlaces } from "./kept-places.ts";
import { useLayout } from "./use-layout.ts";

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
    const nodes = nodesOf(laidOut.graph);
    return { ...laidOut, nodes, byId: new Map(nodes.map((node) => [node.id, node])), lines: linesOf(laidOut.graph) };
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
    return { ...parts, places: placesOf(parts.nodes, parts.layout, moved), movedCount, move, arrange };
  }, [parts, moved, move, arrange]);
  return { ...(diagram && { diagram }), reason };
}
