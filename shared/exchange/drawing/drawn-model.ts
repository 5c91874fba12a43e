import { DIAGRAM_COLOURS } from "../../diagram/diagram-colours.ts";
import { type DiagramLayout, layOut } from "../../diagram/diagram-layout.ts";
import { linesOf } from "../../diagram/diagram-lines.ts";
import { nodesOf, sizeOf } from "../../diagram/diagram-nodes.ts";
import { svgOf } from "../../diagram/diagram-svg.ts";
import type { Rect } from "../../diagram/geometry.ts";
import { graphOfModel } from "../../diagram/graph-of-model.ts";
import { loadDot } from "../../diagram/graphviz-engine.ts";
import { routeOf } from "../../diagram/line-routes.ts";
import { packed } from "../../diagram/packing.ts";
import { tagColourIndex } from "../../diagram/tag-colour.ts";
import type { ModelDocument } from "../../domain/document.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Findings } from "../findings.ts";

/** Pixels between boxes that are only packed. */
const GAP = 48;

/** The diagram of a model as the text of an SVG file, laid out as the web application does it; undefined without entities. */
export async function drawnModel(document: ModelDocument, findings: Findings): Promise<string | undefined> {
  if (document.entities.length === 0) return undefined;
  // Keys tell objects apart here, as refs of documents do.
  const graph = graphOfModel(document);
  const nodes = nodesOf(graph);
  const lines = linesOf(graph);
  const isLarge = nodes.length > LIMITS.diagramBoxes || lines.length > LIMITS.diagramLines;
  if (isLarge) {
    findings.warn("/entities", "written_otherwise", "a diagram of that size is not laid out by its relationships");
  }
  const layout = isLarge ? packedLayout(nodes) : layOut(graph, await loadDot());
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const colours = DIAGRAM_COLOURS.light;
  return svgOf({
    title: document.name,
    nodes: [...layout.nodes].flatMap(([id, rect]) => {
      const node = byId.get(id);
      return node ? [{ node, rect }] : [];
    }),
    lines: lines.flatMap((line) => {
      const curve = routeOf(line, byId, layout.nodes, layout);
      return curve ? [{ line, curve }] : [];
    }),
    colours,
    tagColour: ({ tags: [first] }) =>
      first === undefined ? undefined : colours.tags[tagColourIndex(first.slice("key:".length))],
    moreText: (hidden) => `${hidden} more`,
  });
}

function packedLayout(nodes: ReturnType<typeof nodesOf>): DiagramLayout {
  const sizes = nodes.map(sizeOf);
  const places = packed(sizes, GAP);
  const rects = nodes.map(({ id }, i): [string, Rect] => [
    id,
    { x: 0, y: 0, width: 0, height: 0, ...places[i], ...sizes[i] },
  ]);
  return { nodes: new Map(rects), curves: new Map() };
}
