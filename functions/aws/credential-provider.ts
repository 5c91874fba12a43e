/*
 * Replacement for `@aws-sdk/credential-provider-node` in the Lambda bundles: a function has the credentials of its role in the
 * environment, so the other sources are left out.
 */
// biome-ignore lint/performance/noBarrelFile: it replaces the index of a package
export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";
