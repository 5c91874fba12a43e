import * as z from "zod/mini";
import { modelKeyPattern, permissionKey, tokenDays } from "../../domain/accounts/account-types.ts";
import { formatApiToken, hashSecret } from "../../domain/accounts/api-token.ts";
import { computeRights, hasPermissionAnywhere } from "../../domain/accounts/principal.ts";
import { apiTokenFields } from "../../domain/fields/accounts.ts";
import { actor, apiToken } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { createChange, deleteChange } from "../../domain/model/changes.ts";
import { optionalMember } from "../../domain/model/content.ts";
import type { Actor, ApiToken, AuthRole } from "../../domain/model/objects.ts";
import { ALL_PERMISSIONS, impliedBy, type Permission } from "../../domain/permissions.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import { actorId } from "../../domain/values/ref-types.ts";
import { createListType, flag, singleLine } from "../../domain/values/value-types.ts";
import { createWrittenOutput, namedObjectSchema, writtenOutput } from "../building/answers.ts";
import { createListOutput, pagingParams, toPage, toReading } from "../building/reads.ts";
import type { Action, CurrentCaller } from "../contract/action.ts";
import type { Call } from "../contract/call.ts";
import { defineAction } from "../contract/define-action.ts";
import { optionalParam, requiredParam } from "../contract/params.ts";
import type { ReadView } from "../contract/view.ts";
import { need } from "../pipeline/resolve.ts";
import { accountShape, toAccountRow } from "./account-rows.ts";
import { checkPatternModel } from "./assignments.ts";

const DAY_MS = 86_400_000;

/** The API token of the examples. */
const NIGHTLY = "0198c0de-0000-7000-8000-0000000000c1";

/** A token has no key; people know it by its name. */
const toTokenSubject = ({ id, name }: ApiToken) => ({ id, key: name });

const tokenCreate = defineAction({
  group: "auth",
  name: "token_create",
  title: "Create API token",
  description: `Makes a token that stands for the caller without signing in, for programs; an administrator makes one for any actor, such as a service account. It is answered this once and can be read nowhere again; it is sent as \`Authorization: Bearer <token>\`. It may do what it is made for, at every call no more than its actor may do then; of users, actors, roles and tokens it changes none, but it can revoke itself. One for some models holds its permissions on these alone, and sees no other model, nor the jobs and stored answers of its actor. It ends when it expires or is revoked, and with the actor it stands for; a new password does not end it. An actor has at most ${LIMITS.apiTokens} at once.`,
  intent: "create",
  rule: "signed_in",
  apiTokens: "refused",
  ledger: "identity",
  answersSecret: true,
  input: {
    name: requiredParam(singleLine, "What it is for."),
    expiresInDays: optionalParam(tokenDays, `In how many days it expires; ${LIMITS.apiTokenDefaultDays} unless given.`),
    actorId: optionalParam(
      actorId,
      "The actor it stands for: the caller, or one that an administrator names and that is not disabled.",
    ),
    permissions: optionalParam(
      createListType(permissionKey, ALL_PERMISSIONS.length),
      "The most it may do, with what that implies; unless given, all that its actor may do, without what only a sign-in token gives.",
    ),
    models: optionalParam(
      createListType(modelKeyPattern, LIMITS.apiTokenModels, 1),
      "The only models it is for; everything its actor may do unless given.",
    ),
  },
  output: createWrittenOutput("The API token, which is shown this once.", () => ({
    permissions: z.array(z.string()),
    models: accountShape(apiTokenFields).models,
    expiresAt: z.string(),
    token: z.optional(z.string()).check(z.describe("The secret. A dry run answers none.")),
  })),
  errors: ["not_allowed", "not_found"],
  example: { name: "Nightly export", expiresInDays: 30 },
  prepare: async ({ input: { models = [] }, ports, call }) => {
    for (const pattern of models) await checkPatternModel(pattern, call, ports);
    return ports.identity.createSecret();
  },
  run: async ({ input, prepared: secret, view, call, caller }) => {
    const { roles } = caller;
    const owner = await findNewTokenOwner(view, input.actorId, caller);
    const models = input.models && [...new Set(input.models)];
    const permissions = resolveTokenPermissions(owner, roles, input.permissions, call);
    const kept = (await view.list("api_token", owner.id)).items;
    const expired = kept.filter((token) => hasExpired(token, call));
    if (kept.length - expired.length >= LIMITS.apiTokens) {
      throw new Problem("too_large", `an actor may have ${LIMITS.apiTokens} API tokens; revoke one first`);
    }
    const id = call.nextId();
    const days = input.expiresInDays ?? LIMITS.apiTokenDefaultDays;
    const made: ApiToken = {
      kind: "api_token",
      id,
      key: id,
      revision: 0,
      owner: owner.id,
      name: input.name,
      hash: hashSecret(secret),
      permissions,
      ...optionalMember("models", models),
      createdAt: call.time,
      expiresAt: new Date(Date.parse(call.time) + days * DAY_MS).toISOString(),
    };
    return {
      subject: toTokenSubject(made),
      changes: [createChange(made), ...expired.map((token) => deleteChange(token, false))],
      extra: { permissions, ...optionalMember("models", models), expiresAt: made.expiresAt },
      shownOnce: { token: formatApiToken({ id, actor: owner.id, actorKey: owner.key, secret }) },
    };
  },
});

