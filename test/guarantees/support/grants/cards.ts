import type { Action } from "../../../../shared/actions/contract/action.ts";

import { ACTIONS } from "../../../support/actions.ts";
import type { Chance } from "../../../support/chance.ts";
import { isOfAccounts } from "../reference/auth.ts";
import { ROLE_KEYS } from "./cast.ts";
import { EVERYTHING } from "./rules.ts";
import { ASKED } from "./trials.ts";

/** The actions that concern accounts beside those on their ledger. */
const BESIDE = ["audit_list", "can", "login", "whoami"];

/** Every action that the histories of accounts have to have: those of the registry, so that a new one is among them. */
export const ACCOUNT_ACTIONS: readonly Action[] = ACTIONS.filter(
  (action) => isOfAccounts(action) || (action.group === "auth" && BESIDE.includes(action.name)),
);

/** True for what changes nothing. */
export const isReading = ({ intent, name }: Action): boolean => intent === "read" || name === "can";

/** The objects that a call can name; those that are gone are among them. */
export interface Nameable {
  /** The ids of actors; those of API tokens and models follow. */
  readonly actors: readonly string[];
  readonly tokens: readonly string[];
  readonly models: readonly string[];
}

/** The objects that exist now, so that most calls name one that does. */
export interface Living {
  /** Keys of roles that people made. */
  readonly roles: readonly string[];
  /** Names of users. */
  readonly users: readonly string[];
}

/** The values that a payload is made from. */
export interface Dealing extends Nameable, Living {
  readonly chance: Chance;
  /** A new password, which may be too weak. */
  readonly newPassword: () => string;
  /** The password of a user by name, which may be a wrong one. */
  readonly passwordOf: (username: string) => string;
  /** Name of the caller, where it is a user. */
  readonly caller: string;
  readonly from: string;
}

/** How to make a payload for an action, and how many cards of the deck are for it. */
interface Card {
  readonly cards: number;
  readonly payload: (dealing: Dealing) => Readonly<Record<string, unknown>>;
  /** True for what gives or takes rights. */
  readonly ofRights?: true;
}

const USERS = ["admin", "second", "manager", "reader", "nobody", "new1", "new2"];
const MANAGED = ["admin", "manager", "reader"];
const PATTERNS = ["crm_*", "*", "other", "c*a", "crm\\*", "key:crm_a", "key:crm_*"];
const TEXTS = ["Role", "Those who read", "Über alle", "Token"];
const NAMES = ["New", "Grace Hopper", "Jean-Luc d'Arc", "Ζωή"];

const roleRef = (d: Dealing) => (d.chance.happens(0.4) ? { roleRef: `key:${d.chance.pick(MANAGED)}` } : ownRole(d));
/** A role that people make; mostly one that there is. */
const ownRole = ({ chance, roles }: Dealing) => {
  const some = roles.length > 0 && chance.happens(0.7) ? roles : [...ROLE_KEYS, ...ROLE_KEYS, ...ROLE_KEYS, "admin"];
  return { roleRef: `key:${chance.pick(some)}` };
};
const actorId = ({ chance, actors }: Dealing) => ({ actorId: chance.pick(actors) });
const newName = ({ chance }: Dealing) => ({ username: chance.pick(USERS) });
const username = (d: Dealing) => (d.chance.happens(0.6) ? { username: d.chance.pick(d.users) } : newName(d));
const models = ({ chance, models }: Dealing) =>
  chance.happens(0.5) ? { models: chance.pick([...PATTERNS, ...models.map((id) => `id:${id}`)]) } : {};
const permissionKey = ({ chance }: Dealing) => ({
  permissionKey: chance.happens(0.3) ? "admin" : chance.pick(EVERYTHING),
});
/** A page, all there is, or what is no place in any list. */
const paging = ({ chance }: Dealing) =>
  chance.weighted<Readonly<Record<string, unknown>>>([
    [{}, 10],
    [{ limit: 1 + chance.below(5) }, 9],
    [{ limit: 2, cursor: "no/place" }, 1],
  ]);

const card = (cards: number, payload: Card["payload"]): Card => ({ cards, payload });
const right = (cards: number, payload: Card["payload"]): Card => ({ cards, payload, ofRights: true });

