import * as z from "zod/mini";
import { LIMITS } from "../../domain/limits.ts";
import { includeMember } from "../../domain/model/content.ts";
import { BUILT_IN } from "../../domain/permissions.ts";
import { bootstrapSecret, fullname, loginName, password, username } from "../../domain/values/value-types.ts";
import {
  createNamedOutput,
  createNamedSchema,
  describeInteger,
  describeList,
  describeText,
} from "../building/answers.ts";
import { createPatternSchema, createPatternsSchema } from "../building/ids.ts";
import type { Action } from "../contract/action.ts";
import { defineAction } from "../contract/define-action.ts";
import { requireParam } from "../contract/params.ts";
import { actorActions } from "./actor.ts";
import { auditList } from "./audit.ts";
import { can, listShownScopes } from "./can.ts";
import { roleActions } from "./role.ts";
import { serviceAccountActions } from "./service-account.ts";
import { sessionActions } from "./session.ts";
import { tokenActions } from "./token.ts";
import { userActions } from "./user.ts";

const accessToken = createNamedOutput(
  "AccessToken",
  "An access token for the header `Authorization: Bearer <access_token>`.",
  () => ({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: describeInteger("Seconds."),
  }),
);

const adminBootstrap = defineAction({
  group: "auth",
  name: "admin_bootstrap",
  title: "Create the first administrator",
  description: "Creates the first administrator with the one-time bootstrap secret, and signs in. It works only once.",
  intent: "other",
  safe: false,
  rule: "public",
  apiTokens: "allowed",
  answersSecret: true,
  input: {
    username: requireParam(username, "The name to sign in with."),
    fullname: requireParam(fullname, "The name to show."),
    // The bootstrap checks the password itself: a used bootstrap must be reported first, even for a weak password.
    password: requireParam(
      password,
      `At least ${LIMITS.passwordCharacters} characters of any kind, such as a sentence.`,
    ),
    secret: requireParam(bootstrapSecret, "The bootstrap secret."),
  },
  output: accessToken,
  errors: ["bootstrap_used", "not_signed_in", "not_allowed"],
  example: {
    username: "ada",
    fullname: "Ada Lovelace",
    password: "<password>",
    secret: "<bootstrap secret>",
  },
  run: async ({ input, ports, call }) => ({ body: await ports.identity.bootstrap(input, call) }),
});

const login = defineAction({
  group: "auth",
  name: "login",
  title: "Sign in",
  description:
    "Signs in and answers an access token. The users are those of the built-in provider, or of an Amazon Cognito user pool if the service is configured for one.",
  intent: "other",
  safe: false,
  rule: "public",
  apiTokens: "allowed",
  answersSecret: true,
  input: {
    username: requireParam(loginName, "The user's name."),
    password: requireParam(password, "The user's password."),
  },
  output: accessToken,
  errors: ["not_signed_in", "login_challenge"],
  example: { username: "ada", password: "<password>" },
  run: async ({ input, ports, call }) => ({ body: await ports.identity.login(input.username, input.password, call) }),
});

const whoami = defineAction({
  group: "auth",
  name: "whoami",
  title: "Who am I",
  description: "Reads the caller that the access token identifies, with its permissions, including implied ones.",
  intent: "read",
  rule: "signed_in",
  apiTokens: "allowed",
  output: createNamedOutput("Caller", "The caller.", () => ({
    issuer: describeText(`The issuer that signs the caller in; \`${BUILT_IN}\` is the service itself.`),
    sub: z.string(),
    fullname: z.string(),
    admin: z.boolean(),
    permissions: describeList(z.string(), "Permissions for everything."),
    scopes: describeList(
      createNamedSchema("CallerScope", {
        models: createPatternSchema("The pattern of the keys of the models, or the ref `id:<uuid>` of one model."),
        permissions: z.array(z.string()),
      }),
      "Permissions for the models with keys that match a pattern. " +
        "With an API token for some models: its patterns, each with the permissions that it has on at least some of these models.",
    ),
    within: z.optional(
      createPatternsSchema(
        "With an API token for some models: its patterns, or refs `id:<uuid>` of models. Other models do not exist for it.",
      ),
    ),
  })),
  errors: [],
  example: {},
  run: async ({ call: { principal }, ports }) => {
    if (!principal) throw new Error("whoami without a principal");
    const scopes = await listShownScopes(principal, ports);
    return {
      body: {
        issuer: principal.issuer,
        sub: principal.subject,
        fullname: principal.fullname,
        admin: principal.permissions.has("admin"),
        permissions: [...principal.permissions].sort(),
        // Deleted roles give nothing, and an API token may exclude all permissions of a role.
        scopes: scopes
          .filter(({ permissions }) => permissions.size > 0)
          .map(({ models, permissions }) => ({ models, permissions: [...permissions].sort() })),
        ...includeMember("within", principal.within),
      },
    };
  },
});

export const authActions = [
  ...roleActions,
  ...actorActions,
  ...userActions,
  ...serviceAccountActions,
  ...tokenActions,
  ...sessionActions,
  can,
  auditList,
  adminBootstrap,
  login,
  whoami,
] as const satisfies readonly Action[];
