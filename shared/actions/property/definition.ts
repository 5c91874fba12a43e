import * as z from "zod/mini";
import { propertyDefinitionFields } from "../../domain/fields/property-definition.ts";
import { propertyDefinition } from "../../domain/kinds.ts";
import { PROPERTY_LIMITS } from "../../domain/limits.ts";
import { createChange, createKeyTakenProblem, deleteChange, updateChanges } from "../../domain/model/changes.ts";
import { compareByKey, includeMember } from "../../domain/model/content.ts";
import type { PropertyDefinition } from "../../domain/model/objects.ts";
import { getBuiltIn, isBuiltIn, mergeDefinitions } from "../../domain/model/property-definitions.ts";
import { Problem } from "../../domain/problems.ts";
import { toCanonicalJson } from "../../domain/text/json-values.ts";
import { holderKinds, propertyImpact, propertyName } from "../../domain/values/properties.ts";
import { propertySchema } from "../../domain/values/property-schema.ts";
import { markdown, singleLine } from "../../domain/values/value-types.ts";
import { createJsonOutput, createNamedSchema, describe, writtenOutput } from "../building/answers.ts";
import { createDescribed, defineUpdateField, toSubject } from "../building/field-actions.ts";
import { createListOutput, pagingParams, selectPage, toPage, toReading } from "../building/reads.ts";
import { createRowShape, toRow } from "../building/rows.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowClearing, allowParam, requireParam } from "../contract/params.ts";

const createDefinitionSchema = () =>
  createNamedSchema("PropertyDefinition", {
    ...createRowShape("PropertyDefinition", propertyDefinitionFields),
    comesWithService: describe(
      z.boolean(),
      "True for a built-in definition, which every instance has. Deleting it reverts its changes.",
    ),
  });

const toDefinitionRow = (one: PropertyDefinition) => ({
  ...toRow(one, propertyDefinitionFields),
  comesWithService: getBuiltIn(one.key) !== undefined,
});

const definitionCreate = defineAction({
  group: "property",
  name: "definition_create",
  title: "Create property definition",
  description:
    "Defines the property with a name. From now on its values are checked when they are set, imported, copied or restored. Existing values do not change.",
  intent: "create",
  rule: "property_manage",
  ledger: "tags",
  input: {
    key: requireParam(propertyName, "The name of the property."),
    name: allowParam(singleLine, "Its name for people."),
    description: allowParam(markdown, "Its meaning."),
    kinds: allowParam(holderKinds, "The kinds of objects that may have it; all unless given."),
    schema: allowParam(propertySchema, "The JSON Schema of its values; any value is allowed unless given."),
    impact: allowParam(propertyImpact, "The impact of a changed value in a comparison; cosmetic unless given."),
  },
  output: writtenOutput,
  errors: ["key_taken"],
  example: { key: "retentionDays", kinds: ["entity"], schema: { type: "integer", minimum: 0 } },
  run: async ({ input, view, call }) => {
    const { schema } = input;
    const newDefinition: PropertyDefinition = {
      kind: "property_definition",
      ...createDescribed(call, input.key, input),
      ...includeMember("kinds", input.kinds),
      ...(schema && { schema: toCanonicalJson(schema) }),
      impact: input.impact ?? "cosmetic",
    };
    if (getBuiltIn(newDefinition.key)) throw createKeyTakenProblem(newDefinition);
    const definitions = await view.list("property_definition", undefined, {
      limit: PROPERTY_LIMITS.propertyDefinitions,
      lookBack: true,
    });
    if (definitions.items.length < PROPERTY_LIMITS.propertyDefinitions)
      return { subject: toSubject(newDefinition), changes: [createChange(newDefinition)] };
    throw new Problem(
      "too_large",
      `There are already ${PROPERTY_LIMITS.propertyDefinitions} property definitions, the maximum. Delete some first`,
    );
  },
});

const definitionGet = defineAction({
  group: "property",
  name: "definition_get",
  title: "Get property definition",
  description: "Reads one definition of a property, which may be built-in.",
  intent: "read",
  rule: "signed_in",
  target: propertyDefinition,
  output: createJsonOutput("The property definition.", createDefinitionSchema),
  errors: [],
  example: { definitionRef: "key:owner" },
  run: async ({ target }) => ({ body: toDefinitionRow(target) }),
});

