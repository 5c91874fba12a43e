import { DIAGRAM_COLOURS, findTagColourIndex } from "../../diagram/diagram-colours.ts";
import { type LayoutDot, layOutDiagram, packNodes } from "../../diagram/diagram-layout.ts";
import { createLines, createNodes } from "../../diagram/diagram-nodes.ts";
import { formatSvg } from "../../diagram/diagram-svg.ts";
import { createGraph } from "../../diagram/graph-of-model.ts";
import { routeLine } from "../../diagram/line-routes.ts";
import type { ModelDocument } from "../../domain/document/document.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Diagnostics } from "../common/diagnostics.ts";
import type { Coverage } from "../common/writing/coverage.ts";

export const SVG_COVERAGE: Coverage = {
  format: "SVG",
  model: { members: ["name", "entities", "relationships"] },
  types: { members: [] },
  entities: { members: ["name", "attributes", "primaryKey"] },
  attributes: { members: ["name", "type"] },
  relationships: { members: ["roles", "keyPairs"] },
  roles: { members: ["name", "entity", "cardinality"] },
};

const EMPTY_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64" role="img"></svg>\n';

/** Writes the diagram of a model as an SVG file. */
export async function writeSvg(document: ModelDocument, diagnostics: Diagnostics): Promise<string> {
  return (await drawModel(document, diagnostics)) ?? EMPTY_SVG;
}

const PACKED_GAP = 48;

/** Draws the diagram of a model as SVG; undefined without entities. */
export async function drawModel(document: ModelDocument, diagnostics: Diagnostics): Promise<string | undefined> {
  if (document.entities.length === 0) return undefined;
  // Keys serve as ids, as in refs of documents.
  const graph = createGraph(document);
  const nodes = createNodes(graph);
  const lines = createLines(graph);
  const isLarge = nodes.length > LIMITS.diagramBoxes || lines.length > LIMITS.diagramLines;
  if (isLarge) {
    diagnostics.warn("/entities", "written_otherwise", "the diagram is too large for a layout by relationships");
  }
  const layout = isLarge ? packNodes(nodes, PACKED_GAP) : layOutDiagram(graph, await loadEngine());
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const colours = DIAGRAM_COLOURS.light;
  return formatSvg({
    title: document.name,
    nodes: [...layout.nodes].flatMap(([id, rect]) => {
      const node = byId.get(id);
      return node ? [{ node, rect }] : [];
    }),
    lines: lines.flatMap((line) => {
      const curve = routeLine(line, byId, layout.nodes, layout);
      return curve ? [{ line, curve }] : [];
    }),
    colours,
    tagColour: ({ tags: [first] }) =>
      first === undefined ? undefined : colours.tags[findTagColourIndex(first.slice("key:".length))],
    moreText: (count) => `${count} more`,
  });
}

/** Loads the layout engine, which is WebAssembly, with the first diagram. */
async function loadEngine(): Promise<LayoutDot> {
  const { loadDot } = await import("../../diagram/graphviz-engine.ts");
  return loadDot();
}
