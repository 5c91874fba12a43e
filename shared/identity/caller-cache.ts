import { LIMITS } from "../domain/limits.ts";
import type { CallerStore } from "./accounts.ts";

/** The callers that a process has looked up, with their roles and API tokens. */
export interface CallerCache {
  /** Returns callers from the cache; `accounts` is opened for those that are not in it. */
  open(accounts: () => CallerStore): CallerStore;
  clear(): void;
}

/** Creates a cache of callers, valid for `validMs` or until `clear` is called. */
export function createCallerCache(validMs: number, now: () => number): CallerCache {
  const callers = new CacheOfLookups<Awaited<ReturnType<CallerStore["findCaller"]>>>(validMs, now);
  const bearers = new CacheOfLookups<Awaited<ReturnType<CallerStore["findTokenBearer"]>>>(validMs, now);
  return {
    open: (accounts) => ({
      findCaller: (issuer, subject) =>
        callers.find(
          `${issuer}\n${subject}`,
          () => accounts().findCaller(issuer, subject),
          ({ actor }) => actor !== undefined,
        ),
      findTokenBearer: (address) =>
        bearers.find(
          JSON.stringify(address),
          () => accounts().findTokenBearer(address),
          ({ token }) => token !== undefined,
        ),
      provisionActor: async (profile, origin) => {
        callers.delete(`${profile.issuer}\n${profile.subject}`);
        return accounts().provisionActor(profile, origin);
      },
    }),
    clear: () => {
      callers.clear();
      bearers.clear();
    },
  };
}

interface Entry<T> {
  readonly value: T;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

class CacheOfLookups<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #validMs: number;
  readonly #now: () => number;
  #generation = 0;

  constructor(validMs: number, now: () => number) {
    this.#validMs = validMs;
    this.#now = now;
  }

  async find(name: string, read: () => Promise<T>, isCacheable: (value: T) => boolean): Promise<T> {
    const entry = this.#entries.get(name);
    if (entry && this.#now() < entry.until) return entry.value;
    // Counted from before the read, so that no entry is older than `validMs`.
    const until = this.#now() + this.#validMs;
    const generation = this.#generation;
    const value = await read();
    this.#entries.delete(name);
    // A value from before a change of accounts may be outdated.
    if (isCacheable(value) && generation === this.#generation) this.#entries.set(name, { value, until });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= LIMITS.keptCallers) break;
      this.#entries.delete(oldest);
    }
    return value;
  }

  delete(name: string): void {
    this.#entries.delete(name);
  }

  clear(): void {
    this.#generation += 1;
    this.#entries.clear();
  }
}
