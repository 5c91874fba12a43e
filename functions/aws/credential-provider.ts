/** Replaces `@aws-sdk/credential-provider-node` in the bundles: a function gets its credentials by environment. */
// biome-ignore lint/performance/noBarrelFile: it replaces the index of a package
export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";
