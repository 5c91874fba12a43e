import * as z from "zod/mini";
import { propertyDefinitionFields } from "../../domain/fields/property-definition.ts";
import { propertyDefinition } from "../../domain/kinds.ts";
import { PROPERTY_LIMITS } from "../../domain/limits.ts";
import { createChange, createKeyTakenProblem, deleteChange, updateChanges } from "../../domain/model/changes.ts";
import { compareByKey, optionalMember } from "../../domain/model/content.ts";
import type { PropertyDefinition } from "../../domain/model/objects.ts";
import { getBuiltIn, isBuiltIn, mergeDefinitions } from "../../domain/model/property-definitions.ts";
import { Problem } from "../../domain/problems.ts";
import { toCanonicalJson } from "../../domain/text/json-values.ts";
import { holderKinds, propertyImpact, propertyName } from "../../domain/values/properties.ts";
import { propertySchema } from "../../domain/values/property-schema.ts";
import { markdown, singleLine } from "../../domain/values/value-types.ts";
import { namedObjectSchema, writtenOutput } from "../building/answers.ts";
import { defineUpdateField, toSubject } from "../building/field-actions.ts";
import { createListOutput, pagingParams, toPage, toReading } from "../building/reads.ts";
import { createRowShape, toRow } from "../building/rows.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { clearableParam, optionalParam, requiredParam } from "../contract/params.ts";
import type { Rows } from "../contract/view.ts";

const definitionSchema = () =>
  namedObjectSchema("PropertyDefinition", {
    ...createRowShape(propertyDefinitionFields),
    comesWithService: z
      .boolean()
      .check(z.describe("True for one that every instance has; deleting it takes its changes back.")),
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
    "Defines the property of a name: from now on its values are checked where they are set, imported, copied or restored. Values that are there stay as they are.",
  intent: "create",
  rule: "property_manage",
  ledger: "tags",
  input: {
    key: requiredParam(propertyName, "The name of the property."),
    name: optionalParam(singleLine, "What people call it."),
    description: optionalParam(markdown, "What it means."),
    kinds: optionalParam(holderKinds, "The kinds of objects that may have it; all unless given."),
    schema: optionalParam(propertySchema, "The JSON Schema of its values; any value is allowed unless given."),
    impact: optionalParam(propertyImpact, "What a change of it means in a comparison; cosmetic unless given."),
  },
  output: writtenOutput,
  errors: ["key_taken"],
  example: { key: "retentionDays", kinds: ["entity"], schema: { type: "integer", minimum: 0 } },
  run: async ({ input, view, call }) => {
    const { schema } = input;
    const made: PropertyDefinition = {
      kind: "property_definition",
      id: call.nextId(),
      key: input.key,
      revision: 0,
      ...optionalMember("name", input.name),
      ...optionalMember("description", input.description),
      ...optionalMember("kinds", input.kinds),
      ...(schema && { schema: toCanonicalJson(schema) }),
      impact: input.impact ?? "cosmetic",
    };
    if (getBuiltIn(made.key)) throw createKeyTakenProblem(made);
    const there = await view.list("property_definition", undefined, {
      limit: PROPERTY_LIMITS.propertyDefinitions,
      lookBack: true,
    });
    if (there.items.length < PROPERTY_LIMITS.propertyDefinitions)
      return { subject: toSubject(made), changes: [createChange(made)] };
    throw new Problem(
      "too_large",
      `there are ${PROPERTY_LIMITS.propertyDefinitions} property definitions, and no more may be; delete others first`,
    );
  },
});

const definitionGet = defineAction({
  group: "property",
  name: "definition_get",
  title: "Get property definition",
  description: "Reads one definition of a property, also one that comes with the service.",
  intent: "read",
  rule: "signed_in",
  target: propertyDefinition,
  input: {},
  output: { mediaType: "application/json", description: "The property definition.", schema: definitionSchema },
  errors: [],
  example: { definitionRef: "key:owner" },
  run: async ({ target }) => ({ body: toDefinitionRow(target) }),
});

