import * as z from "zod/mini";
import { ALL_PERMISSIONS, impliedBy, PERMISSION_TEXTS } from "../../domain/permissions.ts";
import { namedObjectSchema } from "../building/answers.ts";
import { createListOutput } from "../building/reads.ts";
import { defineAction } from "../contract/define-action.ts";
import { RULES } from "../describe/describe.ts";

export const inspectPermissions = defineAction({
  group: "config",
  name: "inspect_permissions",
  title: "Inspect permissions",
  description: "Lists every permission with what it allows and which other permissions it implies.",
  intent: "other",
  safe: true,
  rule: "public",
  input: {},
  output: createListOutput("Every permission.", () =>
    namedObjectSchema("Permission", {
      id: z.enum(ALL_PERMISSIONS),
      name: z.string(),
      description: z.string(),
      implies: z.array(z.enum(ALL_PERMISSIONS)).check(z.describe("The permissions that it implies directly.")),
    }),
  ),
  errors: [],
  example: {},
  run: async () => ({
    body: {
      items: ALL_PERMISSIONS.map((id) => ({
        id,
        name: PERMISSION_TEXTS[id].name,
        description: PERMISSION_TEXTS[id].description,
        implies: impliedBy(id),
      })),
    },
  }),
});

export const inspectSecurityRules = defineAction({
  group: "config",
  name: "inspect_security_rules",
  title: "Inspect security rules",
  description: "Lists every security rule of actions, with the permissions that it requires.",
  intent: "other",
  safe: true,
  rule: "public",
  input: {},
  output: createListOutput("Every rule, sorted by key.", () =>
    namedObjectSchema("SecurityRule", {
      key: z.string(),
      name: z.string(),
      description: z.string(),
      associatedRequiredPermissions: z.array(z.enum(ALL_PERMISSIONS)),
    }),
  ),
  errors: [],
  example: {},
  run: async () => ({ body: { items: RULES } }),
});
