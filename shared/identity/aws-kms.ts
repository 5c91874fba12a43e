import type { KMSClient } from "@aws-sdk/client-kms";
import { Problem } from "../domain/problems.ts";
import type { Kms } from "./kms-keys.ts";

/** AWS KMS in the region of the function. `unavailable` when it does not answer or is too busy. */
export function createAwsKms(): Kms {
  let client: KMSClient | undefined;
  // The client is evaluated on its first use: a process that never needs a key does not pay for it at start-up.
  const send = async <T>(
    run: (sdk: typeof import("@aws-sdk/client-kms"), client: KMSClient) => Promise<T>,
  ): Promise<T> => {
    const sdk = await import("@aws-sdk/client-kms");
    client ??= new sdk.KMSClient({
      maxAttempts: 3,
      requestHandler: { connectionTimeout: 500, requestTimeout: 3_000 },
    });
    try {
      return await run(sdk, client);
    } catch (error) {
      if (isDefect(error)) throw error;
      throw new Problem("unavailable", "The signing keys cannot be reached; try again", { retryAfter: 1 });
    }
  };
  return {
    publicKey: (keyId) =>
      send(async ({ GetPublicKeyCommand }, kms) => {
        const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId: keyId }));
        if (!PublicKey) throw new Error("KMS answered no public key");
        return PublicKey;
      }),
    sign: (keyId, digest) =>
      send(async ({ SignCommand }, kms) => {
        const { Signature } = await kms.send(
          new SignCommand({
            KeyId: keyId,
            Message: digest,
            MessageType: "DIGEST",
            SigningAlgorithm: "ECDSA_SHA_256",
          }),
        );
        if (!Signature) throw new Error("KMS answered no signature");
        return Signature;
      }),
  };
}

/** True for what a retry cannot mend: a missing permission, a wrong or disabled key. */
function isDefect(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode ?? 0;
  return status >= 400 && status < 500 && status !== 429 && error.name !== "ThrottlingException";
}
