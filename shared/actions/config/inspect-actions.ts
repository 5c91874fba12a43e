import * as z from "zod/mini";
import type { Principal } from "../../domain/accounts/principal.ts";
import { LIMITS } from "../../domain/limits.ts";
import { includeMember } from "../../domain/model/content.ts";
import { ALL_PERMISSIONS, listImplied, PERMISSIONS } from "../../domain/permissions.ts";
import type { ValueType } from "../../domain/values/value-type.ts";
import { createNamedOutput, createNamedSchema, describe, describeList, describeText } from "../building/answers.ts";
import { createListOutput } from "../building/reads.ts";
import { type Action, mayRun } from "../contract/action.ts";
import { getAllParams } from "../contract/action-parameters.ts";
import { defineAction } from "../contract/define-action.ts";
import type { Param } from "../contract/params.ts";
import type { ServiceInfo } from "../contract/ports.ts";
import { describeSemantics, RULES } from "../describe/describe.ts";

export const inspection = {
  group: "config",
  intent: "other",
  safe: true,
  errors: [],
  example: {},
} as const;

const createDeprecationMembers = () => ({
  since: describeText("The day since which it is deprecated."),
  until: describeText("The first day on which it may be removed."),
});

const createDeprecationSchema = (text: string) =>
  z.optional(
    describe(
      createNamedSchema("DeprecationNotice", {
        ...createDeprecationMembers(),
        use: z.optional(describeText("What replaces it.")),
      }),
      text,
    ),
  );

