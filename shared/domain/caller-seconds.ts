import { LIMITS } from "./limits.ts";

/** The seconds for which a setting may have callers kept, in words. */
export const CALLER_SECONDS = `a number from 0 to ${LIMITS.mostCallerSeconds}`;

/** Tests whether a setting is a number of seconds for which callers may be kept. */
export function isCallerSeconds(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= LIMITS.mostCallerSeconds;
}
