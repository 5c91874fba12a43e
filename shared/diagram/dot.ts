import { BOX, type DiagramLine, type DiagramNode, type EntityBox, type LineEnd } from "./diagram-nodes.ts";
import { type Curve, type DiagramLayout, moveCurve, type Point, type Rect } from "./geometry.ts";

/** Nodes and lines that are laid out together. */
export interface GraphPart {
  readonly nodes: readonly DiagramNode[];
  readonly lines: readonly DiagramLine[];
}

/** Points in an inch, the unit of sizes in dot. A point is a pixel here. */
export const POINTS = 72;

const SETTINGS = [
  `graph [rankdir=LR nodesep=${38 / POINTS} ranksep=${104 / POINTS} splines=true nslimit=4 mclimit=0.6]`,
  'node [shape=plain margin=0 label=""]',
  "edge [arrowhead=none]",
];

/** Formats a part in dot: nodes `n<i>`, lines with id `<j>`, no text of a model. One is to the left of many. */
export function formatDot({ nodes, lines }: GraphPart): string {
  const byId = new Map(nodes.map((node, at) => [node.id, { node, at }]));
  const formatPort = ({ node: id, attribute }: LineEnd) => {
    const entry = byId.get(id);
    if (!entry) throw new Error(`no node ${id}`);
    return entry.node.is === "entity" ? `n${entry.at}:${findRowPort(entry.node.box, attribute)}` : `n${entry.at}`;
  };
  const edges = lines.map((line, at) => {
    const [tail, head] = isReversed(line) ? [line.to, line.from] : [line.from, line.to];
    return `${formatPort(tail)} -> ${formatPort(head)} [id=${at}]`;
  });
  return `digraph {\n${[...SETTINGS, ...nodes.map(formatDotNode), ...edges].join("\n")}\n}`;
}

/** Returns true for a line whose end comes before its start in the layout. */
export function isReversed({ from, to }: DiagramLine): boolean {
  if (from.cardinality === undefined) return to.cardinality !== "many";
  return from.cardinality === "many" && to.cardinality !== "many";
}

function formatDotNode(node: DiagramNode, at: number) {
  if (node.is === "diamond") {
    const side = BOX.diamond / POINTS;
    return `n${at} [shape=diamond fixedsize=true width=${side} height=${side}]`;
  }
  return `n${at} [label=<${formatDotTable(node.box)}>]`;
}

/** Formats empty cells with the sizes of header and rows, so that lines end at rows. */
function formatDotTable({ width, height, headerHeight, rows, excess }: EntityBox) {
  const lines = rows.length + (excess > 0 ? 1 : 0);
  const cells = [
    ["h", headerHeight],
    ...Array.from({ length: lines }, (_, at) => [`r${at}`, BOX.row] as const),
    ...(lines > 0 ? [["f", height - headerHeight - lines * BOX.row] as const] : []),
  ];
  const cellTexts = cells.map(
    ([port, tall]) => `<TR><TD PORT="${port}" FIXEDSIZE="TRUE" WIDTH="${width}" HEIGHT="${tall}"></TD></TR>`,
  );
  return `<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">${cellTexts.join("")}</TABLE>`;
}

function findRowPort({ rows, excess }: EntityBox, attribute: string | undefined) {
  const at = rows.findIndex(({ key }) => key === attribute);
  if (at >= 0) return `r${at}`;
  return attribute !== undefined && excess > 0 ? `r${rows.length}` : "h";
}

interface DotAnswer {
  readonly objects?: readonly {
    readonly name: string;
    readonly pos?: string;
    readonly width?: string;
    readonly height?: string;
  }[];
  readonly edges?: readonly { readonly id?: string; readonly pos?: string }[];
}

/** Parses the answer of dot for a part. */
export function parseDotAnswer(part: GraphPart, text: string): DiagramLayout {
  // The format belongs to a library of fixed version.
  const { objects = [], edges = [] } = JSON.parse(text) as DotAnswer;
  const nodes = new Map<string, Rect>();
  for (const { name, pos, width, height } of objects) {
    const node = /^n\d+$/.test(name) ? part.nodes[Number(name.slice(1))] : undefined;
    if (!node || !pos) continue;
    const middle = parsePoint(pos);
    const size = { width: Number(width) * POINTS, height: Number(height) * POINTS };
    nodes.set(node.id, { x: middle.x - size.width / 2, y: middle.y - size.height / 2, ...size });
  }
  const curves = new Map<string, Curve>();
  for (const { id, pos } of edges) {
    const line = part.lines[Number(id)];
    const curve =
      pos === undefined
        ? []
        : pos
            .split(" ")
            .filter((word) => !/^[es],/.test(word))
            .map(parsePoint);
    if (line && curve.length > 3) curves.set(line.id, isReversed(line) ? curve.toReversed() : curve);
  }
  return { nodes, curves };
}

export function movePart({ nodes, curves }: DiagramLayout, by: Point): DiagramLayout {
  return {
    nodes: new Map([...nodes].map(([id, rect]) => [id, { ...rect, x: rect.x + by.x, y: rect.y + by.y }])),
    curves: new Map([...curves].map(([id, curve]) => [id, moveCurve(curve, by)])),
  };
}

function parsePoint(text: string): Point {
  const [x = 0, y = 0] = text.split(",").map(Number);
  return { x, y };
}
