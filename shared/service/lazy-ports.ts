import type { Importer, Searches } from "../actions/contract/ports.ts";
import type { ImporterOptions } from "../formats/importer.ts";
import type { IssuerConfiguration } from "../identity/issuers/configuration.ts";

/** Parts of the service that few calls need. Each is loaded on first use, which makes starts faster. */

/** Returns a function that makes a value once. After a failure the next call tries again. */
export function memoize<T>(make: () => Promise<T>): () => Promise<T> {
  let instance: Promise<T> | undefined;
  return () => {
    instance ??= make().catch((error: unknown) => {
      instance = undefined;
      throw error;
    });
    return instance;
  };
}

/** Returns a port that is created with the first call of a method. It cannot be listed or spread. */
export function lazyPort<P extends Record<keyof P, (...args: never[]) => Promise<unknown>>>(make: () => Promise<P>): P {
  const load = memoize(make);
  return new Proxy({} as P, {
    get: (_, method) =>
      method === "then" ? undefined : async (...args: never[]) => (await load())[method as keyof P](...args),
  });
}

/** Returns the importer. */
export function lazyImporter(options: ImporterOptions): Importer {
  return lazyPort(async () => (await import("../formats/importer.ts")).createImporter(options));
}

/** Opens searches in the memory of this process, for at most so many objects. */
export function lazySearches(most?: number): () => Promise<Searches> {
  return memoize(async () => (await import("../search/memory-index.ts")).createMemoryIndex(most));
}

/** Reads the configuration of other issuers. Throws if it is unusable. */
export function lazyIssuers(text: string, ownUrl: string): () => Promise<IssuerConfiguration> {
  return memoize(async () => (await import("../identity/issuers/configuration.ts")).readIssuers(text, ownUrl));
}
