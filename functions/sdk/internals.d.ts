import type { HttpRequest, HttpResponse } from "@smithy/core/protocols";

/** The schema of an operation: a mark, then its namespace, name, traits, input and output. */
export type OperationSchema = readonly [
  mark: number,
  namespace: string,
  name: string,
  traits: unknown,
  input: unknown,
  output: unknown,
];
export const BatchGetItem$: OperationSchema;
export const BatchWriteItem$: OperationSchema;
export const DeleteItem$: OperationSchema;
export const GetItem$: OperationSchema;
export const PutItem$: OperationSchema;
export const Query$: OperationSchema;
export const TransactGetItems$: OperationSchema;
export const TransactWriteItems$: OperationSchema;
export const errorTypeRegistries: readonly unknown[];
export { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
export const manifest: { readonly version: string };

export function partition(region: string): { readonly dnsSuffix: string };

/** Signs requests, and learns from the answers how far the clock of the machine is off. */
export class AwsSdkSigV4Signer {
  sign(request: HttpRequest, identity: unknown, properties: SigningProperties): Promise<HttpRequest>;
  errorHandler(properties: SigningProperties): (error: unknown) => never;
  successHandler(response: HttpResponse, properties: SigningProperties): void;
}
export interface SigningProperties {
  readonly config: object;
  readonly context: object;
}

/** The protocol of DynamoDB. */
export class AwsJson1_0Protocol {
  constructor(settings: object);
  setSerdeContext(context: object): void;
  serializeRequest(operation: object, input: object, context: object): Promise<HttpRequest>;
  deserializeResponse(operation: object, context: object, response: HttpResponse): Promise<object>;
}

/** A tree of the members of an input or output that hold values. */
export type KeyNodes = { readonly [member: string]: KeyNodes };
export function marshallInput(input: object, nodes: KeyNodes, options: object): object;
export function unmarshallOutput(output: object, nodes: KeyNodes, options: object): object;

/** A setting and where it is looked for. */
interface ConfigOptions<T> {
  readonly default?: T | (() => T);
}
export const NODE_REGION_CONFIG_OPTIONS: ConfigOptions<string>;
export const NODE_REGION_CONFIG_FILE_OPTIONS: object;
export const NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS: ConfigOptions<boolean>;
export const NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS: ConfigOptions<boolean>;
export function loadConfig<T>(options: ConfigOptions<T>, configuration?: object): () => Promise<T>;
export function getEndpointFromConfig(serviceId: string): Promise<string | undefined>;
