import { toAuditItem } from "../../../shared/store/commit/account-writes.ts";
import { createRunStore } from "../../../shared/store/commit/runs.ts";
import { auditKey } from "../../../shared/store/table/keys.ts";
import { writeObjects, writePerson } from "../../support/accounts.ts";
import { type CheckedWorld, findActor, newKey } from "./checked-world.ts";

/** A model to work on, named both ways. */
export interface Made {
  readonly id: string;
  readonly key: string;
  /** `key:<key>` */
  readonly ref: string;
  /** `id:<id>` */
  readonly byId: string;
}

const make = async (world: CheckedWorld, action: string, payload: object): Promise<Made> =>
  madeOf((await world.ok(action, payload)).body);

export const aModel = (world: CheckedWorld, key = newKey("model")) =>
  make(world, "model/model_create", { key, name: `Model ${key}` });

export const aType = (world: CheckedWorld, model: Made, key = newKey("type")) =>
  make(world, "model/type_create", { modelRef: model.ref, typeKey: key });

export const anEntity = (world: CheckedWorld, model: Made, key = newKey("entity")) =>
  make(world, "model/entity_create", { modelRef: model.ref, entityKey: key });

/** An attribute of an entity or a relationship; required, unless told otherwise. */
export async function anAttribute(
  world: CheckedWorld,
  place: { readonly model: Made; readonly type: Made } & ({ readonly entity: Made } | { readonly relationship: Made }),
  key = newKey("attribute"),
): Promise<Made> {
  const payload = { modelRef: place.model.ref, attributeKey: key, type: place.type.ref, optional: false };
  return "entity" in place
    ? make(world, "model/entity_attribute_create", { ...payload, entityRef: place.entity.ref })
    : make(world, "model/relationship_attribute_create", { ...payload, relationshipRef: place.relationship.ref });
}

/** A model with one entity that has the attributes `a`, `b` and `c`; its revision is 6. */
export async function anEntityWithAttributes(
  world: CheckedWorld,
): Promise<Readonly<Record<"model" | "type" | "entity" | "a" | "b" | "c", Made>>> {
  const model = await aModel(world);
  const place = { model, type: await aType(world, model), entity: await anEntity(world, model) };
  const [a, b] = [await anAttribute(world, place, "a"), await anAttribute(world, place, "b")];
  return { ...place, a, b, c: await anAttribute(world, place, "c") };
}

/** A relationship of two entities, with the roles `a` and `b`. */
export async function aRelationship(
  world: CheckedWorld,
  place: { readonly model: Made; readonly a: Made; readonly b: Made },
  key = newKey("relationship"),
): Promise<Made> {
  const roles = {
    ...{ roleAKey: "a", roleAEntityRef: place.a.ref, roleACardinality: "one" },
    ...{ roleBKey: "b", roleBEntityRef: place.b.ref, roleBCardinality: "many" },
  };
  return make(world, "model/relationship_create", { modelRef: place.model.ref, relationshipKey: key, ...roles });
}

/** A business key of an entity, without participants unless told otherwise. */
export async function aBusinessKey(
  world: CheckedWorld,
  place: { readonly model: Made; readonly entity: Made },
  key = newKey("business_key"),
  participants: readonly string[] = [],
): Promise<Made> {
  const payload = { modelRef: place.model.ref, entityRef: place.entity.ref, key, participants };
  return make(world, "model/business_key_create", payload);
}

export const aLocalTag = (world: CheckedWorld, model: Made, key = newKey("tag")) =>
  make(world, "tag/tag_local_create", { modelRef: model.ref, key });

export const aTagGroup = (world: CheckedWorld, key = newKey("group")) => make(world, "tag/tag_group_create", { key });

export async function aGlobalTag(world: CheckedWorld, group: Made, key = newKey("tag")): Promise<Made> {
  const tag = await make(world, "tag/tag_global_create", { groupRef: group.ref, key });
  return { ...tag, ref: `key:${group.key}/${tag.key}` };
}

/** A model with an object of every kind, and the people, tags and definitions that the examples of actions name. */
export async function exampleModel(world: CheckedWorld, key = "crm") {
  const model = await aModel(world, key);
  const results = await inBatch(world, exampleEntries(model.ref));
  const made = (key: string): Made => results.find((one) => one.key === key) as Made;
  const places = made("places");
  const { roles } = await world.read("model/relationship_get", { modelRef: model.ref, relationshipRef: places.ref });
  const revision = await revisionOf(world, model);
  const gone = await aModel(world, `${key}_before`);
  await world.ok("model/model_delete", { modelRef: gone.ref });
  return {
    ...{ model, revision, gone, string: made("string"), integer: made("integer"), unused: made("unused") },
    ...{ customer: made("customer"), code: made("code"), customerCode: made("customer_code"), person: made("person") },
    ...{ order: made("order"), places, buyer: madeOf(roles[0]), channel: made("channel"), draft: made("draft") },
    ...(await shared(world)),
    ...(await examplePeople(world)),
  };
}

