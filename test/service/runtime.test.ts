import { expect, test } from "vitest";
import { runtime } from "../../shared/service/runtime.ts";

test("ids are distinct UUIDs of version 7, in order of creation", () => {
  // More than the ids of one draw of random bytes, and many in each millisecond.
  const ids = Array.from({ length: 2_000 }, runtime.newId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  // Each has random bits of its own behind time and counter.
  expect(new Set(ids.map((id) => id.slice(-10))).size).toBe(ids.length);
  // The first 48 bits are the time in milliseconds.
  expect(Math.abs(Number.parseInt(ids[0]?.replace("-", "").slice(0, 12) ?? "", 16) - Date.now())).toBeLessThan(60_000);
});

test("a sleep ends with its time, or with its signal", async () => {
  await runtime.sleep(1);
  const controller = new AbortController();
  const sleeping = runtime.sleep(2 ** 30, controller.signal);
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  controller.abort();
  await sleeping;
  expect(timers()).toBe(before - 1);
});

test("random numbers are from 0 to 1, and differ", () => {
  const [one, other] = [runtime.random(), runtime.random()];
  expect(one >= 0 && one < 1 && one !== other).toBe(true);
});
