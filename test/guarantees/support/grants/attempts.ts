import { PASSWORD } from "../../../support/accounts.ts";
import type { Chance } from "../../../support/chance.ts";
import { ACCOUNT_ACTIONS, ACCOUNT_CALLS, isReading } from "./account-calls.ts";
import { type Attempt, administrators, type Grants } from "./model.ts";
import type { ExistingObjects, Nameable, PayloadValues } from "./payload-values.ts";

/** How often a call is one that takes an administrator away, so that there is often one alone. */
const TAKING = 0.12;

/** The roles, users and service accounts that calls can name now; there is always a user, or nobody could administer. */
export function livingOf({ roles, actors }: Pick<Grants, "roles" | "actors">): ExistingObjects {
  const users = [...actors.values()].flatMap(({ username }) => username ?? []);
  return {
    roles: [...roles.values()].filter(({ managed }) => !managed).map(({ key }) => key),
    users: users.length > 0 ? users : ["admin"],
    services: [...actors].flatMap(([id, { service: key }]) => (key === undefined ? [] : { id, key })),
  };
}

/** A call that the card of its action makes. */
export function drawn(action: string, dealing: PayloadValues): Attempt {
  const card = ACCOUNT_CALLS[action];
  if (!card) throw new Error(`grants/cards.ts has no card for auth/${action}`);
  return { action, payload: card.payload(dealing) };
}

/** Any call that might give or take rights, whether it is allowed or not; new users all have the same password. */
export function anyAttempt(chance: Chance, nameable: Nameable, grants: Pick<Grants, "roles" | "actors">): Attempt {
  if (chance.happens(TAKING)) return takingAttempt(chance, grants);
  const ofRights = Object.entries(ACCOUNT_CALLS).filter(([, card]) => card.ofRights);
  const action = chance.weighted(ofRights.map(([name, { cards }]) => [name, cards] as const));
  const always = () => PASSWORD;
  return drawn(action, {
    ...nameable,
    ...livingOf(grants),
    chance,
    newPassword: always,
    passwordOf: always,
    caller: "",
    from: "",
  });
}

/** A call that takes the rights of an administrator, or the administrator. */
export function takingAttempt(chance: Chance, grants: Pick<Grants, "roles" | "actors">): Attempt {
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

/** The actions to be tried, one after the other: every card of a deck comes once before any comes again. */
export function createDeck(chance: Chance, kind: "writes" | "reads"): () => string {
  const cards = ACCOUNT_ACTIONS.filter((action) => isReading(action) === (kind === "reads")).flatMap(({ name }) =>
    Array.from({ length: ACCOUNT_CALLS[name]?.cards ?? 0 }, () => name),
  );
  let left: string[] = [];
  return () => {
    if (left.length === 0) left = [...cards];
    const [card] = left.splice(chance.below(left.length), 1);
    if (card === undefined) throw new Error("a deck without cards");
    return card;
  };
}

/** True for a call that may take an administrator away now and then, beside what the deck says. */
export const isTaking = (chance: Chance): boolean => chance.happens(TAKING);
