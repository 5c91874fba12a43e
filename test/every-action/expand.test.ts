import { beforeAll, describe, expect, test } from "vitest";
import { type Checked, expectFaults, useWorld } from "../actions/support/checked-world.ts";
import { type Example, exampleModel, inBatch } from "../actions/support/models.ts";
import { ACTIONS } from "../support/actions.ts";

const world = useWorld();
let example: Example;

const crm = { modelRef: "key:crm" };
const customer = { ...crm, entityRef: "key:customer" };

beforeAll(async () => {
  example = await exampleModel(world);
  const key = { attributeRef: ["key:code"] };
  await inBatch(world, [
    ["model/entity_primary_key_update", { ...customer, ...key }],
    ["model/business_key_update_participants", { ...crm, businessKeyRef: "key:customer_code", value: ["key:code"] }],
    ["model/entity_add_tag", { ...customer, tagRef: example.personal.ref }],
  ]);
  await world.ok("auth/actor_add_role", { actorId: example.graceActor.ref, roleRef: "key:auditor", models: "c*" });
  const models = example.model.byId;
  await world.ok("auth/actor_add_role", { actorId: example.graceActor.ref, roleRef: "key:manager", models });
});

const READS = ACTIONS.filter(({ intent, rule, name }) => intent === "read" && rule !== "public" && name !== "job_get");
const pathOf = ({ group, name }: (typeof READS)[number]) => `${group}/${name}`;

type Row = Readonly<Record<string, unknown>>;

function* rowsIn(value: unknown, place = ""): Generator<readonly [place: string, row: Row]> {
  if (Array.isArray(value)) for (const [i, one] of value.entries()) yield* rowsIn(one, `${place}/${i}`);
  else if (typeof value === "object" && value !== null) {
    yield [place, value as Row];
    for (const [member, one] of Object.entries(value)) yield* rowsIn(one, `${place}/${member}`);
  }
}

const REF = /^id:[0-9a-f-]{36}$/;

const holdsRefs = (value: unknown) => (Array.isArray(value) ? value.some(holdsRefs) : REF.test(String(value)));

/** The members of an answer that hold refs or the id of an actor, without what `expand=keys` shows beside each. */
function unnamedIn(body: unknown): readonly string[] {
  return [...rowsIn(body)].flatMap(([place, row]) =>
    Object.entries(row).flatMap(([member, value]) => {
      const isActor = /^actor(Id)?$/.test(member) && typeof value === "string";
      const beside = isActor ? "actorName" : holdsRefs(value) ? `${member}ByKey` : undefined;
      return beside === undefined || member.endsWith("ByKey") || beside in row ? [] : [`${place}/${member}`];
    }),
  );
}

async function answers(path: string): Promise<{ readonly bare: Checked; readonly full: Checked }> {
  const { example: payload } = READS.find((one) => pathOf(one) === path) ?? {};
  const past = /history_version_changes/.test(path) ? {} : payload;
  const named = { ...past, ...(path.startsWith("model/history") && crm) };
  return { bare: await world.ok(path, named), full: await world.ok(path, { ...named, expand: "keys" }) };
}

/** An answer without the members that `expand=keys` adds to it. */
function like(bare: unknown, full: unknown): unknown {
  if (Array.isArray(bare) && Array.isArray(full)) return full.map((one, i) => like(bare[i], one));
  if (typeof bare !== "object" || bare === null || typeof full !== "object" || full === null) return full;
  const members = Object.entries(full).filter(([member]) => Object.hasOwn(bare, member));
  return Object.fromEntries(members.map(([member, one]) => [member, like((bare as Row)[member], one)]));
}

describe("every read", () => {
  test.each(READS.map(pathOf))("%s adds keys beside ids, and changes nothing else", async (path) => {
    const { bare, full } = await answers(path);
    expect(unnamedIn(full.body)).toEqual([]);
    expect(like(bare.body, full.body)).toEqual(bare.body);
    const added = JSON.stringify(full.body) !== JSON.stringify(bare.body);
    expect(added || unnamedIn(bare.body).length === 0).toBe(true);
  });

  test("some reads show ids", async () => {
    const shown = await Promise.all(READS.map(async (one) => unnamedIn((await answers(pathOf(one))).bare.body)));
    expect(shown.filter((members) => members.length > 0).length).toBeGreaterThan(10);
  });

  test.each(READS.map(pathOf))("%s refuses unknown values with the list of valid ones", async (path) => {
    const fault = { pointer: "/expand", detail: 'expand: "names" is not valid; use keys, refs or keys,refs' };
    expect((await world.refused(path, { expand: "names" })).members.errors).toContainEqual(fault);
  });

  test("accepts an empty text, and no list", async () => {
    expect(await world.read("model/entity_get", { ...customer, expand: "" })).not.toHaveProperty("primaryKeyByKey");
    expectFaults(await world.refused("model/entity_get", { ...customer, expand: ["keys"] }), "/expand");
  });

  test("only reads accept it", async () => {
    expectFaults(await world.refused("model/entity_create", { ...crm, entityKey: "e", expand: "keys" }), "/expand");
  });
});