/** The objects that the examples of all actions work on, and the revision of their model. */
export type Example = Awaited<ReturnType<typeof exampleModel>>;

type Entry = readonly [action: string, payload: object];

/** Creates an entry of a batch; the group is `model` unless the path names another. */
export function entryOf(path: string, payload: object) {
  const [action, group = "model"] = path.split("/").toReversed();
  return { group, action, payload };
}

/** Runs entries as one batch, and answers the object that each of them made or changed. */
export async function inBatch(world: CheckedWorld, entries: readonly Entry[]): Promise<readonly Made[]> {
  const actions = entries.map(([path, payload]) => entryOf(path, payload));
  return (await world.ok("batch/batch_run", { actions })).body.results.map(madeOf);
}

/** The property of everything in the example model that its example actions take a property from. */
const REVIEWED = { property: "reviewed", value: "2026-07-01" };

function exampleEntries(modelRef: string): readonly Entry[] {
  const customer = { modelRef, entityRef: "key:customer" };
  const places = { modelRef, relationshipRef: "key:places" };
  const text = { type: "key:string", optional: false };
  const roles = {
    ...{ roleAKey: "buyer", roleAEntityRef: "key:person", roleACardinality: "one" },
    ...{ roleBKey: "order", roleBEntityRef: "key:order", roleBCardinality: "many" },
  };
  const payer = { roleKey: "payer", roleEntityRef: "key:person", roleCardinality: "zeroOrOne" };
  const replacement = {
    ...{ roleAKey: "replaced", roleAEntityRef: "key:order", roleACardinality: "zeroOrOne" },
    ...{ roleBKey: "replacement", roleBEntityRef: "key:order", roleBCardinality: "many" },
  };
  const draft = { tagRef: "key:draft" };
  return [
    ["model/type_create", { modelRef, typeKey: "string" }],
    ["model/type_create", { modelRef, typeKey: "integer" }],
    ["model/type_create", { modelRef, typeKey: "unused" }],
    ["model/entity_create", { modelRef, entityKey: "customer" }],
    ["model/entity_attribute_create", { ...customer, attributeKey: "code", ...text }],
    ["model/business_key_create", { ...customer, key: "customer_code", participants: [] }],
    ["model/entity_create", { modelRef, entityKey: "person" }],
    ["model/entity_create", { modelRef, entityKey: "order" }],
    ["model/relationship_create", { modelRef, relationshipKey: "places", ...roles }],
    ["model/relationship_role_create", { ...places, ...payer }],
    ["model/relationship_attribute_create", { ...places, attributeKey: "channel", ...text }],
    ["tag/tag_local_create", { modelRef, key: "draft" }],
    ["tag/tag_local_create", { modelRef, key: "reviewed" }],
    ["model/model_add_tag", { modelRef, ...draft }],
    ["model/entity_add_tag", { ...customer, ...draft }],
    ["model/entity_attribute_add_tag", { ...customer, attributeRef: "key:code", ...draft }],
    ["model/relationship_add_tag", { ...places, ...draft }],
    ["model/relationship_attribute_add_tag", { ...places, attributeRef: "key:channel", ...draft }],
    ["model/model_update_property", { modelRef, ...REVIEWED }],
    ["model/type_update_property", { modelRef, typeRef: "key:string", ...REVIEWED }],
    ["model/entity_update_property", { ...customer, ...REVIEWED }],
    ["model/entity_attribute_update_property", { ...customer, attributeRef: "key:code", ...REVIEWED }],
    ["model/business_key_update_property", { modelRef, businessKeyRef: "key:customer_code", ...REVIEWED }],
    ["model/relationship_update_property", { ...places, ...REVIEWED }],
    ["model/relationship_attribute_update_property", { ...places, attributeRef: "key:channel", ...REVIEWED }],
    ["tag/tag_local_update_property", { modelRef, ...draft, ...REVIEWED }],
    ["model/entity_attribute_create", { modelRef, entityRef: "key:order", attributeKey: "number", ...text }],
    ["model/entity_attribute_create", { modelRef, entityRef: "key:order", attributeKey: "date", ...text }],
    ["model/relationship_attribute_create", { ...places, attributeKey: "since", ...text }],
    ["model/relationship_create", { modelRef, relationshipKey: "replaces", ...replacement }],
  ];
}

