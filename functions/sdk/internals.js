/*
 * Files inside packages of the SDK, each imported by itself: the packages' own indexes hold much that no function uses, and
 * the index of the client is replaced by this folder. Their types are in `internals.d.ts`.
 */
// biome-ignore lint/performance/noBarrelFile: it stands for the indexes of packages
export { TransactionCanceledException } from "../../node_modules/@aws-sdk/client-dynamodb/dist-es/models/errors.js";
export {
  BatchGetItem$,
  BatchWriteItem$,
  DeleteItem$,
  errorTypeRegistries,
  GetItem$,
  PutItem$,
  Query$,
  TransactGetItems$,
  TransactWriteItems$,
} from "../../node_modules/@aws-sdk/client-dynamodb/dist-es/schemas/schemas_0.js";
export { default as manifest } from "../../node_modules/@aws-sdk/client-dynamodb/package.json";
export { partition } from "../../node_modules/@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partition.js";
export { AwsSdkSigV4Signer } from "../../node_modules/@aws-sdk/core/dist-es/submodules/httpAuthSchemes/aws_sdk/AwsSdkSigV4Signer.js";
export { AwsJson1_0Protocol } from "../../node_modules/@aws-sdk/core/dist-es/submodules/protocols/json/AwsJson1_0Protocol.js";
export { marshallInput, unmarshallOutput } from "../../node_modules/@aws-sdk/lib-dynamodb/dist-es/commands/utils.js";
export { NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS } from "../../node_modules/@smithy/core/dist-es/submodules/config/config-resolver/endpointsConfig/NodeUseDualstackEndpointConfigOptions.js";
export { NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS } from "../../node_modules/@smithy/core/dist-es/submodules/config/config-resolver/endpointsConfig/NodeUseFipsEndpointConfigOptions.js";
export {
  NODE_REGION_CONFIG_FILE_OPTIONS,
  NODE_REGION_CONFIG_OPTIONS,
} from "../../node_modules/@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/config.js";
export { loadConfig } from "../../node_modules/@smithy/core/dist-es/submodules/config/node-config-provider/configLoader.js";
export { getEndpointFromConfig } from "../../node_modules/@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/adaptors/getEndpointFromConfig.js";
