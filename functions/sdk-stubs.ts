/**
 * Stubs that the bundle holds in place of SDK parts that can never run in a Lambda. `bundle.ts` aliases three modules to this
 * file: all credential sources but the environment, endpoint discovery (of no command we send) and event streams.
 */
import { fromEnv } from "@aws-sdk/credential-provider-env";

/** For `@aws-sdk/credential-provider-node`: a Lambda has its role's credentials in the environment. */
export const defaultProvider = fromEnv;

/** For `@aws-sdk/middleware-endpoint-discovery`: never asked for, so never on. */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => false,
  configFileSelector: () => false,
  default: false,
};

/** For `@aws-sdk/middleware-endpoint-discovery`: leaves a client's configuration as it is. */
export function resolveEndpointDiscoveryConfig<T>(config: T): T {
  return config;
}
