import { Problem } from "../../shared/domain/problems.ts";

/** Reads a secret of AWS Secrets Manager once, on first use. `unavailable` while it cannot be had. */
export function readSecret(id: string): () => Promise<string | undefined> {
  let kept: Promise<string | undefined> | undefined;
  const fetchSecret = async (): Promise<string | undefined> => {
    // Evaluated here, because few calls need it and every start would pay for it.
    const { GetSecretValueCommand, SecretsManagerClient } = await import("@aws-sdk/client-secrets-manager");
    const client = new SecretsManagerClient({ requestHandler: { connectionTimeout: 500, requestTimeout: 3_000 } });
    try {
      return (await client.send(new GetSecretValueCommand({ SecretId: id }))).SecretString;
    } catch {
      throw new Problem("unavailable", "a secret of the service cannot be read now; try again", { retryAfter: 1 });
    }
  };
  return () => {
    kept ??= fetchSecret().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}
