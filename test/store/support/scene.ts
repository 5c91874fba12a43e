import { isWrite } from "../../../shared/actions/contract/action.ts";
import { DOCUMENT_SCHEMA, type ModelDocument } from "../../../shared/domain/document/document.ts";
import { ACTIONS } from "../../support/actions.ts";

const properties = { reviewed: "2026-11-02" };

/** The model the examples of all actions work on, with something more in it. */
export function sceneDocument(key: string): ModelDocument {
  return {
    $schema: DOCUMENT_SCHEMA,
    key,
    name: "Customers",
    version: "0.0.1",
    authority: "system",
    tags: ["key:draft"],
    properties,
    types: [{ key: "integer" }, { key: "string", name: "String", properties }, { key: "unused" }],
    entities: [
      {
        key: "customer",
        name: "Customers",
        tags: ["key:draft"],
        properties,
        attributes: [
          { key: "code", type: "key:string", optional: false, tags: ["key:draft"], properties },
          { key: "name", type: "key:string", optional: true },
          { key: "age", type: "key:integer", optional: true },
        ],
        primaryKey: ["key:name"],
      },
      { key: "empty", attributes: [], primaryKey: [] },
      {
        key: "order",
        attributes: [
          { key: "number", type: "key:integer", optional: false },
          { key: "date", type: "key:string", optional: true },
        ],
        primaryKey: [],
      },
      { key: "person", attributes: [], primaryKey: [] },
    ],
    relationships: [
      {
        key: "places",
        tags: ["key:draft"],
        properties,
        roles: [
          { key: "buyer", entity: "key:person", cardinality: "one" },
          { key: "order", entity: "key:order", cardinality: "many" },
          { key: "payer", entity: "key:person", cardinality: "zeroOrOne" },
        ],
        attributes: [
          { key: "channel", type: "key:string", optional: false, tags: ["key:draft"], properties },
          { key: "since", type: "key:string", optional: true },
        ],
      },
      {
        key: "replaces",
        roles: [
          { key: "replaced", entity: "key:order", cardinality: "zeroOrOne" },
          { key: "replacement", entity: "key:order", cardinality: "many" },
        ],
        attributes: [],
      },
    ],
    businessKeys: [
      { key: "customer_code", entity: "key:customer", participants: ["key:code", "key:name"], properties },
    ],
    localTags: [{ key: "draft", name: "Draft", properties }, { key: "reviewed" }],
    tagGroups: [],
  };
}

/** Parameters in place of those of an example whose object the scene already has, so that the action makes another one. */
const MADE: { readonly [action: string]: object } = {
  type_create: { typeKey: "date" },
  entity_create: { entityKey: "supplier" },
  entity_attribute_create: { attributeKey: "phone" },
  relationship_create: { relationshipKey: "sells" },
  relationship_attribute_create: { attributeKey: "discount" },
  business_key_create: { key: "customer_name" },
};

const BEGUN: { readonly [action: string]: string } = {
  model_create: "key",
  import: "modelKey",
  model_copy: "modelNewKey",
};

/** A write of the catalogue as it succeeds on the scene: a model of that key and id, and one to begin where it begins one. */
export interface WriteCase {
  readonly name: string;
  /** True where the action begins a model, and does not change one. */
  readonly begins: boolean;
  payload(sceneKey: string, newKey: string, id: string): object;
}

/** Every write on models there is. */
export const WRITE_CASES: readonly WriteCase[] = ACTIONS.filter((a) => a.group === "model" && isWrite(a)).map((a) => {
  const begun = BEGUN[a.name];
  return {
    name: a.name,
    begins: begun !== undefined || a.findsDeleted === true,
    payload: (sceneKey, newKey, id) => ({
      ...a.example,
      ...MADE[a.name],
      ...(a.target || a.within || "modelRef" in a.example ? { modelRef: `key:${sceneKey}` } : {}),
      ...(a.findsDeleted && { modelRef: `id:${id}` }),
      ...(begun !== undefined && { [begun]: newKey }),
      ...(a.name === "model_update_key" && { value: newKey }),
    }),
  };
});

/** Makes what a write needs before it to change something, such as a property to delete. Returns the revision. */
export async function readyScene(
  name: string,
  sceneKey: string,
  run: (action: string, payload: object) => Promise<unknown>,
): Promise<number> {
  const deleting = ACTIONS.find(
    (action) => action.group === "model" && action.name === name && name.endsWith("_delete_property"),
  );
  if (deleting) {
    const payload = { ...readPayload(deleting.example, sceneKey), value: "To be taken away." };
    await run(name.replace("_delete_", "_update_"), payload);
    return 2;
  }
  if (name === "model_undelete") {
    await run("model_delete", { modelRef: `key:${sceneKey}` });
    return 2;
  }
  if (name !== "model_restore" && name !== "model_undo") return 1;
  await run("model_update_description", { modelRef: `key:${sceneKey}`, value: "Not as it was." });
  return 2;
}

/** The payload of a read of the catalogue, turned to the scene. */
export const readPayload = (example: object, sceneKey: string): object =>
  JSON.parse(JSON.stringify(example).replaceAll('"key:crm"', `"key:${sceneKey}"`));
