import { GetPublicKeyCommand, KMSClient, SignCommand } from "@aws-sdk/client-kms";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { Kms } from "../../shared/identity/tokens/kms-keys.ts";

const requestHandler = { connectionTimeout: 500, requestTimeout: 3_000 };

/** Reads a secret of AWS Secrets Manager. Throws the error of the SDK. */
export async function fetchSecret(id: string): Promise<string | undefined> {
  const client = new SecretsManagerClient({ requestHandler });
  return (await client.send(new GetSecretValueCommand({ SecretId: id }))).SecretString;
}

/** Creates a client of AWS KMS. Throws the error that `unavailable` creates if KMS does not answer. */
export function createAwsKms(unavailable: () => Error): Kms {
  const kms = new KMSClient({ maxAttempts: 3, requestHandler });
  return {
    publicKey: async (KeyId) => {
      const { PublicKey } = await translateErrors(kms.send(new GetPublicKeyCommand({ KeyId })), unavailable);
      if (!PublicKey) throw new Error("KMS answered no public key");
      return PublicKey;
    },
    sign: async (KeyId, Message) => {
      const command = new SignCommand({
        KeyId,
        Message,
        MessageType: "DIGEST",
        SigningAlgorithm: "ECDSA_SHA_256",
      });
      const { Signature } = await translateErrors(kms.send(command), unavailable);
      if (!Signature) throw new Error("KMS answered no signature");
      return Signature;
    },
  };
}

async function translateErrors<T>(call: Promise<T>, unavailable: () => Error): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (isDefect(error)) throw error;
    throw unavailable();
  }
}

/** Returns true for an error that a retry cannot repair: a missing permission, a wrong or disabled key. */
function isDefect(error: unknown) {
  if (!(error instanceof Error)) return true;
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode ?? 0;
  return status >= 400 && status < 500 && status !== 429 && error.name !== "ThrottlingException";
}
