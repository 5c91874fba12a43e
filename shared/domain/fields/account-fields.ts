import type { KindName } from "../kinds.ts";
import { LIMITS } from "../limits.ts";
import { BUILT_IN, type Permission } from "../permissions.ts";
import type { KeyPattern } from "../refs.ts";

/** Types of the values of accounts. */
interface AccountValues {
  readonly text: string;
  readonly texts: readonly string[];
  readonly flag: boolean;
  readonly number: number;
  readonly permissions: readonly Permission[];
  readonly id: string;
  readonly ids: readonly string[];
  readonly ownId: string;
  readonly patterns: readonly KeyPattern[];
  readonly scopedRoles: readonly ScopedRole[];
}

/** Role of an actor on the models that match a pattern. */
export interface ScopedRole {
  readonly role: string;
  readonly models: KeyPattern;
}

/** Member of an account. Times are ISO 8601; `id` and `ids` name objects of the kind `to`, `ownId` the account itself. */
export interface AccountField<S extends string = string> {
  readonly is: keyof AccountValues;
  readonly to?: KindName;
  readonly text?: string;
  readonly optional?: true;
  /** Name of the stored member, if it differs. */
  readonly stored?: S;
  /** `answers` if it is computed, `store` if only the service reads it. */
  readonly only?: "answers" | "store";
}

/** The members of a kind of account, in the order of answers. */
export type AccountFields<S extends string = string> = Readonly<Record<string, AccountField<S>>>;

type StoredName<F, M> = F extends { readonly only: "answers" }
  ? never
  : F extends { readonly stored: infer S extends string }
    ? S
    : M;

/** The stored members of an account. */
export type StoredAccount<F extends AccountFields> = {
  readonly [M in keyof F as F[M] extends { readonly optional: true }
    ? never
    : StoredName<F[M], M>]: AccountValues[F[M]["is"]];
} & {
  readonly [M in keyof F as F[M] extends { readonly optional: true }
    ? StoredName<F[M], M>
    : never]?: AccountValues[F[M]["is"]];
};

const NUMBER = { is: "number", optional: true, only: "store" } as const;

/** A possible caller: one subject of one issuer, both compared exactly. The key is a digest of the two. */
export const actorFields = {
  id: { is: "ownId", text: "Id of the actor." },
  issuer: { is: "text", text: `The issuer that signs the actor in; \`${BUILT_IN}\` is the service itself.` },
  subject: { is: "text", text: "The name of the actor at that issuer; the username of a built-in user." },
  fullname: { is: "text" },
  email: { is: "text", optional: true, text: "The address in the token of another issuer." },
  roles: { is: "ids", to: "role", only: "store", text: "Ids of the assigned roles. Deleted roles grant nothing." },
  scopedRoles: { is: "scopedRoles", optional: true, only: "store" },
  // For display only, never for rights.
  claimedRoles: {
    is: "texts",
    optional: true,
    text:
      "Keys of the roles that the newest token of another issuer claimed, in addition to the assigned ones. " +
      "A call gets only the roles that its own token claims.",
  },
  claimsAt: {
    ...NUMBER,
    text: "Issue time of the token that provided name, e-mail and claimed roles, in seconds since the epoch.",
  },
  tokenEpoch: { ...NUMBER, text: "Token epoch of built-in users; tokens of another epoch are not valid." },
  endedSessions: {
    is: "texts",
    optional: true,
    only: "store",
    text: "Ended sessions whose tokens could still be valid: id, a dot, and the expiry in seconds since the epoch, in base 36.",
  },
  validAfter: { ...NUMBER, text: "Tokens that were issued earlier are not valid, in seconds since the epoch." },
  disabledAt: { is: "text", optional: true },
  createdAt: { is: "text" },
  lastSeenAt: {
    is: "text",
    optional: true,
    only: "answers",
    text:
      `The time of the last call, to about ${LIMITS.seenMinutes} minutes; ` +
      `absent after ${LIMITS.seenDays} days without a call. ` +
      "It does not change the entity tag.",
  },
} as const satisfies AccountFields;

/** User of the built-in provider. The key is the username. The password hash is stored separately. */
export const userFields = {
  id: { is: "ownId", text: "Id of the user." },
  actorId: { is: "id", to: "actor", only: "answers", text: "Id of its actor, which roles are given to." },
  username: { is: "text", stored: "key" },
  fullname: { is: "text" },
  admin: { is: "flag", only: "answers", text: "True for users with the permission `admin`." },
  // Absent until the first password is changed.
  passwordChangedAt: { is: "text", optional: true, only: "store" },
  disabledDate: { is: "text", optional: true, stored: "disabledAt" },
  createdAt: { is: "text" },
} as const satisfies AccountFields;

/** Service account, stored as an actor. */
export const serviceAccountFields = {
  id: { is: "ownId", text: "Id of its actor, which roles and API tokens are given to." },
  key: { is: "text", only: "answers" },
  name: { is: "text", stored: "fullname" },
  roles: { is: "ids", to: "role", text: "Ids of the roles assigned for everything." },
  disabledAt: { is: "text", optional: true },
  createdAt: { is: "text" },
  lastSeenAt: {
    is: "text",
    optional: true,
    only: "answers",
    text: "The time of its last call, as in `actor_list`. It does not change the entity tag.",
  },
} as const satisfies AccountFields<keyof StoredAccount<typeof actorFields>>;

/** Named set of permissions that is assigned to actors. */
export const accountRoleFields = {
  id: { is: "ownId", text: "Id of the role." },
  key: { is: "text" },
  name: { is: "text" },
  description: { is: "text", optional: true },
  permissions: { is: "permissions", only: "store", text: "Sorted, without implied permissions." },
  autoAssign: { is: "flag", text: "True for the one role that new actors get." },
  managedRole: { is: "flag", stored: "managed", text: "True for a role that the service manages." },
  createdAt: { is: "text" },
  lastUpdatedAt: { is: "text", stored: "updatedAt" },
} as const satisfies AccountFields;

/** API token of an actor, used without signing in. The key is its id. */
export const apiTokenFields = {
  id: { is: "ownId", text: "Id of the API token." },
  name: { is: "text" },
  actorId: { is: "id", to: "actor", stored: "owner", text: "Id of the actor that it acts for." },
  // SHA-256 of the secret in base64url. The secret has 256 random bits, so it cannot be guessed.
  hash: { is: "text", only: "store" },
  permissions: {
    is: "permissions",
    text: "The most it may do, without implied permissions; for some models, what its actor may do on at least some of them.",
  },
  models: {
    is: "patterns",
    optional: true,
    text: "The patterns of the keys of the only models it is for, or their refs; absent for everything.",
  },
  createdAt: { is: "text" },
  expiresAt: { is: "text" },
  expired: { is: "flag", only: "answers" },
} as const satisfies AccountFields;
