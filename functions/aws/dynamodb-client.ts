// Replaces `@aws-sdk/client-dynamodb` and `@aws-sdk/lib-dynamodb` in the Lambda bundles.
import { createHash, randomUUID } from "node:crypto";
import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, type RequestOptions, request as requestHttps } from "node:https";
import type { AttributeValue, DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { marshall, type marshallOptions, unmarshall } from "@aws-sdk/util-dynamodb";
import { type Credentials, sign } from "aws4";

type Json = Record<string, unknown>;
type Attributes = Record<string, AttributeValue>;
type TranslateConfig = { readonly marshallOptions?: marshallOptions };
type Timeouts = { readonly connectionTimeout?: number; readonly requestTimeout?: number };
type SendOptions = { readonly abortSignal?: AbortSignal };

const ITEM: unique symbol = Symbol("attributes");
type AttributePaths = typeof ITEM | { readonly [member: string]: AttributePaths };

function defineCommand(operation: string, inputPaths: AttributePaths, outputPaths: AttributePaths = {}) {
  return class {
    readonly operation = operation;
    readonly inputPaths = inputPaths;
    readonly outputPaths = outputPaths;
    readonly input: Json;

    constructor(input: Json) {
      this.input = input;
    }
  };
}

const CONDITION = { ExpressionAttributeValues: ITEM } as const;
const PUT = { Item: ITEM, ...CONDITION } as const;
const DELETE = { Key: ITEM, ...CONDITION } as const;
const KEYS = { "*": { Keys: { "*": ITEM } } } as const;
const REQUESTS = { "*": { "*": { PutRequest: { Item: ITEM }, DeleteRequest: { Key: ITEM } } } } as const;
const UNPROCESSED = { UnprocessedItems: REQUESTS } as const;
const GETS = { "*": { Get: { Key: ITEM } } } as const;
const WRITES = { "*": { Put: PUT, Delete: DELETE, ConditionCheck: DELETE } } as const;
const ITEMS = { "*": { Item: ITEM } } as const;
const PAGE = { Items: { "*": ITEM }, LastEvaluatedKey: ITEM } as const;
const KEYS_FOUND = { Responses: { "*": { "*": ITEM } }, UnprocessedKeys: KEYS } as const;

export const GetCommand = defineCommand("GetItem", { Key: ITEM }, { Item: ITEM });
export const BatchGetCommand = defineCommand("BatchGetItem", { RequestItems: KEYS }, KEYS_FOUND);
export const QueryCommand = defineCommand("Query", { ExclusiveStartKey: ITEM, ...CONDITION }, PAGE);
export const TransactGetCommand = defineCommand("TransactGetItems", { TransactItems: GETS }, { Responses: ITEMS });
export const PutCommand = defineCommand("PutItem", PUT);
export const DeleteCommand = defineCommand("DeleteItem", DELETE);
export const BatchWriteCommand = defineCommand("BatchWriteItem", { RequestItems: REQUESTS }, UNPROCESSED);
export const TransactWriteCommand = defineCommand("TransactWriteItems", { TransactItems: WRITES });
type Command = InstanceType<ReturnType<typeof defineCommand>>;

function convertAttributes(value: unknown, paths: AttributePaths, convert: (attributes: Json) => Json): unknown {
  if (value === undefined || value === null) return value;
  if (paths === ITEM) return convert(value as Json);
  const all = paths["*"];
  if (Array.isArray(value)) return all ? value.map((entry) => convertAttributes(entry, all, convert)) : value;
  const convertMember = ([name, member]: readonly [string, unknown]): readonly [string, unknown] => {
    const path = all ?? paths[name];
    return [name, path === undefined ? member : convertAttributes(member, path, convert)];
  };
  return Object.fromEntries(Object.entries(value).map(convertMember));
}

function decodeAttributes(attributes: object): Attributes {
  for (const value of Object.values(attributes)) {
    if (typeof value.B === "string") value.B = decodeBase64(value.B);
    else if (value.BS) value.BS = value.BS.map(decodeBase64);
    else if (value.M ?? value.L) decodeAttributes(value.M ?? value.L);
  }
  return attributes as Attributes;
}

const decodeBase64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64"));

/** Replaces binary values by Base64 in `JSON.stringify`. Reads `this`, because a `Buffer` has a `toJSON`. */
function encodeBinary(this: Json, name: string, value: unknown): unknown {
  const original = this[name];
  return original instanceof Uint8Array ? Buffer.from(original).toString("base64") : value;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
}

class DynamoDBServiceException extends Error {
  readonly $fault: "client" | "server";
  readonly $metadata: object;

  constructor(name: string, { status, headers, body: { message, Message, ...members } }: Answer) {
    super(String(message ?? Message ?? "UnknownError"));
    this.name = name;
    this.$fault = status < 500 ? "client" : "server";
    this.$metadata = {
      httpStatusCode: status,
      requestId: headers["x-amzn-requestid"] ?? headers["x-amzn-request-id"] ?? headers["x-amz-request-id"],
      extendedRequestId: headers["x-amz-id-2"],
      cfId: headers["x-amz-cf-id"],
      attempts: 1,
      totalRetryDelay: 0,
    };
    Object.assign(this, members);
  }
}

/** A cancelled transaction, with one reason for each of its items. */
export class TransactionCanceledException extends DynamoDBServiceException {}

function createError(answer: Answer): Error {
  const { headers, body } = answer;
  const code = String(body.__type ?? body.code ?? body.Code ?? headers["x-amzn-errortype"] ?? "Unknown");
  const name = code.replace(/[,:].*$/, "").replace(/^.*#/, "");
  if (name !== "TransactionCanceledException") return new DynamoDBServiceException(name, answer);
  const reasons = (body.CancellationReasons ?? []) as readonly { readonly Item?: Attributes }[];
  for (const { Item } of reasons) decodeAttributes(Item ?? {});
  return new TransactionCanceledException(name, answer);
}

/** Client of DynamoDB. It sends every request once. */
export class DynamoDBClient {
  readonly #config: DynamoDBClientConfig;
  #connection: ReturnType<typeof connect> | undefined;
  /** Milliseconds that the clock of DynamoDB is ahead of the clock of this machine. */
  #clockOffset = 0;

  constructor(config: DynamoDBClientConfig) {
    if (config.maxAttempts !== 1) throw new Error("Set `maxAttempts` to 1: the bundled client sends requests once.");
    this.#config = config;
  }

  async request(operation: string, input: Json, signal?: AbortSignal): Promise<Json> {
    this.#connection ??= connect(this.#config);
    const { url, region, credentials, agent } = this.#connection;
    const token = operation === "TransactWriteItems" ? { ClientRequestToken: randomUUID() } : {};
    const body = JSON.stringify({ ...input, ...token }, encodeBinary);
    const headers = {
      host: url.host,
      "content-type": "application/x-amz-json-1.0",
      "content-length": Buffer.byteLength(body),
      "x-amz-target": `DynamoDB_20120810.${operation}`,
      "x-amz-date": new Date(Date.now() + this.#clockOffset).toISOString().replace(/[:-]|\.\d{3}/g, ""),
      "x-amz-content-sha256": createHash("sha256").update(body).digest("hex"),
    };
    const target = { method: "POST", path: url.pathname.replace(/\/?$/, "/") };
    const request = sign({ ...target, headers, body, service: "dynamodb", region }, credentials);
    const options = { ...target, headers: request.headers, agent, ...(signal && { signal }) };
    const answer = await sendRequest(url, options, body, (this.#config.requestHandler ?? {}) as Timeouts);
    const { date, age } = answer.headers;
    if (date !== undefined && age === undefined) this.#clockOffset = (Date.parse(date) || Date.now()) - Date.now();
    if (answer.status >= 300) throw createError(answer);
    return answer.body;
  }
}

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
  if (env.AWS_ENDPOINT_URL_DYNAMODB) return env.AWS_ENDPOINT_URL_DYNAMODB;
  if (env.AWS_ENDPOINT_URL) return env.AWS_ENDPOINT_URL;
  const [, [plain, dualStack] = AWS_DOMAINS] =
    Object.entries(DOMAINS).find(([start]) => region.startsWith(start)) ?? [];
  const isDualStack = env.AWS_USE_DUALSTACK_ENDPOINT === "true";
  // The plain endpoints of GovCloud comply with FIPS.
  const isFipsName = env.AWS_USE_FIPS_ENDPOINT === "true" && (isDualStack || !region.startsWith("us-gov-"));
  return `https://dynamodb${isFipsName ? "-fips" : ""}.${region}.${isDualStack ? dualStack : plain}`;
}

function connect({ region: setting, endpoint, credentials }: DynamoDBClientConfig) {
  const region = (setting ?? process.env.AWS_REGION) as string | undefined;
  if (!region) throw new Error("Region is missing");
  const url = new URL((endpoint as string | undefined) ?? resolveEndpoint(region, process.env));
  const agentOptions = { keepAlive: true, maxSockets: 50 };
  return {
    url,
    region,
    // Without credentials, the signer reads those of the function's role from the environment.
    credentials: credentials as Credentials | undefined,
    agent: url.protocol === "https:" ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions),
  };
}

/** Sends a request and reads its answer. Throws the error of the socket, an `AbortError` or a `TimeoutError`. */
function sendRequest(url: URL, options: RequestOptions, body: string, timeouts: Timeouts): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, options);
    const giveUp = (name: string, text: string) => {
      reject(Object.assign(new Error(text), { name }));
      request.destroy();
    };
    const abort = () => giveUp("AbortError", "Request aborted");
    const giveUpAfter = (ms = 0) =>
      ms > 0 ? setTimeout(giveUp, ms, "TimeoutError", `No answer from DynamoDB within ${ms} ms`) : undefined;
    const connecting = giveUpAfter(timeouts.connectionTimeout);
    const answering = giveUpAfter(timeouts.requestTimeout);
    options.signal?.addEventListener("abort", abort);
    request.on("socket", (socket) => {
      if (socket.connecting) socket.once("connect", () => clearTimeout(connecting));
      else clearTimeout(connecting);
    });
    request.on("close", () => {
      clearTimeout(connecting);
      clearTimeout(answering);
      options.signal?.removeEventListener("abort", abort);
    });
    request.on("error", reject);
    request.on("response", (response) => readAnswer(response).then(resolve, reject));
    if (options.signal?.aborted) abort();
    else request.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const { statusCode: status = 0, headers } = response;
  return { status, headers, body: JSON.parse(Buffer.concat(chunks).toString() || "{}") };
}

/** Creates clients whose commands take and return plain JavaScript values. */
export const DynamoDBDocumentClient = {
  from: (client: DynamoDBClient, { marshallOptions }: TranslateConfig = {}) => ({
    send: async ({ operation, input, inputPaths, outputPaths }: Command, { abortSignal }: SendOptions = {}) => {
      const payload = convertAttributes(input, inputPaths, (item) => marshall(item, marshallOptions)) as Json;
      const output = await client.request(operation, payload, abortSignal);
      return convertAttributes(output, outputPaths, (item) => unmarshall(decodeAttributes(item)));
    },
  }),
};
