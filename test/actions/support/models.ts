import { writePerson } from "../../support/accounts.ts";
import { type Checked, newKey, type Stage } from "./stage.ts";

/** A model to work on, named both ways. */
export interface Made {
  readonly id: string;
  readonly key: string;
  /** `key:<key>` */
  readonly ref: string;
  /** `id:<id>` */
  readonly byId: string;
}

const made = ({ body }: Checked): Made => madeOf(body);

/** An empty model. */
export async function aModel(stage: Stage, key = newKey("model")): Promise<Made> {
  return made(await stage.ok("model/model_create", { key, name: `Model ${key}` }));
}

/** A type of a model. */
export async function aType(stage: Stage, model: Made, key = newKey("type")): Promise<Made> {
  return made(await stage.ok("model/type_create", { modelRef: model.ref, typeKey: key }));
}

/** An entity of a model. */
export async function anEntity(stage: Stage, model: Made, key = newKey("entity")): Promise<Made> {
  return made(await stage.ok("model/entity_create", { modelRef: model.ref, entityKey: key }));
}

/** An attribute of an entity or a relationship; required, unless told otherwise. */
export async function anAttribute(
  stage: Stage,
  place: { readonly model: Made; readonly type: Made } & ({ readonly entity: Made } | { readonly relationship: Made }),
  key = newKey("attribute"),
): Promise<Made> {
  const payload = { modelRef: place.model.ref, attributeKey: key, type: place.type.ref, optional: false };
  return made(
    "entity" in place
      ? await stage.ok("model/entity_attribute_create", { ...payload, entityRef: place.entity.ref })
      : await stage.ok("model/relationship_attribute_create", { ...payload, relationshipRef: place.relationship.ref }),
  );
}

/** A relationship of two entities, with the roles `a` and `b`. */
export async function aRelationship(
  stage: Stage,
  place: { readonly model: Made; readonly a: Made; readonly b: Made },
  key = newKey("relationship"),
): Promise<Made> {
  const roles = {
    ...{ roleAKey: "a", roleAEntityRef: place.a.ref, roleACardinality: "one" },
    ...{ roleBKey: "b", roleBEntityRef: place.b.ref, roleBCardinality: "many" },
  };
  return made(
    await stage.ok("model/relationship_create", { modelRef: place.model.ref, relationshipKey: key, ...roles }),
  );
}

/** A business key of an entity, without participants unless told otherwise. */
export async function aBusinessKey(
  stage: Stage,
  place: { readonly model: Made; readonly entity: Made },
  key = newKey("business_key"),
  participants: readonly string[] = [],
): Promise<Made> {
  const payload = { modelRef: place.model.ref, entityRef: place.entity.ref, key, participants };
  return made(await stage.ok("model/business_key_create", payload));
}

/** A tag of a model. */
export async function aLocalTag(stage: Stage, model: Made, key = newKey("tag")): Promise<Made> {
  return made(await stage.ok("tag/tag_local_create", { modelRef: model.ref, key }));
}

/** A tag group. */
export async function aTagGroup(stage: Stage, key = newKey("group")): Promise<Made> {
  return made(await stage.ok("tag/tag_group_create", { key }));
}

/** A tag of a group, whose ref names both. */
export async function aGlobalTag(stage: Stage, group: Made, key = newKey("tag")): Promise<Made> {
  const tag = made(await stage.ok("tag/tag_global_create", { groupRef: group.ref, key }));
  return { ...tag, ref: `key:${group.key}/${tag.key}` };
}

/** The model that the examples of all actions work on, and its twin with the same keys, in which nothing of it may be found. */
export interface Example {
  readonly model: Made;
  readonly string: Made;
  readonly integer: Made;
  readonly unused: Made;
  readonly customer: Made;
  readonly code: Made;
  readonly customerCode: Made;
  readonly person: Made;
  readonly order: Made;
  readonly places: Made;
  readonly channel: Made;
  readonly draft: Made;
  /** A tag group and a tag of it, which all models share. */
  readonly privacy: Made;
  readonly personal: Made;
  /** A role that the service does not keep, a user who has the role `reader`, and their actor. */
  readonly auditor: Made;
  readonly grace: Made;
  readonly graceActor: Made;
  /** The model's revision. */
  readonly revision: number;
}

/**
 * A model with the types `string`, `integer` and `unused` and the entity `customer` with the attribute `code` and
 * the business key `customer_code`. The relationship `places` has the roles `buyer` and `payer` of the entity `person`
 * and `order` of the entity `order`, and the attribute `channel`. Of its tags `draft` marks whatever can be marked, and
 * `reviewed` nothing. Beside it there are the tag `personal` of the group `privacy`,
 * the role `auditor` with the permission `model_read`, the user `grace`, and `retired`, who is disabled.
 */
export async function exampleModel(stage: Stage, key = "crm"): Promise<Example> {
  const model = await aModel(stage, key);
  const string = await aType(stage, model, "string");
  const integer = await aType(stage, model, "integer");
  const unused = await aType(stage, model, "unused");
  const customer = await anEntity(stage, model, "customer");
  const code = await anAttribute(stage, { model, entity: customer, type: string }, "code");
  const customerCode = await aBusinessKey(stage, { model, entity: customer }, "customer_code");
  const person = await anEntity(stage, model, "person");
  const order = await anEntity(stage, model, "order");
  const places = await placesOf(stage, model, person, order);
  const channel = await anAttribute(stage, { model, relationship: places, type: string }, "channel");
  const draft = await draftOn(stage, model);
  await aLocalTag(stage, model, "reviewed");
  const shared = await privacy(stage);
  const people = await examplePeople(stage);
  const revision = await revisionOf(stage, model);
  const objects = { customer, code, customerCode, person, order, places, channel, draft, ...shared, ...people };
  return { model, string, integer, unused, ...objects, revision };
}

