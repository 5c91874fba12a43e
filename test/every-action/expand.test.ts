import { beforeAll, describe, expect, test } from "vitest";
import { isWrite } from "../../shared/actions/contract/action.ts";
import { toJsonSchema } from "../../shared/actions/describe/json-schema.ts";
import { type Checked, expectFaults, useWorld } from "../actions/support/checked-world.ts";
import { type AnsweredId, listIds } from "../actions/support/declared-ids.ts";
import { type Example, exampleModel, inBatch, RUN } from "../actions/support/models.ts";
import { ACTIONS, findAction } from "../support/actions.ts";
import type { Body } from "../support/world.ts";

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
  await world.ok("auth/token_create", { name: "Build", permissions: ["model_read"], models: ["c*", models] });
  const pairs = { ...crm, relationshipRef: "key:replaces", value: [["key:number", "key:number"]] };
  await world.ok("model/relationship_update_key_pairs", pairs, { run: RUN });
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

/** The members of an answer, images aside, that hold refs or the id of an actor, without what `expand=keys` adds to each. */
function unnamedIn(body: unknown): readonly string[] {
  const rows = [...rowsIn(body)].filter(([place]) => !/\/(before|after)\b/.test(place));
  return rows.flatMap(([place, row]) =>
    Object.entries(row).flatMap(([member, value]) => {
      const isActor = /^actor(Id)?$/.test(member) && typeof value === "string";
      const beside = isActor ? "actorName" : holdsRefs(value) ? `${member}ByKey` : undefined;
      return beside === undefined || member.endsWith("ByKey") || beside in row ? [] : [`${place}/${member}`];
    }),
  );
}

/** Payloads in place of the example of an action, so that the answer has more rows. */
const PAYLOADS: Readonly<Record<string, object>> = {
  "model/history_version_changes": crm,
  "model/history_versions": crm,
  "auth/audit_list": {},
  "auth/token_list": { all: true },
};

const answer = (path: string, expand?: string): Promise<Checked> =>
  world.ok(path, { ...(PAYLOADS[path] ?? findAction(path).example), ...(expand && { expand }) });

const answers = async (path: string) => ({ bare: await answer(path), full: await answer(path, "keys") });

/** An answer without the members that `expand=keys` adds to it. */
function like(bare: unknown, full: unknown): unknown {
  if (Array.isArray(bare) && Array.isArray(full)) return full.map((one, i) => like(bare[i], one));
  if (typeof bare !== "object" || bare === null || typeof full !== "object" || full === null) return full;
  const members = Object.entries(full).filter(([member]) => Object.hasOwn(bare, member));
  return Object.fromEntries(members.map(([member, one]) => [member, like((bare as Row)[member], one)]));
}

/** The ids of objects in an answer. Requests are no objects, and documents are sent back as a whole. */
const idsIn = (path: string, { body }: Checked): readonly AnsweredId[] =>
  [...listIds(body, toJsonSchema(findAction(path).output))].filter(
    ({ description }) => !/^Id of the (request|object, never as a ref)/.test(description),
  );

const withoutScheme = (body: unknown) => JSON.parse(JSON.stringify(body).replaceAll('"id:', '"'));

/** A call that names an object by a ref as an answer had it, and the noun of the object in descriptions. */
type Sent = readonly [noun: string, path: string, payload: object];

/** Calls of objects in models, by the members of a row of a search. */
function sendFound({ id, location }: Body): Sent {
  const { objectType, modelId: modelRef, entityId: entityRef, relationshipId: relationshipRef } = location;
  const path = `model/${objectType.replace(/[A-Z]/g, "_$&").toLowerCase()}_get`;
  if (objectType === "tag") return ["tag", "tag/tag_local_get", { modelRef, tagRef: id }];
  if (objectType === "relationshipRole") {
    const role = { modelRef, relationshipRef, relationshipRoleRef: id, value: "Other" };
    return ["role", "model/relationship_role_update_name", role];
  }
  if (objectType.endsWith("Attribute")) {
    const owner = entityRef ? { entityRef } : { relationshipRef };
    return ["attribute", path, { modelRef, ...owner, attributeRef: id }];
  }
  return [path.replace(/^model.(.*)_get/, "$1").replace("_", " "), path, { modelRef, [`${objectType}Ref`]: id }];
}

type List = readonly [path: string, payload: object, send: (row: Body) => Sent];

