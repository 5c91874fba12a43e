import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LocalProcess } from "../../support/local-process.ts";

const LIBRARY = join(import.meta.dirname, "../../../examples/library/datapackage.json");
const modelRef = "key:library";

/** Fills a service with what the pictures of the screens show: a model with its past, tags, people and what is long. */
export async function fillForPictures(service: LocalProcess, token: string): Promise<void> {
  const run = async (action: string, payload: object): Promise<void> => {
    const { status, body } = await service.call(action, payload, token);
    if (status !== 200) throw new Error(`${action} answered ${status}: ${JSON.stringify(body)}`);
  };
  await run("model/import", { content: JSON.parse(readFileSync(LIBRARY, "utf8")), modelKey: "library" });
  await run("model/model_update_description", { modelRef, value: "Books, their **copies** and who borrowed them." });
  await run("model/model_release", { modelRef, value: "2.0.0" });
  for (const [key, name] of [
    ["pii", "Personal data"],
    ["core", "Core"],
  ]) {
    await run("tag/tag_local_create", { modelRef, key, name });
  }
  await run("tag/tag_group_create", { key: "domain", name: "Domain" });
  await run("tag/tag_global_create", { groupRef: "key:domain", key: "lending", name: "Lending" });
  const { body } = await service.call("model/entity_list", { modelRef }, token);
  const [first, second] = body.items as readonly { readonly key: string }[];
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
  await run("model/model_create", { key: "k".repeat(128), name: "A model with the longest key that there is" });
  await run("model/model_create", { key: "sales", name: "Sales" });
  await run("auth/user_create", {
    username: "grace",
    fullname: "Grace Hopper",
    password: "Correct-Horse-8-Battery",
    admin: false,
  });
  await run("auth/role_create", { key: "importer", name: "Importer", description: "Brings sources in." });
  await run("auth/role_add_permission", { roleRef: "key:importer", permissionKey: "model_import" });
  await run("property/definition_create", {
    key: "retentionDays",
    kinds: ["entity"],
    schema: { type: "integer", minimum: 0 },
  });
}

/** Refs of the objects of the filled service that addresses name. */
export interface Pictured {
  readonly entityKey: string;
  readonly attributeKey: string;
  readonly relationshipKey: string;
  readonly typeKey: string;
}

/** The first object of each kind in the model that the pictures show. */
export async function picturedObjects(service: LocalProcess, token: string): Promise<Pictured> {
  const first = async (action: string, payload: object): Promise<string> => {
    const { body } = await service.call(action, payload, token);
    return body.items[0]?.key ?? "";
  };
  const entityKey = await first("model/entity_list", { modelRef });
  return {
    entityKey,
    attributeKey: await first("model/entity_attribute_list", { modelRef, entityRef: `key:${entityKey}` }),
    relationshipKey: await first("model/relationship_list", { modelRef }),
    typeKey: await first("model/type_list", { modelRef }),
  };
}
