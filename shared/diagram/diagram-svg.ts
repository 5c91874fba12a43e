import { type DiagramColours, SIGN_MARKS, type TagColour } from "./diagram-colours.ts";
import type { DiagramAttribute, DiagramEntity, Sign } from "./diagram-graph.ts";
import { BOX, type DiagramLine, type DiagramNode, type EntityBox, FACES, hasOwnName } from "./diagram-nodes.ts";
import { escapeMarkup, formatText, measureText } from "./diagram-text.ts";
import { type Curve, findBounds, findCurveBounds, formatCurve, type Rect, roundToTenth } from "./geometry.ts";
import { createRoleLabel, formatLineEnds } from "./line-marks.ts";

/** A diagram with positions and colours. */
export interface Drawing {
  readonly title: string;
  readonly nodes: readonly { readonly node: DiagramNode; readonly rect: Rect }[];
  readonly lines: readonly { readonly line: DiagramLine; readonly curve: Curve }[];
  readonly colours: DiagramColours;
  readonly tagColour: (entity: DiagramEntity) => TagColour | undefined;
  readonly moreText: (excess: number) => string;
}

/** Pixels around the drawing. */
const MARGIN = 32;

/** Formats a drawing as SVG without scripts, styles, foreign objects or links. */
export function formatSvg(drawing: Drawing): string {
  const { title, nodes, lines, colours } = drawing;
  const all = findBounds([...nodes.map(({ rect }) => rect), ...lines.map(({ curve }) => findCurveBounds(curve))]);
  const [x, y] = [roundToTenth(all.x - MARGIN), roundToTenth(all.y - MARGIN)];
  const [width, height] = [roundToTenth(all.width + 2 * MARGIN), roundToTenth(all.height + 2 * MARGIN)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}" role="img">`,
    `<title>${escapeMarkup(title)}</title>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${colours.page}"/>`,
    ...lines.map(({ line, curve }) => formatLine(line, curve, colours)),
    ...nodes.map(({ node, rect }) => formatNode(node, rect, drawing)),
    ...lines.flatMap(({ line, curve }) => formatRoles(line, curve, colours)),
    "</svg>\n",
  ].join("\n");
}

function formatLine(line: DiagramLine, curve: Curve, colours: DiagramColours) {
  const { relationship } = line;
  const feet = formatLineEnds(line, curve);
  if (feet === undefined) return "";
  const stroke = relationship.sign ? colours.signs[relationship.sign] : colours.line;
  const dashes = relationship.sign === "removed" ? ' stroke-dasharray="6 4"' : "";
  const marks = feet && `<path d="${feet}" fill="${colours.page}" stroke="${stroke}" stroke-width="1.25"/>`;
  return `<path d="${formatCurve(curve)}" fill="none" stroke="${stroke}" stroke-width="1.25"${dashes}/>${marks}`;
}

function formatRoles(line: DiagramLine, curve: Curve, colours: DiagramColours): readonly string[] {
  return (["from", "to"] as const).flatMap((side) => {
    const label = line[side].isInformative ? createRoleLabel(line, side, curve) : undefined;
    if (!label) return [];
    return formatText(line[side].role ?? "", { ...label, face: FACES.role, fill: colours.detail });
  });
}

function formatNode(node: DiagramNode, rect: Rect, drawing: Drawing) {
  if (node.is === "entity") return formatEntity(node.entity, node.box, rect, drawing);
  const { colours } = drawing;
  const [middleX, middleY] = [rect.x + rect.width / 2, rect.y + rect.height / 2];
  const { name, key, sign } = node.relationship;
  const stroke = sign ? colours.signs[sign] : colours.line;
  const corners = `${middleX},${rect.y} ${rect.x + rect.width},${middleY} ${middleX},${rect.y + rect.height} ${rect.x},${middleY}`;
  const labelBox = { x: middleX, y: rect.y + rect.height + 14, width: 160, face: FACES.role, fill: colours.detail };
  return `<polygon points="${corners}" fill="${colours.box}" stroke="${stroke}"/>${formatText(name ?? key, { ...labelBox, anchor: "middle" })}`;
}

