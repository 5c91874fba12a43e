import type { Actor } from "./objects.ts";
import { sameValue } from "./same-value.ts";

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

type Said = Pick<Actor, "fullname" | "claimsAt"> & {
  readonly email: string | undefined;
  readonly claimedRoles: readonly string[] | undefined;
};

/** The members of an actor by the claims of a token; a name or an address without a claim stays as it is known. */
export function saidBy({ subject, issuedAt, ...said }: ExternalProfile, known?: Actor): Said {
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
export function tellsNews(profile: ExternalProfile, known: Actor): boolean {
  if (known.claimsAt !== undefined && profile.issuedAt <= known.claimsAt) return false;
  const { claimsAt: _, ...said } = saidBy(profile, known);
  return Object.entries(said).some(([name, value]) => !sameValue({ ...known }[name as keyof typeof said], value));
}
