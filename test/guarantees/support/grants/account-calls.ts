import type { Action } from "../../../../shared/actions/contract/action.ts";
import { PASSWORD } from "../../../support/accounts.ts";
import type { Chance } from "../../../support/chance.ts";
import { type Attempt, administrators, type Grants } from "./model.ts";
import { EVERYTHING } from "./rules.ts";
import { ROLE_KEYS } from "./users.ts";

/** True for actions on users, actors and roles. */
export function isOfAccounts({ target, within, ledger }: Pick<Action, "target" | "within" | "ledger">): boolean {
  return (ledger ?? (target ?? within)?.ledger) === "identity";
}

/** Writes to accounts that change nobody's rights; test/actions/auth-*.test.ts tests what they change. */
export const WITHOUT_RIGHTS = [
  ...["role_update_name", "role_update_description", "service_account_update"],
  ...["user_change_fullname", "user_change_password", "change_my_password", "logout", "session_end"],
];

/** The ids of actors, API tokens and models that calls can name; those of deleted objects are among them. */
export interface KnownIds {
  readonly actors: readonly string[];
  readonly tokens: readonly string[];
  readonly models: readonly string[];
}

/** The values that payloads are drawn from: ids of any time, and the keys and names of the objects that exist. */
interface Values extends KnownIds {
  readonly chance: Chance;
  readonly roles: readonly string[];
  readonly users: readonly string[];
  readonly services: readonly { readonly id: string; readonly key: string }[];
}

type Payload = Attempt["payload"];

const USERS = ["admin", "second", "manager", "reader", "nobody", "new1", "new2"];
const SERVICE_KEYS = ["ci", "nightly", "admin"];
const MANAGED = ["admin", "manager", "reader"];
const PATTERNS = ["crm_*", "*", "other", "c*a", "crm\\*", "key:crm_a", "key:crm_*"];
const NO_MODEL = "0198c0de-0000-7000-8000-00000000dead";

const drawOwnRole = ({ chance, roles }: Values) => {
  const some = roles.length > 0 && chance.happens(0.7) ? roles : [...ROLE_KEYS, ...ROLE_KEYS, ...ROLE_KEYS, "admin"];
  return { roleRef: `key:${chance.pick(some)}` };
};

const drawRole = (values: Values) =>
  values.chance.happens(0.4) ? { roleRef: `key:${values.chance.pick(MANAGED)}` } : drawOwnRole(values);

const drawRoles = (values: Values): Payload =>
  values.chance.happens(0.4)
    ? { roleRefs: [drawRole(values), drawRole(values)].slice(values.chance.below(3)).map(({ roleRef }) => roleRef) }
    : {};

/** Draws an actor, more often a service account than any other one. */
const drawActor = ({ chance, actors, services }: Values) => ({
  actorId: services.length > 0 && chance.happens(0.2) ? chance.pick(services).id : chance.pick(actors),
});

const drawUser = ({ chance, users }: Values) => ({ username: chance.pick(chance.happens(0.6) ? users : USERS) });

/** Draws a service account by key or id: mostly one that exists, and any actor's id now and then. */
const drawService = ({ chance, services, actors }: Values) => {
  const exists = services.length > 0 && chance.happens(0.8);
  const { id, key } = exists ? chance.pick(services) : { id: chance.pick(actors), key: chance.pick(SERVICE_KEYS) };
  return { serviceAccountRef: chance.happens(0.5) ? `key:${key}` : `id:${id}` };
};

const drawPattern = ({ chance, models }: Values) =>
  chance.pick([...PATTERNS, ...models.map((id) => `id:${id}`), ...(chance.happens(0.2) ? [`id:${NO_MODEL}`] : [])]);

const drawModels = (values: Values) => (values.chance.happens(0.5) ? { models: drawPattern(values) } : {});

/** Draws the bounds of an API token: up to three patterns of models, some permissions, or none of them. */
const drawBounds = (values: Values): Payload => {
  const { chance } = values;
  const count = chance.happens(0.1) ? 0 : 1 + chance.below(3);
  return {
    ...(chance.happens(0.4) && { permissions: [chance.pick(EVERYTHING), chance.pick(["model_read", "admin"])] }),
    ...(chance.happens(0.5) && { models: Array.from({ length: count }, () => drawPattern(values)) }),
  };
};

/** Draws the actor of a new API token: the caller, mostly a service account if there is one, or any actor. */
const drawOwner = (values: Values): Payload => {
  const { chance, services } = values;
  if (chance.happens(0.3)) return {};
  return services.length > 0 && chance.happens(0.8) ? { actorId: chance.pick(services).id } : drawActor(values);
};