const actionsOutput = createListOutput("Actions with their parameters in order.", () =>
  createNamedSchema("ActionDescription", {
    actionRef: describeText("<group>/<action>"),
    title: z.string(),
    description: z.string(),
    securityRule: describeText("A key of inspect_security_rules."),
    apiTokens: describe(
      z.enum(["allowed", "refused", "itself"]),
      "Whether a call with an API token may run it; `itself`: only on the token itself.",
    ),
    deprecated: createDeprecationSchema("Absent unless the action is deprecated."),
    parameters: z.array(
      createNamedSchema("ActionParameter", {
        name: z.string(),
        type: describeText("An id of inspect_type_system, or List<id>."),
        jsonType: z.enum(["string", "boolean", "number", "array", "object", "any"]),
        optional: z.boolean(),
        title: z.nullable(z.string()),
        description: z.string(),
        order: z.int().check(z.minimum(0)),
        deprecated: createDeprecationSchema("Absent unless the parameter is deprecated."),
        deprecatedAliases: z.optional(
          describeList(
            createNamedSchema("DeprecatedAlias", { name: z.string(), ...createDeprecationMembers() }),
            "Its deprecated aliases; absent if there are none.",
          ),
        ),
      }),
    ),
    semantics: createNamedSchema("ActionSemantics", {
      intent: z.enum(["create", "read", "update", "delete", "other"]),
      subjects: z.array(
        createNamedSchema("ActionSubject", {
          type: z.string(),
          referencingParams: z.array(
            createNamedSchema("ReferencingParameter", { name: z.string(), kind: z.enum(["ref", "id", "key"]) }),
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
    const actions = await ports.listActions();
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
  run: async ({ ports }) => ({ body: { items: (await ports.listActions()).map(toActionRow) } }),
});

function toActionRow(action: Action) {
  return {
    actionRef: `${action.group}/${action.name}`,
    title: action.title,
    description: action.description,
    securityRule: action.rule,
    apiTokens: action.apiTokens ?? "allowed",
    ...includeMember("deprecated", action.deprecated),
    parameters: Object.entries(getAllParams(action)).map(toParameterRow),
    semantics: describeSemantics(action),
  };
}

function toParameterRow([name, param]: readonly [string, Param], order: number) {
  const { type, required, description, deprecated, deprecatedAliases } = param;
  const aliases =
    deprecatedAliases && Object.entries(deprecatedAliases).map(([alias, one]) => ({ name: alias, ...one }));
  return {
    name,
    type: type.id,
    jsonType: type.json,
    optional: !required,
    title: null,
    description,
    order,
    ...includeMember("deprecated", deprecated),
    ...includeMember("deprecatedAliases", aliases),
  };
}

export const inspectTypeSystem = defineAction({
  ...inspection,
  name: "inspect_type_system",
  title: "Inspect type system",
  description: "Lists every type of parameter, with its JSON type and a description of its rules.",
  rule: "public",
  output: createListOutput("Every type of parameter. A list of a type is written List<type>.", () =>
    createNamedSchema("ParameterType", {
      id: z.string(),
      equivJson: z.enum(["string", "boolean", "number", "array", "object", "any"]),
      description: z.string(),
    }),
  ),
  run: async ({ ports }) => ({
    body: {
      items: listParameterTypes(await ports.listActions()).map(({ id, json, description }) => ({
        id,
        equivJson: json,
        description,
      })),
    },
  }),
});

/** Returns the types of the parameters of these actions, each once, sorted by id. */
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
    createNamedSchema("Permission", {
      id: z.enum(ALL_PERMISSIONS),
      name: z.string(),
      description: z.string(),
      implies: describeList(z.enum(ALL_PERMISSIONS), "The permissions that it implies directly."),
    }),
  ),
  run: async () => ({
    body: {
      items: ALL_PERMISSIONS.map((id) => ({
        id,
        name: PERMISSIONS[id].name,
        description: PERMISSIONS[id].description,
        implies: listImplied(id),
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
    createNamedSchema("SecurityRule", {
      key: z.string(),
      name: z.string(),
      description: z.string(),
      associatedRequiredPermissions: z.array(z.enum(ALL_PERMISSIONS)),
    }),
  ),
  run: async () => ({ body: { items: RULES } }),
});

/** The limits that a call can exceed. Other limits are internal. */
export const PUBLIC_LIMITS = [
  "requestBytes",
  "shortBodyBytes",
  "jsonDepth",
  "jsonMembers",
  "queryBytes",
  "tokenBytes",
  "responseBytes",
  "inflatedResponseBytes",
  "batchAnswerBytes",
  "keyCharacters",
  "nameCharacters",
  "descriptionBytes",
  "urlCharacters",
  "versionCharacters",
  "constraintBytes",
  "constraintDepth",
  "patternCharacters",
  "primaryKeyAttributes",
  "businessKeyParticipants",
  "relationshipRoles",
  "keyPairs",
  "tagsPerObject",
  "searchFilters",
  "searchTags",
  "searchCharacters",
  "importedGlobalTags",
  "removedRows",
  "objectsPerCall",
  "callStagingMs",
  "objectBytes",
  "pageRows",
  "callMs",
  "usernameCharacters",
  "passwordCharacters",
  "passwordBytes",
  "fullnameCharacters",
  "tokenSeconds",
  "sourceBytes",
  "sourceRedirects",
  "sourceTotalMs",
  "sourceFiles",
  "importProblems",
] as const satisfies readonly (keyof typeof LIMITS)[];

type PublicLimit = (typeof PUBLIC_LIMITS)[number];

function createLimitSchemas() {
  // The names are those that the loop goes through.
  return Object.fromEntries(PUBLIC_LIMITS.map((name) => [name, z.int()])) as Record<PublicLimit, z.ZodMiniNumberFormat>;
}

const PRODUCT = "Metaction";

export const inspectConfig = defineAction({
  ...inspection,
  name: "inspect_config",
  title: "Inspect configuration",
  description:
    "Describes the running service: name, version, storage engine and limits. " +
    "Any valid token is sufficient, so the action also checks a token. " +
    "Administrators also see the storage endpoint and table.",
  rule: "signed_in",
  output: createNamedOutput("ServiceConfiguration", "The running service.", () => ({
    name: describeText("Name of the product."),
    version: describeText("Version of the service."),
    engine: describeText("The storage engine of the models."),
    limits: z
      .object(createLimitSchemas())
      .check(
        z.meta({ title: "ServiceLimits" }),
        z.describe("The limits of the service; each name ends with its unit."),
      ),
    endpoint: z.optional(describeText("The URL of the storage engine; for administrators only.")),
    table: z.optional(describeText("Name of the table; for administrators only.")),
  })),
  run: async ({ call, ports }) => ({ body: collectConfigFacts(call.principal, ports.service) }),
});

function collectConfigFacts(caller: Principal | undefined, service: ServiceInfo) {
  const { version, engine, endpoint, table, tokenSeconds = LIMITS.tokenSeconds } = service;
  const values = { ...LIMITS, tokenSeconds };
  const limits: Readonly<Record<string, number>> = Object.fromEntries(
    PUBLIC_LIMITS.map((name) => [name, values[name]]),
  );
  const forAdministrators = caller?.permissions.has("admin") ? { endpoint, table } : {};
  return { name: PRODUCT, version, engine, limits, ...forAdministrators };
}

export const inspectConfigText = defineAction({
  ...inspection,
  name: "inspect_config_text",
  title: "Inspect configuration as text",
  description: "Answers the same as `inspect_config` as text for people: one member per line, with aligned values.",
  rule: "signed_in",
  output: { mediaType: "text/plain", description: "The running service.", schema: () => z.string() },
  run: async ({ call, ports }) => {
    const { limits, ...facts } = collectConfigFacts(call.principal, ports.service);
    return { body: [...alignMembers(facts), "", "limits", ...alignMembers(limits, "  "), ""].join("\n") };
  },
});

function alignMembers(facts: Readonly<Record<string, string | number>>, indent = ""): readonly string[] {
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  return Object.entries(facts).map(([name, value]) => `${indent}${name.padEnd(width)}  ${value}`);
}
