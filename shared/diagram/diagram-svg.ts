import { crowsFoot } from "./crows-feet.ts";
import { type DiagramColours, SIGN_MARKS, type TagColour } from "./diagram-colours.ts";
import type { DiagramAttribute, DiagramEntity, Sign } from "./diagram-graph.ts";
import type { DiagramLine } from "./diagram-lines.ts";
import type { DiagramNode } from "./diagram-nodes.ts";
import { BOX, type EntityBox, FACES, hasOwnName } from "./entity-box.ts";
import { boundsOf, boundsOfCurve, type Curve, pathOfCurve, type Rect, rounded } from "./geometry.ts";
import { escapedText } from "./markup-text.ts";
import { roleLabel } from "./role-label.ts";
import { svgText } from "./svg-text.ts";
import { textWidth } from "./text-width.ts";

/** A diagram as it is drawn: everything has its place and its colour. */
export interface Drawing {
  readonly title: string;
  readonly nodes: readonly { readonly node: DiagramNode; readonly rect: Rect }[];
  readonly lines: readonly { readonly line: DiagramLine; readonly curve: Curve }[];
  readonly colours: DiagramColours;
  /** The colour of the tag that an entity is coloured by, if it has one. */
  readonly tagColour: (entity: DiagramEntity) => TagColour | undefined;
  /** The line under rows for those that are left out. */
  readonly moreText: (hidden: number) => string;
}

/** Pixels around the drawing. */
const MARGIN = 32;

/** A drawing as the text of an SVG file of shapes and texts alone: no scripts, no styles, no foreign objects, no links. */
export function svgOf(drawing: Drawing): string {
  const { title, nodes, lines, colours } = drawing;
  const all = boundsOf([...nodes.map(({ rect }) => rect), ...lines.map(({ curve }) => boundsOfCurve(curve))]);
  const [x, y] = [rounded(all.x - MARGIN), rounded(all.y - MARGIN)];
  const [width, height] = [rounded(all.width + 2 * MARGIN), rounded(all.height + 2 * MARGIN)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}" role="img">`,
    `<title>${escapedText(title)}</title>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${colours.page}"/>`,
    ...lines.map(({ line, curve }) => lineText(line, curve, colours)),
    ...nodes.map(({ node, rect }) => nodeText(node, rect, drawing)),
    ...lines.flatMap(({ line, curve }) => roleTexts(line, curve, colours)),
    "</svg>\n",
  ].join("\n");
}

function lineText({ relationship, from, to }: DiagramLine, curve: Curve, colours: DiagramColours): string {
  const [start, handle, last, end] = [curve[0], curve[1], curve.at(-2), curve.at(-1)];
  if (!start || !handle || !last || !end) return "";
  const stroke = relationship.sign ? colours.signs[relationship.sign] : colours.line;
  const dashes = relationship.sign === "removed" ? ' stroke-dasharray="6 4"' : "";
  const feet = [crowsFoot(from.cardinality, start, handle), crowsFoot(to.cardinality, end, last)].join("");
  const marks = feet && `<path d="${feet}" fill="${colours.page}" stroke="${stroke}" stroke-width="1.25"/>`;
  return `<path d="${pathOfCurve(curve)}" fill="none" stroke="${stroke}" stroke-width="1.25"${dashes}/>${marks}`;
}

function roleTexts(line: DiagramLine, curve: Curve, colours: DiagramColours): readonly string[] {
  return (["from", "to"] as const).flatMap((side) => {
    const label = line[side].tellsMore ? roleLabel(line, side, curve) : undefined;
    if (!label) return [];
    return svgText(label.text, { ...label, width: label.width, face: FACES.role, fill: colours.dimmed });
  });
}

function nodeText(node: DiagramNode, rect: Rect, drawing: Drawing): string {
  if (node.is === "entity") return entityText(node.entity, node.box, rect, drawing);
  const { colours } = drawing;
  const [middleX, middleY] = [rect.x + rect.width / 2, rect.y + rect.height / 2];
  const { name, key, sign } = node.relationship;
  const stroke = sign ? colours.signs[sign] : colours.line;
  const corners = `${middleX},${rect.y} ${rect.x + rect.width},${middleY} ${middleX},${rect.y + rect.height} ${rect.x},${middleY}`;
  const below = { x: middleX, y: rect.y + rect.height + 14, width: 160, face: FACES.role, fill: colours.dimmed };
  return `<polygon points="${corners}" fill="${colours.box}" stroke="${stroke}"/>${svgText(name ?? key, { ...below, anchor: "middle" })}`;
}

