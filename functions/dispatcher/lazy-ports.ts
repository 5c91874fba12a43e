import type { Ambient } from "../../shared/actions/contract/call.ts";
import type { Jobs } from "../../shared/actions/contract/jobs.ts";
import type { LedgerChecks } from "../../shared/actions/contract/ledger-checks.ts";
import type { Importer } from "../../shared/actions/contract/ports.ts";
import type { SearchCache } from "../../shared/actions/contract/search-cache.ts";

import type { ImporterOptions } from "../../shared/exchange/importer.ts";
import type { CognitoPool } from "../../shared/identity/cognito-pool.ts";
import type { IssuerConfiguration } from "../../shared/identity/issuers/configuration.ts";
import type { ExternalVerifier } from "../../shared/identity/issuers/verify-external.ts";
import type { Kms } from "../../shared/identity/kms-keys.ts";
import type { Passwords } from "../../shared/identity/passwords.ts";

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

/** The importer. */
export function importerOnDemand(options: ImporterOptions): Importer {
  const load = once(async () => (await import("../../shared/exchange/importer.ts")).createImporter(options));
  return { read: async (source, names) => (await load()).read(source, names) };
}

/** Password hashing. */
export function passwordsOnDemand(): Passwords {
  const load = once(async () => (await import("../../shared/identity/passwords.ts")).createPasswords());
  return {
    hash: async (password) => (await load()).hash(password),
    matches: async (password, phc) => (await load()).matches(password, phc),
    isOutdated: async (phc) => (await load()).isOutdated(phc),
  };
}

/** Jobs, made when one is asked for. */
export function jobsOnDemand(make: () => Promise<Jobs>): Jobs {
  const load = once(make);
  return {
    accept: async (call, order, total) => (await load()).accept(call, order, total),
    get: async (id) => (await load()).get(id),
    list: async (actor, page) => (await load()).list(actor, page),
    cancel: async (id) => (await load()).cancel(id),
    take: async (id) => (await load()).take(id),
    finish: async (job, record) => (await load()).finish(job, record),
    fail: async (taken, problem) => (await load()).fail(taken, problem),
    waiting: async () => (await load()).waiting(),
  };
}

/** Checks of ledgers, made when one is asked for. */
export function checksOnDemand(make: () => Promise<LedgerChecks>): LedgerChecks {
  const load = once(make);
  return {
    models: async (ids, options) => (await load()).models(ids, options),
    tags: async (mend) => (await load()).tags(mend),
  };
}

/** What searches of one process have read. */
export function searchesOnDemand(): () => Promise<SearchCache> {
  return once(async () => (await import("../../shared/actions/model/search-cache.ts")).createSearchCache());
}

/** The check of tokens of other issuers. */
export function externalOnDemand(
  issuers: () => Promise<IssuerConfiguration>,
  ambient: Ambient,
): () => Promise<ExternalVerifier> {
  return once(async () =>
    (await import("../../shared/identity/issuers/verify-external.ts")).createExternalVerifier(await issuers(), ambient),
  );
}

/** The configuration of other issuers, from its JSON text; an error where it cannot be used. */
export function issuersOnDemand(text: string, ownUrl: string): () => Promise<IssuerConfiguration> {
  return once(async () => (await import("../../shared/identity/issuers/configuration.ts")).readIssuers(text, ownUrl));
}

/** The user pool that signs people in, where the configuration names one. */
export function poolOnDemand(
  issuers: () => Promise<IssuerConfiguration>,
  keptSecret?: (id: string) => () => Promise<string | undefined>,
): () => Promise<CognitoPool | undefined> {
  return once(async () => {
    const { login } = await issuers();
    return login && (await import("../../shared/identity/cognito-pool.ts")).poolOf(login.cognito, keptSecret);
  });
}

/** AWS KMS. */
export function kmsOnDemand(): Kms {
  const load = once(async () => (await import("../../shared/identity/aws-kms.ts")).createAwsKms());
  return {
    publicKey: async (keyId) => (await load()).publicKey(keyId),
    sign: async (keyId, digest) => (await load()).sign(keyId, digest),
  };
}

/** A secret of AWS Secrets Manager, asked for once. `unavailable` while it cannot be had. */
export function secretOnDemand(id: string): () => Promise<string | undefined> {
  return once(async () => (await import("./fetch-secret.ts")).fetchSecret(id));
}

/** Has the worker function look at a job. A failure is no failure of the call: the next look at waiting jobs starts it. */
export async function startWorker(worker: string, job: string): Promise<void> {
  try {
    await (await import("./invoke-worker.ts")).invokeWorker(worker, job);
  } catch {
    // The job is kept, and its lease runs out soon.
  }
}