/** Who orders what, and who pays for it. */
async function placesOf(stage: Stage, model: Made, person: Made, order: Made): Promise<Made> {
  const refs = { modelRef: model.ref, relationshipRef: "key:places" };
  const places = await stage.ok("model/relationship_create", {
    ...{ modelRef: model.ref, relationshipKey: "places" },
    ...{ roleAKey: "buyer", roleAEntityRef: person.ref, roleACardinality: "one" },
    ...{ roleBKey: "order", roleBEntityRef: order.ref, roleBCardinality: "many" },
  });
  const payer = { roleKey: "payer", roleEntityRef: person.ref, roleCardinality: "zeroOrOne" };
  await stage.ok("model/relationship_role_create", { ...refs, ...payer });
  return made(places);
}

/** Marks everything that tags can mark. */
async function draftOn(stage: Stage, model: Made): Promise<Made> {
  const draft = await aLocalTag(stage, model, "draft");
  const on = { modelRef: model.ref, tagRef: draft.ref };
  const [entity, relationship] = [{ entityRef: "key:customer" }, { relationshipRef: "key:places" }];
  await stage.ok("model/model_add_tag", on);
  await stage.ok("model/entity_add_tag", { ...on, ...entity });
  await stage.ok("model/entity_attribute_add_tag", { ...on, ...entity, attributeRef: "key:code" });
  await stage.ok("model/relationship_add_tag", { ...on, ...relationship });
  await stage.ok("model/relationship_attribute_add_tag", { ...on, ...relationship, attributeRef: "key:channel" });
  return draft;
}

/** The tag `personal` of the group `privacy`, which all models share. */
async function privacy(stage: Stage): Promise<Pick<Example, "privacy" | "personal">> {
  const { items } = await stage.read("tag/tag_search");
  const found = items.find(({ key }: Row) => key === "personal");
  if (found) return { privacy: madeOf(found.group), personal: { ...madeOf(found), ref: "key:privacy/personal" } };
  const group = await aTagGroup(stage, "privacy");
  return { privacy: group, personal: await aGlobalTag(stage, group, "personal") };
}

/** A copy of an example model under a key of its own. */
export async function copyOf(stage: Stage, example: Example): Promise<Example> {
  const key = newKey("copy");
  const model = made(await stage.ok("model/model_copy", { modelRef: example.model.byId, modelNewKey: key }));
  const { types, entities, businessKeys, relationships, localTags } = await stage.read("model/model_export", {
    modelRef: model.byId,
  });
  const [integer, string, unused] = types.map((type: Row) => madeOf(type));
  const [customer, order, person] = entities.map((entity: Row) => madeOf(entity));
  return {
    model,
    string,
    integer,
    unused,
    customer,
    code: madeOf(entities[0].attributes[0]),
    customerCode: madeOf(businessKeys[0]),
    person,
    order,
    places: madeOf(relationships[0]),
    channel: madeOf(relationships[0].attributes[0]),
    draft: madeOf(localTags[0]),
    privacy: example.privacy,
    personal: example.personal,
    auditor: example.auditor,
    grace: example.grace,
    graceActor: example.graceActor,
    revision: 1,
  };
}

type Row = { readonly id: string; readonly key: string };

const madeOf = ({ id, key }: Row): Made => ({ id, key, ref: `key:${key}`, byId: `id:${id}` });

/** The model's revision as `model_get` tells it. */
export async function revisionOf(stage: Stage, model: Made): Promise<number> {
  return (await stage.read("model/model_get", { modelRef: model.byId })).revision;
}

/** Ids of the actors that the examples name. */
const GRACE = "0198c0de-0000-7000-8000-0000000000a1";
const RETIRED = "0198c0de-0000-7000-8000-0000000000b1";

/** The people and the role of the examples, whom all models share. */
async function examplePeople(stage: Stage): Promise<Pick<Example, "auditor" | "grace" | "graceActor">> {
  const { items } = await stage.read("auth/role_list");
  const reader = items.find(({ key }: Row) => key === "reader");
  if (!items.some(({ key }: Row) => key === "auditor")) {
    await stage.ok("auth/role_create", { key: "auditor", name: "Auditor" });
    await stage.ok("auth/role_add_permission", { roleRef: "key:auditor", permissionKey: "model_read" });
    const { seam } = stage.world;
    const createdAt = "2026-01-01T00:00:00.000Z";
    await writePerson(seam, { username: "grace", id: GRACE, fullname: "Grace Hopper", roles: [reader.id], createdAt });
    await writePerson(seam, { username: "retired", id: RETIRED, roles: [], createdAt, disabledAt: createdAt });
  }
  const { role } = await stage.read("auth/role_get", { roleRef: "key:auditor" });
  const users = (await stage.read("auth/user_list")).items;
  const user = users.find(({ username }: { username: string }) => username === "grace");
  return {
    auditor: madeOf(role),
    grace: { ...madeOf({ id: user.id, key: "grace" }), ref: "grace" },
    graceActor: { ...madeOf({ id: GRACE, key: "grace" }), ref: GRACE },
  };
}
