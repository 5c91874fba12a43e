import { describe, expect, test } from "vitest";
import { DIAGRAM_COLOURS } from "../../shared/diagram/diagram-colours.ts";
import { layOutDiagram } from "../../shared/diagram/diagram-layout.ts";
import { createLines, createNodes } from "../../shared/diagram/diagram-nodes.ts";
import { formatSvg } from "../../shared/diagram/diagram-svg.ts";
import { escapeMarkup } from "../../shared/diagram/diagram-text.ts";
import { createGraph, type Signs } from "../../shared/diagram/graph-of-model.ts";
import { loadDot } from "../../shared/diagram/graphviz-engine.ts";
import { routeLine } from "../../shared/diagram/line-routes.ts";
import type { ModelDocument } from "../../shared/domain/document/document.ts";
import { shop } from "./support/diagram-models.ts";

const dot = await loadDot();

function svgOfModel(document: ModelDocument, signs?: Signs): string {
  const graph = createGraph(document, signs);
  const layout = layOutDiagram(graph, dot);
  const nodes = new Map(createNodes(graph).map((node) => [node.id, node]));
  const colours = DIAGRAM_COLOURS.dark;
  return formatSvg({
    title: document.name ?? document.key,
    nodes: [...layout.nodes].flatMap(([id, rect]) => {
      const node = nodes.get(id);
      return node ? [{ node, rect }] : [];
    }),
    lines: createLines(graph).flatMap((line) => {
      const curve = routeLine(line, nodes, layout.nodes, layout);
      return curve ? [{ line, curve }] : [];
    }),
    colours,
    tagColour: ({ tags }) => (tags.length > 0 ? colours.tags[0] : undefined),
    moreText: (hidden) => `${hidden} more`,
  });
}

describe("a diagram as an SVG file", () => {
  test("consists of shapes and texts only", () => {
    const names = svgOfModel(shop)
      .matchAll(/<\/?([^\s/>]+)/g)
      .map(([, name]) => name);
    expect([...new Set(names)].sort()).toEqual(["path", "polygon", "rect", "svg", "text", "title"]);
  });

  test("shows names, keys of attributes, roles, and the number of omitted rows", () => {
    const svg = svgOfModel(shop);
    for (const text of [">Customer<", ">customer<", ">placed_at<", ">goods<", ">delivery<", ">10 more<"])
      expect(svg).toContain(text);
  });

  test("shows added, removed and changed objects by a sign and a colour", () => {
    const signs: Signs = new Map([
      ["id-of-order", "added"],
      ["id-of-note", "removed"],
      ["id-of-customer/name", "changed"],
      ["id-of-contains", "removed"],
    ]);
    const svg = svgOfModel(shop, signs);
    for (const sign of [">+<", ">−<", ">~<", "stroke-dasharray"]) expect(svg).toContain(sign);
    expect(svgOfModel(shop)).not.toMatch(/>[+−~]<|stroke-dasharray/);
  });
});

test("an escaped text has no markup, nor characters that XML forbids", () => {
  expect(escapeMarkup(`<a b="c" d='e'>&</a>`)).toBe("&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;&lt;/a&gt;");
  expect(escapeMarkup("a\u0000b\u001bc\ufffed\ud800e\tf")).toBe("abcd\ufffde\tf");
});
