import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { Key, KeySpec, KeyUsage } from "aws-cdk-lib/aws-kms";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";

/** What the built-in identity provider needs: the key that signs its tokens, the secret that makes the first administrator. */
export interface Identity {
  /** ES256 (RFC 7518 section 3.4): the private key never leaves KMS. */
  readonly signingKey: Key;
  /** 40 letters and digits, made by Secrets Manager when the stack is created. */
  readonly bootstrapSecret: Secret;
}

export function createIdentity(scope: Construct): Identity {
  const signingKey = new Key(scope, "SigningKey", {
    description: "Signs the access tokens of Metaction",
    keySpec: KeySpec.ECC_NIST_P256,
    keyUsage: KeyUsage.SIGN_VERIFY,
    // Losing it costs a new login, nothing else; so it goes with the stack.
    removalPolicy: RemovalPolicy.DESTROY,
    pendingWindow: Duration.days(7),
  });
  const bootstrapSecret = new Secret(scope, "BootstrapSecret", {
    description: "Makes the first administrator of Metaction, once",
    generateSecretString: { passwordLength: 40, excludePunctuation: true },
    removalPolicy: RemovalPolicy.DESTROY,
  });
  return { signingKey, bootstrapSecret };
}
