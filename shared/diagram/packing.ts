import type { Point } from "./geometry.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Width by height that a whole diagram comes near to, as screens have it. */
const ASPECT = 1.6;

/**
 * Places for boxes of these sizes in their order, without overlap: rows from the left as on a shelf, each box at the top of
 * the lowest place where it fits. The whole comes near the shape of a screen.
 */
export function packed(sizes: readonly Size[], gap: number): readonly Point[] {
  const area = sizes.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0);
  const limit = Math.max(Math.sqrt(area * ASPECT) * 1.05, ...sizes.map(({ width }) => width + gap));
  // The skyline: from each `x` on, how far down the boxes above reach.
  let skyline: readonly Point[] = [{ x: 0, y: 0 }];
  return sizes.map(({ width, height }) => {
    const place = lowest(skyline, width + gap, limit);
    skyline = raised(skyline, place, width + gap, place.y + height + gap, limit);
    return place;
  });
}

function lowest(skyline: readonly Point[], width: number, limit: number): Point {
  let best: Point | undefined;
  for (const { x } of skyline) {
    if (x + width > limit + 0.5 && x > 0) continue;
    const y = Math.max(
      ...skyline.filter((step, at) => step.x < x + width && (skyline[at + 1]?.x ?? limit) > x).map((s) => s.y),
    );
    if (!best || y < best.y) best = { x, y };
  }
  return best ?? { x: 0, y: Math.max(...skyline.map(({ y }) => y)) };
}

function raised(skyline: readonly Point[], { x }: Point, width: number, y: number, limit: number): readonly Point[] {
  const end = x + width;
  const under = skyline.findLast((step) => step.x <= end)?.y ?? 0;
  const kept = skyline.filter((step) => step.x < x || step.x > end);
  const after = end < limit ? [{ x: end, y: under }] : [];
  return [...kept, { x, y }, ...after].sort((a, b) => a.x - b.x);
}
