import type { KindName } from "../kinds.ts";
import { LIMITS } from "../limits.ts";
import type { Actor, ApiToken, AuthRole, User } from "../model/objects.ts";
import { BUILT_IN } from "./principal.ts";

/** One member of an account as answers show it. `O` is the stored object. */
export interface AccountField<O = Record<string, unknown>> {
  /** `texts` is a list of texts; `id` and `ids` name objects of the kind `to`. */
  readonly is: "text" | "texts" | "flag" | "id" | "ids";
  readonly to?: KindName;
  readonly text?: string;
  readonly optional?: true;
  readonly stored?: keyof O & string;
}

/** The members of a kind of account, in the order of answers. */
export type AccountFields<O = Record<string, unknown>> = Readonly<Record<string, AccountField<O>>>;

/** The members of an actor. `lastSeenAt` is computed. */
export const actorFields = {
  id: { is: "text" },
  issuer: { is: "text", text: `The issuer that signs the actor in; \`${BUILT_IN}\` is the service itself.` },
  subject: { is: "text", text: "The name of the actor at that issuer; the username of a built-in user." },
  fullname: { is: "text" },
  email: { is: "text", optional: true, text: "The address in the token of another issuer." },
  claimedRoles: {
    is: "texts",
    optional: true,
    text: "Keys of the roles that the newest token of another issuer claimed, in addition to the assigned ones. A call gets only the roles that its own token claims.",
  },
  disabledAt: { is: "text", optional: true },
  createdAt: { is: "text" },
  lastSeenAt: {
    is: "text",
    optional: true,
    text: `The time of the last call, to about ${LIMITS.seenMinutes} minutes; absent after ${LIMITS.seenDays} days without a call. It does not change the entity tag.`,
  },
} as const satisfies AccountFields<Actor>;

/** The members of a user of the built-in provider. `actorId` and `admin` are computed. */
export const userFields = {
  id: { is: "text" },
  actorId: { is: "id", to: "actor", text: "Its actor, which roles are given to." },
  username: { is: "text", stored: "key" },
  fullname: { is: "text" },
  admin: { is: "flag", text: "True for users with the permission `admin`." },
  disabledDate: { is: "text", optional: true, stored: "disabledAt" },
  createdAt: { is: "text" },
} as const satisfies AccountFields<User>;

/** The members of a service account, which is stored as an actor. `key`, `roles` and `lastSeenAt` are computed. */
export const serviceAccountFields = {
  id: { is: "text", text: "Id of its actor, which roles and API tokens are given to." },
  key: { is: "text" },
  name: { is: "text", stored: "fullname" },
  roles: { is: "ids", to: "role", text: "Ids of the roles assigned for everything." },
  disabledAt: { is: "text", optional: true },
  createdAt: { is: "text" },
  lastSeenAt: {
    is: "text",
    optional: true,
    text: "The time of its last call, as in `actor_list`. It does not change the entity tag.",
  },
} as const satisfies AccountFields<Actor>;

export const roleFields = {
  id: { is: "text" },
  key: { is: "text" },
  name: { is: "text" },
  description: { is: "text", optional: true },
  autoAssign: { is: "flag", text: "True for the one role that new actors get." },
  managedRole: { is: "flag", stored: "managed", text: "True for a role that the service manages." },
  createdAt: { is: "text" },
  lastUpdatedAt: { is: "text", stored: "updatedAt" },
} as const satisfies AccountFields<AuthRole>;

/** The members of an API token, without its secret. `expired` is computed. */
export const apiTokenFields = {
  id: { is: "text" },
  name: { is: "text" },
  actorId: { is: "id", to: "actor", stored: "owner", text: "The actor it acts for." },
  permissions: { is: "texts", text: "The most it may do, without implied permissions." },
  models: {
    is: "ids",
    to: "model",
    optional: true,
    text: "The patterns or ids of the only models it is for; absent for everything.",
  },
  createdAt: { is: "text" },
  expiresAt: { is: "text" },
  expired: { is: "flag" },
} as const satisfies AccountFields<ApiToken>;
