import { beforeAll, describe, expect, test } from "vitest";
import {
  LARGEST_PART,
  type LayoutDot,
  layOutDiagram,
  packBoxes,
  splitGraph,
} from "../../shared/diagram/diagram-layout.ts";
import { createLines, createNodes, findRowMiddle, getNodeSize } from "../../shared/diagram/diagram-nodes.ts";
import { formatDot } from "../../shared/diagram/dot.ts";
import { findBounds, type Rect } from "../../shared/diagram/geometry.ts";
import { createGraph } from "../../shared/diagram/graph-of-model.ts";
import { loadDot } from "../../shared/diagram/graphviz-engine.ts";
import { formatCrowsFoot } from "../../shared/diagram/line-marks.ts";
import { routeLine } from "../../shared/diagram/line-routes.ts";
import { createChance } from "../support/chance.ts";
import { largeModel, shop } from "./support/diagram-models.ts";
import { documentOf, entity, joined } from "./support/diagram-parts.ts";

let dot: LayoutDot;
beforeAll(async () => {
  dot = await loadDot();
});

const graph = createGraph(shop);
const nodes = new Map(createNodes(graph).map((node) => [node.id, node]));

const overlaps = (a: Rect, b: Rect) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

function overlapping(rects: ReadonlyMap<string, Rect>): readonly string[] {
  const all = [...rects];
  return all.flatMap(([a, one], at) =>
    all.slice(at + 1).flatMap(([b, other]) => (overlaps(one, other) ? [`${a} ${b}`] : [])),
  );
}

describe("the layout of a diagram", () => {
  test("places every node at its size, without overlap", () => {
    const { nodes: places } = layOutDiagram(graph, dot);
    expect([...places.keys()].sort()).toEqual([...nodes.keys()].sort());
    for (const [id, { width, height }] of places) {
      const node = nodes.get(id);
      expect(node && getNodeSize(node), id).toMatchObject({ width: Math.round(width), height: Math.round(height) });
    }
    expect(overlapping(places)).toEqual([]);
  });

  test("ends each line at the side of its box, at the height of its row", () => {
    const layout = layOutDiagram(graph, dot);
    for (const line of createLines(graph)) {
      const curve = routeLine(line, nodes, layout.nodes, layout) ?? [];
      for (const [end, point] of [[line.from, curve[0]] as const, [line.to, curve.at(-1)] as const]) {
        const [node, rect] = [nodes.get(end.node), layout.nodes.get(end.node)];
        if (node?.is !== "entity" || !rect || !point) continue;
        const side = Math.min(Math.abs(point.x - rect.x), Math.abs(point.x - rect.x - rect.width));
        expect({ line: line.id, side: side < 2 }).toEqual({ line: line.id, side: true });
        const row = rect.y + findRowMiddle(node.box, end.attribute);
        const isLoop = line.from.node === line.to.node;
        expect(Math.abs(point.y - row)).toBeLessThan(isLoop ? 23 : 18);
      }
    }
  });

  test("is deterministic", () => expect(layOutDiagram(graph, dot)).toEqual(layOutDiagram(graph, dot)));

  test("is empty for a model without entities", () =>
    expect(layOutDiagram(createGraph(documentOf("empty", {})), dot)).toEqual({ nodes: new Map(), curves: new Map() }));

  test("accepts keys with any characters", () => {
    const odd = [`"`, "]; x [", "<b>", "\\n", "a\\", "};"];
    const strange = createGraph(
      documentOf("strange", {
        entities: odd.map((key) => entity(key, ["id", key])),
        relationships: odd.slice(1).map((key) => joined(key, [key, key, "many"], [`"`, "id", "one"])),
      }),
    );
    const text = splitGraph(strange).parts.map(formatDot).join("");
    for (const key of ["<b>", "x [", "};"]) expect(text).not.toContain(key);
    expect(layOutDiagram(strange, dot).nodes.size).toBe(odd.length);
  });

  test("splits a large model into neighbourhoods, places all of them, and fits the proportions of a screen", () => {
    const large = createGraph(largeModel(150));
    const sizes = splitGraph(large).parts.map((part) => part.nodes.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(LARGEST_PART);
    expect(sizes.length).toBeLessThan(40);
    const { nodes: places } = layOutDiagram(large, dot);
    expect(places.size).toBe(150);
    expect(overlapping(places)).toEqual([]);
    const width = Math.max(...[...places.values()].map((rect) => rect.x + rect.width));
    const height = Math.max(...[...places.values()].map((rect) => rect.y + rect.height));
    expect(width / height).toBeGreaterThan(0.8);
    expect(width / height).toBeLessThan(3);
  });
});

test("a line of a box that the user moved is replaced by one between the new positions", () => {
  const layout = layOutDiagram(graph, dot);
  const line = createLines(graph).find(({ id }) => id === "id-of-places");
  const before = layout.nodes.get("id-of-order");
  if (!line || !before) throw new Error("no line");
  const moved = { ...before, x: before.x + 700, y: before.y - 300 };
  expect(routeLine(line, nodes, layout.nodes, layout)).toBe(layout.curves.get(line.id));
  const curve = routeLine(line, nodes, new Map([...layout.nodes, ["id-of-order", moved]]), layout);
  expect(curve?.at(-1)).toEqual({ x: moved.x, y: moved.y + 34 + 22 + 11 });
});

test("positions of parts do not overlap, for any sizes", () => {
  const { below } = createChance(42);
  for (let round = 0; round < 50; round++) {
    const sizes = Array.from({ length: 1 + below(40) }, () => ({ width: 20 + below(900), height: 20 + below(900) }));
    const places = packBoxes(sizes, 10);
    const rects = new Map(sizes.map((size, at) => [`${at}`, { ...size, ...(places[at] ?? { x: 0, y: 0 }) }]));
    expect({ round, overlapping: overlapping(rects) }).toEqual({ round, overlapping: [] });
  }
});

test("the marks of a cardinality differ, and an unknown one has none", () => {
  const at = (cardinality: Parameters<typeof formatCrowsFoot>[0]) =>
    formatCrowsFoot(cardinality, { x: 0, y: 0 }, { x: 40, y: 3 });

  expect(at("many")).toBe("M0,-6L14,0L0,6");
  expect(at("one")).toBe("M6,-6L6,6M11,-6L11,6");
  expect(at("zeroOrOne")).toMatch(/^M6,-6L6,6M8,0A/);
  expect(at("unknown")).toBe("");
  expect(at(undefined)).toBe("");
});

test("the bounds of rectangles contain all of them, however many there are", () => {
  expect(findBounds([])).toEqual({ x: 0, y: 0, width: 0, height: 0 });
  expect(findBounds([{ x: 5, y: -3, width: 2, height: 4 }])).toEqual({ x: 5, y: -3, width: 2, height: 4 });
  const rects = Array.from({ length: 300_000 }, (_, i) => ({ x: i, y: -i, width: 10, height: 20 }));
  expect(findBounds(rects)).toEqual({ x: 0, y: -299_999, width: 300_009, height: 300_019 });
});
