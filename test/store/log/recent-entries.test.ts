import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Change, createChange, deleteChange, updateChanges } from "../../../shared/domain/model/changes.ts";
import type { AnyObject, Entity, Type } from "../../../shared/domain/model/objects.ts";
import {
  applyRecentChange,
  applyRecentEntries,
  applyRecentEntriesToAll,
  findMovedSortKey,
  HEAD_ENTRIES,
  type LogChange,
  type LogEntry,
  toLogChange,
  toLogEntry,
  toLogItem,
} from "../../../shared/store/log/log.ts";
import { objectSortKey } from "../../../shared/store/table/keys.ts";
import { seedOf } from "../../support/chance.ts";

/** One thing a commit may do, drawn by numbers that are taken modulo what there is. */
interface Draw {
  readonly does: number;
  readonly which: number;
  readonly key: number;
  readonly value: number;
}

type State = ReadonlyMap<string, AnyObject>;

interface History {
  readonly states: readonly State[];
  readonly log: readonly LogEntry[];
}

const KEYS = ["a", "b", "c", "d"];
const PLACES = KEYS.flatMap((key) => [`type#${key}`, `entity#${key}`]);
let made = 0;

function newObject(draw: Draw): Type | Entity {
  made += 1;
  const common = { id: `id-${made}`, key: KEYS[draw.key % KEYS.length] ?? "a", revision: 0 };
  return draw.value % 2 === 0
    ? { kind: "type", ...common, name: `name ${draw.value}` }
    : { kind: "entity", ...common, primaryKey: [`p${draw.value}`] };
}

/** The change a draw stands for, or nothing where it does not fit; `taken` are places the commit has touched already. */
function changeOf(draw: Draw, state: State, taken: ReadonlySet<string>): Change | undefined {
  const objects = [...state.values()];
  // Every object comes from `newObject`, which makes types and entities only.
  const target = objects[draw.which % Math.max(1, objects.length)] as Type | Entity | undefined;
  if (draw.does % 4 === 0 || !target) {
    const after = newObject(draw);
    return state.has(objectSortKey(after)) || taken.has(objectSortKey(after)) ? undefined : createChange(after);
  }
  if (taken.has(objectSortKey(target))) return undefined;
  if (draw.does % 4 === 1) return deleteChange(target, false);
  const key = KEYS[draw.key % KEYS.length] ?? "a";
  const moved = objectSortKey({ kind: target.kind, key });
  if (draw.does % 4 === 2 && !state.has(moved) && !taken.has(moved))
    return updateChanges<Type | Entity>(target, { key, name: `name ${draw.value}` })[0];
  return updateChanges<Type | Entity>(target, { name: draw.value % 3 === 0 ? undefined : `name ${draw.value}` })[0];
}

function historyOf(commits: readonly (readonly Draw[])[]): History {
  const states: State[] = [new Map()];
  const log: LogEntry[] = [];
  for (const draws of commits) {
    const before = states.at(-1) ?? new Map<string, AnyObject>();
    const revision = states.length;
    const taken = new Set<string>();
    const changes: Change[] = [];
    for (const draw of draws) {
      const change = changeOf(draw, before, taken);
      if (!change) continue;
      changes.push(change);
      if (change.does !== "create") taken.add(objectSortKey(change.before));
      if (change.does !== "delete") taken.add(objectSortKey(change.after));
    }
    const after = new Map(before);
    for (const change of changes) if (change.does !== "create") after.delete(objectSortKey(change.before));
    for (const change of changes)
      if (change.does !== "delete") after.set(objectSortKey(change.after), { ...change.after, revision } as AnyObject);
    states.push(after);
    log.push(entryOf(revision, changes));
  }
  return { states, log };
}

const entryOf = (revision: number, changes: readonly Change[]): LogEntry => ({
  ...{ revision, operation: `operation-${revision}`, time: "2027-03-01T12:00:00.000Z", channel: "http" },
  ...{ request: `request-${revision}`, actions: ["model/any"], key: "crm", generation: "g", state: "live", tags: 0 },
  touched: changes.map(toLogChange),
});

type Blobs = Map<string, readonly LogChange[]>;

/** The entries as they are read from the table where the changes of every other one lie in a blob. */
function spilled(log: readonly LogEntry[], blobs: Blobs): readonly LogEntry[] {
  return log.map((entry) => {
    if (entry.revision % 2 === 0) return entry;
    const blob = `blob-${entry.revision}`;
    blobs.set(blob, entry.touched ?? []);
    return toLogEntry(toLogItem("crm", { ...entry, blob }));
  });
}

const changesFrom = (blobs: Blobs) => async (entry: LogEntry) =>
  entry.blob === undefined ? (entry.touched ?? []) : (blobs.get(entry.blob) ?? []);

const draw = fc.record({ does: fc.nat(7), which: fc.nat(20), key: fc.nat(7), value: fc.nat(20) });
const commits = fc.array(fc.array(draw, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 14 });
/** For each place the number of newest commits that are not visible there yet. */
const lags = fc.array(fc.nat(HEAD_ENTRIES), { minLength: PLACES.length, maxLength: PLACES.length });
/** For each place the number of commits after the head that are visible there already. */
const leads = fc.array(fc.nat(3), { minLength: PLACES.length, maxLength: PLACES.length });

