import type { DiagramGraph } from "../../shared/diagram/diagram-graph.ts";
import { layOutDiagram } from "../../shared/diagram/diagram-layout.ts";
import type { DiagramLayout } from "../../shared/diagram/geometry.ts";
import { loadDot } from "../../shared/diagram/graphviz-engine.ts";

/** Answer of the worker for a graph: its layout, or the reason of the failure. */
export type LayoutAnswer = { readonly layout: DiagramLayout } | { readonly reason: string };

addEventListener("message", async ({ data: graph }: MessageEvent<DiagramGraph>) => {
  const answer: LayoutAnswer = await loadDot()
    .then((dot) => ({ layout: layOutDiagram(graph, dot) }))
    .catch((error: unknown) => ({ reason: error instanceof Error ? error.message : String(error) }));
  postMessage(answer);
});
