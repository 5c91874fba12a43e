import { LIMITS } from "../domain/limits.ts";
import type { AccountStore } from "./accounts.ts";

/** Gives a store of accounts that answers who calls as it was looked up by any of them a moment ago. */
export type KeptCallers = (accounts: AccountStore) => AccountStore;

interface Kept<T> {
  readonly value: T;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Keeps callers and bearers of API tokens, with their roles, for so many milliseconds: for that long a right that was taken
 * away, or a token that was ended, still counts in this process. `now` in milliseconds since the epoch. Nobody is kept as
 * absent, and what changes accounts judges its caller anew in any case.
 */
export function createKeptCallers(keptMs: number, now: () => number): KeptCallers {
  const callers = createKept<Awaited<ReturnType<AccountStore["caller"]>>>(keptMs, now);
  const bearers = createKept<Awaited<ReturnType<AccountStore["tokenBearer"]>>>(keptMs, now);
  const nameOf = (issuer: string, subject: string): string => JSON.stringify([issuer, subject]);
  return (accounts) => ({
    ...accounts,
    caller: (issuer, subject) => {
      const isThere = ({ actor }: { readonly actor: unknown }): boolean => actor !== undefined;
      return callers.orRead(nameOf(issuer, subject), () => accounts.caller(issuer, subject), isThere);
    },
    tokenBearer: (place) => {
      const isThere = ({ token }: { readonly token: unknown }): boolean => token !== undefined;
      return bearers.orRead(JSON.stringify(place), () => accounts.tokenBearer(place), isThere);
    },
    provisionActor: async (profile, origin) => {
      callers.forget(nameOf(profile.issuer, profile.subject));
      return accounts.provisionActor(profile, origin);
    },
  });
}

/** Values by name, each for so long, the oldest dropped first. */
function createKept<T>(keptMs: number, now: () => number) {
  const all = new Map<string, Kept<T>>();
  return {
    orRead: async (name: string, read: () => Promise<T>, isKept: (value: T) => boolean): Promise<T> => {
      const known = all.get(name);
      if (known && now() < known.until) return known.value;
      // Counted from before the question, so that no answer is older than said.
      const until = now() + keptMs;
      const value = await read();
      all.delete(name);
      if (isKept(value)) all.set(name, { value, until });
      for (const oldest of all.keys()) {
        if (all.size <= LIMITS.keptCallers) break;
        all.delete(oldest);
      }
      return value;
    },
    forget: (name: string): void => {
      all.delete(name);
    },
  };
}
