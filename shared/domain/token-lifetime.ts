import { LIMITS } from "./limits.ts";

/** The lifetimes that a setting may give a token, in words. */
export const TOKEN_MINUTES = `a number from ${LIMITS.leastTokenMinutes} to ${LIMITS.mostTokenMinutes}`;

/** Tests whether a setting is a lifetime that a token may have, in minutes. */
export function isTokenMinutes(text: string): boolean {
  const minutes = Number(text);
  return /^\d{1,5}$/.test(text) && minutes >= LIMITS.leastTokenMinutes && minutes <= LIMITS.mostTokenMinutes;
}
