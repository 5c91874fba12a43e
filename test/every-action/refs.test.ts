import { describe, expect, test } from "vitest";
import { getAllParams } from "../../shared/actions/contract/action-parameters.ts";
import type { Kind } from "../../shared/domain/kinds.ts";
import { ADDRESSING, LISTED, type Listed, payloadOn } from "../actions/support/calls.ts";
import { expectFaults, expectProblem, NO_ID, newKey, useWorld } from "../actions/support/checked-world.ts";
import { aModel, aType, type Example, exampleModel, type Made } from "../actions/support/models.ts";

const world = useWorld();

/** Creates two models with the same keys. No object of one may be found through the other. */
const makeScene = async () => ({
  here: await exampleModel(world, newKey("here")),
  elsewhere: await exampleModel(world, newKey("elsewhere")),
});

let made: ReturnType<typeof makeScene> | undefined;
const scene = () => (made ??= makeScene());

const CASES = ADDRESSING.flatMap((listed) =>
  listed.kinds.map((kind) => ({ ...listed, kind, parameter: kind.refParameter })),
);

const objectOf = (kind: Kind, e: Example): Made => {
  const made: { readonly [name: string]: Made } = {
    model: e.model,
    type: e.string,
    entity: e.customer,
    "entity attribute": e.code,
    relationship: e.places,
    "relationship attribute": e.channel,
    "business key": e.customerCode,
    tag: e.draft,
    "tag group": e.privacy,
    "property definition": e.costCentre,
    "global tag": e.personal,
    role: e.auditor,
    user: e.grace,
    actor: e.graceActor,
    "API token": e.nightly,
  };
  const found = made[kind.noun];
  if (!found) throw new Error(`the example model has no ${kind.noun}`);
  return found;
};

/** A well-formed ref that does not resolve by a key: tags have keys of letters, digits, `_` and `-`, and the global ones two. */
const NOWHERE: { readonly [kind: string]: string } = {
  tag: "key:no-such",
  global_tag: "key:privacy/no-such",
  user: "key:nobody-here",
};

const MALFORMED = [
  ...["crm", "id:", "key:", "id:7", "KEY:crm", "ID:x", "uuid:x", ":crm", " key:crm", "key:it's", "key:ä"],
  ...[`key:${"x".repeat(129)}`, `id:${NO_ID}0`, `id:{${NO_ID}}`, 7, true, ["key:crm"], { key: "crm" }],
];

async function call({ path, ...listed }: Listed, changed: Record<string, unknown>) {
  const { here } = await scene();
  return world.writesNothing(() => world.refused(path, { ...payloadOn({ path, ...listed }, here), ...changed }));
}

describe.each(CASES)("$path given a $parameter", (one) => {
  const { kind, parameter } = one;

  const hasKey = kind.name !== "actor" && kind.name !== "api_token";
  if (hasKey) {
    test("with an unknown key, answers 404 and names the ref", async () => {
      const ref = NOWHERE[kind.name] ?? "key:no such: #%/";
      expectProblem(await call(one, { [parameter]: ref }), "not_found", ref);
    });
  }

  test("with an unknown id, answers 404 and names the ref", async () => {
    expectProblem(await call(one, { [parameter]: `id:${NO_ID}` }), "not_found", `id:${NO_ID}`);
  });

  // An id is no username.
  if (hasKey && kind.name !== "user") {
    test("with the key of the object as id, or its id as key, answers 404", async () => {
      const { here } = await scene();
      const above = kind.name === "global_tag" ? "privacy/" : "";
      expect((await call(one, { [parameter]: `key:${above}${objectOf(kind, here).id}` })).code).toBe("not_found");
    });
  }

  if (kind.parent !== undefined) {
    test("with an id under another parent, answers 404", async () => {
      const { elsewhere } = await scene();
      const { byId } = objectOf(kind, elsewhere);
      expectProblem(await call(one, { [parameter]: byId }), "not_found", byId);
    });
  }

  if (kind.name !== "model") {
    test("with the id of an object of another kind, answers 404", async () => {
      const { here } = await scene();
      const { byId } = kind.name === "type" ? here.customer : here.integer;
      expect((await call(one, { [parameter]: byId })).code).toBe("not_found");
    });
  }

  test("that is missing, null or empty, answers 400 with its pointer", async () => {
    for (const nothing of [undefined, null, ""])
      expectFaults(await call(one, { [parameter]: nothing }), `/${parameter}`);
  });
});

