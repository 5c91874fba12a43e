import { type Action, canKeepAnswer, isSafe, isWrite } from "../actions/contract/action.ts";
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

/** The collections that all operations share, and the `operationId` of one action. */
export interface OperationContext {
  readonly id: string;
  readonly problems: ProblemResponses;
  readonly schemas: SchemaRegistry;
}

/** Returns the operations of an action: always POST, and GET if it changes nothing. */
export function createPathItem(action: Action, context: OperationContext): JsonObject {
  const d = describeAction(action);
  const { id, schemas } = context;
  const controls = listControls(action);
  const createOperation = (operationId: string, parameters: readonly JsonObject[], body: JsonObject = {}) => ({
    operationId,
    tags: [d.group],
    summary: d.title,
    description: `${d.description}\n\n${formatRuleSentence(d)}`,
    security: d.rule === "public" ? [] : [{ bearer: [] }],
    "x-intent": d.intent,
    parameters,
    ...body,
    responses: createResponses(action, d, context),
  });
  const queryParameters = d.parameters.map((p) => createQueryParameter(p, d.example));
  const get = isSafe(action) && createOperation(id, [...queryParameters, ...controls]);
  const requestBody = d.parameters.length > 0 && {
    required: d.parameters.some((p) => p.required),
    description: "The action's parameters.",
    content: {
      "application/json": {
        schema: schemas.refer(createPayloadSchema(d), toTypeName(id, "Input")),
        example: d.example,
      },
    },
  };
  // GET has separate arguments for its parameters, so it gets the better name in generated clients.
  const post = createOperation(isSafe(action) ? `${id}ByPost` : id, controls, requestBody ? { requestBody } : {});
  return { ...(get && { get }), post };
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

/** Returns the schema of a parameter. Members that JSON Schema does not define begin with `x-`. */
function createPropertySchema({ schema, type, aliases }: ParameterDescriptor): JsonObject {
  return { ...schema, "x-type": type, ...(aliases.length > 0 && { "x-aliases": aliases }) };
}

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
    // Last, because generated clients may pass parameters by their position.
    ...(isWrite(action) ? [toControlRef("run")] : []),
  ];
}

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
        304: { description: "The model has not changed.", headers: { ...requestId, ...etag } },
      }),
    ...problems.refer(d.errors),
  };
}

/** Text, because a second media type would give generated clients two types for every list. */
const ROWS = ` With \`Accept: ${NDJSON}\` each row is JSON on a separate line.`;

const ACCEPTED: JsonObject = {
  title: "Accepted",
  type: "object",
  properties: {
    status: { type: "string", enum: ["accepted"] },
    job: { type: "string", description: "Ref of the job, for batch/job_get." },
  },
  required: ["status", "job"],
};

function createAcceptedResponse(headers: JsonObject, schemas: SchemaRegistry): JsonObject {
  return {
    description: "Too large for one call: accepted as a job.",
    headers: {
      ...headers,
      Location: toHeaderRef("location"),
      Link: toHeaderRef("status"),
      "Retry-After": toHeaderRef("retryAfter"),
    },
    content: { "application/json": { schema: schemas.refer(ACCEPTED) } },
  };
}

/** Reserved words of programming languages, unusable as function names. */
const RESERVED = new Set(
  "abstract and any as assert async await base bool boolean break byte case catch chan char class const continue debugger def default defer delete do double elif else enum event except export extends false final finally float for from func function global go goto if implements import in init instanceof int interface internal is lambda let lock long map match module namespace native new nil none not null object operator or out override package params pass private protected public raise range record ref return select self short signed static string struct super switch synchronized this throw throws transient true try type typeof union unsigned using var void volatile where while with yield".split(
    " ",
  ),
);

/** Returns operation ids: names in camel case, with the group if needed. */
export function createOperationIds(actions: readonly Action[]): ReadonlyMap<Action, string> {
  const byName = Map.groupBy(actions, ({ name }) => name);
  return new Map(
    actions.map((action) => {
      const { group, name } = action;
      const isAmbiguous = RESERVED.has(name) || (byName.get(name)?.length ?? 0) > 1;
      return [action, toCamelCase(isAmbiguous ? `${group}_${name}` : name)];
    }),
  );
}

function toCamelCase(name: string) {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function toTypeName(operationId: string, suffix: "Input" | "Answer") {
  return operationId.charAt(0).toUpperCase() + operationId.slice(1) + suffix;
}
