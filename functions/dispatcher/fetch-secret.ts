import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { Problem } from "../../shared/domain/problems.ts";

/** The value of a secret of AWS Secrets Manager. `unavailable` while it cannot be had. */
export async function fetchSecret(id: string): Promise<string | undefined> {
  const client = new SecretsManagerClient({ requestHandler: { connectionTimeout: 500, requestTimeout: 3_000 } });
  try {
    return (await client.send(new GetSecretValueCommand({ SecretId: id }))).SecretString;
  } catch {
    throw new Problem("unavailable", "a secret of the service cannot be read now; try again", { retryAfter: 1 });
  }
}
