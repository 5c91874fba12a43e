import type { Chance } from "../../../support/chance.ts";
import { EVERYTHING } from "./rules.ts";
import { ROLE_KEYS } from "./users.ts";

/** The objects that a call can name; those that are gone are among them. */
export interface Nameable {
  /** The ids of actors; those of API tokens and models follow. */
  readonly actors: readonly string[];
  readonly tokens: readonly string[];
  readonly models: readonly string[];
}

/** The objects that exist now, so that most calls name one that does. */
export interface ExistingObjects {
  /** Keys of roles that people made. */
  readonly roles: readonly string[];
  /** Names of users. */
  readonly users: readonly string[];
  /** Service accounts. */
  readonly services: readonly { readonly id: string; readonly key: string }[];
}

/** The values that a payload is made from. */
export interface PayloadValues extends Nameable, ExistingObjects {
  readonly chance: Chance;
  /** A new password, which may be too weak. */
  readonly newPassword: () => string;
  /** The password of a user by name, which may be a wrong one. */
  readonly passwordOf: (username: string) => string;
  /** Name of the caller, where it is a user. */
  readonly caller: string;
  readonly from: string;
}

/** Names of users, of whom some are still to be made. */
export const USERS = ["admin", "second", "manager", "reader", "nobody", "new1", "new2"];
/** Keys of service accounts, of which some are still to be made. */
export const SERVICE_KEYS = ["ci", "nightly", "admin"];
const MANAGED = ["admin", "manager", "reader"];
const PATTERNS = ["crm_*", "*", "other", "c*a", "crm\\*", "key:crm_a", "key:crm_*"];
/** Texts of one line. */
export const TEXTS = ["Role", "Those who read", "Über alle", "Token"];
/** Names of people. */
export const NAMES = ["New", "Grace Hopper", "Jean-Luc d'Arc", "Ζωή"];
/** The id of no model. */
const NO_MODEL = "0198c0de-0000-7000-8000-00000000dead";

/** Picks a role, of those that the service keeps or that people make. */
export const roleRef = (d: PayloadValues) =>
  d.chance.happens(0.4) ? { roleRef: `key:${d.chance.pick(MANAGED)}` } : ownRole(d);

/** Picks a role that people make; mostly one that there is. */
export const ownRole = ({ chance, roles }: PayloadValues) => {
  const some = roles.length > 0 && chance.happens(0.7) ? roles : [...ROLE_KEYS, ...ROLE_KEYS, ...ROLE_KEYS, "admin"];
  return { roleRef: `key:${chance.pick(some)}` };
};

/** Picks up to two roles in a list, or leaves it out. */
export const roleRefs = (d: PayloadValues) =>
  d.chance.happens(0.4) && {
    roleRefs: [roleRef(d), roleRef(d)].slice(d.chance.below(3)).map((one) => one.roleRef),
  };

/** Picks the roles of a service account, which often may administer and yet never counts as one who can. */
export const rolesOfService = (d: PayloadValues) => (d.chance.happens(0.4) ? { roleRefs: ["key:admin"] } : roleRefs(d));

/** Picks an actor, more often a service account than any other one. */
export const actorId = ({ chance, actors, services }: PayloadValues) => ({
  actorId: services.length > 0 && chance.happens(0.2) ? chance.pick(services).id : chance.pick(actors),
});

/** Picks a name for a user. */
export const newName = ({ chance }: PayloadValues) => ({ username: chance.pick(USERS) });

/** Picks a user; mostly one that there is. */
export const username = (d: PayloadValues) =>
  d.chance.happens(0.6) ? { username: d.chance.pick(d.users) } : newName(d);

/** Picks a service account by key or id; mostly one that there is, and any actor's id now and then. */
export const serviceAccount = ({ chance, services, actors }: PayloadValues) => {
  if (services.length === 0 || chance.happens(0.2)) {
    return {
      serviceAccountRef: chance.happens(0.5) ? `key:${chance.pick(SERVICE_KEYS)}` : `id:${chance.pick(actors)}`,
    };
  }
  const { id, key } = chance.pick(services);
  return { serviceAccountRef: chance.happens(0.5) ? `key:${key}` : `id:${id}` };
};

const pattern = ({ chance, models }: PayloadValues): string =>
  chance.pick([...PATTERNS, ...models.map((id) => `id:${id}`), ...(chance.happens(0.2) ? [`id:${NO_MODEL}`] : [])]);

/** Picks a pattern of models, or leaves it out. */
export const models = (d: PayloadValues) => (d.chance.happens(0.5) ? { models: pattern(d) } : {});

/** Picks up to three patterns of models in a list, or leaves it out. */
export const modelsOfToken = (d: PayloadValues) =>
  d.chance.happens(0.5) && {
    models: d.chance.happens(0.1) ? [] : Array.from({ length: 1 + d.chance.below(3) }, () => pattern(d)),
  };

/** Picks an actor that an API token is for: mostly a service account where there is one, or leaves it out. */
export const ownerOfToken = (d: PayloadValues) => {
  if (d.chance.happens(0.3)) return {};
  return d.services.length > 0 && d.chance.happens(0.8) ? { actorId: d.chance.pick(d.services).id } : actorId(d);
};

/** Picks a permission. */
export const permissionKey = ({ chance }: PayloadValues) => ({
  permissionKey: chance.happens(0.3) ? "admin" : chance.pick(EVERYTHING),
});

/** Picks a page, all there is, or what is no place in any list. */
export const paging = ({ chance }: PayloadValues) =>
  chance.weighted<Readonly<Record<string, unknown>>>([
    [{}, 10],
    [{ limit: 1 + chance.below(5) }, 9],
    [{ limit: 2, cursor: "no/place" }, 1],
  ]);
