import { businessKeyFields } from "../../domain/fields/model-fields.ts";
import { businessKey, entity, model } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { createChange, updateChanges } from "../../domain/model/changes.ts";
import type { BusinessKey } from "../../domain/model/objects.ts";
import { businessKeyKey } from "../../domain/values/model-types.ts";
import { entityAttributeRef, entityRef } from "../../domain/values/ref-types.ts";
import { createListType, markdown, singleLine } from "../../domain/values/value-types.ts";
import { deletedOutput } from "../building/answers.ts";
import {
  createDescribed,
  createKindActions,
  defineUpdateField,
  modelWrite,
  toSubject,
} from "../building/field-actions.ts";
import { createKindRows } from "../building/rows.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, requireParam } from "../contract/params.ts";
import { requireRef } from "../pipeline/resolve.ts";
import { resolveAttributeIds } from "./attribute-refs.ts";

const rows = createKindRows("BusinessKey", businessKeyFields);

const participants = createListType(entityAttributeRef, LIMITS.businessKeyParticipants);

const businessKeyCreate = defineAction({
  ...modelWrite,
  name: "business_key_create",
  title: "Create business key",
  description: "Creates a business key of an entity: the attributes that identify a record for its users.",
  intent: "create",
  within: model,
  input: {
    key: requireParam(businessKeyKey, "The key of the new business key."),
    entityRef: requireParam(entityRef, "The entity that it identifies; it cannot be changed later."),
    participants: requireParam(participants, "Refs of the entity's own attributes, in order; may be empty."),
    name: allowParam(singleLine, "Its name."),
    description: allowParam(markdown, "Its use and its users."),
  },
  errors: ["key_taken"],
  example: { modelRef: "key:crm", key: "customer_code", entityRef: "key:customer", participants: ["key:code"] },
  run: async ({ view, input, call }) => {
    const owner = await requireRef(view, entity, input.entityRef);
    const key: BusinessKey = {
      kind: "business_key",
      ...createDescribed(call, input.key, input),
      entity: owner.id,
      participants: await resolveAttributeIds(view, owner, "participants", input.participants),
    };
    return { subject: toSubject(key), changes: [createChange(key, await view.findOrphan("business_key", key.key))] };
  },
});

const businessKeyUpdateKey = defineAction({
  ...modelWrite,
  name: "business_key_update_key",
  title: "Change business key's key",
  description: "Changes the key of a business key.",
  intent: "update",
  target: businessKey,
  input: { value: requireParam(businessKeyKey, "The new key.") },
  errors: ["key_taken"],
  example: { modelRef: "key:crm", businessKeyRef: "key:customer_code", value: "customer_number" },
  run: async ({ target, view, input }) => {
    const subject = { id: target.id, key: input.value };
    if (input.value === target.key) return { subject, changes: [] };
    const orphan = await view.findOrphan("business_key", input.value);
    return { subject, changes: updateChanges(target, { key: input.value }, orphan) };
  },
});

const customerCode = { modelRef: "key:crm", businessKeyRef: "key:customer_code" };
const actions = createKindActions(businessKey, {
  prefix: "business_key",
  group: "model",
  rule: "model_write",
  one: "a business key",
  example: customerCode,
});

export const businessKeyActions = [
  businessKeyCreate,
  actions.get(rows, "Reads one business key with its entity and its participants."),
  actions.list(rows, "business keys", "Lists the business keys of all entities of a model, sorted by key."),
  businessKeyUpdateKey,
  actions.updateName("Customer code"),
  actions.updateDescription("Printed on every invoice."),
  defineUpdateField("business_key_update_participants", businessKey, "participants", {
    title: "Set participants",
    description:
      "Replaces the participants of a business key by these attributes of its entity, in this order; an empty list removes all.",
    rule: "model_write",
    value: requireParam(participants, "Refs of its entity's own attributes, in order; may be empty."),
    convert: (refs, { key, entity: id }, view) =>
      resolveAttributeIds(view, { id, key: `the entity of ${key}` }, "value", refs),
    example: { ...customerCode, value: ["key:code"] },
  }),
  ...actions.properties,
  actions.delete("Deletes a business key; its entity and the attributes stay.", deletedOutput),
] as const satisfies readonly Action[];
