import type { Cardinality } from "./diagram-graph.ts";
import { type DiagramLine, FACES } from "./diagram-nodes.ts";
import { fitText } from "./diagram-text.ts";
import { type Curve, type Point, roundToTenth } from "./geometry.ts";

/** Length of the marks of a cardinality along a line, in pixels. */
export const FOOT = 16;

/** Formats a crow's foot (many), two bars (one), or bar and ring (zero or one) as the `d` of an SVG path. */
export function formatCrowsFoot(cardinality: Cardinality | undefined, end: Point, handle: Point): string {
  const unit = findDirection(end, handle);
  const at = (length: number, offset: number) =>
    `${roundToTenth(end.x + unit.x * length - unit.y * offset)},${roundToTenth(end.y + unit.y * length + unit.x * offset)}`;
  const bar = (length: number) => `M${at(length, -6)}L${at(length, 6)}`;
  switch (cardinality) {
    case "many":
      return `M${at(0, -6)}L${at(FOOT - 2, 0)}L${at(0, 6)}`;
    case "one":
      return `${bar(6)}${bar(11)}`;
    case "zeroOrOne":
      return `${bar(6)}M${at(8, 0)}A4,4 0 1 1 ${at(16, 0)}A4,4 0 1 1 ${at(8, 0)}Z`;
    default:
      return "";
  }
}

/** Formats the marks at both ends of a line. Returns undefined for a curve without points. */
export function formatLineEnds({ from, to }: DiagramLine, curve: Curve): string | undefined {
  const [start, handle, last, end] = [curve[0], curve[1], curve.at(-2), curve.at(-1)];
  if (!start || !handle || !last || !end) return undefined;
  return formatCrowsFoot(from.cardinality, start, handle) + formatCrowsFoot(to.cardinality, end, last);
}

/** Returns the unit vector of a line at its box, aligned with a close axis. */
export function findDirection(end: Point, handle: Point): Point {
  const [x, y] = [handle.x - end.x, handle.y - end.y];
  const length = Math.hypot(x, y);
  if (length === 0) return { x: 1, y: 0 };
  if (Math.abs(x) > Math.abs(y) * 2) return { x: Math.sign(x), y: 0 };
  if (Math.abs(y) > Math.abs(x) * 2) return { x: 0, y: Math.sign(y) };
  return { x: x / length, y: y / length };
}

/** Maximum width of a role name in pixels. */
const MAX_WIDTH = 92;

interface RoleLabel {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly anchor: "start" | "end";
}

/** Positions a role name above its line, after the marks. Returns undefined at a diamond. */
export function createRoleLabel(line: DiagramLine, side: "from" | "to", curve: Curve): RoleLabel | undefined {
  const { role } = line[side];
  const ends = side === "from" ? curve.slice(0, 2) : curve.slice(-2).reverse();
  const [end, handle] = ends;
  if (role === undefined || !end || !handle) return undefined;
  const unit = findDirection(end, handle);
  return {
    text: fitText(role, FACES.role, MAX_WIDTH),
    x: roundToTenth(end.x + (unit.x < 0 ? -1 : 1) * (FOOT + 2)),
    y: roundToTenth(end.y - 5),
    width: MAX_WIDTH,
    anchor: unit.x < 0 ? "end" : "start",
  };
}
