import { createHash } from "node:crypto";
import type { Actor, AuthRole } from "../model/objects.ts";
import { BUILT_IN, MANAGED_ROLES } from "../permissions.ts";
import { isSameValue } from "../text/json-values.ts";
import { toServiceAccountSubject } from "./principal.ts";

/** Returns the key of an actor: a digest of issuer and subject, because both may hold any characters. */
export function hashActorKey(issuer: string, subject: string): string {
  return createHash("sha256")
    .update(JSON.stringify([issuer, subject]))
    .digest("base64url");
}

/** Returns a digest of a role's key. Collisions are no risk, because only administrators create roles. */
export function hashRoleKey(key: string): string {
  return createHash("sha256").update(key).digest().subarray(0, 8).toString("base64url");
}

interface AccountContext {
  readonly time: string;
  readonly nextId: () => string;
}

/** Creates the actor of a user. The new token epoch invalidates those of an earlier user of the same name. */
export function createBuiltInActor(username: string, fullname: string, context: AccountContext): Actor {
  return {
    ...createActor({ issuer: BUILT_IN, subject: username, fullname }, context),
    tokenEpoch: Date.parse(context.time),
  };
}

/** Creates the actor of a service account, without user, password and token epoch: nobody signs in as it. */
export function createServiceAccountActor(key: string, name: string, context: AccountContext): Actor {
  return createActor({ issuer: BUILT_IN, subject: toServiceAccountSubject(key), fullname: name }, context);
}

/** Creates the managed roles, which the first actor of an instance brings with it. */
export function createManagedRoles({ time, nextId }: AccountContext): readonly AuthRole[] {
  return MANAGED_ROLES.map((role) => ({
    kind: "role",
    ...role,
    permissions: [...role.permissions].sort(),
    id: nextId(),
    managed: true,
    revision: 0,
    createdAt: time,
    updatedAt: time,
  }));
}

/** Creates an actor without roles. */
export function createActor(
  caller: Pick<Actor, "issuer" | "subject" | "fullname">,
  { time, nextId }: AccountContext,
): Actor {
  const key = hashActorKey(caller.issuer, caller.subject);
  return { kind: "actor", id: nextId(), key, revision: 0, ...caller, roles: [], createdAt: time };
}

/** Profile of a caller, from the claims of a token of another issuer. */
export interface ExternalProfile {
  readonly issuer: string;
  readonly subject: string;
  readonly fullname?: string;
  readonly email?: string;
  readonly claimedRoles?: readonly string[];
  /** Seconds since the epoch. */
  readonly issuedAt: number;
}

type ClaimedMembers = Pick<Actor, "fullname" | "claimsAt"> & {
  readonly email: string | undefined;
  readonly claimedRoles: readonly string[] | undefined;
};

/** Returns the actor members that a token claims, or else the known ones. */
export function toClaimedMembers({ subject, issuedAt, ...claims }: ExternalProfile, actor?: Actor): ClaimedMembers {
  const claimedRoles = [...new Set(claims.claimedRoles)].sort();
  return {
    fullname: claims.fullname ?? actor?.fullname ?? subject,
    email: claims.email ?? actor?.email,
    claimedRoles: claimedRoles.length > 0 ? claimedRoles : undefined,
    claimsAt: issuedAt,
  };
}

/** Returns an actor with the members that a token claims. */
export function applyClaims(actor: Actor, profile: ExternalProfile): Actor {
  const { email, claimedRoles, ...members } = { ...actor, ...toClaimedMembers(profile, actor) };
  return { ...members, ...(email !== undefined && { email }), ...(claimedRoles && { claimedRoles }) };
}

/** Tests whether the claims differ from the known actor and are newer. */
export function hasNewerClaims(profile: ExternalProfile, actor: Actor): boolean {
  if (actor.claimsAt !== undefined && profile.issuedAt <= actor.claimsAt) return false;
  const { claimsAt: _, ...claims } = toClaimedMembers(profile, actor);
  return Object.entries(claims).some(([name, value]) => !isSameValue({ ...actor }[name as keyof typeof claims], value));
}
