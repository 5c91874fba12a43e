import { expect, test } from "vitest";
import { findBounds } from "../../shared/diagram/geometry.ts";

test("the bounds of rectangles contain all of them, however many there are", () => {
  expect(findBounds([])).toEqual({ x: 0, y: 0, width: 0, height: 0 });
  expect(findBounds([{ x: 5, y: -3, width: 2, height: 4 }])).toEqual({ x: 5, y: -3, width: 2, height: 4 });
  const rects = Array.from({ length: 300_000 }, (_, i) => ({ x: i, y: -i, width: 10, height: 20 }));
  expect(findBounds(rects)).toEqual({ x: 0, y: -299_999, width: 300_009, height: 300_019 });
});
