import { createHash } from "node:crypto";
import { LIMITS } from "../limits.ts";

/** Session that an access token belongs to: one sign-in. */
export interface Session {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/** Bytes of an id: so short that an actor with all ended sessions takes one read unit. */
const ID_BYTES = 16;

/** Returns the id of a session, 22 characters, from the `jti` of its token (RFC 7519 section 4.1.7). */
export function toSessionId(tokenId: string): string {
  return createHash("sha256").update(tokenId).digest().subarray(0, ID_BYTES).toString("base64url");
}

/** Tests whether a session is among the ended ones of its actor. */
export function isEndedSession(ended: readonly string[] | undefined, { id }: Pick<Session, "id">): boolean {
  return ended?.some((entry) => entry.startsWith(id)) ?? false;
}

/**
 * Returns the ended sessions of an actor with one more, each with its expiry in base 36, and without those whose tokens
 * have expired. Undefined if there would be more than `LIMITS.endedSessions`. `now` is in seconds.
 */
export function addEndedSession(
  ended: readonly string[] | undefined,
  { id, expiresAt }: Session,
  now: number,
): readonly string[] | undefined {
  const others = (ended ?? []).filter((entry) => {
    const [otherId = "", expiry = ""] = entry.split(".");
    // The clocks of other processes may be behind.
    return otherId !== id && Number.parseInt(expiry, 36) > now - LIMITS.tokenSkewSeconds;
  });
  return others.length < LIMITS.endedSessions ? [...others, `${id}.${expiresAt.toString(36)}`] : undefined;
}

export const TOKEN_MINUTES = `a number from ${LIMITS.leastTokenMinutes} to ${LIMITS.mostTokenMinutes}`;

/** Tests whether a setting is a valid token lifetime in minutes. */
export function isTokenMinutes(text: string): boolean {
  const minutes = Number(text);
  return /^\d{1,5}$/.test(text) && minutes >= LIMITS.leastTokenMinutes && minutes <= LIMITS.mostTokenMinutes;
}

export const CALLER_SECONDS = `a number from 0 to ${LIMITS.mostCallerSeconds}`;

/** Tests whether a setting is a valid lifetime of the caller cache in seconds. */
export function isCallerSeconds(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= LIMITS.mostCallerSeconds;
}