const definitionList = defineAction({
  group: "property",
  name: "definition_list",
  title: "List property definitions",
  description: "Lists all definitions of properties, those that come with the service among them, sorted by key.",
  intent: "read",
  rule: "signed_in",
  ledger: "tags",
  input: pagingParams,
  output: createListOutput("The property definitions.", definitionSchema),
  errors: [],
  example: {},
  run: async ({ view, input }) => {
    const { after = "", limit = Number.POSITIVE_INFINITY } = toPage(input);
    const all = [...mergeDefinitions((await view.list("property_definition")).items).values()].sort(compareByKey);
    const behind = all.filter(({ key }) => key > after);
    const items = behind.slice(0, limit);
    const last = items.at(-1);
    const rows: Rows<PropertyDefinition> = { items, ...(behind.length > limit && last && { next: last.key }) };
    return toReading(rows, (some) => ({ items: some.map(toDefinitionRow) }));
  },
});

/** The changes that give a definition other fields; one that comes with the service is stored with the change. */
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
    "Makes a definition one of another name. Properties keep their names: those of the old one are free from now on. One that comes with the service keeps its name.",
  intent: "update",
  rule: "property_manage",
  target: propertyDefinition,
  input: { value: requiredParam(propertyName, "The other name.") },
  output: writtenOutput,
  errors: ["key_taken", "still_used"],
  example: { definitionRef: "key:costCentre", value: "costCenter" },
  run: async ({ target, input }) => {
    const key = input.value;
    if (key !== target.key && getBuiltIn(target.key)) {
      throw new Problem(
        "still_used",
        `the property ${target.key} comes with the service, which knows it by that name; define another one with property/definition_create`,
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
    "Deletes a definition: properties of its name stay, and are free from now on. One that comes with the service is again as the service has it.",
  intent: "delete",
  rule: "property_manage",
  target: propertyDefinition,
  input: {},
  output: writtenOutput,
  errors: [],
  example: { definitionRef: "key:costCentre" },
  run: async ({ target }) => ({
    subject: toSubject(target),
    changes: isBuiltIn(target) ? [] : [deleteChange(target, false)],
  }),
});

/** The `property/definition_*` actions. */
export const propertyDefinitionActions = [
  definitionCreate,
  definitionGet,
  definitionList,
  definitionUpdateKey,
  defineUpdateField("definition_update_name", propertyDefinition, "name", {
    ...definitionUpdate,
    title: "Name property definition",
    description: "Changes or clears what people call a property.",
    value: clearableParam(singleLine, "The new name; leave it out to clear it."),
    example: createExample("Data owner"),
  }),
  defineUpdateField("definition_update_description", propertyDefinition, "description", {
    ...definitionUpdate,
    title: "Describe property definition",
    description: "Changes or clears the description of a property.",
    value: clearableParam(markdown, "The new description; leave it out to clear it."),
    example: createExample("Whoever decides about the data."),
  }),
  defineUpdateField("definition_update_kinds", propertyDefinition, "kinds", {
    ...definitionUpdate,
    title: "Set kinds of property definition",
    description: "Changes which kinds of objects may have a property; objects that have it keep it.",
    value: clearableParam(holderKinds, "The kinds; leave them out for all."),
    example: createExample(["model", "entity"]),
  }),
  defineUpdateField("definition_update_schema", propertyDefinition, "schema", {
    ...definitionUpdate,
    title: "Set schema of property definition",
    description: "Changes which values a property may have; values that are there stay as they are.",
    value: clearableParam(propertySchema, "The JSON Schema; leave it out to allow any value."),
    example: createExample({ type: "string", pattern: "@example\\.com$" }),
    stored: (given) => given && toCanonicalJson(given),
  }),
  defineUpdateField("definition_update_impact", propertyDefinition, "impact", {
    ...definitionUpdate,
    title: "Set impact of property definition",
    description: "Changes what a change of a property means in a comparison.",
    value: requiredParam(propertyImpact, "The impact."),
    example: createExample("breaking"),
  }),
  definitionDelete,
] as const satisfies readonly Action[];
