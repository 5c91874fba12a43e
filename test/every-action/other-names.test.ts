import { describe, expect, test } from "vitest";
import { getAllParams } from "../../shared/actions/contract/action-parameters.ts";
import { readPayload } from "../../shared/actions/pipeline/read-payload.ts";
import { LISTED, type Listed, payloadOn } from "../actions/support/calls.ts";
import { expectFaults, newKey, useWorld } from "../actions/support/checked-world.ts";
import { type Example, entryOf, repeatedExample } from "../actions/support/models.ts";

const world = useWorld();

const example = repeatedExample(world);

const CASES = LISTED.flatMap((one) =>
  Object.entries(getAllParams(one.action)).flatMap(([name, { type, aliases }]) =>
    aliases.map((alias) => ({ one, path: one.path, name, alias, type })),
  ),
);

const LEFT_OUT: Readonly<Record<string, (e: Example) => unknown>> = {
  key: () => newKey("other"),
  modelKey: () => newKey("other"),
  modelName: () => "Another",
  into: ({ model }) => model.ref,
  rightModelVersion: () => "0.0.1",
  objectId: ({ code }) => code.byId,
  documentationHome: () => "https://example.org/customer",
  roleName: () => "Seller",
  models: ({ model }) => [model.ref],
  roleRefs: ({ auditor }) => [auditor.ref],
  permissions: () => ["model_read"],
  actorRef: ({ graceActor }) => graceActor.ref,
  repair: () => true,
};

/** The example of an action, on that example model, with a value for that parameter. */
function payloadWith(name: string, one: Listed, e: Example): Record<string, unknown> {
  const payload: Record<string, unknown> = { ...payloadOn(one, e) };
  for (const ref of ["leftModelRef", "rightModelRef"]) if (ref in payload) payload[ref] = e.model.ref;
  if (one.path === "model/model_apply") {
    // The key of a model stands in the place of its ref.
    delete payload.modelRef;
    const content = { $schema: "urn:metaction:model:2", name: "Renamed" };
    return { ...payload, content, modelKey: e.model.key, create: true };
  }
  payload[name] ??= LEFT_OUT[name]?.(e);
  if (payload[name] === undefined) throw new Error(`LEFT_OUT has no value for ${name}`);
  return payload;
}

function renamed(payload: Readonly<Record<string, unknown>>, name: string, alias: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(payload).map(([one, value]) => [one === name ? alias : one, value]));
}

/** An answer without the ids, secrets and times that every call has anew. */
function settled(body: unknown): unknown {
  const text = JSON.stringify(body).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>");
  return JSON.parse(text.replace(/"(token|expiresAt|createdAt)":"[^"]*"/g, '"$1":"<new>"'));
}

const aliasesOf = ({ action }: Listed, name: string): readonly string[] => getAllParams(action)[name]?.aliases ?? [];

describe("the names and aliases of an action's parameters", () => {
  test.each(LISTED)("include in $path the declared names, each for one parameter", ({ action }) => {
    const all = Object.entries(getAllParams(action)).flatMap(([name, { aliases }]) => [name, ...aliases]);
    expect(all.filter((name, i) => all.indexOf(name) !== i)).toEqual([]);
    for (const [name, { aliases }] of Object.entries(action.input))
      expect(getAllParams(action)[name]?.aliases).toEqual(expect.arrayContaining([...aliases]));
  });

  test("include the aliases that other actions have for the same parameter", () => {
    expect(CASES.length).toBeGreaterThan(150);
    const namesOf = (path: string): Record<string, readonly string[]> =>
      Object.fromEntries(CASES.filter((one) => one.path === path).map(({ one, name }) => [name, aliasesOf(one, name)]));
    expect(namesOf("model/entity_create")).toEqual({ entityKey: ["key"], documentationHome: ["documentationLink"] });
    expect(namesOf("model/relationship_create")).toEqual({ relationshipKey: ["key"] });
    expect(namesOf("auth/actor_get")).toEqual({ actorRef: ["actorId"] });
  });

  test("do not include an alias of a secret, so that logs and histories recognise it by one name", () => {
    expect(CASES.filter(({ type }) => type.secret)).toEqual([]);
  });
});

describe("an alias of a parameter", () => {
  test.each(CASES)("$alias for $name of $path answers the same", async ({ one, path, name, alias }) => {
    const payload = payloadWith(name, one, await example());
    const controls = one.writes ? { dryRun: true } : {};
    const { body } = await world.ok(path, payload, controls);
    expect(settled((await world.ok(path, renamed(payload, name, alias), controls)).body)).toEqual(settled(body));
  });

  test.each(CASES)("$alias for $name of $path is read in the query too", async ({ one, name, alias }) => {
    const payload = renamed(payloadWith(name, one, await example()), name, alias);
    const { [alias]: value, ...body } = payload;
    const asText = typeof value === "string" ? value : JSON.stringify(value);
    const read = readPayload(one.action, { query: [[alias, asText]], body });
    expect(read).toEqual(readPayload(one.action, { query: [], body: payload }));
  });

  test.each(CASES)("$alias for $name of $path is named by a fault of its value", async ({ path, alias, type }) => {
    const wrong = type.json === "string" ? 7 : type.json === "any" ? undefined : "none";
    const { code, members } = await world.refused(path, { [alias]: wrong });
    const [fault, ...others] = (members.errors ?? []).filter(({ pointer }) => pointer === `/${alias}`);
    expect([code, others]).toEqual(["bad_parameters", []]);
    expect(fault?.detail).toMatch(new RegExp(`^${alias}: `));
  });

  test.each(CASES)("$alias beside $name of $path is refused", async ({ one, path, name, alias }) => {
    const payload = payloadWith(name, one, await example());
    const problem = await world.refused(path, { ...payload, [alias]: payload[name] });
    expectFaults(problem, `/${alias}`);
    expect(problem.message).toBe(`${name} is given twice, as ${name} and as ${alias}; give it once`);
  });
});

test("an entry of a batch may use aliases", async () => {
  const { model } = await example();
  const supplier = { modelRef: model.ref, entityRef: "key:supplier" };
  const actions = [
    entryOf("entity_create", { modelRef: model.ref, key: "supplier", name: "Supplier" }),
    entryOf("entity_update_description", { ...supplier, description: "A company that sells." }),
  ];
  await world.ok("batch/batch_run", { actions });
  const read = await world.read("model/entity_get", supplier);
  expect(read).toMatchObject({ key: "supplier", description: "A company that sells." });
});
