import * as z from "zod/mini";
import { ALL_PERMISSIONS, impliedBy, PERMISSIONS } from "../../domain/permissions.ts";
import type { ValueType } from "../../domain/values/value-type.ts";
import { namedObjectSchema } from "../building/answers.ts";
import { createListOutput } from "../building/reads.ts";
import type { Action } from "../contract/action.ts";
import { getAllParams } from "../contract/action-parameters.ts";
import { defineAction } from "../contract/define-action.ts";
import { mayRun } from "../contract/rules.ts";
import { describeSemantics, RULES } from "../describe/describe.ts";

/** Members of the actions that describe the service. */
export const inspection = {
  group: "config",
  intent: "other",
  safe: true,
  input: {},
  errors: [],
  example: {},
} as const;

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
  ...inspection,
  name: "inspect_actions",
  title: "Inspect my actions",
  description:
    "Lists the actions that the caller may run, with their parameters and semantics. Without a token it lists the public actions.",
  rule: "public",
  output: actionsOutput,
  run: async ({ call, ports }) => {
    const actions = await ports.actions();
    return { body: { items: actions.filter((action) => mayRun(action, call.principal)).map(toActionRow) } };
  },
});

export const inspectActionsAll = defineAction({
  ...inspection,
  name: "inspect_actions_all",
  title: "Inspect all actions",
  description:
    "Lists every action of the service with its parameters and semantics, whether or not the caller may run it.",
  rule: "public",
  output: actionsOutput,
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
  ...inspection,
  name: "inspect_type_system",
  title: "Inspect type system",
  description: "Lists every type of parameter, with its JSON type and a description of its rules.",
  rule: "public",
  output: createListOutput("Every type of parameter. A list of a type is written List<type>.", () =>
    namedObjectSchema("ParameterType", {
      id: z.string(),
      equivJson: z.enum(["string", "boolean", "number", "array", "object", "any"]),
      description: z.string(),
    }),
  ),
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

export const inspectPermissions = defineAction({
  ...inspection,
  name: "inspect_permissions",
  title: "Inspect permissions",
  description: "Lists every permission with what it allows and which other permissions it implies.",
  rule: "public",
  output: createListOutput("Every permission.", () =>
    namedObjectSchema("Permission", {
      id: z.enum(ALL_PERMISSIONS),
      name: z.string(),
      description: z.string(),
      implies: z.array(z.enum(ALL_PERMISSIONS)).check(z.describe("The permissions that it implies directly.")),
    }),
  ),
  run: async () => ({
    body: {
      items: ALL_PERMISSIONS.map((id) => ({
        id,
        name: PERMISSIONS[id].name,
        description: PERMISSIONS[id].description,
        implies: impliedBy(id),
      })),
    },
  }),
});

export const inspectSecurityRules = defineAction({
  ...inspection,
  name: "inspect_security_rules",
  title: "Inspect security rules",
  description: "Lists every security rule of actions, with the permissions that it requires.",
  rule: "public",
  output: createListOutput("Every rule, sorted by key.", () =>
    namedObjectSchema("SecurityRule", {
      key: z.string(),
      name: z.string(),
      description: z.string(),
      associatedRequiredPermissions: z.array(z.enum(ALL_PERMISSIONS)),
    }),
  ),
  run: async () => ({ body: { items: RULES } }),
});
