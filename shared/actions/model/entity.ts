import * as z from "zod/mini";
import { create, remove, update } from "../../domain/change.ts";
import { given } from "../../domain/content.ts";
import { attribute, entity, model } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Attribute, Entity } from "../../domain/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import { entityAttributeRef, entityKey, link, listOf, markdown, singleLine } from "../../domain/value-types.ts";
import { type Action, defineAction } from "../define-action.ts";
import { subjectOf, updateField, updateKey } from "../field-actions.ts";
import { listOutput, pageOf, paging, readingOf } from "../lists.ts";
import { clearing, optional, required } from "../params.ts";
import { need } from "../resolve.ts";
import type { View } from "../store.ts";
import { written } from "../written.ts";

const row = () =>
  z.object({
    id: z.string(),
    key: z.string(),
    name: z.optional(z.string()),
    description: z.optional(z.string()),
    documentationHome: z.optional(z.string()),
    origin: z.optional(z.string()),
    primaryKey: z.array(z.string()).check(z.describe("Refs `id:<uuid>` of its attributes, in order.")),
  });

function shown(e: Entity) {
  return {
    id: e.id,
    key: e.key,
    ...given("name", e.name),
    ...given("description", e.description),
    ...given("documentationHome", e.documentationHome),
    ...given("origin", e.origin),
    primaryKey: e.primaryKey.map((id) => `id:${id}`),
  };
}

const entityCreate = defineAction({
  group: "model",
  name: "entity_create",
  title: "Create entity",
  description: "Creates an entity without attributes and without a primary key.",
  intent: "create",
  rule: "model_write",
  within: model,
  input: {
    entityKey: required(entityKey, "The key of the new entity."),
    name: optional(singleLine, "Its name."),
    description: optional(markdown, "What it stands for."),
    documentationHome: optional(link, "Where its documentation is."),
  },
  output: written,
  errors: ["key_taken"],
  example: { modelRef: "key:crm", entityKey: "customer", name: "Customer" },
  run: async ({ input, call }) => {
    const made: Entity = {
      kind: "entity",
      id: call.nextId(),
      key: input.entityKey,
      revision: 0,
      ...given("name", input.name),
      ...given("description", input.description),
      ...given("documentationHome", input.documentationHome),
      primaryKey: [],
    };
    return { subject: subjectOf(made), changes: [create(made)] };
  },
});

const entityGet = defineAction({
  group: "model",
  name: "entity_get",
  title: "Get entity",
  description: "Reads one entity with its primary key; `entity_attribute_list` lists its attributes.",
  intent: "read",
  rule: "model_read",
  target: entity,
  input: {},
  output: { mediaType: "application/json", description: "The entity.", schema: row },
  errors: [],
  example: { modelRef: "key:crm", entityRef: "key:customer" },
  run: async ({ target }) => ({ body: shown(target) }),
});

const entityList = defineAction({
  group: "model",
  name: "entity_list",
  title: "List entities",
  description: "Lists the entities of a model, sorted by key.",
  intent: "read",
  rule: "model_read",
  within: model,
  input: paging,
  output: listOutput("The entities.", row),
  errors: [],
  example: { modelRef: "key:crm" },
  run: async ({ view, input }) =>
    readingOf(await view.list("entity", undefined, pageOf(input)), (entities) => ({ items: entities.map(shown) })),
});

const entityDelete = defineAction({
  group: "model",
  name: "entity_delete",
  title: "Delete entity",
  description: "Deletes an entity with its attributes and its primary key.",
  intent: "delete",
  rule: "model_write",
  target: entity,
  input: {},
  output: written,
  errors: [],
  example: { modelRef: "key:crm", entityRef: "key:customer" },
  run: async ({ target, view }) => {
    const owned = await view.list("attribute", target.id, { limit: 1, scan: true });
    return { subject: subjectOf(target), changes: [remove(target, owned.items.length > 0)] };
  },
});

const entityPrimaryKeyUpdate = defineAction({
  group: "model",
  name: "entity_primary_key_update",
  title: "Set primary key",
  description: "Replaces the primary key of an entity by these attributes in this order; an empty list removes it.",
  intent: "update",
  rule: "model_write",
  target: entity,
  input: {
    attributeRef: required(
      listOf(entityAttributeRef, LIMITS.primaryKeyAttributes),
      "Refs of the entity's own attributes, in order; may be empty.",
    ),
  },
  output: written,
  errors: [],
  example: { modelRef: "key:crm", entityRef: "key:customer", attributeRef: ["key:code"] },
  run: async ({ target, view, input }) => {
    const attributes = await attributesNamed(view, target, input.attributeRef);
    const primaryKey = attributes.map((a) => a.id);
    primaryKey.forEach((id, i) => {
      if (primaryKey.indexOf(id) !== i) refuseRepeated(i, input.attributeRef[i]);
    });
    return { subject: subjectOf(target), changes: update(target, { primaryKey }) };
  },
});

/** The attributes of an entity that refs name; those named by id are found in one read together. */
async function attributesNamed(view: View, owner: Entity, refs: readonly Ref[]): Promise<readonly Attribute[]> {
  const byId = new Map<string, Attribute>();
  if (refs.some((r) => r.scheme === "id")) {
    for (const one of (await view.list("attribute", owner.id)).items) byId.set(one.id, one);
  }
  return Promise.all(
    refs.map((ref) => (ref.scheme === "id" && byId.get(ref.value)) || need(view, attribute, ref, owner)),
  );
}

function refuseRepeated(position: number, ref: Ref | undefined): never {
  const detail = `attributeRef: ${ref ? printRef(ref) : position} names an attribute that is in the list already`;
  throw new Problem("bad_parameters", detail, { errors: [{ pointer: `/attributeRef/${position}`, detail }] });
}

/** The `entity_*` actions. */
export const entityActions: readonly Action[] = [
  entityCreate,
  entityGet,
  entityList,
  updateKey("entity_update_key", entity, entityKey, {
    title: "Change entity key",
    description: "Gives an entity another key.",
    rule: "model_write",
    example: { modelRef: "key:crm", entityRef: "key:customer", value: "client" },
  }),
  updateField("entity_update_name", entity, "name", {
    title: "Rename entity",
    description: "Changes or clears the name of an entity.",
    rule: "model_write",
    value: clearing(singleLine, "The new name; leave it out to clear it."),
    example: { modelRef: "key:crm", entityRef: "key:customer", value: "Customer" },
  }),
  updateField("entity_update_description", entity, "description", {
    title: "Describe entity",
    description: "Changes or clears the description of an entity.",
    rule: "model_write",
    value: clearing(markdown, "The new description; leave it out to clear it."),
    example: { modelRef: "key:crm", entityRef: "key:customer", value: "Whoever buys." },
  }),
  updateField("entity_update_documentation_link", entity, "documentationHome", {
    title: "Link entity documentation",
    description: "Changes or clears the link to the documentation of an entity.",
    rule: "model_write",
    value: clearing(link, "The new link; leave it out to clear it."),
    example: { modelRef: "key:crm", entityRef: "key:customer", value: "https://example.com/customer" },
  }),
  entityPrimaryKeyUpdate,
  entityDelete,
];