function formatEntity(entity: DiagramEntity, box: EntityBox, rect: Rect, drawing: Drawing) {
  const { colours, tagColour, moreText } = drawing;
  const { x, y, width, height } = rect;
  const tag = tagColour(entity);
  const border = entity.sign ? colours.signs[entity.sign] : colours.border;
  const [left, space] = [x + BOX.inset, width - 2 * BOX.inset];
  const isNamed = hasOwnName(entity);
  const title = { x: left, y: y + 21, width: space - (entity.sign ? BOX.mark : 0), face: FACES.title };
  const parts = [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="${colours.box}"/>`,
    `<path d="${formatHeaderPath(rect, box.headerHeight)}" fill="${tag?.fill ?? colours.header}"/>`,
    formatText(isNamed ? (entity.name ?? "") : entity.key, { ...title, fill: colours.text }),
  ];
  if (isNamed)
    parts.push(formatText(entity.key, { ...title, y: y + 38, width: space, face: FACES.key, fill: colours.detail }));
  if (entity.sign) parts.push(formatSign(entity.sign, x + width - BOX.inset, y + 21, colours));
  for (const [at, row] of box.rows.entries()) {
    parts.push(formatRow(row, x, y + box.headerHeight + at * BOX.row, width, colours));
  }
  if (box.excess > 0) {
    const bottomY = y + box.headerHeight + box.rows.length * BOX.row + 15;
    const position = { x: left + BOX.mark, y: bottomY, width: space, face: FACES.name, fill: colours.detail };
    parts.push(formatText(moreText(box.excess), position));
  }
  parts.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="none" stroke="${border}"/>`);
  return parts.join("");
}

function formatRow(row: DiagramAttribute, x: number, y: number, width: number, colours: DiagramColours) {
  const space = width - 2 * BOX.inset - BOX.mark;
  const isNamed = hasOwnName(row);
  const typeWidth = Math.min(space * 0.45, measureText(row.type, FACES.type));
  const position = { x: x + BOX.inset + BOX.mark, y: y + 15 };
  const type = { x: x + width - BOX.inset, y: y + 15, width: typeWidth + 1, face: FACES.type, fill: colours.detail };
  const name = {
    ...position,
    width: space - typeWidth - 6,
    face: isNamed ? FACES.name : FACES.nameKey,
    fill: colours.text,
  };
  const mark = row.inKey ? formatKeyMark(x + BOX.inset, y + BOX.row / 2, colours.detail) : "";
  const sign = row.sign ? formatSign(row.sign, x + BOX.inset - 1, y + 15, colours) : "";
  return `${mark}${sign}${formatText(isNamed ? (row.name ?? "") : row.key, name)}${formatText(row.type, { ...type, anchor: "end" })}`;
}

function formatKeyMark(x: number, y: number, stroke: string) {
  const shape = `M${x + 3},${y}m-3,0a3,3 0 1 0 6,0a3,3 0 1 0 -6,0M${x + 6},${y}h6m-2,0v3m-2.5,-3v2.5`;
  return `<path d="${shape}" fill="none" stroke="${stroke}" stroke-width="1.2"/>`;
}

function formatSign(sign: Sign, x: number, y: number, { signs }: DiagramColours) {
  const face = { size: 14, bold: true, mono: true };
  return formatText(SIGN_MARKS[sign], { x, y, width: 20, face, fill: signs[sign], anchor: "end" });
}

function formatHeaderPath({ x, y, width, height }: Rect, headerHeight: number) {
  const right = x + width;
  const bottom = y + headerHeight;
  const corners =
    headerHeight >= height - 6
      ? `V${y + height - 6}q0,6 -6,6H${x + 6}q-6,0 -6,-6V${y + 6}`
      : `V${bottom}H${x}V${y + 6}`;
  return `M${x},${y + 6}q0,-6 6,-6H${right - 6}q6,0 6,6${corners}Z`;
}
