import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";

/** The value of a secret of AWS Secrets Manager; an error of the SDK while it cannot be had. */
export async function fetchSecret(id: string): Promise<string | undefined> {
  const client = new SecretsManagerClient({ requestHandler: { connectionTimeout: 500, requestTimeout: 3_000 } });
  return (await client.send(new GetSecretValueCommand({ SecretId: id }))).SecretString;
}
