import { Problem } from "../../shared/domain/problems.ts";
import type { Kms } from "../../shared/identity/tokens/kms-keys.ts";
import { lazyPort, memoize } from "../../shared/service/lazy-ports.ts";

/** Returns AWS KMS, whose client is loaded on first use. */
export function lazyKms(): Kms {
  const createProblem = (): Problem =>
    new Problem("unavailable", "The signing keys cannot be reached; try again", { retryAfter: 1 });
  return lazyPort(async () => (await import("./aws-clients.ts")).createAwsKms(createProblem));
}

/** Returns a function that reads a secret of AWS Secrets Manager once; throws `unavailable`. */
export function lazySecret(id: string): () => Promise<string | undefined> {
  return memoize(async () => {
    const { fetchSecret } = await import("./aws-clients.ts");
    return fetchSecret(id).catch(() => {
      throw new Problem("unavailable", "a secret of the service cannot be read now; try again", { retryAfter: 1 });
    });
  });
}

/** Starts the worker function for a job. Ignores a failure: the sweeper starts waiting jobs. */
export async function startWorker(worker: string, job: string): Promise<void> {
  try {
    await (await import("./invoke-worker.ts")).invokeWorker(worker, job);
  } catch {
    // The job is kept, and its lease runs out soon.
  }
}
