import * as z from "zod/mini";
import { create, remove, update } from "../../domain/change.ts";
import { given } from "../../domain/content.ts";
import { attribute, entity, type } from "../../domain/kinds.ts";
import type { Attribute } from "../../domain/objects.ts";
import { attributeKey, flag, markdown, singleLine, typeRef } from "../../domain/value-types.ts";
import { type Action, defineAction } from "../define-action.ts";
import { subjectOf, updateField, updateKey } from "../field-actions.ts";
import { listOutput, pageOf, paging, readingOf } from "../lists.ts";
import { clearing, optional, required } from "../params.ts";
import { need } from "../resolve.ts";
import { written } from "../written.ts";

const row = () =>
  z.object({
    id: z.string(),
    key: z.string(),
    name: z.optional(z.string()),
    description: z.optional(z.string()),
    type: z.string().check(z.describe("Ref `id:<uuid>` of its type.")),
    optional: z.boolean(),
  });

function shown(a: Attribute) {
  return {
    id: a.id,
    key: a.key,
    ...given("name", a.name),
    ...given("description", a.description),
    type: `id:${a.type}`,
    optional: a.optional,
  };
}

const entityAttributeCreate = defineAction({
  group: "model",
  name: "entity_attribute_create",
  title: "Create entity attribute",
  description: "Creates an attribute of an entity, after those it has.",
  intent: "create",
  rule: "model_write",
  within: entity,
  input: {
    attributeKey: required(attributeKey, "The key of the new attribute."),
    type: required(typeRef, "Its type."),
    optional: required(flag, "Whether a record may leave it out."),
    name: optional(singleLine, "Its name."),
    description: optional(markdown, "What it holds."),
  },
  output: written,
  errors: ["key_taken"],
  example: {
    modelRef: "key:crm",
    entityRef: "key:customer",
    attributeKey: "code",
    type: "key:string",
    optional: false,
  },
  run: async ({ within, view, input, call }) => {
    const made: Attribute = {
      kind: "attribute",
      id: call.nextId(),
      key: input.attributeKey,
      revision: 0,
      owner: within.id,
      ...given("name", input.name),
      ...given("description", input.description),
      type: (await need(view, type, input.type)).id,
      optional: input.optional,
      order: view.nextOrder(),
    };
    return { subject: subjectOf(made), changes: [create(made)] };
  },
});

const entityAttributeGet = defineAction({
  group: "model",
  name: "entity_attribute_get",
  title: "Get entity attribute",
  description: "Reads one attribute of an entity.",
  intent: "read",
  rule: "model_read",
  target: attribute,
  input: {},
  output: { mediaType: "application/json", description: "The attribute.", schema: row },
  errors: [],
  example: { modelRef: "key:crm", entityRef: "key:customer", attributeRef: "key:code" },
  run: async ({ target }) => ({ body: shown(target) }),
});

const entityAttributeList = defineAction({
  group: "model",
  name: "entity_attribute_list",
  title: "List entity attributes",
  description:
    "Lists the attributes of an entity, sorted by key; `model_export` shows them in the order they were made.",
  intent: "read",
  rule: "model_read",
  within: entity,
  input: paging,
  output: listOutput("The attributes.", row),
  errors: [],
  example: { modelRef: "key:crm", entityRef: "key:customer" },
  run: async ({ within, view, input }) =>
    readingOf(await view.list("attribute", within.id, pageOf(input)), (rows) => ({ items: rows.map(shown) })),
});

const entityAttributeUpdateType = defineAction({
  group: "model",
  name: "entity_attribute_update_type",
  title: "Change attribute type",
  description: "Gives an attribute of an entity another type.",
  intent: "update",
  rule: "model_write",
  target: attribute,
  input: { value: required(typeRef, "The new type.") },
  output: written,
  errors: [],
  example: { modelRef: "key:crm", entityRef: "key:customer", attributeRef: "key:code", value: "key:integer" },
  run: async ({ target, view, input }) => {
    const { id } = await need(view, type, input.value);
    return { subject: subjectOf(target), changes: update(target, { type: id }) };
  },
});

const entityAttributeDelete = defineAction({
  group: "model",
  name: "entity_attribute_delete",
  title: "Delete entity attribute",
  description: "Deletes an attribute of an entity and takes it out of the primary key.",
  intent: "delete",
  rule: "model_write",
  target: attribute,
  input: {},
  output: written,
  errors: [],
  example: { modelRef: "key:crm", entityRef: "key:customer", attributeRef: "key:code" },
  run: async ({ target, within }) => {
    const primaryKey = within.primaryKey.filter((id) => id !== target.id);
    return { subject: subjectOf(target), changes: [remove(target, false), ...update(within, { primaryKey })] };
  },
});

/** The `entity_attribute_*` actions. */
export const entityAttributeActions: readonly Action[] = [
  entityAttributeCreate,
  entityAttributeGet,
  entityAttributeList,
  updateKey("entity_attribute_update_key", attribute, attributeKey, {
    title: "Change attribute key",
    description: "Gives an attribute of an entity another key; it stays in the primary key.",
    rule: "model_write",
    example: { modelRef: "key:crm", entityRef: "key:customer", attributeRef: "key:code", value: "number" },
  }),
  updateField("entity_attribute_update_name", attribute, "name", {
    title: "Rename attribute",
    description: "Changes or clears the name of an attribute of an entity.",
    rule: "model_write",
    value: clearing(singleLine, "The new name; leave it out to clear it."),
    example: { modelRef: "key:crm", entityRef: "key:customer", attributeRef: "key:code", value: "Code" },
  }),
  updateField("entity_attribute_update_description", attribute, "description", {
    title: "Describe attribute",
    description: "Changes or clears the description of an attribute of an entity.",
    rule: "model_write",
    value: clearing(markdown, "The new description; leave it out to clear it."),
    example: {
      modelRef: "key:crm",
      entityRef: "key:customer",
      attributeRef: "key:code",
      value: "Unique per customer.",
    },
  }),
  entityAttributeUpdateType,
  updateField("entity_attribute_update_optional", attribute, "optional", {
    title: "Make attribute optional",
    description: "Says whether a record may leave an attribute of an entity out.",
    rule: "model_write",
    value: required(flag, "true for optional, false for required."),
    example: { modelRef: "key:crm", entityRef: "key:customer", attributeRef: "key:code", value: true },
  }),
  entityAttributeDelete,
];
