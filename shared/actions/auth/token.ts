import * as z from "zod/mini";
import { modelKeyPattern, permissionKey, tokenDays } from "../../domain/accounts/account-types.ts";
import { formatApiToken, hashSecret } from "../../domain/accounts/api-token.ts";
import {
  computeRights,
  hasPermissionAnywhere,
  type Principal,
  toTokenBounds,
} from "../../domain/accounts/principal.ts";
import { apiTokenFields } from "../../domain/fields/account-fields.ts";
import { actor, apiToken } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { createChange, deleteChange } from "../../domain/model/changes.ts";
import { includeMember } from "../../domain/model/content.ts";
import type { Actor, ApiToken, AuthRole } from "../../domain/model/objects.ts";
import { ALL_PERMISSIONS, BUILT_IN, listImplied, type Permission } from "../../domain/permissions.ts";
import { Problem } from "../../domain/problems.ts";
import { printRef, type Ref } from "../../domain/refs.ts";
import { actorRef } from "../../domain/values/ref-types.ts";
import { createListType, flag, singleLine } from "../../domain/values/value-types.ts";
import { createNamedSchema, createWrittenOutput, describe, writtenOutput } from "../building/answers.ts";
import { createListOutput, pagingParams, toPage, toReading } from "../building/reads.ts";
import type { Action, CurrentCaller, Ports } from "../contract/action.ts";
import type { Call } from "../contract/call.ts";
import { mapConcurrently } from "../contract/concurrency.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, requireParam } from "../contract/params.ts";
import type { ReadView } from "../contract/view.ts";
import { listAllRoles } from "../pipeline/caller-rights.ts";
import { requireRef } from "../pipeline/resolve.ts";
import { checkPatternModel } from "./account-changes.ts";
import { createAccountShape, toAccountRow } from "./account-rows.ts";
import { listShownScopes } from "./can.ts";

const DAY_MS = 86_400_000;

const NIGHTLY = "0198c0de-0000-7000-8000-0000000000c1";

const toTokenSubject = ({ id, name }: ApiToken) => ({ id, key: name });

const tokenCreate = defineAction({
  group: "auth",
  name: "token_create",
  title: "Create API token",
  description: `Creates a token for calls of programs without signing in. It acts for the caller; an administrator may create one for any actor, such as a service account. The token is answered only once and cannot be read again. Send it as \`Authorization: Bearer <token>\`. Each call has at most the permissions of the token, and at most those that its actor has at that time. The token cannot change users, actors, roles or other tokens, but it can revoke itself. A token for some models holds its permissions on these models only, and sees no other models and no jobs or stored answers of its actor. It ends when it expires or is revoked, and when its actor is disabled or deleted; a new password does not end it. An actor has at most ${LIMITS.apiTokens} tokens at the same time.`,
  intent: "create",
  rule: "signed_in",
  apiTokens: "refused",
  ledger: "identity",
  answersSecret: true,
  input: {
    name: requireParam(singleLine, "Its purpose."),
    expiresInDays: allowParam(
      tokenDays,
      `The number of days until it expires; ${LIMITS.apiTokenDefaultDays} unless given.`,
    ),
    actorRef: allowParam(
      actorRef,
      "The actor that it acts for; the caller unless given. Only administrators may name another actor, which must not be disabled.",
    ),
    permissions: allowParam(
      createListType(permissionKey, ALL_PERMISSIONS.length),
      "The most it may do, including implied permissions. Unless given, all permissions of its actor, except those that only a sign-in token gives.",
    ),
    models: allowParam(
      createListType(modelKeyPattern, LIMITS.apiTokenModels, 1),
      "The only models that it is for; all models of its actor unless given.",
    ),
  },
  output: createWrittenOutput("The API token. It is shown only once.", () => ({
    permissions: createAccountShape(apiTokenFields).permissions,
    models: createAccountShape(apiTokenFields).models,
    expiresAt: z.string(),
    token: describe(z.optional(z.string()), "The secret. Absent in a dry run."),
  })),
  errors: ["not_allowed", "not_found"],
  example: { name: "Nightly export", expiresInDays: 30 },
  prepare: async ({ input: { models = [] }, ports, call }) => {
    for (const pattern of models) await checkPatternModel(pattern, call, ports);
    return ports.identity.createSecret();
  },
  run: async ({ input, prepared: secret, view, call, caller, ports }) => {
    const { roles } = caller;
    const owner = await findNewTokenOwner(view, input.actorRef, caller);
    const models = input.models && [...new Set(input.models)];
    const permissions = resolveTokenPermissions(owner, roles, input.permissions, call);
    const existing = (await view.list("api_token", owner.id)).items;
    const expiredTokens = existing.filter((token) => hasExpired(token, call));
    if (existing.length - expiredTokens.length >= LIMITS.apiTokens) {
      throw new Problem("too_large", `An actor may have at most ${LIMITS.apiTokens} API tokens. Revoke one first`);
    }
    const id = call.nextId();
    const days = input.expiresInDays ?? LIMITS.apiTokenDefaultDays;
    const newToken: ApiToken = {
      kind: "api_token",
      id,
      key: id,
      revision: 0,
      owner: owner.id,
      name: input.name,
      hash: hashSecret(secret),
      permissions,
      ...includeMember("models", models),
      createdAt: call.time,
      expiresAt: new Date(Date.parse(call.time) + days * DAY_MS).toISOString(),
    };
    return {
      subject: toTokenSubject(newToken),
      changes: [createChange(newToken), ...expiredTokens.map((token) => deleteChange(token, false))],
      extra: {
        permissions: await listTokenPermissions(newToken, owner, roles, ports),
        ...includeMember("models", models),
        expiresAt: newToken.expiresAt,
      },
      shownOnce: { token: formatApiToken({ id, actor: owner.id, actorKey: owner.key, secret }) },
    };
  },
});

