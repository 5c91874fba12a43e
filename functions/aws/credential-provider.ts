/** Replaces `@aws-sdk/credential-provider-node` in the bundles: functions have credentials in variables. */
// biome-ignore lint/performance/noBarrelFile: it replaces the index of a package
export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";
