import type { DiagramLine, LineEnd } from "./diagram-lines.ts";
import type { DiagramNode } from "./diagram-nodes.ts";
import { BOX, type EntityBox } from "./entity-box.ts";

/** Nodes and lines that are laid out together. */
export interface GraphPart {
  readonly nodes: readonly DiagramNode[];
  /** Lines between those nodes, without loops. */
  readonly lines: readonly DiagramLine[];
}

/** Points in an inch, the unit of sizes in dot; a point is a pixel here. */
export const POINTS = 72;

const SETTINGS = [
  `graph [rankdir=LR nodesep=${38 / POINTS} ranksep=${104 / POINTS} splines=true nslimit=4 mclimit=0.6]`,
  'node [shape=plain margin=0 label=""]',
  "edge [arrowhead=none]",
];

/**
 * A part of a diagram in the language dot: the node at `i` is called `n<i>`, the line at `j` has the id `<j>`. No text of a
 * model is in it. What there is one of stands to the left of what there are many of.
 */
export function dotOf({ nodes, lines }: GraphPart): string {
  const places = new Map(nodes.map((node, at) => [node.id, { node, at }]));
  const portOf = ({ node: id, attribute }: LineEnd): string => {
    const place = places.get(id);
    if (!place) throw new Error(`no node ${id}`);
    return place.node.is === "entity" ? `n${place.at}:${rowPort(place.node.box, attribute)}` : `n${place.at}`;
  };
  const edges = lines.map((line, at) => {
    const [tail, head] = isTurned(line) ? [line.to, line.from] : [line.from, line.to];
    return `${portOf(tail)} -> ${portOf(head)} [id=${at}]`;
  });
  return `digraph {\n${[...SETTINGS, ...nodes.map(nodeLine), ...edges].join("\n")}\n}`;
}

/** True for a line whose end comes before its start in the layout. */
export function isTurned({ from, to }: DiagramLine): boolean {
  if (from.cardinality === undefined) return to.cardinality !== "many";
  return from.cardinality === "many" && to.cardinality !== "many";
}

function nodeLine(node: DiagramNode, at: number): string {
  if (node.is === "diamond") {
    const side = BOX.diamond / POINTS;
    return `n${at} [shape=diamond fixedsize=true width=${side} height=${side}]`;
  }
  return `n${at} [label=<${tableOf(node.box)}>]`;
}

/** A table of empty cells of the sizes of header and rows, so that lines find their rows. */
function tableOf({ width, height, headerHeight, rows, hidden }: EntityBox): string {
  const lines = rows.length + (hidden > 0 ? 1 : 0);
  const cells = [
    ["h", headerHeight],
    ...Array.from({ length: lines }, (_, at) => [`r${at}`, BOX.row] as const),
    ...(lines > 0 ? [["f", height - headerHeight - lines * BOX.row] as const] : []),
  ];
  const written = cells.map(
    ([port, tall]) => `<TR><TD PORT="${port}" FIXEDSIZE="TRUE" WIDTH="${width}" HEIGHT="${tall}"></TD></TR>`,
  );
  return `<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">${written.join("")}</TABLE>`;
}

function rowPort({ rows, hidden }: EntityBox, attribute: string | undefined): string {
  const at = rows.findIndex(({ key }) => key === attribute);
  if (at >= 0) return `r${at}`;
  return attribute !== undefined && hidden > 0 ? `r${rows.length}` : "h";
}