/** Lists of all objects of a kind, and the call for a row of it. */
const LISTS: readonly List[] = [
  ["model/search", { filters: { items: [] } }, sendFound],
  ["model/deleted_list", {}, ({ id }) => ["model", "model/model_undelete", { modelRef: id }]],
  ["model/run_list", {}, ({ id }) => ["run", "model/run_get", { runRef: id }]],
  ["tag/tag_search", {}, ({ id }) => ["tag", "tag/tag_global_get", { tagRef: id }]],
  ["tag/tag_group_list", {}, ({ id }) => ["group", "tag/tag_group_get", { tagGroupRef: id }]],
  ["property/definition_list", {}, ({ id }) => ["definition", "property/definition_get", { definitionRef: id }]],
  ["auth/role_list", {}, ({ id }) => ["role", "auth/role_get", { roleRef: id }]],
  ["auth/actor_list", {}, ({ id }) => ["actor", "auth/actor_get", { actorRef: id }]],
  ["auth/user_list", {}, ({ id }) => ["user", "auth/user_change_fullname", { username: id, fullname: "Other" }]],
  ["auth/token_list", { all: true }, ({ id }) => ["token", "auth/token_revoke", { tokenId: id }]],
];

/** Members with the name of an id in the schema of an answer, with their descriptions. */
function* idMembersIn(schema: Body, place: string): Generator<readonly [place: string, description: string]> {
  for (const inner of [schema.items, schema.additionalProperties, ...(schema.anyOf ?? [])])
    if (typeof inner === "object") yield* idMembersIn(inner, place);
  for (const [member, one] of Object.entries<Body>(schema.properties ?? {})) {
    const isId = /^(id|\w+Id|ref|\w+Ref|actor|owner|apiToken|run|session|deletedBy)$/.test(member);
    if (isId && one.type === "string") yield [`${place} ${member}`, one.description ?? ""];
    yield* idMembersIn(one, place);
  }
}

test("every member of an answer that holds an id says so, and of what", () => {
  // The configuration has no objects.
  const actions = ACTIONS.filter(({ group }) => group !== "config");
  const members = actions.flatMap((one) => [...idMembersIn(toJsonSchema(one.output), `${one.group}/${one.name}`)]);
  expect(members.length).toBeGreaterThan(300);
  const NAMED =
    /^(Id|Ref)( `id:<uuid>`)? (of|that) .*\b(actor|attribute|commit|entity|entry|group|key|job|model|object|property definition|relationship|request|role|run|session|tag|token|type|user)\b/;
  expect(members.filter(([, description]) => !NAMED.test(description))).toEqual([]);
});

describe("with expand=refs", () => {
  test.each(READS.map(pathOf))("%s answers each id of an object as a ref, and changes nothing else", async (path) => {
    const [bare, refs, both] = [await answer(path), await answer(path, "refs"), await answer(path, "keys,refs")];
    expect(idsIn(path, refs).filter(({ value }) => !value.startsWith("id:"))).toEqual([]);
    expect(withoutScheme(refs.body)).toEqual(withoutScheme(bare.body));
    expect(like(refs.body, both.body)).toEqual(refs.body);
    expect(withoutScheme(both.body)).toEqual(withoutScheme((await answer(path, "keys")).body));
  });

  test("each ref names the object that the answer says when it is sent back as it is", async () => {
    const sent = new Map<string, string>();
    for (const [list, payload, send] of LISTS) {
      for (const row of (await world.read(list, { ...payload, expand: "refs" })).items) {
        if (sent.has(row.id)) continue;
        const [noun, path, parameters] = send(row);
        const action = findAction(path);
        const controls = isWrite(action) ? { dryRun: true } : {};
        const { body } = await world.ok(path, { ...parameters, ...(!isWrite(action) && { expand: "refs" }) }, controls);
        expect([path, (body.role ?? body).id.replace(/^id:/, "")]).toEqual([path, row.id.replace("id:", "")]);
        sent.set(row.id, noun);
      }
    }
    expect(new Set(sent.values()).size).toBe(14);
    for (const { id, tagScopeRef: value } of (await world.read("tag/tag_search", { expand: "refs" })).items) {
      const { items } = await world.read("tag/tag_search", {
        filters: { items: [{ type: "scopeRef", condition: "is", value }] },
      });
      expect(items.map((row: Body) => `id:${row.id}`)).toContain(id);
    }
    const [entry] = (await world.read("auth/audit_list", { expand: "refs" })).items;
    const { items } = await world.read("auth/audit_list", { actorId: entry.actor.id });
    expect(items.map((row: Body) => row.id)).toContain(entry.id);
    for (const path of READS.map(pathOf)) {
      for (const { place, value, description } of idsIn(path, await answer(path, "refs"))) {
        expect(sent.has(value), `${path} ${place}`).toBe(true);
        expect(description, `${path} ${place}`).toMatch(new RegExp(`${sent.get(value)}|objects?\\b`, "i"));
      }
    }
  });
});

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
