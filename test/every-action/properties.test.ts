import { describe, expect, test } from "vitest";
import { expectFaults, useWorld } from "../actions/support/checked-world.ts";
import { type Example, repeatedExample } from "../actions/support/models.ts";
import { findSubject, UPDATE_SUBJECTS, type UpdateSubject } from "../actions/support/update-subjects.ts";
import { ACTIONS } from "../support/actions.ts";

const world = useWorld();
const reviewed = repeatedExample(world);

const HOLDERS = Object.fromEntries(
  Object.entries(UPDATE_SUBJECTS)
    .filter(([of]) => of !== "relationship_role" && of !== "definition")
    .map(([of, { group }]) => [`${group}/${of}`, findSubject(of as UpdateSubject)]),
);

test("every kind with properties is tested", () => {
  const names = ACTIONS.filter(({ name }) => /_(update|delete)_property$/.test(name));
  const begins = names.map(({ group, name }) => `${group}/${name.replace(/_(update|delete)_property$/, "")}`);
  expect([...new Set(begins)].sort()).toEqual(Object.keys(HOLDERS).sort());
  expect(names).toHaveLength(2 * Object.keys(HOLDERS).length);
});

/** Values that a service could lose: null, "", numbers of any size, names that every object inherits. */
const VALUES: readonly unknown[] = [
  ...[null, "", 0, 1e300, 5e-324, 123_456_789.123_456_78, false, [], {}, ["", null, ["x"]]],
  { toString: { valueOf: true }, hasOwnProperty: null, prototype: 1, constructor: [] },
];

describe.each(Object.entries(HOLDERS))("%s", (begin, subject) => {
  const { read: get, list } = subject;
  const refs = (e: Example) => subject.refs(e, "byId");
  const propertiesOf = async (e: Example) => (await world.read(get, refs(e))).properties;
  /** The example with no property at the object yet. */
  const example = async (): Promise<Example> => {
    const e = await reviewed();
    await world.ok(`${begin}_delete_property`, { ...refs(e), property: "reviewed" });
    return e;
  };
  const set = (e: Example, property: string, value: unknown) =>
    world.ok(`${begin}_update_property`, { ...refs(e), property, value });

  test("stores any JSON under any name, and answers it in reads and lists", async () => {
    const e = await example();
    const { id } = await world.read(get, refs(e));
    const odd = ["frictionless:missingValues", "dbt:meta", "valueOf", "toString"];
    const names = VALUES.map((_, i) => odd[i] ?? `p ${i}`);
    for (const [i, value] of VALUES.entries())
      expect((await set(e, names[i] ?? "", value)).body).toMatchObject({ changed: true, id });
    const shown = await propertiesOf(e);
    expect(Object.keys(shown)).toEqual([...names].sort());
    for (const [i, value] of VALUES.entries()) expect(shown[names[i] ?? ""], names[i]).toEqual(value);
    if (!list) return;
    const { items } = await world.read(list[0], list[1](e, "ref"));
    expect(items.find((row: { id: string }) => row.id === id).properties).toEqual(shown);
  });

  test("does not change for an equal value in another order of members", async () => {
    const e = await example();
    const { revision } = (await set(e, "sources", [{ title: "T", path: "p" }])).body;
    const again = await world.writesNothing(() => set(e, "sources", [{ path: "p", title: "T" }]));
    expect(again.body).toMatchObject({ changed: false, revision });
    expect((await set(e, "sources", [{ path: "p", title: null }])).body).toMatchObject({ changed: true });
  });

  test("loses one property and keeps the others; without properties the member is absent", async () => {
    const e = await example();
    await set(e, "a", 1);
    await set(e, "toString", 2);
    const drop = (property: string) => world.ok(`${begin}_delete_property`, { ...refs(e), property });
    expect((await drop("a")).body).toMatchObject({ changed: true });
    expect(Object.entries(await propertiesOf(e))).toEqual([["toString", 2]]);
    expect((await world.writesNothing(() => drop("a"))).body).toMatchObject({ changed: false });
    await drop("toString");
    expect(await propertiesOf(e)).toBeUndefined();
  });

  test("requires the value, and refuses invalid JSON, each with its pointer", async () => {
    const e = await example();
    const refused = (payload: object) => world.refused(`${begin}_update_property`, { ...refs(e), ...payload });
    expectFaults(await refused({ property: "a" }), "/value");
    expectFaults(await refused({ value: 1 }), "/property");
    expectFaults(await refused({ property: "it's", value: 1 }), "/property");
    expectFaults(await refused({ property: "a", value: { b: ["\u0000"] } }), "/value/b/0");
    expectFaults(await refused({ property: "a", value: { "\u009b": 1 } }), "/value/\u009b");
    expectFaults(await refused({ property: "constructor", value: 1 }), "/property");
  });
});