const definitionList = defineAction({
  group: "property",
  name: "definition_list",
  title: "List property definitions",
  description: "Lists all definitions of properties, including built-in ones, sorted by key.",
  intent: "read",
  rule: "signed_in",
  ledger: "tags",
  input: pagingParams,
  output: createListOutput("The property definitions.", createDefinitionSchema),
  errors: [],
  example: {},
  run: async ({ view, input }) => {
    const all = [...mergeDefinitions((await view.list("property_definition")).items).values()].sort(compareByKey);
    const rows = selectPage(all, toPage(input), ({ key }) => key);
    return toReading(rows, (page) => ({ items: page.map(toDefinitionRow) }));
  },
});

/** Returns the changes of fields. A built-in definition is stored with its first change. */
function changeDefinition(target: PropertyDefinition, fields: Partial<PropertyDefinition>) {
  const changes = updateChanges(target, fields);
  const [change] = changes;
  return change?.does === "update" && isBuiltIn(target) ? [createChange(change.after)] : changes;
}

const definitionUpdate = { group: "property", rule: "property_manage", createChanges: changeDefinition } as const;
const createExample = (value: unknown) => ({ definitionRef: "key:costCentre", value });

const definitionUpdateKey = defineAction({
  group: "property",
  name: "definition_update_key",
  title: "Rename property definition",
  description:
    "Changes the name that a definition is for. Properties keep their names; those with the old name are no longer checked. A built-in definition keeps its name.",
  intent: "update",
  rule: "property_manage",
  target: propertyDefinition,
  input: { value: requireParam(propertyName, "The new name.") },
  output: writtenOutput,
  errors: ["key_taken", "still_used"],
  example: { definitionRef: "key:costCentre", value: "costCenter" },
  run: async ({ target, input }) => {
    const key = input.value;
    if (key !== target.key && getBuiltIn(target.key)) {
      throw new Problem(
        "still_used",
        `The property ${target.key} is built-in and cannot be renamed; define another one with property/definition_create`,
      );
    }
    if (key !== target.key && getBuiltIn(key)) throw createKeyTakenProblem({ ...target, key });
    return { subject: { id: target.id, key }, changes: changeDefinition(target, { key }) };
  },
});

const definitionDelete = defineAction({
  group: "property",
  name: "definition_delete",
  title: "Delete property definition",
  description:
    "Deletes a definition. Properties with its name stay, but are no longer checked. A built-in definition returns to its original state.",
  intent: "delete",
  rule: "property_manage",
  target: propertyDefinition,
  output: writtenOutput,
  errors: [],
  example: { definitionRef: "key:costCentre" },
  run: async ({ target }) => ({
    subject: toSubject(target),
    changes: isBuiltIn(target) ? [] : [deleteChange(target, false)],
  }),
});

export const propertyDefinitionActions = [
  definitionCreate,
  definitionGet,
  definitionList,
  definitionUpdateKey,
  defineUpdateField("definition_update_name", propertyDefinition, "name", {
    ...definitionUpdate,
    title: "Name property definition",
    description: "Changes or clears the name of a property for people.",
    value: allowClearing(singleLine, "The new name; leave it out to clear it."),
    example: createExample("Data owner"),
  }),
  defineUpdateField("definition_update_description", propertyDefinition, "description", {
    ...definitionUpdate,
    title: "Describe property definition",
    description: "Changes or clears the description of a property.",
    value: allowClearing(markdown, "The new description; leave it out to clear it."),
    example: createExample("The person who decides about the data."),
  }),
  defineUpdateField("definition_update_kinds", propertyDefinition, "kinds", {
    ...definitionUpdate,
    title: "Set kinds of property definition",
    description: "Changes the kinds of objects that may have a property. Objects that have it keep it.",
    value: allowClearing(holderKinds, "The kinds; leave them out for all."),
    example: createExample(["model", "entity"]),
  }),
  defineUpdateField("definition_update_schema", propertyDefinition, "schema", {
    ...definitionUpdate,
    title: "Set schema of property definition",
    description: "Changes the allowed values of a property. Existing values do not change.",
    value: allowClearing(propertySchema, "The JSON Schema; leave it out to allow any value."),
    example: createExample({ type: "string", pattern: "@example\\.com$" }),
    convert: (schema) => schema && toCanonicalJson(schema),
  }),
  defineUpdateField("definition_update_impact", propertyDefinition, "impact", {
    ...definitionUpdate,
    title: "Set impact of property definition",
    description: "Changes the impact of a changed value in a comparison.",
    value: requireParam(propertyImpact, "The impact."),
    example: createExample("breaking"),
  }),
  definitionDelete,
] as const satisfies readonly Action[];
