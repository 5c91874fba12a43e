import { type Action, canKeepAnswer, isWrite } from "../actions/contract/action.ts";
import {
  addressesModel,
  type Descriptor,
  describeAction,
  formatRuleSentence,
  type ParameterDescriptor,
} from "../actions/describe/describe.ts";
import type { JsonObject } from "../actions/describe/json-schema.ts";
import type { ProblemResponses, SchemaRegistry } from "./openapi-components.ts";
import { toControlRef, toHeaderRef } from "./openapi-headers.ts";
import { NDJSON } from "./read-call.ts";

/** The parts that the operations of a document share, and the `operationId` of this action. */
export interface OperationContext {
  readonly id: string;
  readonly problems: ProblemResponses;
  readonly schemas: SchemaRegistry;
}

/** The operations of one action's path: POST always, GET for what changes nothing. */
export function createPathItem(action: Action, context: OperationContext): JsonObject {
  const d = describeAction(action);
  const isSafe = action.intent === "read" || action.safe === true;
  const { id } = context;
  return {
    ...(isSafe && { get: createGetOperation(action, d, context) }),
    // Where there is a GET, its parameters are arguments of their own, so that it is what clients reach for.
    post: createPostOperation(action, d, isSafe ? `${id}ByPost` : id, context),
  };
}

function createPostOperation(
  action: Action,
  d: Descriptor,
  operationId: string,
  context: OperationContext,
): JsonObject {
  return {
    operationId,
    ...createSharedMembers(d),
    parameters: listControls(action),
    ...(d.parameters.length > 0 && { requestBody: createRequestBody(d, context) }),
    responses: createResponses(action, d, context),
  };
}

function createRequestBody(d: Descriptor, { id, schemas }: OperationContext): JsonObject {
  const schema = schemas.refer(createPayloadSchema(d), toTypeName(id, "Input"));
  return {
    required: d.parameters.some((p) => p.required),
    description: "The action's parameters.",
    content: { "application/json": { schema, example: d.example } },
  };
}

function createGetOperation(action: Action, d: Descriptor, context: OperationContext): JsonObject {
  return {
    operationId: context.id,
    ...createSharedMembers(d),
    parameters: [...d.parameters.map((p) => createQueryParameter(p, d.example)), ...listControls(action)],
    responses: createResponses(action, d, context),
  };
}

function createSharedMembers(d: Descriptor): JsonObject {
  return {
    tags: [d.group],
    summary: d.title,
    description: `${d.description}\n\n${formatRuleSentence(d)}`,
    security: d.rule === "public" ? [] : [{ bearer: [] }],
    "x-intent": d.intent,
  };
}

