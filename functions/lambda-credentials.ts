import { fromEnv } from "@aws-sdk/credential-provider-env";
import type { AwsCredentialIdentityProvider } from "@aws-sdk/types";

/**
 * Stands in for `@aws-sdk/credential-provider-node` in the bundle: a Lambda has its role's credentials in the environment,
 * and the SDK's other sources (profiles, SSO, STS, instance metadata) would cost 141 kB that can never run.
 */
export const defaultProvider = (): AwsCredentialIdentityProvider => fromEnv();
