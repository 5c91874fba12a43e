import * as z from "zod/mini";
import { BUILT_IN } from "../../domain/accounts/principal.ts";
import { namedObjectSchema } from "../building/answers.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { aiAgentsInstructions } from "./agent-guide.ts";
import { inspectActions, inspectActionsAll, inspectTypeSystem } from "./inspect-actions.ts";
import { inspectConfig, inspectConfigText } from "./inspect-config.ts";
import { inspectPermissions, inspectSecurityRules } from "./inspect-rules.ts";

const signInOptions = defineAction({
  group: "config",
  name: "sign_in_options",
  title: "Ways to sign in",
  description:
    "Tells a web page how people sign in: by name and password with `auth/login`, or at an identity provider with the authorization code flow and PKCE.",
  intent: "other",
  safe: true,
  rule: "public",
  input: {},
  output: {
    mediaType: "application/json",
    description: "The ways to sign in.",
    schema: () =>
      namedObjectSchema("SignInOptions", {
        passwordIssuer: z
          .string()
          .check(
            z.describe(
              `Whose names and passwords \`auth/login\` takes: \`${BUILT_IN}\` is the service itself, else a user pool.`,
            ),
          ),
        firstRun: z
          .boolean()
          .check(z.describe("True while nobody is an administrator and `auth/admin_bootstrap` makes the first one.")),
        issuers: z
          .array(
            namedObjectSchema("SignInOption", {
              issuer: z.string().check(z.describe("The URL at which the provider is discovered.")),
              label: z.string().check(z.describe("Its name for people.")),
              clientId: z.string().check(z.describe("The client to sign in by; it has no secret.")),
              scopes: z.array(z.string()).check(z.describe("The scopes to ask for.")),
              resource: z.optional(z.string().check(z.describe("The API to ask a token for, as RFC 8707 has it."))),
            }),
          )
          .check(z.describe("Providers at which a browser signs in, in the order of the configuration.")),
      }),
  },
  errors: [],
  example: {},
  run: async ({ ports, call }) => ({ body: await ports.identity.getSignInOptions(call) }),
});

/** The actions of the group `config`. */
export const configActions = [
  inspectActions,
  inspectActionsAll,
  inspectConfig,
  inspectConfigText,
  inspectPermissions,
  inspectSecurityRules,
  inspectTypeSystem,
  signInOptions,
  aiAgentsInstructions,
] as const satisfies readonly Action[];
