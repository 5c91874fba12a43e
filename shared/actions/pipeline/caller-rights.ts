import { computeRights, hasPermissionOn, type Principal, toTokenBounds } from "../../domain/accounts/principal.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Actor, ApiToken, AuthRole } from "../../domain/model/objects.ts";
import { isPermission, PERMISSIONS } from "../../domain/permissions.ts";
import { Problem } from "../../domain/problems.ts";
import type { ModelIdentity } from "../../domain/refs.ts";
import {
  type AccessRule,
  type Action,
  authorize,
  authorizeOn,
  type CurrentCaller,
  type Decision,
  type Rule,
} from "../contract/action.ts";
import type { Call, Payload } from "../contract/call.ts";
import type { Claims } from "../contract/ports.ts";
import type { IsVisible, Store } from "../contract/store.ts";
import { type Page, type ReadView, selectRows } from "../contract/view.ts";

/** Caller and rule of the action, which decide which models are visible to the call. */
export interface Viewer {
  readonly rule: Rule;
  readonly principal: Principal;
}

/** The models that a call may see and name, where its caller has rights on some models only. */
export interface Scoping {
  /** Returns false for a model that the caller may neither read nor change by this rule. */
  readonly isShown: IsVisible;
  store<S extends Opens>(store: S): S;
  /** Returns the ledger that was opened for a payload. Throws `not_allowed` if the caller may only read it. */
  open(payload: Payload, opening: Promise<ReadView> | undefined): Promise<ReadView | undefined>;
  /**
   * Throws `not_allowed` if a decision gives a model a key that the caller may not give, before the key is looked up. Only
   * patterns of keys and `key:` refs allow a key.
   */
  checkNewKeys(decision: Decision): void;
}

type Opens = Pick<Store, "open"> & Partial<Pick<Store, "listModels">>;

/** Returns the scoping of a call of an action; undefined if the caller has no rights on single models. */
export function createCallScoping({ rule, seesAll }: Action, principal: Principal): Scoping | undefined {
  return principal.scopes.length > 0 && !seesAll ? createScoping({ rule, principal }) : undefined;
}

/** Creates the scoping of a caller with rights on some models only. */
export function createScoping(viewer: Viewer): Scoping {
  const isShown: IsVisible = (model) => isVisible(viewer, model);
  return {
    isShown,
    store: (store) => (seesAll(viewer) ? store : createScopedStore(store, isShown)),
    open: async ({ path: [first] }, opening) => {
      const view = await opening;
      if (view && first?.kind.ledger === "model") {
        checkPermissionOn(viewer, { id: view.ledgerId, key: view.modelKey });
      }
      return view;
    },
    // Changes alongside are in the ledger of tags, which has no models.
    checkNewKeys: ({ changes }) => {
      for (const change of changes) {
        if (change.does === "delete" || change.after.kind !== "model") continue;
        if (change.does === "update" && change.before.key === change.after.key) continue;
        // Without the id: a right on one model by its id is a right on no other key, and must not show which keys are taken.
        checkPermissionOn(viewer, { key: change.after.key }, change.after);
      }
    },
  };
}

function createScopedStore<S extends Opens>(store: S, isShown: IsVisible): S {
  const { listModels: models } = store;
  return {
    ...store,
    isVisible: isShown,
    open: (...[ref, , from]: Parameters<Store["open"]>) => store.open(ref, isShown, from),
    ...(models && { listModels: (page: Page = {}) => selectRows(models, page, isShown, ({ key }) => key) }),
  };
}

function seesAll({ rule, principal }: Viewer) {
  return (
    rule === "public" ||
    principal.permissions.has("model_read") ||
    (isPermission(rule) && principal.permissions.has(rule))
  );
}

function isVisible(viewer: Viewer, model: ModelIdentity) {
  const { rule, principal } = viewer;
  return (
    seesAll(viewer) ||
    hasPermissionOn(principal, "model_read", model) ||
    (isPermission(rule) && hasPermissionOn(principal, rule, model))
  );
}

function checkPermissionOn({ rule, principal }: Viewer, model: ModelIdentity, identity = model) {
  if (!isPermission(rule) || !PERMISSIONS[rule].ofModels) return;
  authorizeOn(model, rule, principal, identity);
}

/** Callers last found to have rights on all models. A hint for prefetching, never for authorization. */
export interface UnscopedCallers {
  has(claims: Claims): boolean;
  note(claims: Claims, isUnscoped: boolean): void;
}

export function createUnscopedCallers(): UnscopedCallers {
  /** No issuer contains a line break. */
  const names = new Set<string>();
  return {
    has: ({ issuer, subject }) => names.has(`${issuer}\n${subject}`),
    note: ({ issuer, subject }, isUnscoped) => {
      const name = `${issuer}\n${subject}`;
      names.delete(name);
      if (isUnscoped) names.add(name);
      for (const oldest of names) {
        if (names.size <= LIMITS.keptCallers) break;
        names.delete(oldest);
      }
    },
  };
}

/**
 * Resolves the rights of the caller at the revision of the accounts ledger at which a decision is made: the roles assigned
 * then, those that the token claims, within the bounds of an API token. A caller who was disabled or lost a role a moment
 * ago changes nothing more. Throws `not_allowed` and `actor_disabled`.
 */
export async function resolveCallerRights(
  view: ReadView,
  { principal }: Call,
  action: AccessRule,
): Promise<CurrentCaller> {
  const { actor, token } = await findCaller(view, principal);
  const roles = await listAllRoles(view);
  const { claimedRoles = [] } = principal ?? {};
  const claims = ({ key }: AuthRole) => claimedRoles.includes(key);
  const rights = computeRights(actor, roles, { claims, ...(token && toTokenBounds(token)) });
  authorize(action, principal && { ...principal, ...rights });
  return { actor, roles, ...rights };
}

/** Finds the caller and its API token in the accounts ledger. Throws `not_allowed` and `actor_disabled`. */
async function findCaller(
  view: ReadView,
  principal: Pick<Principal, "actorId" | "apiToken"> | undefined,
): Promise<{ readonly actor: Actor; readonly token: ApiToken | undefined }> {
  const actor = principal && (await view.find("actor", { scheme: "id", value: principal.actorId }));
  if (!actor) throw new Problem("not_allowed", "The actor was deleted meanwhile");
  if (actor.disabledAt !== undefined) throw new Problem("actor_disabled", `${actor.fullname} was disabled meanwhile`);
  const { apiToken: value } = principal;
  const token = value === undefined ? undefined : await view.find("api_token", { scheme: "id", value });
  if (value !== undefined && !token) throw new Problem("not_allowed", "The API token was revoked meanwhile");
  return { actor, token };
}

/** Returns all roles, at most `LIMITS.roles`; `lookBack` as in `Page`. */
export async function listAllRoles(view: ReadView, lookBack = false): Promise<readonly AuthRole[]> {
  return (await view.list("role", undefined, { lookBack })).items;
}
