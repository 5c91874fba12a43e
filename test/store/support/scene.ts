import { ACTIONS } from "../../../shared/actions/catalogue.ts";
import { isWrite } from "../../../shared/actions/controls.ts";
import { DOCUMENT_SCHEMA, type ModelDocument } from "../../../shared/domain/document.ts";

/** The model the examples of all actions work on, with something more in it. */
export function sceneDocument(key: string): ModelDocument {
  return {
    $schema: DOCUMENT_SCHEMA,
    key,
    name: "Customers",
    version: "0.0.1",
    authority: "system",
    types: [{ key: "integer" }, { key: "string", name: "String" }, { key: "unused" }],
    entities: [
      {
        key: "customer",
        name: "Customers",
        attributes: [
          { key: "code", type: "key:string", optional: false },
          { key: "name", type: "key:string", optional: true },
          { key: "age", type: "key:integer", optional: true },
        ],
        primaryKey: ["key:name"],
      },
      { key: "empty", attributes: [], primaryKey: [] },
      { key: "order", attributes: [{ key: "number", type: "key:integer", optional: false }], primaryKey: [] },
    ],
  };
}

/** What the example of a creating action makes is there already, so it makes something else. */
const MADE: { readonly [action: string]: object } = {
  type_create: { typeKey: "date" },
  entity_create: { entityKey: "supplier" },
  entity_attribute_create: { attributeKey: "phone" },
};

/** Actions that begin a model, with the parameter that names it. */
const BEGUN: { readonly [action: string]: string } = {
  model_create: "key",
  import: "modelKey",
  model_copy: "modelNewKey",
};

/** A write of the catalogue as it succeeds on the scene: the model of that key, and one to begin where it begins one. */
export interface WriteCase {
  readonly name: string;
  /** True where the action writes a model of its own and leaves the scene alone. */
  readonly begins: boolean;
  payload(sceneKey: string, newKey: string): object;
}

/** Every write on models there is. */
export const WRITE_CASES: readonly WriteCase[] = ACTIONS.filter((a) => a.group === "model" && isWrite(a)).map((a) => {
  const begun = BEGUN[a.name];
  return {
    name: a.name,
    begins: begun !== undefined,
    payload: (sceneKey, newKey) => ({
      ...a.example,
      ...MADE[a.name],
      ...(a.target || a.within ? { modelRef: `key:${sceneKey}` } : {}),
      ...(begun !== undefined && { [begun]: newKey }),
      ...(a.name === "model_update_key" && { value: newKey }),
    }),
  };
});

/** What reads of the catalogue ask for on the scene. */
export function readPayload(example: object, sceneKey: string): object {
  return "modelRef" in example ? { ...example, modelRef: `key:${sceneKey}` } : example;
}
