import { create, update } from "../../domain/change.ts";
import { constraints } from "../../domain/constraints/constraints-type.ts";
import type { Constraints } from "../../domain/constraints/keywords.ts";
import { ifDefined } from "../../domain/content.ts";
import { attributeFields } from "../../domain/fields/attribute.ts";
import { jsonText } from "../../domain/json-value.ts";
import { type Kind, type } from "../../domain/kinds.ts";
import type { Attribute } from "../../domain/objects.ts";
import { typeRef } from "../../domain/ref-types.ts";
import { attributeKey, flag, markdown, singleLine } from "../../domain/value-types.ts";
import { subjectOf } from "../building/field-actions.ts";
import { rowsOf } from "../building/rows.ts";
import { written } from "../building/written.ts";
import type { ActionTexts } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { clearing, optional, required } from "../contract/params.ts";
import { need } from "../dispatch/resolve.ts";

/** An entity or a relationship: the owner of attributes. */
type OwnerName = "entity" | "relationship";
type Owner<R extends string> = Kind<OwnerName, "model", R>;

/** The rows of attributes, of entities and of relationships alike. */
export const attributeRows = rowsOf("Attribute", attributeFields);

/** An action that makes an attribute in an owner, after those it has. */
export function createAttribute<A extends string, R extends string>(name: A, owner: Owner<R>, texts: ActionTexts) {
  return defineAction({
    group: "model",
    name,
    ...texts,
    intent: "create",
    rule: "model_write",
    within: owner,
    input: {
      attributeKey: required(attributeKey, "The key of the new attribute."),
      type: required(typeRef, "Its type."),
      optional: required(flag, "Whether a record may leave it out."),
      name: optional(singleLine, "Its name."),
      description: optional(markdown, "What it holds."),
      constraints: optional(constraints, "The values it may have."),
    },
    output: written,
    errors: ["key_taken"],
    run: async ({ within, view, input, call }) => {
      const made: Attribute = {
        kind: "attribute",
        id: call.nextId(),
        key: input.attributeKey,
        revision: 0,
        owner: within.id,
        ...ifDefined("name", input.name),
        ...ifDefined("description", input.description),
        type: (await need(view, type, input.type)).id,
        optional: input.optional,
        ...ifDefined("constraints", input.constraints && jsonText(input.constraints)),
        order: view.nextOrder(),
      };
      return { subject: subjectOf(made), changes: [create(made)] };
    },
  });
}

/** An action that gives an attribute another type of the model. */
export function updateAttributeType<A extends string, P extends OwnerName, R extends string>(
  name: A,
  kind: Kind<"attribute", P, R>,
  texts: ActionTexts,
) {
  return defineAction({
    group: "model",
    name,
    ...texts,
    intent: "update",
    rule: "model_write",
    target: kind,
    input: { value: required(typeRef, "The new type.") },
    output: written,
    errors: [],
    run: async ({ target, view, input }) => {
      const { id } = await need(view, type, input.value);
      return { subject: subjectOf(target), changes: update(target, { type: id }) };
    },
  });
}

/** The parameter of constraints, which are stored as their text. */
export const newConstraints = {
  value: clearing(constraints, "The new constraints, all of them; leave it out to clear them."),
  stored: (given: Constraints | undefined) => given && jsonText(given),
};