async function shared(world: CheckedWorld) {
  const { items } = await world.read("tag/tag_search");
  const found = items.find(({ key }: Row) => key === "personal");
  if (found) {
    const costCentre = madeOf(await world.read("property/definition_get", { definitionRef: "key:costCentre" }));
    return { privacy: madeOf(found.group), personal: { ...madeOf(found), ref: "key:privacy/personal" }, costCentre };
  }
  const group = await aTagGroup(world, "privacy");
  const personal = await aGlobalTag(world, group, "personal");
  await world.ok("tag/tag_group_update_property", { tagGroupRef: group.ref, ...REVIEWED });
  await world.ok("tag/tag_global_update_property", { tagRef: personal.ref, ...REVIEWED });
  const defined = { key: "costCentre", kinds: ["model"], schema: { type: "string" } };
  return { privacy: group, personal, costCentre: await make(world, "property/definition_create", defined) };
}

type Row = { readonly id: string; readonly key: string };

const madeOf = ({ id, key }: Row): Made => ({ id, key, ref: `key:${key}`, byId: `id:${id}` });

/** The model's revision as `model_get` tells it. */
export async function revisionOf(world: CheckedWorld, model: Made): Promise<number> {
  return (await world.read("model/model_get", { modelRef: model.byId })).revision;
}

/** The run that the example of `run_get` names. */
export const RUN = "01890a5d-ac96-774b-bcce-b302099a8057";
const GRACE = "0198c0de-0000-7000-8000-0000000000a1";
const RETIRED = "0198c0de-0000-7000-8000-0000000000b1";
const SESSION = "WxTDRMlKdYEzqm_YImBkLg";
const NIGHTLY = "0198c0de-0000-7000-8000-0000000000c1";

async function examplePeople(world: CheckedWorld) {
  const { items } = await world.read("auth/role_list");
  const reader = items.find(({ key }: Row) => key === "reader");
  if (!items.some(({ key }: Row) => key === "auditor")) {
    await world.ok("auth/role_create", { key: "auditor", name: "Auditor" });
    await world.ok("auth/role_add_permission", { roleRef: "key:auditor", permissionKey: "model_read" });
    const { table } = world;
    const createdAt = "2026-01-01T00:00:00.000Z";
    await writePerson(table, { username: "grace", id: GRACE, fullname: "Grace Hopper", roles: [reader.id], createdAt });
    await writePerson(table, { username: "retired", id: RETIRED, roles: [], createdAt, disabledAt: createdAt });
    await world.ok("auth/service_account_create", { key: "nightly-export", name: "Nightly export" });
    const expiresAt = "2099-01-01T00:00:00.000Z";
    const nightly = { id: NIGHTLY, key: NIGHTLY, owner: GRACE, name: "Nightly export", hash: "-", revision: 0 };
    await writeObjects(table, [{ kind: "api_token", ...nightly, permissions: ["model_read"], createdAt, expiresAt }]);
    const signIn = { session: SESSION, tokenEpoch: 1, actor: { id: GRACE, subject: "grace" } };
    const place = auditKey(new Date(world.service.runtime.now()).toISOString(), GRACE);
    await table.batchPut([toAuditItem(place, { act: "auth/login", outcome: "ok", ...signIn })]);
    const { id: actor } = await findActor(world.read, "admin");
    await createRunStore(table, world.service.runtime).begin({ id: RUN, title: "Example", actor, time: createdAt });
  }
  const { role } = await world.read("auth/role_get", { roleRef: "key:auditor" });
  const users = (await world.read("auth/user_list")).items;
  const user = users.find(({ username }: { username: string }) => username === "grace");
  return {
    auditor: madeOf(role),
    grace: { ...madeOf({ id: user.id, key: "grace" }), ref: "grace" },
    graceActor: { ...madeOf({ id: GRACE, key: "grace" }), ref: GRACE },
    nightly: { ...madeOf({ id: NIGHTLY, key: "Nightly export" }), ref: NIGHTLY },
  };
}

/** Answers the example model of a file's tests as it was made: the changes of the test before are undone. */
export function repeatedExample(world: CheckedWorld): () => Promise<Example> {
  let template: Promise<Example> | undefined;
  const make = async (): Promise<Example> => {
    const made = await exampleModel(world, newKey("crm"));
    await world.remember();
    return made;
  };
  return async () => {
    template ??= make();
    const made = await template;
    await world.putBack();
    return made;
  };
}
