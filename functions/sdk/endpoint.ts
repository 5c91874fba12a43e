import { parseUrl } from "@smithy/core/protocols";
import type { Endpoint } from "@smithy/types";
import {
  getEndpointFromConfig,
  loadConfig,
  NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS,
  NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS,
  partition,
} from "./internals.js";

/**
 * The endpoint of DynamoDB in a region: the one given or set, else the region's own. The SDK's rules are loaded only where the
 * environment asks for FIPS or dual-stack endpoints.
 */
export async function endpointOf(region: string, given: string | undefined): Promise<Endpoint> {
  const endpoint = given ?? (await getEndpointFromConfig("DynamoDB"));
  if (endpoint !== undefined) return parseUrl(endpoint);
  const [UseFIPS, UseDualStack] = await Promise.all([
    loadConfig(NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS)(),
    loadConfig(NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS)(),
  ]);
  if (!UseFIPS && !UseDualStack) return parseUrl(`https://dynamodb.${region}.${partition(region).dnsSuffix}`);
  const { defaultEndpointResolver } = await import("./endpoint-rules.js");
  return parseUrl(defaultEndpointResolver({ Region: region, UseFIPS, UseDualStack }).url);
}
