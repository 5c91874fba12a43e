import type { Action } from "../../../../shared/actions/contract/action.ts";
import { ACTIONS } from "../../../support/actions.ts";
import {
  actorId,
  models,
  modelsOfToken,
  NAMES,
  newName,
  ownerOfToken,
  ownRole,
  type PayloadValues,
  paging,
  permissionKey,
  roleRef,
  roleRefs,
  rolesOfService,
  SERVICE_KEYS,
  serviceAccount,
  TEXTS,
  USERS,
  username,
} from "./payload-values.ts";
import { ASKED } from "./permission-checks.ts";
import { EVERYTHING } from "./rules.ts";
import { ROLE_KEYS } from "./users.ts";

/** True for actions on users, actors and roles. */
export function isOfAccounts({ target, within, ledger }: Pick<Action, "target" | "within" | "ledger">): boolean {
  return (ledger ?? (target ?? within)?.ledger) === "identity";
}

/** The actions that concern accounts beside those on their ledger. */
const BESIDE = ["audit_list", "can", "login", "whoami"];

/** Every action that the histories of accounts have to have: those of the registry, so that a new one is among them. */
export const ACCOUNT_ACTIONS: readonly Action[] = ACTIONS.filter(
  (action) => isOfAccounts(action) || (action.group === "auth" && BESIDE.includes(action.name)),
);

/** True for what changes nothing. */
export const isReading = ({ intent, name }: Action): boolean => intent === "read" || name === "can";

/** How to make a payload for an action, and how many cards of the deck are for it. */
interface Card {
  readonly cards: number;
  readonly payload: (dealing: PayloadValues) => Readonly<Record<string, unknown>>;
  /** True for what gives or takes rights. */
  readonly ofRights?: true;
}

const card = (cards: number, payload: Card["payload"]): Card => ({ cards, payload });
const right = (cards: number, payload: Card["payload"]): Card => ({ cards, payload, ofRights: true });

/** A card for each of the account actions, by name. */
export const ACCOUNT_CALLS: Readonly<Record<string, Card>> = {
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
  token_create: right(4, (d) => ({
    name: d.chance.pick(TEXTS),
    ...(d.chance.happens(0.3) && { expiresInDays: 1 + d.chance.below(366) }),
    ...ownerOfToken(d),
    ...(d.chance.happens(0.4) && { permissions: [d.chance.pick(EVERYTHING), d.chance.pick(["model_read", "admin"])] }),
    ...modelsOfToken(d),
  })),
  token_list: card(2, (d) => ({
    ...paging(d),
    ...(d.chance.happens(0.4) && actorId(d)),
    ...(d.chance.happens(0.4) && { all: d.chance.happens(0.8) }),
  })),
  token_revoke: right(1, ({ chance, tokens, actors }) => ({
    tokenId: chance.pick(tokens.length > 0 ? tokens : actors),
  })),
  service_account_create: right(3, (d) => ({
    key: d.chance.pick(SERVICE_KEYS),
    name: d.chance.pick(TEXTS),
    ...rolesOfService(d),
  })),
  service_account_list: card(1, paging),
  service_account_update: card(1, (d) => ({ ...serviceAccount(d), name: d.chance.pick(TEXTS) })),
  service_account_disable: right(1, serviceAccount),
  service_account_delete: right(1, serviceAccount),
  user_create: right(2, (d) => ({
    ...newName(d),
    fullname: d.chance.pick(NAMES),
    password: d.newPassword(),
    admin: d.chance.happens(0.3),
    ...roleRefs(d),
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
    const name = d.chance.pick([...USERS, "unknown", `service:${SERVICE_KEYS[0]}`]);
    return { username: name, password: d.passwordOf(name) };
  }),
  whoami: card(1, () => ({})),
};

/** Account actions without a card, and cards of no such action. */
export function missingCards(): readonly string[] {
  const names = ACCOUNT_ACTIONS.map(({ name }) => name);
  const without = names.filter((name) => !Object.hasOwn(ACCOUNT_CALLS, name));
  const gone = Object.keys(ACCOUNT_CALLS).filter((name) => !names.includes(name));
  return [
    ...without.map(
      (name) =>
        `auth/${name} is in no history of accounts: give it a card in grants/cards.ts, tell in grants/refusals.ts when it is refused, and in grants/effects.ts and grants/shown.ts what it does, or in grants/reads.ts what it answers`,
    ),
    ...gone.map((name) => `grants/cards.ts has a card for auth/${name}, which is no action`),
  ];
}