const drawPermission = ({ chance }: Values) => ({
  permissionKey: chance.happens(0.3) ? "admin" : chance.pick(EVERYTHING),
});

/** The actions that give or take rights: how often each is called, and its payloads. */
export const CALLS_OF_RIGHTS: Readonly<Record<string, readonly [weight: number, draw: (values: Values) => Payload]>> = {
  role_create: [2, ({ chance }) => ({ key: chance.pick(ROLE_KEYS), name: "Role" })],
  role_update_key: [1, (v) => ({ ...drawOwnRole(v), value: v.chance.pick(ROLE_KEYS) })],
  role_update_autoassign: [1, (v) => ({ ...drawRole(v), value: v.chance.happens(0.7) })],
  role_add_permission: [2, (v) => ({ ...drawOwnRole(v), ...drawPermission(v) })],
  role_delete_permission: [1, (v) => ({ ...drawOwnRole(v), ...drawPermission(v) })],
  role_delete: [1, drawOwnRole],
  actor_enable: [1, drawActor],
  actor_disable: [1, drawActor],
  actor_add_role: [3, (v) => ({ ...drawActor(v), ...drawRole(v), ...drawModels(v) })],
  actor_delete_role: [2, (v) => ({ ...drawActor(v), ...drawRole(v), ...drawModels(v) })],
  token_create: [4, (v) => ({ name: "Token", ...drawOwner(v), ...drawBounds(v) })],
  token_revoke: [1, ({ chance, tokens, actors }) => ({ tokenId: chance.pick(tokens.length > 0 ? tokens : actors) })],
  service_account_create: [
    3,
    (v) => ({
      key: v.chance.pick(SERVICE_KEYS),
      name: "Service",
      // It often may administer, and yet never counts as an administrator who remains.
      ...(v.chance.happens(0.4) ? { roleRefs: ["key:admin"] } : drawRoles(v)),
    }),
  ],
  service_account_disable: [1, drawService],
  service_account_delete: [1, drawService],
  user_create: [
    2,
    (v) => ({
      ...{ username: v.chance.pick(USERS), fullname: "New", password: PASSWORD, admin: v.chance.happens(0.3) },
      ...drawRoles(v),
    }),
  ],
  user_enable: [2, drawUser],
  user_disable: [1, drawUser],
  user_delete: [1, drawUser],
};

/** Draws any call that might give or take rights, whether it is allowed or not. */
export function drawAttempt(chance: Chance, ids: KnownIds, grants: Pick<Grants, "roles" | "actors">): Attempt {
  // There is often a single administrator only if many calls take one away.
  if (chance.happens(0.12)) return drawRemoval(chance, grants);
  const actors = [...grants.actors.values()];
  const users = actors.flatMap(({ username }) => username ?? []);
  const values: Values = {
    ...{ ...ids, chance },
    roles: [...grants.roles.values()].filter(({ managed }) => !managed).map(({ key }) => key),
    users: users.length > 0 ? users : ["admin"],
    services: [...grants.actors].flatMap(([id, { service: key }]) => (key === undefined ? [] : { id, key })),
  };
  const calls = Object.entries(CALLS_OF_RIGHTS);
  const [action, draw] = chance.weighted(calls.map(([name, [weight, of]]) => [[name, of] as const, weight] as const));
  return { action, payload: draw(values) };
}

/** Draws a call that takes the rights of an administrator, or the administrator. */
function drawRemoval(chance: Chance, grants: Pick<Grants, "roles" | "actors">): Attempt {
  const actorId = chance.pick(administrators(grants));
  const { username = "admin", roles = [] } = grants.actors.get(actorId) ?? {};
  const giving = roles.map((id) => grants.roles.get(id)).filter((role) => role?.permissions.includes("admin"));
  const roleRef = `key:${chance.pick(giving)?.key}`;
  return chance.weighted<Attempt>([
    [{ action: "actor_delete_role", payload: { actorId, roleRef } }, 4],
    [{ action: "role_delete_permission", payload: { roleRef, permissionKey: "admin" } }, 2],
    [{ action: "role_delete", payload: { roleRef } }, 2],
    [{ action: "actor_disable", payload: { actorId } }, 1],
    [{ action: "user_disable", payload: { username } }, 1],
    [{ action: "user_delete", payload: { username } }, 1],
  ]);
}
