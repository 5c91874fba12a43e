/** A point in pixels of a diagram at full size; `y` grows downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle with its upper left corner. */
export interface Rect extends Point {
  readonly width: number;
  readonly height: number;
}

/** A sequence of cubic Bézier curves: the start, then two handles and a point each. */
export type Curve = readonly Point[];

/** Positions of nodes by id, and curves of lines that were routed. */
export interface DiagramLayout {
  readonly nodes: ReadonlyMap<string, Rect>;
  readonly curves: ReadonlyMap<string, Curve>;
}

export function moveCurve(curve: Curve, { x, y }: Point): Curve {
  return curve.map((point) => ({ x: point.x + x, y: point.y + y }));
}

/** Returns the smallest rectangle around others; an empty one without any. */
export function findBounds(rects: readonly Rect[]): Rect {
  const [first] = rects;
  if (!first) return { x: 0, y: 0, width: 0, height: 0 };
  let { x, y } = first;
  let [right, bottom] = [x, y];
  // Not as arguments of one call: a function takes fewer than a large model has entities.
  for (const rect of rects) {
    [x, y] = [Math.min(x, rect.x), Math.min(y, rect.y)];
    [right, bottom] = [Math.max(right, rect.x + rect.width), Math.max(bottom, rect.y + rect.height)];
  }
  return { x, y, width: right - x, height: bottom - y };
}

/** Returns a rectangle that contains a curve, from its points. */
export function findCurveBounds(curve: Curve): Rect {
  return findBounds(curve.map(({ x, y }) => ({ x, y, width: 0, height: 0 })));
}

export function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Formats a curve as the `d` of an SVG path. */
export function formatCurve([start, ...rest]: Curve): string {
  if (!start) return "";
  const pairs = rest.map(({ x, y }) => `${roundToTenth(x)},${roundToTenth(y)}`);
  return `M${roundToTenth(start.x)},${roundToTenth(start.y)}${pairs.length > 0 ? `C${pairs.join(" ")}` : ""}`;
}

/** Returns the approximate middle of a curve, for a label. */
export function findMiddle(curve: Curve): Point {
  const pieces = Math.floor((curve.length - 1) / 3);
  const at = Math.floor((pieces - 1) / 2) * 3;
  const [a, b, c, d] = [curve[at], curve[at + 1], curve[at + 2], curve[at + 3]];
  if (!a || !b || !c || !d) return curve[0] ?? { x: 0, y: 0 };
  if (pieces % 2 === 0) return d;
  return { x: (a.x + 3 * b.x + 3 * c.x + d.x) / 8, y: (a.y + 3 * b.y + 3 * c.y + d.y) / 8 };
}