/** A card for each of the account actions, by name. */
export const CARDS: Readonly<Record<string, Card>> = {
  role_create: right(2, ({ chance }) => ({
    key: chance.pick(ROLE_KEYS),
    name: chance.pick(TEXTS),
    ...(chance.happens(0.5) && { description: chance.pick(TEXTS) }),
  })),
  role_get: card(1, roleRef),
  role_list: card(1, paging),
  role_update_key: right(1, (d) => ({ ...ownRole(d), value: d.chance.pick(ROLE_KEYS) })),
  role_update_name: card(1, (d) => ({ ...ownRole(d), value: d.chance.pick(TEXTS) })),
  role_update_description: card(1, (d) => ({ ...ownRole(d), value: d.chance.pick([...TEXTS, "", null]) })),
  role_update_autoassign: right(1, (d) => ({ ...roleRef(d), value: d.chance.happens(0.7) })),
  role_add_permission: right(2, (d) => ({ ...ownRole(d), ...permissionKey(d) })),
  role_delete_permission: right(1, (d) => ({ ...ownRole(d), ...permissionKey(d) })),
  role_delete: right(1, ownRole),
  actor_list: card(1, paging),
  actor_get: card(1, actorId),
  actor_enable: right(1, actorId),
  actor_disable: right(1, actorId),
  actor_add_role: right(3, (d) => ({ ...actorId(d), ...roleRef(d), ...models(d) })),
  actor_delete_role: right(2, (d) => ({ ...actorId(d), ...roleRef(d), ...models(d) })),
  token_create: right(2, ({ chance }) => ({
    name: chance.pick(TEXTS),
    ...(chance.happens(0.3) && { expiresInDays: 1 + chance.below(366) }),
    ...(chance.happens(0.5) && { permissions: [chance.pick(EVERYTHING), chance.pick(["model_read", "admin"])] }),
  })),
  token_list: card(2, (d) => ({
    ...paging(d),
    ...(d.chance.happens(0.4) && actorId(d)),
    ...(d.chance.happens(0.4) && { all: d.chance.happens(0.8) }),
  })),
  token_revoke: right(1, ({ chance, tokens, actors }) => ({
    tokenId: chance.pick(tokens.length > 0 ? tokens : actors),
  })),
  user_create: right(2, (d) => ({
    ...newName(d),
    fullname: d.chance.pick(NAMES),
    password: d.newPassword(),
    admin: d.chance.happens(0.3),
    ...(d.chance.happens(0.4) && {
      roleRefs: [roleRef(d), roleRef(d)].slice(d.chance.below(3)).map((one) => one.roleRef),
    }),
  })),
  user_list: card(1, paging),
  user_change_fullname: card(1, (d) => ({ ...username(d), fullname: d.chance.pick(NAMES) })),
  user_change_password: card(1, (d) => ({ ...username(d), password: d.newPassword() })),
  change_my_password: card(2, ({ caller, passwordOf, newPassword }) => ({
    oldPassword: passwordOf(caller),
    newPassword: newPassword(),
  })),
  user_enable: right(2, username),
  user_disable: right(1, username),
  user_delete: right(1, username),
  audit_list: card(2, (d) => ({
    ...paging(d),
    ...(d.chance.happens(0.3) && actorId(d)),
    ...(d.chance.happens(0.3) && { act: d.chance.pick(["auth/login", "auth/first_sight", "auth/role_create"]) }),
    ...(d.chance.happens(0.3) && { outcome: d.chance.pick(["ok", "refused"]) }),
    ...(d.chance.happens(0.2) && { from: d.from }),
  })),
  can: card(1, ({ chance }) => ({
    actions: [chance.pick(ASKED)[0], chance.happens(0.1) ? "model/no_such" : "auth/role_list"],
  })),
  login: card(1, (d) => {
    const name = d.chance.pick([...USERS, "unknown"]);
    return { username: name, password: d.passwordOf(name) };
  }),
  whoami: card(1, () => ({})),
};

/** Account actions without a card, and cards of no such action. */
export function missingCards(): readonly string[] {
  const names = ACCOUNT_ACTIONS.map(({ name }) => name);
  const without = names.filter((name) => !Object.hasOwn(CARDS, name));
  const gone = Object.keys(CARDS).filter((name) => !names.includes(name));
  return [
    ...without.map(
      (name) =>
        `auth/${name} is in no history of accounts: give it a card in grants/cards.ts, tell in grants/refusals.ts when it is refused, and in grants/effects.ts and grants/shown.ts what it does, or in grants/reads.ts what it answers`,
    ),
    ...gone.map((name) => `grants/cards.ts has a card for auth/${name}, which is no action`),
  ];
}
