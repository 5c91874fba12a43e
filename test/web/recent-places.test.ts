import { expect, test } from "vitest";
import { addPlace, parsePlaces, type RecentPlace } from "../../ui/app/recent-places.ts";

const place = (at: number): RecentPlace => ({ href: `/models/key:m${at}`, title: `Model ${at}` });

test("the last page comes first, once, and only the last eight are kept", () => {
  let places: readonly RecentPlace[] = [];
  for (let at = 0; at < 12; at++) places = addPlace(places, place(at));
  expect(places.map(({ title }) => title)).toEqual([11, 10, 9, 8, 7, 6, 5, 4].map((at) => `Model ${at}`));
  const again = addPlace(places, place(8));
  expect([again[0], again.length]).toEqual([place(8), 8]);
  expect(new Set(again.map(({ title }) => title)).size).toBe(8);
});

test("an invalid stored value counts as empty", () => {
  expect([parsePlaces(null), parsePlaces("{"), parsePlaces('{"href":"/"}')]).toEqual([[], [], []]);
  expect(parsePlaces('[{"href":1},null,{"href":"/models","title":"Models"}]')).toEqual([
    { href: "/models", title: "Models" },
  ]);
});