/** The actor a new token stands for: the caller, or another one that an administrator names and that is not disabled. */
async function findNewTokenOwner(
  view: ReadView,
  asked: Ref | undefined,
  { actor: own, permissions }: CurrentCaller,
): Promise<Actor> {
  if (!asked || asked.value === own.id) return own;
  if (!permissions.has("admin"))
    throw new Problem("not_allowed", "To make a token for others needs the permission admin");
  const owner = await need(view, actor, asked);
  if (owner.disabledAt === undefined) return owner;
  const detail = `${owner.subject} is disabled; enable the actor first`;
  throw new Problem("bad_parameters", `actorId: ${detail}`, { errors: [{ pointer: "/actorId", detail }] });
}

const tokenList = defineAction({
  group: "auth",
  name: "token_list",
  title: "List API tokens",
  description:
    "Lists the caller's API tokens, oldest first, without their secrets; an administrator may ask for those of another actor, or of all. An expired one is shown until its actor makes the next.",
  intent: "read",
  rule: "signed_in",
  apiTokens: "allowed",
  ledger: "identity",
  input: {
    actorId: optionalParam(actorId, "The actor whose tokens they are; the caller unless given."),
    all: optionalParam(flag, "Those of all actors, each actor's together; not beside `actorId`."),
    ...pagingParams,
  },
  output: createListOutput("The API tokens.", () => namedObjectSchema("ApiToken", accountShape(apiTokenFields))),
  errors: ["not_allowed", "not_found"],
  example: {},
  run: async ({ input, view, call }) => {
    const owner = await findListedOwner(view, input, call);
    const rows = await view.list("api_token", owner, toPage(input));
    return toReading(rows, (tokens) => ({
      items: tokens.map((token) => toAccountRow(token, apiTokenFields, { expired: hasExpired(token, call) })),
    }));
  },
});

/** The actor whose tokens are asked for; undefined for those of all. */
async function findListedOwner(
  view: ReadView,
  asked: { readonly actorId: Ref | undefined; readonly all: boolean | undefined },
  call: Call,
): Promise<string | undefined> {
  const own = getCallerId(call);
  const administers = call.principal?.permissions.has("admin") ?? false;
  if (asked.all && asked.actorId) {
    const detail = "cannot be given together with actorId";
    throw new Problem("bad_parameters", `all: ${detail}`, { errors: [{ pointer: "/all", detail }] });
  }
  if (asked.all && !administers)
    throw new Problem("not_allowed", "To list the tokens of all needs the permission admin");
  if (asked.all) return undefined;
  if (!asked.actorId) return own;
  // Whoever does not administer knows no other actor.
  if (!administers && asked.actorId.value !== own) {
    throw new Problem("not_found", `no ${actor.noun} ${printRef(asked.actorId)}`);
  }
  return (await need(view, actor, asked.actorId)).id;
}

const tokenRevoke = defineAction({
  group: "auth",
  name: "token_revoke",
  title: "Revoke API token",
  description: "Ends an API token at once: one of the caller's own, or as an administrator any.",
  intent: "delete",
  rule: "signed_in",
  apiTokens: "itself",
  target: apiToken,
  input: {},
  output: writtenOutput,
  errors: ["not_allowed"],
  example: { tokenId: NIGHTLY },
  run: async ({ target, caller }) => {
    // Whoever does not administer knows no token of others.
    if (target.owner !== caller.actor.id && !caller.permissions.has("admin")) {
      throw new Problem("not_found", `no ${apiToken.noun} id:${target.id}`);
    }
    return { subject: toTokenSubject(target), changes: [deleteChange(target, false)] };
  },
});

function hasExpired({ expiresAt }: ApiToken, { time }: Call): boolean {
  return Date.parse(expiresAt) <= Date.parse(time);
}

function getCallerId({ principal }: Call): string {
  // The rule lets nobody through without one.
  if (!principal) throw new Error("API tokens of nobody");
  return principal.actorId;
}

/** The `token_*` actions. */
export const tokenActions = [tokenCreate, tokenList, tokenRevoke] as const satisfies readonly Action[];

/**
 * The permissions a new API token gets, sorted: those asked for, or else all that its actor holds by assignment, for
 * everything or for some models. `not_allowed` for one that is not held, and for one that a sign-in token alone gives,
 * because an API token is used without that.
 */
function resolveTokenPermissions(
  actor: Actor,
  roles: readonly AuthRole[],
  asked: readonly Permission[] | undefined,
  { principal }: Call,
): readonly Permission[] {
  const isOwn = principal?.actorId === actor.id;
  const lasting = computeRights(actor, roles);
  const held = ALL_PERMISSIONS.filter((permission) => hasPermissionAnywhere(lasting, permission));
  const lacking = asked?.find((permission) => !held.includes(permission));
  if (lacking !== undefined && isOwn && hasPermissionAnywhere(principal, lacking)) {
    const detail = `You hold the permission ${lacking} only while your sign-in token claims it, so no API token can have it`;
    throw new Problem("not_allowed", `${detail}; an administrator can assign you a role that gives it`);
  }
  if (lacking !== undefined) {
    const who = isOwn ? "you do not hold yourself" : `${actor.subject} does not hold by a role that is assigned`;
    throw new Problem("not_allowed", `An API token cannot have a permission ${who}: ${lacking}`);
  }
  return asked ? [...new Set(asked)].sort() : removeImplied(held);
}

function removeImplied(held: readonly Permission[]): readonly Permission[] {
  const implied = new Set(held.flatMap(impliedBy));
  return held.filter((permission) => !implied.has(permission)).sort();
}