const asJson = (object: AnyObject | undefined) =>
  JSON.stringify(object && Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))));

describe("recent log entries applied to a read", () => {
  const runs = { seed: seedOf("overlay"), numRuns: 3_000 };

  test("give the true state, for any visibility of the last four commits and any place of their changes", async () => {
    await fc.assert(
      fc.asyncProperty(commits, lags, async (drawn, lag) => {
        const { states, log } = historyOf(drawn);
        const head = states.length - 1;
        const blobs: Blobs = new Map();
        const recent = spilled(log.slice(-HEAD_ENTRIES), blobs);
        const changesOf = changesFrom(blobs);
        const visible = new Map<string, AnyObject>();
        for (const [i, sk] of PLACES.entries()) {
          const shown = states[Math.max(0, head - (lag[i] ?? 0))]?.get(sk);
          if (shown) visible.set(sk, shown);
          expect(asJson(await applyRecentEntries(shown, sk, recent, changesOf)), sk).toBe(
            asJson(states[head]?.get(sk)),
          );
        }
        await applyRecentEntriesToAll(visible, recent, changesOf);
        const state = new Map(states[head]);
        expect([...visible.keys()].sort()).toEqual([...state.keys()].sort());
        for (const [sk, object] of visible) expect(asJson(object), sk).toBe(asJson(state.get(sk)));
      }),
      runs,
    );
  });

  test("read changes in a blob only if the read does not show them", async () => {
    await fc.assert(
      fc.asyncProperty(commits, async (drawn) => {
        const { states, log } = historyOf(drawn);
        const blobs: Blobs = new Map();
        const recent = spilled(log.slice(-HEAD_ENTRIES), blobs);
        const never = () => Promise.reject(new Error("everything is visible"));
        const newest = states.at(-1) ?? new Map();
        for (const sk of PLACES) if (newest.has(sk)) await applyRecentEntries(newest.get(sk), sk, recent, never);
      }),
      runs,
    );
  });

  test("give the parent of an id", () => {
    fc.assert(
      fc.property(commits, (drawn) => {
        const { states, log } = historyOf(drawn);
        const recent = log.slice(-HEAD_ENTRIES);
        const places = new Map([...(states.at(-1) ?? [])].map(([sk, object]) => [object.id, sk]));
        for (const change of recent.flatMap((entry) => entry.touched ?? []))
          expect(findMovedSortKey(change.id, recent)).toBe(places.get(change.id) ?? "gone");
        expect(findMovedSortKey("id-of-nothing", recent)).toBeUndefined();
      }),
      runs,
    );
  });

  test("never go back behind the head if later commits are visible already, and end at the last applied one", async () => {
    await fc.assert(
      fc.asyncProperty(commits, leads, fc.nat(3), async (drawn, lead, ahead) => {
        const { states, log } = historyOf(drawn);
        const last = states.length - 1;
        const head = Math.max(0, last - ahead);
        const visible = new Map<string, AnyObject>();
        for (const [i, sk] of PLACES.entries()) {
          const shown = states[Math.min(last, head + (lead[i] ?? 0))]?.get(sk);
          if (shown) visible.set(sk, shown);
        }
        // A long read lays over the head's entries first, then those that came meanwhile.
        const blobs: Blobs = new Map();
        const entries = spilled(log, blobs);
        for (const [from, to] of [[Math.max(0, head - HEAD_ENTRIES), head], [head]])
          await applyRecentEntriesToAll(visible, entries.slice(from, to), changesFrom(blobs));
        for (const sk of PLACES) expect(asJson(visible.get(sk)), sk).toBe(asJson(states[last]?.get(sk)));
      }),
      runs,
    );
  });
});

describe("a recent commit", () => {
  const SK = "type#date";
  const at = (revision: number, more: Partial<Type> = {}): Type => {
    return { kind: "type", id: "1", key: "date", revision, ...more };
  };
  const update = (before: Type, fields: Partial<Type>): LogChange =>
    toLogChange(updateChanges<AnyObject>(before, fields)[0] as Change);

  test("is applied to the state that it was made from, and to no older one", () => {
    const named = at(5, { name: "Date" });
    const described = update(named, { description: "A day." });
    expect(applyRecentChange(named, SK, described, 9)).toEqual({ ...named, description: "A day.", revision: 9 });
    // The change of revision 5 is missing here: laid over, it would be a state that never was, under a revision that is.
    const older = at(2);
    expect(applyRecentChange(older, SK, described, 9)).toBe(older);
    expect(applyRecentChange(undefined, SK, described, 9)).toBeUndefined();
  });

  test("is not applied to another object at the same key", () => {
    const another = { ...at(5), id: "2" };
    expect(applyRecentChange(another, SK, update(at(5), { name: "Date" }), 9)).toBe(another);
  });
});