function createPayloadSchema(d: Descriptor): JsonObject {
  const required = d.parameters.filter((p) => p.required).map((p) => p.name);
  return {
    type: "object",
    properties: Object.fromEntries(d.parameters.map((p) => [p.name, createPropertySchema(p)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The schema of a parameter; value type and aliases, which JSON Schema has no words for, are members that begin with `x-`. */
function createPropertySchema({ schema, type, aliases }: ParameterDescriptor): JsonObject {
  return { ...schema, "x-type": type, ...(aliases.length > 0 && { "x-aliases": aliases }) };
}

/** Lists and objects stand in a query string as JSON text. */
function createQueryParameter(p: ParameterDescriptor, example: JsonObject): JsonObject {
  const isText = p.jsonType === "array" || p.jsonType === "object" || p.jsonType === "any";
  const { description, title: _, ...schema } = p.schema;
  const sample = example[p.name];
  return {
    name: p.name,
    in: "query",
    required: p.required,
    description: isText ? `${description} As JSON text.` : description,
    schema: isText ? { ...JSON_TEXT, ...(p.required && p.jsonType !== "any" && { minLength: 1 }) } : schema,
    ...(sample !== undefined && { example: isText ? JSON.stringify(sample) : sample }),
  };
}

const JSON_TEXT = { type: "string", contentMediaType: "application/json" };

function listControls(action: Action): readonly JsonObject[] {
  const onModel = addressesModel(action);
  return [
    ...(isWrite(action) ? listIfMatch(action) : []),
    ...(isWrite(action) ? [toControlRef("dryRun")] : []),
    ...(canKeepAnswer(action) ? [toControlRef("idempotencyKey")] : []),
    ...(onModel && !isWrite(action) ? [toControlRef("ifNoneMatch")] : []),
    toControlRef("requestId"),
  ];
}

/** The control header `If-Match` of an operation; a write that begins a model has no revision to name. */
function listIfMatch(action: Action): readonly JsonObject[] {
  if (action.manyModels) return [toControlRef("ifMatchOfEach")];
  const ledger = (action.target ?? action.within)?.ledger ?? action.ledger;
  return ledger === undefined ? [] : [toControlRef(IF_MATCH[ledger])];
}

const IF_MATCH = { model: "ifMatch", tags: "ifMatchOfTags", identity: "ifMatchOfIdentity" } as const;

function createResponses(action: Action, d: Descriptor, { id, problems, schemas }: OperationContext): JsonObject {
  const concernsModel = addressesModel(action) || isWrite(action);
  const isList = d.parameters.some((p) => p.type === "Cursor");
  const requestId = { "X-Request-Id": toHeaderRef("requestId") };
  const etag = concernsModel && { ETag: toHeaderRef("etag") };
  return {
    200: {
      description: d.output.description + (action.output.rows ? ROWS : ""),
      headers: {
        ...requestId,
        ...etag,
        ...(isList && { Link: toHeaderRef("link") }),
        ...(canKeepAnswer(action) && { "Idempotency-Replayed": toHeaderRef("replayed") }),
      },
      content: { [d.output.mediaType]: { schema: schemas.refer(d.output.schema, toTypeName(id, "Answer")) } },
    },
    ...(action.mayBecomeJob && { 202: createAcceptedResponse(requestId, schemas) }),
    ...(addressesModel(action) &&
      !isWrite(action) && {
        304: { description: "The model has not moved.", headers: { ...requestId, ...etag } },
      }),
    ...problems.refer(d.errors),
  };
}

/** A second media type would make every list one of two types in the clients made from the document. */
const ROWS = ` With \`Accept: ${NDJSON}\` every row as JSON on a line of its own.`;

const ACCEPTED: JsonObject = {
  title: "Accepted",
  type: "object",
  properties: {
    status: { type: "string", enum: ["accepted"] },
    job: { type: "string", description: "Ref of the job, for batch/job_get." },
  },
  required: ["status", "job"],
};

/** The answer of a call whose work does not fit it. */
function createAcceptedResponse(headers: JsonObject, schemas: SchemaRegistry): JsonObject {
  return {
    description: "Too large for one call: accepted as a job.",
    headers,
    content: { "application/json": { schema: schemas.refer(ACCEPTED) } },
  };
}

/** Words that some language keeps for itself, so that a generated function cannot be called so. */
const RESERVED = new Set(
  "abstract and any as assert async await base bool boolean break byte case catch chan char class const continue debugger def default defer delete do double elif else enum event except export extends false final finally float for from func function global go goto if implements import in init instanceof int interface internal is lambda let lock long map match module namespace native new nil none not null object operator or out override package params pass private protected public raise range record ref return select self short signed static string struct super switch synchronized this throw throws transient true try type typeof union unsigned using var void volatile where while with yield".split(
    " ",
  ),
);

/**
 * The `operationId` of each action: its name as one word, `entityCreate`. The group stands in front where the name is a
 * reserved word or another group has it too: `modelImport`.
 */
export function createOperationIds(actions: readonly Action[]): ReadonlyMap<Action, string> {
  const named = Map.groupBy(actions, ({ name }) => name);
  return new Map(
    actions.map((action) => {
      const { group, name } = action;
      const isAmbiguous = RESERVED.has(name) || (named.get(name)?.length ?? 0) > 1;
      return [action, toCamelCase(isAmbiguous ? `${group}_${name}` : name)];
    }),
  );
}

function toCamelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The name of a type that belongs to an operation: `EntityCreateInput`. */
function toTypeName(operationId: string, suffix: "Input" | "Answer"): string {
  return operationId.charAt(0).toUpperCase() + operationId.slice(1) + suffix;
}
