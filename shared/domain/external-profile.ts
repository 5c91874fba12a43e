import { sameValue } from "./change.ts";
import type { Actor } from "./objects.ts";

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

/** The members of an actor that a token tells; a name or an address it does not tell stays as it is known. */
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
 * True for a token that tells something else than what is known of its bearer, and was issued after the one which that
 * comes from: an old token takes nothing back.
 */
export function tellsNews(sighting: ExternalProfile, known: Actor): boolean {
  if (known.claimsAt !== undefined && sighting.issuedAt <= known.claimsAt) return false;
  const { claimsAt: _, ...said } = saidBy(sighting, known);
  return Object.entries(said).some(([name, value]) => !sameValue({ ...known }[name as keyof typeof said], value));
}
