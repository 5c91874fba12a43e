import * as z from "zod/mini";
import type { ValueType } from "../../domain/values/value-type.ts";
import { namedObjectSchema } from "../building/answers.ts";
import { createListOutput } from "../building/reads.ts";
import type { Action } from "../contract/action.ts";
import { getAllParams } from "../contract/action-parameters.ts";
import { defineAction } from "../contract/define-action.ts";
import { mayRun } from "../contract/rules.ts";
import { describeSemantics } from "../describe/describe.ts";

const actionsOutput = createListOutput("Actions with their parameters in order.", () =>
  namedObjectSchema("ActionDescription", {
    actionRef: z.string().check(z.describe("<group>/<action>")),
    title: z.string(),
    description: z.string(),
    securityRule: z.string().check(z.describe("A key of inspect_security_rules.")),
    apiTokens: z
      .enum(["allowed", "refused", "itself"])
      .check(z.describe("Whether a call with an API token may run it; `itself`: only on the token itself.")),
    parameters: z.array(
      namedObjectSchema("ActionParameter", {
        name: z.string(),
        type: z.string().check(z.describe("An id of inspect_type_system, or List<id>.")),
        jsonType: z.enum(["string", "boolean", "number", "array", "object", "any"]),
        optional: z.boolean(),
        title: z.nullable(z.string()),
        description: z.string(),
        order: z.int().check(z.minimum(0)),
      }),
    ),
    semantics: namedObjectSchema("ActionSemantics", {
      intent: z.enum(["create", "read", "update", "delete", "other"]),
      subjects: z.array(
        namedObjectSchema("ActionSubject", {
          type: z.string(),
          referencingParams: z.array(
            namedObjectSchema("ReferencingParameter", { name: z.string(), kind: z.enum(["ref", "id", "key"]) }),
          ),
        }),
      ),
      returns: z.array(z.string()),
    }),
  }),
);

export const inspectActions = defineAction({
  group: "config",
  name: "inspect_actions",
  title: "Inspect my actions",
  description:
    "Lists the actions that the caller may run, with their parameters and semantics. Without a token it lists the public actions.",
  intent: "other",
  safe: true,
  rule: "public",
  input: {},
  output: actionsOutput,
  errors: [],
  example: {},
  run: async ({ call, ports }) => {
    const actions = await ports.actions();
    return { body: { items: actions.filter((action) => mayRun(action, call.principal)).map(toActionRow) } };
  },
});

export const inspectActionsAll = defineAction({
  group: "config",
  name: "inspect_actions_all",
  title: "Inspect all actions",
  description:
    "Lists every action of the service with its parameters and semantics, whether or not the caller may run it.",
  intent: "other",
  safe: true,
  rule: "public",
  input: {},
  output: actionsOutput,
  errors: [],
  example: {},
  run: async ({ ports }) => ({ body: { items: (await ports.actions()).map(toActionRow) } }),
});

function toActionRow(action: Action) {
  return {
    actionRef: `${action.group}/${action.name}`,
    title: action.title,
    description: action.description,
    securityRule: action.rule,
    apiTokens: action.apiTokens ?? "allowed",
    parameters: Object.entries(getAllParams(action)).map(([name, { type, required, description }], order) => ({
      name,
      type: type.id,
      jsonType: type.json,
      optional: !required,
      title: null,
      description,
      order,
    })),
    semantics: describeSemantics(action),
  };
}

export const inspectTypeSystem = defineAction({
  group: "config",
  name: "inspect_type_system",
  title: "Inspect type system",
  description: "Lists every type of parameter, with its JSON type and a description of its rules.",
  intent: "other",
  safe: true,
  rule: "public",
  input: {},
  output: createListOutput("Every type of parameter. A list of a type is written List<type>.", () =>
    namedObjectSchema("ParameterType", {
      id: z.string(),
      equivJson: z.enum(["string", "boolean", "number", "array", "object", "any"]),
      description: z.string(),
    }),
  ),
  errors: [],
  example: {},
  run: async ({ ports }) => ({
    body: {
      items: listParameterTypes(await ports.actions()).map(({ id, json, description }) => ({
        id,
        equivJson: json,
        description,
      })),
    },
  }),
});

/** Returns the types of the parameters of these actions, each once, sorted by id. A list contributes its item type. */
export function listParameterTypes(actions: readonly Action[]): readonly ValueType<unknown>[] {
  const types = actions.flatMap((action) => Object.values(getAllParams(action)).map(({ type }) => type.item ?? type));
  return [...new Map(types.map((type) => [type.id, type])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
