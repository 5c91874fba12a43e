import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { createChange } from "../../../shared/domain/model/changes.ts";
import type { AnyObject, Type } from "../../../shared/domain/model/objects.ts";
import { HEAD_ENTRIES, type LogEntry, toLogChange } from "../../../shared/store/log/log.ts";
import { CachedLedger, coversUnseen, createObjectsRead, ModelCache } from "../../../shared/store/read/model-cache.ts";
import { SortedKeys } from "../../../shared/store/read/read-ahead.ts";

const NOW = Date.parse("2026-11-22T12:00:00.000Z");

const typeOf = (key: string, revision = 1): Type => ({ kind: "type", id: `id-${key}`, key, revision });

function entry(revision: number, more: Partial<LogEntry> = {}): LogEntry {
  const facts = { operation: `o${revision}`, channel: "http", request: "r", actions: [], key: "m", generation: "g" };
  return { ...facts, revision, time: new Date(NOW).toISOString(), state: "live", tags: 0, touched: [], ...more };
}

const headAt = (revision: number) => ({ entry: entry(revision), recent: [entry(revision)] });

function learned(ledgerId: string, count: number) {
  const facts = createObjectsRead();
  for (let i = 0; i < count; i++) facts.objects.set(`type#t${i}`, typeOf(`t${i}`));
  return { ledgerId, generation: "g", head: headAt(1), facts };
}

const WEIGHT = 2;
/** What a model weighs of which nothing is known but its head: four objects, and the entry of the head. */
const EMPTY = 5;

describe("a cache", () => {
  test("holds a limited number of objects and evicts the least recently used model", () => {
    const cache = new ModelCache(() => NOW, 3 * (10 * WEIGHT + EMPTY));
    for (const id of ["a", "b", "c"]) cache.learn(learned(id, 10));
    expect(["a", "b", "c"].map((id) => cache.get(id) !== undefined)).toEqual([true, true, true]);
    cache.learn(learned("a", 10));
    cache.learn(learned("d", 1));
    expect(["a", "b", "c", "d"].map((id) => cache.get(id) !== undefined)).toEqual([true, false, true, true]);
    cache.learn(learned("large", 200));
    expect(cache.get("large")?.getObject("type#t0")).toBeUndefined();
    expect(["a", "c", "d"].map((id) => cache.get(id) !== undefined)).toEqual([true, true, true]);
  });

  test(`holds ${LIMITS.cachedObjects} objects by default, and counts a long text as several`, () => {
    const cache = new ModelCache(() => NOW);
    cache.learn(learned("a", Math.floor((LIMITS.cachedObjects - EMPTY) / WEIGHT)));
    expect(cache.get("a")).toBeDefined();
    const facts = createObjectsRead();
    facts.objects.set("type#long", { ...typeOf("long"), description: "x".repeat(5_000) });
    cache.learn({ ...learned("b", 0), facts });
    expect(cache.get("a")).toBeUndefined();
    expect(cache.weight).toBeGreaterThan(10);
  });

  test("holds nothing if it is disabled", () => {
    const cache = new ModelCache(() => NOW, 0);
    cache.learn(learned("a", 1));
    expect(cache.get("a")).toBeUndefined();
    expect(cache.weight).toBe(0);
  });

  test("expires entries to the millisecond", () => {
    let now = NOW;
    const cache = new ModelCache(() => now);
    cache.learn(learned("a", 1));
    now += LIMITS.cachedMs;
    expect(cache.get("a")).toBeDefined();
    cache.learn(learned("a", 1));
    now += 1;
    expect(cache.get("a")).toBeUndefined();
    expect(cache.findId("m")).toBeUndefined();
  });

  test("evicts a model if some of its commits are not available", () => {
    const cache = new ModelCache(() => NOW);
    cache.learn(learned("a", 1));
    cache.catchUp("a", { entry: entry(3), recent: [entry(2), entry(3)] });
    expect(cache.get("a")?.head.entry.revision).toBe(3);
    cache.catchUp("a", { entry: entry(6), recent: [entry(5), entry(6)] });
    expect(cache.get("a")).toBeUndefined();
  });
});

