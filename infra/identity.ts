import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { Key, KeySpec, KeyUsage } from "aws-cdk-lib/aws-kms";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";

/** Keys that sign tokens, and the secret that creates the first administrator. */
export interface Identity {
  /** ES256 (RFC 7518 section 3.4): the private keys never leave KMS. The first signs, all are published. */
  readonly signingKeys: readonly Key[];
  /** 40 letters and digits, made by Secrets Manager when the stack is created. */
  readonly bootstrapSecret: Secret;
}

export const FIRST_GENERATION = "first";

/** Creates one key per generation; a generation that is not named is deleted by the deployment. */
export function createIdentity(scope: Construct, generations: readonly string[]): Identity {
  const signingKeys = generations.map(
    (generation) =>
      new Key(scope, generation === FIRST_GENERATION ? "SigningKey" : `SigningKey-${generation}`, {
        description: `Signs the access tokens of Metaction (${generation})`,
        keySpec: KeySpec.ECC_NIST_P256,
        keyUsage: KeyUsage.SIGN_VERIFY,
        // Losing it costs a new login, nothing else; so it goes with the stack.
        removalPolicy: RemovalPolicy.DESTROY,
        pendingWindow: Duration.days(7),
      }),
  );
  const bootstrapSecret = new Secret(scope, "BootstrapSecret", {
    description: "Makes the first administrator of Metaction, once",
    generateSecretString: { passwordLength: 40, excludePunctuation: true },
    removalPolicy: RemovalPolicy.DESTROY,
  });
  return { signingKeys, bootstrapSecret };
}
