import { createHash } from "node:crypto";
import type { Actor } from "../model/objects.ts";
import { isSameValue } from "../text/json-values.ts";
import { BUILT_IN, toServiceAccountSubject } from "./principal.ts";

/** The key of an actor: issuer and subject both come from outside and may hold anything, so their digest stands for the pair. */
export function hashActorKey(issuer: string, subject: string): string {
  return createHash("sha256")
    .update(JSON.stringify([issuer, subject]))
    .digest("base64url");
}

/**
 * The digest of a role's key by which callers are judged: 8 bytes of SHA-256, base64url. Only administrators make roles,
 * so nobody looks for a collision.
 */
export function hashRoleKey(key: string): string {
  return createHash("sha256").update(key).digest().subarray(0, 8).toString("base64url");
}

/** The time and the ids that a call gives the accounts it makes. */
interface AccountContext {
  readonly time: string;
  readonly nextId: () => string;
}

/**
 * The actor of a new user. Its tokens begin with an epoch that no earlier user of the same name had, so that what was
 * signed for that one opens nothing.
 */
export function createBuiltInActor(username: string, fullname: string, maker: AccountContext): Actor {
  return { ...createActor(username, fullname, maker), tokenEpoch: Date.parse(maker.time) };
}

/** The actor that a new service account is. It has no user, no password and no epoch, since nobody signs in as it. */
export function createServiceAccountActor(key: string, name: string, maker: AccountContext): Actor {
  return createActor(toServiceAccountSubject(key), name, maker);
}

function createActor(subject: string, fullname: string, { time, nextId }: AccountContext): Actor {
  return {
    kind: "actor",
    id: nextId(),
    key: hashActorKey(BUILT_IN, subject),
    revision: 0,
    issuer: BUILT_IN,
    subject,
    fullname,
    roles: [],
    createdAt: time,
  };
}

/** The profile of the bearer of a token of another issuer, as its claims give it. */
export interface ExternalProfile {
  readonly issuer: string;
  readonly subject: string;
  readonly fullname?: string;
  readonly email?: string;
  /** Keys of roles. */
  readonly claimedRoles?: readonly string[];
  /** Seconds since the epoch. */
  readonly issuedAt: number;
}

type ClaimedMembers = Pick<Actor, "fullname" | "claimsAt"> & {
  readonly email: string | undefined;
  readonly claimedRoles: readonly string[] | undefined;
};

/** The members of an actor by the claims of a token; a name or an address without a claim stays as it is known. */
export function toClaimedMembers({ subject, issuedAt, ...said }: ExternalProfile, known?: Actor): ClaimedMembers {
  const claimedRoles = [...new Set(said.claimedRoles)].sort();
  return {
    fullname: said.fullname ?? known?.fullname ?? subject,
    email: said.email ?? known?.email,
    claimedRoles: claimedRoles.length > 0 ? claimedRoles : undefined,
    claimsAt: issuedAt,
  };
}

/**
 * True for a token whose claims differ from the known actor, and which was issued after the token that the actor's members
 * come from: an old token takes nothing back.
 */
export function hasNewerClaims(profile: ExternalProfile, known: Actor): boolean {
  if (known.claimsAt !== undefined && profile.issuedAt <= known.claimsAt) return false;
  const { claimsAt: _, ...said } = toClaimedMembers(profile, known);
  return Object.entries(said).some(([name, value]) => !isSameValue({ ...known }[name as keyof typeof said], value));
}
