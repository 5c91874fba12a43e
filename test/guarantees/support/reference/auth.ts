import type { Action } from "../../../../shared/actions/contract/action.ts";
import { may, need, type RefAction, type RefParam } from "./action.ts";

type Params = Readonly<Record<string, RefParam>>;

/** True for actions on users, actors and roles: they decide who may call at all, so their histories are a suite of their own. */
export function isOfAccounts({ target, within, ledger }: Pick<Action, "target" | "within" | "ledger">): boolean {
  return (ledger ?? (target ?? within)?.ledger) === "identity";
}

/**
 * Their rules and parameters, which discovery tells. What they do, answer and leave in the audit log is held by the random
 * histories of test/guarantees/grants.test.ts, which have every one of them.
 */
const known = (rule: string, params: Params, writes = true): RefAction => ({
  rule,
  writes,
  ...(writes && { apiTokens: "refused" }),
  params,
  run: () => {
    throw new Error("no history of models has an action on accounts");
  },
});

const paging = { limit: may("PageLimit"), cursor: may("Cursor") };
const role = { roleRef: need("RoleRef") };
const actor = { actorId: need("ActorId") };
const user = { username: need("UserRef") };
const service = { serviceAccountRef: need("ServiceAccountRef") };
const permission = { ...role, permissionKey: need("PermissionKey") };

const admin = (params: Params): RefAction => known("admin", params);
const reads = (params: Params): RefAction => known("admin", params, false);

export const AUTH_ACTIONS: Readonly<Record<string, RefAction>> = {
  "auth/role_create": admin({
    key: need("RoleKey"),
    name: need("TextSingleLine"),
    description: may("TextMarkdown"),
  }),
  "auth/role_get": reads(role),
  "auth/role_list": reads(paging),
  "auth/role_update_key": admin({ ...role, value: need("RoleKey") }),
  "auth/role_update_name": admin({ ...role, value: need("TextSingleLine") }),
  "auth/role_update_description": admin({ ...role, value: may("TextMarkdown") }),
  "auth/role_update_autoassign": admin({ ...role, value: need("Boolean", "autoassign", "autoAssign") }),
  "auth/role_add_permission": admin(permission),
  "auth/role_delete_permission": admin(permission),
  "auth/role_delete": admin(role),
  "auth/actor_list": reads(paging),
  "auth/actor_get": reads(actor),
  "auth/actor_enable": admin(actor),
  "auth/actor_disable": admin(actor),
  "auth/actor_add_role": admin({ ...actor, ...role, models: may("ModelKeyPattern") }),
  "auth/actor_delete_role": admin({ ...actor, ...role, models: may("ModelKeyPattern") }),
  "auth/token_create": known("signed_in", {
    name: need("TextSingleLine"),
    expiresInDays: may("TokenDays"),
    actorId: may("ActorId"),
    permissions: may("List<PermissionKey>"),
    models: may("List<ModelKeyPattern>"),
  }),
  "auth/token_list": known("signed_in", { actorId: may("ActorId"), all: may("Boolean"), ...paging }, false),
  "auth/token_revoke": { ...known("signed_in", { tokenId: need("ApiTokenId") }), apiTokens: "itself" },
  "auth/service_account_create": admin({
    key: need("ServiceAccountKey"),
    name: need("TextSingleLine"),
    roleRefs: may("List<RoleRef>"),
  }),
  "auth/service_account_list": reads(paging),
  "auth/service_account_update": admin({ ...service, name: need("TextSingleLine", "value") }),
  "auth/service_account_disable": admin(service),
  "auth/service_account_delete": admin(service),
  "auth/user_create": admin({
    username: need("Username"),
    fullname: need("Fullname"),
    password: need("NewPassword"),
    admin: may("Boolean"),
    roleRefs: may("List<RoleRef>"),
  }),
  "auth/user_list": reads(paging),
  "auth/user_change_fullname": admin({ ...user, fullname: need("Fullname", "value") }),
  "auth/user_change_password": admin({ ...user, password: need("NewPassword") }),
  "auth/change_my_password": known("signed_in", {
    oldPassword: need("PasswordClear"),
    newPassword: need("NewPassword"),
  }),
  "auth/user_enable": admin(user),
  "auth/user_disable": admin(user),
  "auth/user_delete": admin(user),
};
