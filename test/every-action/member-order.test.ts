import { describe, expect, test } from "vitest";
import { useWorld } from "../actions/support/checked-world.ts";
import { outOfOrder } from "../support/member-order.ts";
import { unorderedTable } from "../support/unordered-table.ts";

const world = useWorld();

// The table returns the members of items in another order, see `createHttpCalls`.
describe("the check of the order of members", () => {
  const turned = { key: "k", id: "i" };
  const row = { properties: { id: {}, key: {}, at: { properties: { from: {}, to: {} } } } };

  test.each([
    ["an object", row, turned, "/ has key,id and not id,key"],
    ["an inner object", row, { id: "i", at: { to: 1, from: 0 } }, "/at has to,from and not from,to"],
    ["a row", { items: row }, [{ id: "i" }, turned], "/1 has key,id and not id,key"],
    ["a member of any name", { additionalProperties: row }, { x: turned }, "/x has key,id and not id,key"],
    ["one of two", { anyOf: [{ type: "null" }, row] }, turned, "/ has key,id and not id,key"],
  ])("reports %s in another order", (_of, schema, value, said) => expect(outOfOrder(schema, value)).toBe(said));

  test("accepts absent members, and others between those of the schema", () => {
    expect(outOfOrder(row, { id: "i", at: { to: 1 } })).toBeUndefined();
    expect(outOfOrder(row, { other: 1, id: "i", another: 2, key: "k" })).toBeUndefined();
  });

  test("applies to rows of a table without an order of members", async () => {
    const written = { pk: "p", sk: "s", v: 1, first: { one: 1, two: [{ a: 1, b: 2 }] }, bytes: new Uint8Array([1, 2]) };
    await world.table.write({ put: written, expect: { absent: true } });
    const read = await unorderedTable(world.table).get(written);
    expect(read).toEqual(await world.table.get(written));
    expect(JSON.stringify(read?.first)).toBe('{"two":[{"b":2,"a":1}],"one":1}');
  });

  test("applies to the members of an audit entry", async () => {
    await world.ok("auth/role_create", { key: "checker", name: "Checker", description: "Checks." });
    const [entry] = (await world.read("auth/audit_list", { act: "auth/role_create" })).items;
    expect(Object.keys(entry).join()).toBe("id,time,act,outcome,actor,requestId,channel,session,changes");
    expect(Object.keys(entry.changes[0])).toEqual(["change", "kind", "id", "name", "after"]);
    expect(Object.keys(entry.changes[0].after)).toEqual(["key", "name", "description", "permissions", "autoAssign"]);
  });
});