/** Tests whether a ref names an actor, also by the username of the built-in provider. */
function namesActor(
  { scheme, value }: Ref,
  { actorId, issuer, subject }: Pick<Principal, "actorId" | "issuer" | "subject">,
) {
  return scheme === "id" ? value === actorId : issuer === BUILT_IN && value === subject;
}

async function findNewTokenOwner(
  view: ReadView,
  ref: Ref | undefined,
  { actor: own, permissions }: CurrentCaller,
): Promise<Actor> {
  if (!ref || namesActor(ref, { actorId: own.id, ...own })) return own;
  if (!permissions.has("admin"))
    throw new Problem("not_allowed", "You need the permission admin to create a token for another actor");
  const owner = await requireRef(view, actor, ref);
  if (owner.disabledAt === undefined) return owner;
  const detail = `The actor ${owner.subject} is disabled; enable it first`;
  throw new Problem("bad_parameters", `actorRef: ${detail}`, { errors: [{ pointer: "/actorRef", detail }] });
}

const tokenList = defineAction({
  group: "auth",
  name: "token_list",
  title: "List API tokens",
  description:
    "Lists the API tokens of the caller, oldest first, without their secrets. " +
    "An administrator may list those of another actor or of all actors. " +
    "An expired token is listed until its actor creates the next one. With an API token for some models: only itself.",
  intent: "read",
  rule: "signed_in",
  apiTokens: "allowed",
  ledger: "identity",
  input: {
    actorRef: allowParam(actorRef, "The actor of the tokens; the caller unless given."),
    all: allowParam(flag, "True to list the tokens of all actors, grouped by actor; not together with `actorRef`."),
    ...pagingParams,
  },
  output: createListOutput("The API tokens.", () => createNamedSchema("ApiToken", createAccountShape(apiTokenFields))),
  errors: ["not_allowed", "not_found"],
  example: {},
  run: async ({ input, view, call, ports }) => {
    const owner = await findListedOwner(view, input, call);
    const page = toPage(input);
    const { within, apiToken: value = "" } = call.principal ?? {};
    // A token for some models does not see what the other tokens of its actor are for.
    const own = within && page.after === undefined && (await view.find("api_token", { scheme: "id", value }));
    const rows = within ? { items: own ? [own] : [] } : await view.list("api_token", owner, page);
    const permissionsOf = await preparePermissions(rows.items, view, ports);
    return toReading(rows, (tokens) => ({
      items: tokens.map((token) => {
        const computed = { permissions: permissionsOf(token), expired: hasExpired(token, call) };
        return toAccountRow(token, apiTokenFields, computed);
      }),
    }));
  },
});

/** Reads what the permissions of some tokens depend on. Costs nothing for tokens without models. */
async function preparePermissions(
  tokens: readonly ApiToken[],
  view: ReadView,
  ports: Pick<Ports, "store">,
): Promise<(token: ApiToken) => readonly string[]> {
  const bounded = tokens.filter(({ models }) => models !== undefined);
  if (bounded.length === 0) return ({ permissions }) => permissions;
  const roles = await listAllRoles(view);
  const owners = [...new Set(bounded.map(({ owner }) => owner))];
  const actors = await mapConcurrently(owners, PARALLEL, (value) => view.find("actor", { scheme: "id", value }));
  const actorsById = new Map(actors.flatMap((one) => (one ? [[one.id, one] as const] : [])));
  const lists = await mapConcurrently(bounded, PARALLEL, async (token) => {
    const owner = actorsById.get(token.owner);
    return [token.id, owner ? await listTokenPermissions(token, owner, roles, ports) : []] as const;
  });
  const permissionsById = new Map<string, readonly string[]>(lists);
  return ({ id, permissions }) => permissionsById.get(id) ?? permissions;
}

