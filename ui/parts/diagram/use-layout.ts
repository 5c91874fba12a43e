import { useEffect, useState } from "react";
import type { DiagramGraph } from "../../../shared/diagram/diagram-graph.ts";
import type { DiagramLayout } from "../../../shared/diagram/diagram-layout.ts";
import type { LayoutAnswer } from "../../layout/layout-worker.ts";

/** A graph with its layout, or why there is none. */
export interface LaidOut {
  readonly graph: DiagramGraph;
  readonly layout: DiagramLayout;
}

/** What is known of the layout of a graph: that of the graph before while the new one is made. */
export interface LayoutState {
  readonly laidOut?: LaidOut;
  /** Why the layout failed. */
  readonly reason?: string;
}

/** Lays out a graph in a worker, which ends with its answer or with the component. */
export function useLayout(graph: DiagramGraph): LayoutState {
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
