import { describe, expect, test } from "vitest";
import { LISTED, payloadOn } from "./support/calls.ts";
import { expectFaults, expectProblem, NO_ID, newKey, useWorld } from "./support/checked-world.ts";
import { anAttribute, type Example, exampleModel, type Made, repeatedExample } from "./support/models.ts";

const world = useWorld();
const example = repeatedExample(world);

function payloadOf(name: string, e: Example) {
  const listed = LISTED.find(({ path }) => path === `model/${name}`);
  if (!listed) throw new Error(`no action ${name}`);
  return payloadOn(listed, e);
}

/** Parameters that name one object of the model which the action does not address, and that object of an example. */
const NAMING: readonly (readonly [action: string, parameter: string, of: (e: Example) => Made])[] = [
  ["entity_attribute_create", "type", (e) => e.string],
  ["entity_attribute_update_type", "value", (e) => e.string],
  ["relationship_attribute_create", "type", (e) => e.string],
  ["relationship_attribute_update_type", "value", (e) => e.string],
  ["relationship_create", "roleAEntityRef", (e) => e.customer],
  ["relationship_create", "roleBEntityRef", (e) => e.customer],
  ["relationship_role_create", "roleEntityRef", (e) => e.customer],
  ["relationship_role_update_entity", "value", (e) => e.customer],
  ["business_key_create", "entityRef", (e) => e.customer],
  ["relationship_role_update_key", "relationshipRoleRef", (e) => e.buyer],
  ["relationship_role_update_name", "relationshipRoleRef", (e) => e.buyer],
  ["relationship_role_update_entity", "relationshipRoleRef", (e) => e.buyer],
  ["relationship_role_update_cardinality", "relationshipRoleRef", (e) => e.buyer],
  ["relationship_role_delete", "relationshipRoleRef", (e) => e.buyer],
];

test.each(
  NAMING,
)("%s with %s finds no object of another model or kind, and names the ref", async (name, parameter, of) => {
  const e = await example();
  const elsewhere = await exampleModel(world, newKey("elsewhere"));
  for (const ref of ["key:none", `id:${NO_ID}`, of(elsewhere).byId, e.places.byId, e.places.ref]) {
    const call = () => world.refused(`model/${name}`, { ...payloadOf(name, e), [parameter]: ref });
    expectProblem(await world.writesNothing(call), "not_found", ref);
  }
});

/** Parameters that take the list of attributes of a key, and how a document shows the list. */
const LISTS = [
  ["entity_primary_key_update", "attributeRef", "entities", "customer", "primaryKey"],
  ["business_key_create", "participants", "businessKeys", "made", "participants"],
  ["business_key_update_participants", "value", "businessKeys", "customer_code", "participants"],
] as const;

describe.each(LISTS)("%s with a list of attributes in %s", (name, parameter, list, key, member) => {
  const made = name === "business_key_create" ? { key: "made" } : {};
  const payload = (e: Example, refs: readonly unknown[]) => ({ ...payloadOf(name, e), ...made, [parameter]: refs });
  const set = (e: Example, ...refs: string[]) => world.ok(`model/${name}`, payload(e, refs));
  const refused = async (e: Example, ...refs: unknown[]) =>
    world.writesNothing(() => world.refused(`model/${name}`, payload(e, refs)));
  /** The example with a second attribute of the entity. */
  async function twoAttributes(): Promise<{ e: Example; code: Made; second: Made }> {
    const e = await example();
    const second = await anAttribute(world, { ...e, entity: e.customer, type: e.string }, "second");
    return { e, code: e.code, second };
  }

  test("keeps their order, named by key and by id", async () => {
    const { e, code, second } = await twoAttributes();
    const shown = async () => {
      const document = await world.read("model/model_export", { modelRef: e.model.ref });
      return document[list].find((one: Made) => one.key === key)[member];
    };
    await set(e, second.byId, code.ref);
    expect(await shown()).toEqual(["key:second", "key:code"]);
    if (made.key) return;
    expect((await set(e, second.ref, code.byId)).body.changed).toBe(false);
    expect((await set(e, code.ref, second.ref)).body.changed).toBe(true);
    expect(await shown()).toEqual(["key:code", "key:second"]);
    await set(e, second.ref);
    expect(await shown()).toEqual(["key:second"]);
    await set(e);
    expect(await shown()).toEqual([]);
    expect((await set(e)).body.changed).toBe(false);
  });

  test("points at the second of two equal attributes, and at each malformed ref", async () => {
    const { e, code, second } = await twoAttributes();
    expectFaults(await refused(e, code.ref, second.ref, code.byId), `/${parameter}/2`);
    const malformed = [0, 2, 3].map((at) => `/${parameter}/${at}`);
    expectFaults(await refused(e, "a", code.ref, "id:7", 8), ...malformed);
  });

  test("names the ref of an attribute of another entity or of none", async () => {
    const { e, code } = await twoAttributes();
    const elsewhere = await exampleModel(world, newKey("elsewhere"));
    for (const ref of ["key:none", "key:number", elsewhere.code.byId])
      expectProblem(await refused(e, code.ref, ref), "not_found", ref);
  });
});
