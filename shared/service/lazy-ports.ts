import type { Runtime } from "../actions/contract/call.ts";
import type { Exporter, Importer, Searches } from "../actions/contract/ports.ts";
import { Problem } from "../domain/problems.ts";
import type { ImporterOptions } from "../formats/importer.ts";
import type { CognitoPool } from "../identity/cognito-login.ts";
import type { IssuerConfiguration } from "../identity/issuers/configuration.ts";
import type { ExternalVerifier } from "../identity/issuers/verify-external.ts";
import type { Passwords } from "../identity/passwords.ts";
import type { Kms } from "../identity/tokens/kms-keys.ts";

/*
 * Parts of the function that few calls need. Each is a chunk of its own in the bundle, loaded on first use: every start
 * would pay for them otherwise.
 */

/** Remembers what was made; a failure is forgotten, so that the next call tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/**
 * A port that is made at the first call of one of its methods. The methods are found by name when they are called, so there
 * are none to list or to spread; an `await` of the port itself finds no `then`.
 */
export function lazyPort<P extends Record<keyof P, (...asked: never[]) => Promise<unknown>>>(
  make: () => Promise<P>,
): P {
  const load = once(make);
  return new Proxy({} as P, {
    get: (_, method) =>
      method === "then" ? undefined : async (...asked: never[]) => (await load())[method as keyof P](...asked),
  });
}

/** The importer. */
export function lazyImporter(options: ImporterOptions): Importer {
  return lazyPort(async () => (await import("../formats/importer.ts")).createImporter(options));
}

/** The exporter. */
export function lazyExporter(): Exporter {
  return lazyPort(async () => (await import("../formats/exporter.ts")).createExporter());
}

/** Password hashing. */
export function lazyPasswords(): Passwords {
  return lazyPort(async () => (await import("../identity/passwords.ts")).createPasswords());
}

/** AWS KMS. */
export function lazyKms(): Kms {
  const unavailable = (): Problem =>
    new Problem("unavailable", "The signing keys cannot be reached; try again", { retryAfter: 1 });
  return lazyPort(async () => (await import("../../functions/dispatcher/aws-clients.ts")).createAwsKms(unavailable));
}

/** Searches in an index in the memory of this process, with room for so many objects. */
export function lazySearches(most?: number): () => Promise<Searches> {
  return once(async () => (await import("../search/memory-index.ts")).createMemoryIndex(most));
}

/** The check of tokens of other issuers. */
export function lazyExternalVerifier(
  issuers: () => Promise<IssuerConfiguration>,
  ambient: Runtime,
): () => Promise<ExternalVerifier> {
  return once(async () =>
    (await import("../identity/issuers/verify-external.ts")).createExternalVerifier(await issuers(), ambient),
  );
}

/** The configuration of other issuers, from its JSON text; an error where it cannot be used. */
export function lazyIssuers(text: string, ownUrl: string): () => Promise<IssuerConfiguration> {
  return once(async () => (await import("../identity/issuers/configuration.ts")).readIssuers(text, ownUrl));
}

/** The user pool that signs people in, where the configuration names one. */
export function lazyUserPool(
  issuers: () => Promise<IssuerConfiguration>,
  keptSecret?: (id: string) => () => Promise<string | undefined>,
): () => Promise<CognitoPool | undefined> {
  return once(async () => {
    const { login } = await issuers();
    return login && (await import("../identity/cognito-login.ts")).poolOf(login.cognito, keptSecret);
  });
}

/** A secret of AWS Secrets Manager, asked for once. `unavailable` while it cannot be had. */
export function lazySecret(id: string): () => Promise<string | undefined> {
  return once(async () => {
    const { fetchSecret } = await import("../../functions/dispatcher/aws-clients.ts");
    return fetchSecret(id).catch(() => {
      throw new Problem("unavailable", "a secret of the service cannot be read now; try again", { retryAfter: 1 });
    });
  });
}

/** Has the worker function look at a job. A failure is no failure of the call: the next look at waiting jobs starts it. */
export async function startWorker(worker: string, job: string): Promise<void> {
  try {
    await (await import("../../functions/dispatcher/invoke-worker.ts")).invokeWorker(worker, job);
  } catch {
    // The job is kept, and its lease runs out soon.
  }
}