function entityText(entity: DiagramEntity, box: EntityBox, rect: Rect, drawing: Drawing): string {
  const { colours, tagColour, moreText } = drawing;
  const { x, y, width, height } = rect;
  const tag = tagColour(entity);
  const border = entity.sign ? colours.signs[entity.sign] : colours.border;
  const [left, room] = [x + BOX.inset, width - 2 * BOX.inset];
  const isNamed = hasOwnName(entity);
  const title = { x: left, y: y + 21, width: room - (entity.sign ? BOX.mark : 0), face: FACES.title };
  const parts = [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="${colours.box}"/>`,
    `<path d="${headerPath(rect, box.headerHeight)}" fill="${tag?.fill ?? colours.header}"/>`,
    svgText(isNamed ? (entity.name ?? "") : entity.key, { ...title, fill: colours.text }),
  ];
  if (isNamed)
    parts.push(svgText(entity.key, { ...title, y: y + 38, width: room, face: FACES.key, fill: colours.dimmed }));
  if (entity.sign) parts.push(signText(entity.sign, x + width - BOX.inset, y + 21, colours));
  for (const [at, row] of box.rows.entries()) {
    parts.push(rowText(row, x, y + box.headerHeight + at * BOX.row, width, colours));
  }
  if (box.hidden > 0) {
    const below = y + box.headerHeight + box.rows.length * BOX.row + 15;
    const place = { x: left + BOX.mark, y: below, width: room, face: FACES.name, fill: colours.dimmed };
    parts.push(svgText(moreText(box.hidden), place));
  }
  parts.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="none" stroke="${border}"/>`);
  return parts.join("");
}

function rowText(row: DiagramAttribute, x: number, y: number, width: number, colours: DiagramColours): string {
  const room = width - 2 * BOX.inset - BOX.mark;
  const isNamed = hasOwnName(row);
  const typeWidth = Math.min(room * 0.45, textWidth(row.type, FACES.type));
  const place = { x: x + BOX.inset + BOX.mark, y: y + 15 };
  const type = { x: x + width - BOX.inset, y: y + 15, width: typeWidth + 1, face: FACES.type, fill: colours.dimmed };
  const name = {
    ...place,
    width: room - typeWidth - 6,
    face: isNamed ? FACES.name : FACES.nameKey,
    fill: colours.text,
  };
  const mark = row.inKey ? keyMark(x + BOX.inset, y + BOX.row / 2, colours.dimmed) : "";
  const sign = row.sign ? signText(row.sign, x + BOX.inset - 1, y + 15, colours) : "";
  return `${mark}${sign}${svgText(isNamed ? (row.name ?? "") : row.key, name)}${svgText(row.type, { ...type, anchor: "end" })}`;
}

/** A small key: the sign of the primary key. */
function keyMark(x: number, y: number, stroke: string): string {
  const shape = `M${x + 3},${y}m-3,0a3,3 0 1 0 6,0a3,3 0 1 0 -6,0M${x + 6},${y}h6m-2,0v3m-2.5,-3v2.5`;
  return `<path d="${shape}" fill="none" stroke="${stroke}" stroke-width="1.2"/>`;
}

function signText(sign: Sign, x: number, y: number, { signs }: DiagramColours): string {
  const face = { size: 14, bold: true, mono: true };
  return svgText(SIGN_MARKS[sign], { x, y, width: 20, face, fill: signs[sign], anchor: "end" });
}

function headerPath({ x, y, width, height }: Rect, headerHeight: number): string {
  const right = x + width;
  const bottom = y + headerHeight;
  const corners =
    headerHeight >= height - 6
      ? `V${y + height - 6}q0,6 -6,6H${x + 6}q-6,0 -6,-6V${y + 6}`
      : `V${bottom}H${x}V${y + 6}`;
  return `M${x},${y + 6}q0,-6 6,-6H${right - 6}q6,0 6,6${corners}Z`;
}
