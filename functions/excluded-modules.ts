import { readFileSync } from "node:fs";
import { join } from "node:path";

const SMITHY = "./node_modules/@smithy/core/dist-es/submodules";
const JWT_VERIFY = "./node_modules/aws-jwt-verify/dist/esm";
const DYNAMODB = "./node_modules/@aws-sdk/client-dynamodb/package.json";

/**
 * Files inside SDK packages that never run in a Lambda, which no alias reaches: path from the repository's root -> the
 * code the bundle holds in its place. A path that the SDK no longer has costs bytes and nothing else.
 */
export const EXCLUDED: ReadonlyMap<string, string> = new Map([
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
  // All that is read of it, for the header User-Agent.
  [DYNAMODB, JSON.stringify({ version: versionIn(DYNAMODB) })],
]);

function versionIn(manifest: string): unknown {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "..", manifest), "utf8"));
  return version;
}