const PARALLEL = 8;

/**
 * Returns the most that a token may do, without implied permissions. For some models these are the permissions that its actor
 * has on at least some of them, as `whoami` shows them to the token.
 */
async function listTokenPermissions(
  token: Pick<ApiToken, "permissions" | "models">,
  owner: Actor,
  roles: readonly AuthRole[],
  ports: Pick<Ports, "store">,
): Promise<readonly Permission[]> {
  if (!token.models) return token.permissions;
  const scopes = await listShownScopes(computeRights(owner, roles, toTokenBounds(token)), ports);
  return removeImplied([...new Set(scopes.flatMap(({ permissions }) => [...permissions]))]);
}

async function findListedOwner(
  view: ReadView,
  filter: { readonly actorRef: Ref | undefined; readonly all: boolean | undefined },
  call: Call,
): Promise<string | undefined> {
  const own = getCallerId(call);
  const isAdministrator = call.principal?.permissions.has("admin") ?? false;
  if (filter.all && filter.actorRef) {
    const detail = "cannot be given together with actorRef";
    throw new Problem("bad_parameters", `all: ${detail}`, { errors: [{ pointer: "/all", detail }] });
  }
  if (filter.all && !isAdministrator)
    throw new Problem("not_allowed", "You need the permission admin to list the tokens of all actors");
  if (filter.all) return undefined;
  if (!filter.actorRef) return own;
  return (await findVisibleActor(view, filter.actorRef, call)).id;
}

/** Returns the actor that a ref names, or that of the caller. Throws `not_found` for others, unless for administrators. */
export async function findVisibleActor(view: ReadView, ref: Ref | undefined, call: Call): Promise<Actor> {
  const { principal } = call;
  if (!ref || !principal) return requireRef(view, actor, { scheme: "id", value: getCallerId(call) });
  // For other callers than administrators, other actors do not exist.
  if (!principal.permissions.has("admin") && !namesActor(ref, principal)) {
    throw new Problem("not_found", `no ${actor.noun} ${printRef(ref)}`);
  }
  return requireRef(view, actor, ref);
}

const tokenRevoke = defineAction({
  group: "auth",
  name: "token_revoke",
  title: "Revoke API token",
  description: "Ends an API token immediately: one of the caller, or any token if the caller is an administrator.",
  intent: "delete",
  rule: "signed_in",
  apiTokens: "itself",
  target: apiToken,
  output: writtenOutput,
  errors: ["not_allowed"],
  example: { tokenId: NIGHTLY },
  run: async ({ target, caller }) => {
    // For other callers than administrators, tokens of other actors do not exist.
    if (target.owner !== caller.actor.id && !caller.permissions.has("admin")) {
      throw new Problem("not_found", `no ${apiToken.noun} id:${target.id}`);
    }
    return { subject: toTokenSubject(target), changes: [deleteChange(target, false)] };
  },
});

function hasExpired({ expiresAt }: ApiToken, { time }: Call) {
  return Date.parse(expiresAt) <= Date.parse(time);
}

function getCallerId({ principal }: Call) {
  if (!principal) throw new Error("The call has no principal");
  return principal.actorId;
}

export const tokenActions = [tokenCreate, tokenList, tokenRevoke] as const satisfies readonly Action[];

/** Returns the sorted permissions of a new API token. Throws `not_allowed` for one that no assigned role gives. */
function resolveTokenPermissions(
  actor: Actor,
  roles: readonly AuthRole[],
  permissions: readonly Permission[] | undefined,
  { principal }: Call,
): readonly Permission[] {
  const isOwn = principal?.actorId === actor.id;
  const rights = computeRights(actor, roles);
  const ownPermissions = ALL_PERMISSIONS.filter((permission) => hasPermissionAnywhere(rights, permission));
  const excess = permissions?.find((permission) => !ownPermissions.includes(permission));
  if (excess !== undefined && isOwn && hasPermissionAnywhere(principal, excess)) {
    const detail = `You hold the permission ${excess} only by a claim of your sign-in token, so an API token cannot have it`;
    throw new Problem("not_allowed", `${detail}. Ask an administrator to assign you a role that gives it`);
  }
  if (excess !== undefined) {
    const clause = isOwn ? "you do not hold" : `${actor.subject} does not hold by an assigned role`;
    throw new Problem("not_allowed", `An API token cannot have the permission ${excess}, which ${clause}`);
  }
  return permissions ? [...new Set(permissions)].sort() : removeImplied(ownPermissions);
}

function removeImplied(permissions: readonly Permission[]): readonly Permission[] {
  const surplus = new Set(permissions.flatMap(listImplied));
  return permissions.filter((permission) => !surplus.has(permission)).sort();
}
