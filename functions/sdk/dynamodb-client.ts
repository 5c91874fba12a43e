import type { DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { fromEnv } from "@aws-sdk/credential-provider-env";
import { DynamoDBJsonCodec2 } from "@aws-sdk/dynamodb-codec";
import { Sha256 } from "@smithy/core/checksum";
import { calculateBodyLength, fromBase64, fromUtf8, toBase64, toUtf8 } from "@smithy/core/serde";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { SignatureV4 } from "@smithy/signature-v4";
import { collect } from "./collect.ts";
import { endpointOf } from "./endpoint.ts";
import {
  AwsJson1_0Protocol,
  AwsSdkSigV4Signer,
  errorTypeRegistries,
  loadConfig,
  manifest,
  NODE_REGION_CONFIG_FILE_OPTIONS,
  NODE_REGION_CONFIG_OPTIONS,
  type OperationSchema,
} from "./internals.js";

/** The options of one request. */
export interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

const USER_AGENT = `aws-sdk-js/${manifest.version} lang/js api/dynamodb#${manifest.version}`;
const SERDE = {
  base64Decoder: fromBase64,
  base64Encoder: toBase64,
  disableHostPrefix: false,
  streamCollector: collect,
  utf8Decoder: fromUtf8,
  utf8Encoder: toUtf8,
};
const signer = new AwsSdkSigV4Signer();

/**
 * For `DynamoDBClient` of `@aws-sdk/client-dynamodb`: sends a request once, with the SDK's own schemas, protocol, signature and
 * HTTP handler, but without its stack of middleware, which takes longer at a cold start than all of them.
 */
export class DynamoDBClient {
  readonly #protocol = new AwsJson1_0Protocol({
    defaultNamespace: "com.amazonaws.dynamodb",
    errorTypeRegistries,
    serviceTarget: "DynamoDB_20120810",
    jsonCodec: new DynamoDBJsonCodec2(),
  });
  readonly #http: NodeHttpHandler;
  readonly #configuration: DynamoDBClientConfig;
  #connection: ReturnType<typeof connect> | undefined;

  constructor(configuration: DynamoDBClientConfig) {
    if (configuration.maxAttempts !== 1) throw new Error("the bundled client sends every request once");
    this.#configuration = configuration;
    this.#http = new NodeHttpHandler(configuration.requestHandler as object);
    this.#protocol.setSerdeContext(SERDE);
  }

  /** Sends one request; answers the output, with the values in DynamoDB's form, or throws the SDK's error. */
  async run([, namespace, name, traits, input, output]: OperationSchema, given: object, options: SendOptions) {
    this.#connection ??= connect(this.#configuration);
    const { endpoint, signing } = await this.#connection;
    const operation = { namespace, name, traits, input, output };
    const context = { ...SERDE, endpoint: async () => endpoint };
    const request = await this.#protocol.serializeRequest(operation, given, context);
    request.headers.host = endpoint.port === undefined ? endpoint.hostname : `${endpoint.hostname}:${endpoint.port}`;
    request.headers["content-length"] = String(calculateBodyLength(request.body));
    request.headers["user-agent"] = USER_AGENT;
    const properties = { config: signing, context: {} };
    const signed = await signer.sign(request, undefined, properties);
    try {
      const { response } = await this.#http.handle(signed as never, options);
      const answered = await this.#protocol
        .deserializeResponse(operation, context, response as never)
        .catch((error: unknown) => refused(error, response));
      signer.successHandler(response as never, properties);
      return answered;
    } catch (error) {
      return signer.errorHandler(properties)(error);
    }
  }
}

/** Throws an error of the SDK with the answer it was read from, hidden as the SDK hides it, and the one attempt it took. */
function refused(error: unknown, response: object): never {
  if (error instanceof Error) {
    Object.defineProperty(error, "$response", { value: response, enumerable: false });
    if ("$metadata" in error) Object.assign(error.$metadata as object, { attempts: 1, totalRetryDelay: 0 });
  }
  throw error;
}

/** The endpoint, and the settings that requests are signed with: they stay as they are as long as the process lives. */
async function connect(configuration: DynamoDBClientConfig) {
  const region =
    typeof configuration.region === "string"
      ? configuration.region
      : await loadConfig(NODE_REGION_CONFIG_OPTIONS, NODE_REGION_CONFIG_FILE_OPTIONS)();
  const credentials = (configuration.credentials as undefined) ?? fromEnv();
  const signature = new SignatureV4({ credentials, region, service: "dynamodb", sha256: Sha256, uriEscapePath: true });
  return {
    endpoint: await endpointOf(region, configuration.endpoint as string | undefined),
    signing: {
      signer: async () => signature,
      systemClockOffset: 0,
      disableClockSkewCorrection: async () => false,
    },
  };
}
