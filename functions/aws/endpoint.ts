const AWS_DOMAINS = ["amazonaws.com", "api.aws"] as const;
/** Domains of the regions outside AWS' main partition, by the start of their names: plain and dual-stack. */
const DOMAINS: Readonly<Record<string, readonly [plain: string, dualStack: string]>> = {
  "cn-": ["amazonaws.com.cn", "api.amazonwebservices.com.cn"],
  "eusc-": ["amazonaws.eu", "api.amazonwebservices.eu"],
  "us-iso-": ["c2s.ic.gov", "api.aws.ic.gov"],
  "us-isob-": ["sc2s.sgov.gov", "api.aws.scloud"],
  "eu-isoe-": ["cloud.adc-e.uk", "api.cloud-aws.adc-e.uk"],
  "us-isof-": ["csp.hci.ic.gov", "api.aws.hci.ic.gov"],
};

/** Returns the URL of DynamoDB in a region, from the variables that the SDK reads. */
export function resolveEndpoint(region: string, env: NodeJS.ProcessEnv): string {
  const configured = env.AWS_ENDPOINT_URL_DYNAMODB || env.AWS_ENDPOINT_URL;
  if (configured) return configured;
  const prefix = Object.keys(DOMAINS).find((start) => region.startsWith(start)) ?? "";
  const [plain, dualStack] = DOMAINS[prefix] ?? AWS_DOMAINS;
  const isDualStack = env.AWS_USE_DUALSTACK_ENDPOINT === "true";
  // The plain endpoints of GovCloud comply with FIPS.
  const isFipsName = env.AWS_USE_FIPS_ENDPOINT === "true" && (isDualStack || !region.startsWith("us-gov-"));
  return `https://dynamodb${isFipsName ? "-fips" : ""}.${region}.${isDualStack ? dualStack : plain}`;
}