describe.each(LISTED.filter(({ writes, kinds }) => !writes && kinds.length > 0))("$path", (one) => {
  test("answers the same for any mix of keys and ids", async () => {
    const { here } = await scene();
    const payload = payloadOn(one, here);
    const wanted = await world.ok(one.path, payload);
    // The example of a definition is one that every instance has.
    const toId = (kind: Kind) => (kind.builtIn ? `id:${wanted.body.id}` : objectOf(kind, here).byId);
    const parameters = one.kinds.map((kind) => [kind.refParameter, toId(kind)] as const);
    for (let mix = 1; mix < 2 ** parameters.length; mix++) {
      const ids = Object.fromEntries(parameters.filter((_, i) => mix & (2 ** i)));
      const answer = await world.ok(one.path, { ...payload, ...ids });
      expect([answer.body, answer.etag], JSON.stringify(ids)).toEqual([wanted.body, wanted.etag]);
    }
  });
});

test.each(LISTED)("$path without parameters names every required one at once", async ({ path, action }) => {
  const required = Object.entries(getAllParams(action)).filter(([, { required: isRequired }]) => isRequired);
  if (required.length === 0) return;
  expectFaults(await world.refused(path, {}), ...required.map(([name]) => `/${name}`));
});

test.each(MALFORMED)("the malformed ref %j is refused in every parameter, with its pointer", async (ref) => {
  const { here } = await scene();
  const deepest = ADDRESSING.find(({ path }) => path === "model/entity_attribute_get");
  if (!deepest) throw new Error("no such action");
  for (const { refParameter } of deepest.kinds) {
    const problem = await world.refused(deepest.path, { ...payloadOn(deepest, here), [refParameter]: ref });
    expectFaults(problem, `/${refParameter}`);
    if (typeof ref === "string") expect(problem.message).toContain("id:<uuid>");
  }
});

describe("valid refs", () => {
  test("accept an id in upper case", async () => {
    const { here } = await scene();
    const modelRef = `id:${here.model.id.toUpperCase()}`;
    expect(await world.read("model/model_get", { modelRef })).toMatchObject({ id: here.model.id });
  });

  test("do not decode the key: %41 is different from A", async () => {
    const model = await aModel(world);
    await aType(world, model, "A");
    expect((await world.refused("model/type_get", { modelRef: model.ref, typeRef: "key:%41" })).code).toBe("not_found");
  });

  test("distinguish keys by case, and have no composite form", async () => {
    const { model } = (await scene()).here;
    for (const typeRef of ["key:String", `key:${model.key}/string`])
      expect((await world.refused("model/type_get", { modelRef: model.ref, typeRef })).code, typeRef).toBe("not_found");
  });
});

describe("the order of checks", () => {
  test("reports the outermost unknown ref", async () => {
    const { here } = await scene();
    const refs = { modelRef: here.model.ref, entityRef: "key:none 1", attributeRef: "key:none 2" };
    expect((await world.refused("model/entity_attribute_get", refs)).message).toContain("key:none 1");
    const outer = await world.refused("model/entity_attribute_get", { ...refs, modelRef: "key:none 0" });
    expect(outer.message).toContain("key:none 0");
  });

  test("reports faults of parameters before unknown objects", async () => {
    expectFaults(await world.refused("model/type_create", { modelRef: "key:none", typeKey: "it's" }), "/typeKey");
  });
});
