import { GetPublicKeyCommand, KMSClient, SignCommand } from "@aws-sdk/client-kms";
import type { Kms } from "./kms-keys.ts";

/** AWS KMS in the region of the function. Throws the error that `unavailable` makes when KMS does not answer or is too busy. */
export function createAwsKms(unavailable: () => Error): Kms {
  const kms = new KMSClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 500, requestTimeout: 3_000 },
  });
  return {
    publicKey: async (KeyId) => {
      const { PublicKey } = await answered(kms.send(new GetPublicKeyCommand({ KeyId })), unavailable);
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
      const { Signature } = await answered(kms.send(command), unavailable);
      if (!Signature) throw new Error("KMS answered no signature");
      return Signature;
    },
  };
}

async function answered<T>(sent: Promise<T>, unavailable: () => Error): Promise<T> {
  try {
    return await sent;
  } catch (error) {
    if (isDefect(error)) throw error;
    throw unavailable();
  }
}

/** True for an error that a retry cannot mend: a missing permission, a wrong or disabled key. */
function isDefect(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode ?? 0;
  return status >= 400 && status < 500 && status !== 429 && error.name !== "ThrottlingException";
}
