import * as z from "zod/mini";
import { BUILT_IN } from "../../domain/permissions.ts";
import { createNamedOutput, createNamedSchema, describe, describeList, describeText } from "../building/answers.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { aiAgentsInstructions } from "./agent-guide.ts";
import {
  inspectActions,
  inspectActionsAll,
  inspectConfig,
  inspectConfigText,
  inspection,
  inspectPermissions,
  inspectSecurityRules,
  inspectTypeSystem,
} from "./inspect-actions.ts";

const signInOptions = defineAction({
  ...inspection,
  name: "sign_in_options",
  title: "Ways to sign in",
  description:
    "Lists the ways to sign in, for web pages: by name and password with `auth/login`, or at an identity provider with the authorization code flow and PKCE.",
  rule: "public",
  output: createNamedOutput("SignInOptions", "The ways to sign in.", () => ({
    passwordIssuer: describeText(
      `The issuer of the names and passwords that \`auth/login\` accepts: \`${BUILT_IN}\` is the service itself, otherwise a user pool.`,
    ),
    firstRun: describe(
      z.boolean(),
      "True until the service has an administrator: `auth/admin_bootstrap` can create the first one.",
    ),
    issuers: describeList(
      createNamedSchema("SignInOption", {
        issuer: describeText("The URL of the provider, for its discovery document."),
        label: describeText("Its name for people."),
        clientId: describeText("The client id to sign in with; the client has no secret."),
        scopes: describeList(z.string(), "The scopes to request."),
        resource: z.optional(describeText("The API to request a token for (RFC 8707).")),
      }),
      "Providers at which a browser signs in, in the order of the configuration.",
    ),
  })),
  run: async ({ ports, call }) => ({ body: await ports.identity.getSignInOptions(call) }),
});

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