describe("a cache entry", () => {
  test("is filled only if every commit that may be invisible yet was applied", () => {
    const old = (ms: number) => new Date(NOW - ms).toISOString();
    const since = (ms: number, first = 5) => ({
      entry: entry(first + 1),
      recent: [entry(first, { time: old(ms) }), entry(first + 1)],
    });
    expect(coversUnseen(since(LIMITS.settledMs), NOW)).toBe(false);
    expect(coversUnseen(since(LIMITS.settledMs + 1), NOW)).toBe(true);
    expect(coversUnseen(since(0, 1), NOW)).toBe(true);
    const { touched: _, ...publication } = entry(6);
    expect(coversUnseen({ entry: entry(7), recent: [entry(5), publication, entry(7)] }, NOW)).toBe(true);
    const cache = new ModelCache(() => NOW);
    cache.learn({ ...learned("a", 3), head: since(0) });
    expect(cache.get("a")?.getObject("type#t0")).toBeUndefined();
    // It is followed all the same, and what is read once that reaches far enough is kept.
    const followed = new ModelCache(() => NOW + LIMITS.settledMs + 1);
    followed.learn({ ...learned("a", 3), head: { entry: entry(6), recent: since(0).recent } });
    expect(followed.get("a")?.getObject("type#t0")).toBeDefined();
  });

  test("follows the log as far as necessary", () => {
    const known = new CachedLedger("g", headAt(1), NOW);
    const at = (seconds: number) => ({ time: new Date(NOW + seconds * 1_000).toISOString() });
    for (let i = 2; i <= 50; i++) known.advance(entry(i, at(i)), []);
    expect(known.head.recent).toHaveLength(50);
    for (let i = 51; i <= 300; i++) known.advance(entry(i, at(i)), []);
    // Those of a minute, and one before them.
    expect(known.head.recent).toHaveLength(LIMITS.settledMs / 1_000 + 2);
    for (let i = 301; i <= 304; i++) known.advance(entry(i, at(i * 1_000)), []);
    expect(known.head.recent).toHaveLength(HEAD_ENTRIES);
  });

  test("distinguishes an absent object from an unread one", () => {
    const known = new CachedLedger("g", headAt(1), NOW);
    const facts = createObjectsRead();
    facts.objects.set("type#a", typeOf("a")).set("type#gone", null);
    facts.ids.set("nobody", null);
    known.add(facts);
    expect(["type#a", "type#gone", "type#b"].map((sk) => known.getObject(sk)?.key ?? known.getObject(sk))).toEqual([
      ...["a", null, undefined],
    ]);
    expect(["id-a", "nobody", "other"].map((id) => known.getSortKey(id))).toEqual(["type#a", null, undefined]);
    expect(known.listRange({ prefix: "type#" })).toBeUndefined();
    known.add({ ...createObjectsRead(), prefixes: new Set(["type#"]) });
    expect(known.getObject("type#b")).toBeNull();
    expect(known.getObject("entity#b")).toBeUndefined();
    expect(known.listRange({ prefix: "type#" })?.map(({ key }) => key)).toEqual(["a"]);
  });

  test("has no object without a cached owner: the sweeper deletes it without a commit", () => {
    const known = new CachedLedger("g", headAt(1), NOW);
    const attribute = { kind: "attribute", id: "1", key: "a", owner: "o", revision: 1 } as AnyObject;
    const read = {
      ...createObjectsRead(),
      objects: new Map([["attribute#o#a", attribute]]),
      prefixes: new Set(["attribute#o#"]),
    };
    known.add(read);
    expect(known.getObject("attribute#o#a")).toBeUndefined();
    expect(known.listRange({ prefix: "attribute#o#" })).toBeUndefined();
    known.add({ ...read, ids: new Map([["o", "entity#e"]]) });
    expect(known.listRange({ prefix: "attribute#o#" })).toEqual([attribute]);
  });

  test("is evicted after a commit whose changes do not fit it", () => {
    const known = new CachedLedger("g", headAt(1), NOW);
    known.add(learned("a", 2).facts);
    expect(known.advance(entry(2), [toLogChange(createChange(typeOf("new")))])).toBe(true);
    expect(known.getObject("type#new")).toMatchObject({ key: "new", revision: 2 });
    const misfit = { does: "update", kind: "type", id: "id-t0", at: "type#t0", base: 7, after: { name: "N" } } as const;
    expect(known.advance(entry(3), [misfit])).toBe(true);
    expect(known.getObject("type#t1")).toBeUndefined();
    expect(known.head.entry.revision).toBe(3);
  });
});

test("sorted keys equal those of a list that is sorted each time", () => {
  const keys = new SortedKeys(["b", "d"]);
  keys.add("a");
  keys.remove("b");
  keys.add("c1");
  keys.add("c2");
  expect(keys.listRange("", undefined, 10)).toEqual(["a", "c1", "c2", "d"]);
  expect(keys.listRange("c", undefined, 1)).toEqual(["c1"]);
  expect(keys.listRange("", "c1", 10)).toEqual(["c2", "d"]);
  keys.remove("c1");
  keys.add("c1");
  expect(keys.listRange("c", undefined, 10)).toEqual(["c1", "c2"]);
});
