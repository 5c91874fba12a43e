import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Runs an action as the administrator and returns its answer; throws where it is refused. */
export type Run = (action: string, payload: object) => Promise<unknown>;

const LIBRARY = join(import.meta.dirname, "../../../examples/library/datapackage.json");
const modelRef = "key:library";

/** A model in which everything is as long as it may be. */
export const LONG_MODEL = "k".repeat(128);
export const LONG_KEY = "donneesPersonnellesDesBeneficiaires_".repeat(4).slice(0, 128);
const LONG_NAME =
  "Interdépartementalisation des enregistrements administratifs anticonstitutionnellement dématérialisés";
const LONG_TEXT = `${LONG_NAME}\n\n${"Un **très** long paragraphe qui décrit l’objet. ".repeat(20)}\n\n- un\n- deux\n\n\`${LONG_KEY}\``;
const TAGS = 100;
const TAGS_OF_ONE = 50;

/** A person whom nobody gave a right. */
export const STRANGER = { username: "grace", password: "Violet-Harbor-8-Lantern" };

const SERVICE = { key: "nightly-export", name: "Nightly export", roleRefs: ["key:admin"] };

/** Fills a service with what the pictures of the screens show: a model with its past, tags, people and what is long. */
export async function fillForPictures(run: Run): Promise<void> {
  await run("model/import", { content: JSON.parse(readFileSync(LIBRARY, "utf8")), modelKey: "library" });
  await run("model/model_update_description", { modelRef, value: "Books, their **copies** and who borrowed them." });
  await run("model/model_release", { modelRef, value: "2.0.0" });
  for (const [key, name] of [
    ["pii", "Personal data"],
    ["core", "Core"],
  ])
    await run("tag/tag_local_create", { modelRef, key, name });
  await run("tag/tag_group_create", { key: "domain", name: "Domain" });
  await run("tag/tag_global_create", { groupRef: "key:domain", key: "lending", name: "Lending" });
  const [first, second] = await listed(run, "model/entity_list", { modelRef });
  for (const [entity, tagRef] of [
    [first, "key:core"],
    [first, "key:domain/lending"],
    [second, "key:pii"],
  ] as const) {
    if (entity) await run("model/entity_add_tag", { modelRef, entityRef: `key:${entity.key}`, tagRef });
  }
  if (first) {
    const entityRef = `key:${first.key}`;
    await run("model/entity_update_description", { modelRef, entityRef, value: "Every *title* that the library has." });
    await run("model/model_update_property", { modelRef, property: "owner", value: "Lending department" });
  }
  await fillLongModel(run);
  await run("model/model_create", { key: "sales", name: "Sales" });
  await run("auth/user_create", { ...STRANGER, fullname: "Grace Hopper", admin: false });
  const { id } = (await run("auth/service_account_create", SERVICE)) as { readonly id: string };
  await run("auth/token_create", { name: "Export of the library", actorId: id, models: ["library*"] });
  await run("auth/role_create", { key: "importer", name: "Importer", description: "Brings sources in." });
  await run("auth/role_add_permission", { roleRef: "key:importer", permissionKey: "model_import" });
  await run("property/definition_create", {
    key: "retentionDays",
    kinds: ["entity"],
    schema: { type: "integer", minimum: 0 },
  });
}

async function listed(run: Run, action: string, payload: object) {
  // Every list of objects answers so.
  return ((await run(action, payload)) as { readonly items: readonly { id: string; key: string }[] }).items;
}

/** Makes the model with the longest keys, names and texts, and as many tags as a person will look through. */
async function fillLongModel(run: Run) {
  const ref = `key:${LONG_MODEL}`;
  await run("model/model_create", { key: LONG_MODEL, name: LONG_NAME });
  await run("model/type_create", { modelRef: ref, typeKey: LONG_KEY, name: LONG_NAME });
  await run("model/entity_create", { modelRef: ref, entityKey: LONG_KEY, name: LONG_NAME, description: LONG_TEXT });
  await run("model/entity_create", { modelRef: ref, entityKey: "short" });
  const entityRef = `key:${LONG_KEY}`;
  for (const attributeKey of [LONG_KEY, "short"]) {
    const given = { modelRef: ref, entityRef, attributeKey, type: `key:${LONG_KEY}`, optional: true };
    await run("model/entity_attribute_create", { ...given, name: LONG_NAME, description: LONG_TEXT });
  }
  const roleA = { roleAKey: LONG_KEY, roleAEntityRef: entityRef, roleACardinality: "one" };
  const roleB = { roleBKey: "short", roleBEntityRef: "key:short", roleBCardinality: "many" };
  await run("model/relationship_create", { modelRef: ref, relationshipKey: LONG_KEY, ...roleA, ...roleB });
  for (let at = 0; at < TAGS; at++) {
    const key = at === 0 ? LONG_KEY : `tag_${at}`;
    await run("tag/tag_local_create", { modelRef: ref, key, name: at === 0 ? LONG_NAME : `Étiquette ${at}` });
    if (at < TAGS_OF_ONE) await run("model/entity_add_tag", { modelRef: ref, entityRef, tagRef: `key:${key}` });
    if (at < TAGS_OF_ONE) await run("model/model_add_tag", { modelRef: ref, tagRef: `key:${key}` });
  }
}

/** Refs of the objects of the filled service that addresses name. */
export type Pictured = Awaited<ReturnType<typeof picturedObjects>>;

/** The first object of each kind in the model that the pictures show. */
export async function picturedObjects(run: Run) {
  const first = async (action: string, payload: object): Promise<string> =>
    (await listed(run, action, payload))[0]?.key ?? "";
  const entityKey = await first("model/entity_list", { modelRef });
  const serviceId = (await listed(run, "auth/service_account_list", {}))[0]?.id ?? "";
  return {
    entityKey,
    attributeKey: await first("model/entity_attribute_list", { modelRef, entityRef: `key:${entityKey}` }),
    relationshipKey: await first("model/relationship_list", { modelRef }),
    typeKey: await first("model/type_list", { modelRef }),
    roleId: (await listed(run, "auth/role_list", {})).find(({ key }) => key === "importer")?.id ?? "",
    actorId: (await listed(run, "auth/actor_list", {})).findLast(({ id }) => id !== serviceId)?.id ?? "",
    serviceId,
  };
}
