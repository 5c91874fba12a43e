import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dynamodbErrors } from "./sdk-errors.ts";

const SMITHY = "./node_modules/@smithy/core/dist-es/submodules";
const JWT_VERIFY = "./node_modules/aws-jwt-verify/dist/esm";
/** The list of AWS's regions by partition. */
export const PARTITIONS = "./node_modules/@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partitions.js";
const DYNAMODB = "./node_modules/@aws-sdk/client-dynamodb/package.json";

/**
 * Files inside SDK packages that never run in a Lambda, or of which little does, and which no alias reaches: path from the
 * repository's root -> the code the bundle holds in its place. A path that the SDK no longer has costs bytes and nothing
 * else.
 */
export const REPLACED: ReadonlyMap<string, string> = new Map([
  // SHA-256 for a Node without OpenSSL.
  [`${SMITHY}/checksum/sha256/Sha256Js.js`, "export const Sha256Js = undefined;"],
  // Asked for by AWS_RETRY_MODE=adaptive, which the stack does not set.
  [
    `${SMITHY}/retry/util-retry/AdaptiveRetryStrategy.js`,
    'export class AdaptiveRetryStrategy { constructor() { throw new Error("adaptive retries are left out"); } }',
  ],
  // A Lambda has no ~/.aws; without this every start looks for it.
  [
    `${SMITHY}/config/shared-ini-file-loader/loadSharedConfigFiles.js`,
    "export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });",
  ],
  // A Lambda has its region in the environment, and no instance to ask.
  [
    `${SMITHY}/config/config-resolver/regionConfig/getInstanceMetadataRegion.js`,
    "export const getInstanceMetadataRegion = async () => undefined;",
  ],
  // Keys are handed to aws-jwt-verify; it fetches nothing itself.
  [`${JWT_VERIFY}/https.js`, "export class SimpleFetcher {} export const fetch = undefined;"],
  [`${JWT_VERIFY}/https-node.js`, "export const fetch = undefined;"],
  // The names of all regions are there to be shown; what an endpoint is made of is found by the region's form.
  [PARTITIONS, withoutRegions(textOf(PARTITIONS))],
  ...dynamodbErrors(),
  // All that is read of it, for the header User-Agent.
  [DYNAMODB, JSON.stringify({ version: versionIn(DYNAMODB) })],
]);

function versionIn(manifest: string): unknown {
  return JSON.parse(textOf(manifest)).version;
}

/** The code of a JSON module with all that its members `regions` hold left out. */
function withoutRegions(code: string): string {
  const [, name, json] = /^(export const \w+ = )(.*);\s*$/s.exec(code) ?? [];
  if (name === undefined || json === undefined) return code;
  return `${name}${JSON.stringify(JSON.parse(json), (key, value) => (key === "regions" ? {} : value))};`;
}

function textOf(path: string): string {
  return readFileSync(join(import.meta.dirname, "..", path), "utf8");
}
