import { type Action, isWrite, keepsAnswers } from "../actions/contract/action.ts";
import {
  addressesModel,
  type Descriptor,
  describeAction,
  type ParameterDescriptor,
  ruleSentence,
} from "../actions/describe/describe.ts";
import type { JsonObject } from "../actions/describe/json-schema.ts";
import type { NamedSchemas, ProblemResponses } from "./openapi-components.ts";
import { controlRef, headerRef } from "./openapi-headers.ts";
import { NDJSON } from "./read-call.ts";

/** The parts that the operations of a document share, and the `operationId` of this action. */
export interface OperationContext {
  readonly id: string;
  readonly problems: ProblemResponses;
  readonly schemas: NamedSchemas;
}

/** The operations of one action's path: POST always, GET for what changes nothing. */
export function pathItem(action: Action, context: OperationContext): JsonObject {
  const d = describeAction(action);
  const isSafe = action.intent === "read" || action.safe === true;
  const { id } = context;
  return {
    ...(isSafe && { get: getOperation(action, d, context) }),
    // Where there is a GET, its parameters are arguments of their own, so that it is what clients reach for.
    post: postOperation(action, d, isSafe ? `${id}ByPost` : id, context),
  };
}

function postOperation(action: Action, d: Descriptor, operationId: string, context: OperationContext): JsonObject {
  return {
    operationId,
    ...shared(d),
    parameters: controls(action),
    ...(d.parameters.length > 0 && { requestBody: requestBody(d, context) }),
    responses: responses(action, d, context),
  };
}

function requestBody(d: Descriptor, { id, schemas }: OperationContext): JsonObject {
  const schema = schemas.refer(payloadSchema(d), typeName(id, "Input"));
  return {
    required: d.parameters.some((p) => p.required),
    description: "The action's parameters.",
    content: { "application/json": { schema, example: d.example } },
  };
}

function getOperation(action: Action, d: Descriptor, context: OperationContext): JsonObject {
  return {
    operationId: context.id,
    ...shared(d),
    parameters: [...d.parameters.map((p) => queryParameter(p, d.example)), ...controls(action)],
    responses: responses(action, d, context),
  };
}

function shared(d: Descriptor): JsonObject {
  return {
    tags: [d.group],
    summary: d.title,
    description: `${d.description}\n\n${ruleSentence(d)}`,
    security: d.rule === "public" ? [] : [{ bearer: [] }],
    "x-intent": d.intent,
  };
}

function payloadSchema(d: Descriptor): JsonObject {
  const required = d.parameters.filter((p) => p.required).map((p) => p.name);
  return {
    type: "object",
    properties: Object.fromEntries(d.parameters.map((p) => [p.name, propertySchema(p)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The schema of a parameter; value type and aliases, which JSON Schema has no words for, are members that begin with `x-`. */
function propertySchema({ schema, type, aliases }: ParameterDescriptor): JsonObject {
  return { ...schema, "x-type": type, ...(aliases.length > 0 && { "x-aliases": aliases }) };
}

/** Lists and objects stand in a query string as JSON text. */
function queryParameter(p: ParameterDescriptor, example: JsonObject): JsonObject {
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

function controls(action: Action): readonly JsonObject[] {
  const onModel = addressesModel(action);
  return [
    ...(isWrite(action) ? ifMatchOf(action) : []),
    ...(isWrite(action) ? [controlRef("dryRun")] : []),
    ...(keepsAnswers(action) ? [controlRef("idempotencyKey")] : []),
    ...(onModel && !isWrite(action) ? [controlRef("ifNoneMatch")] : []),
    controlRef("requestId"),
  ];
}

/** The control header `If-Match` of an operation; a write that begins a model has no revision to name. */
function ifMatchOf(action: Action): readonly JsonObject[] {
  if (action.manyModels) return [controlRef("ifMatchOfEach")];
  const ledger = (action.target ?? action.within)?.ledger ?? action.ledger;
  return ledger === undefined ? [] : [controlRef(IF_MATCH[ledger])];
}

const IF_MATCH = { model: "ifMatch", tags: "ifMatchOfTags", identity: "ifMatchOfIdentity" } as const;

function responses(action: Action, d: Descriptor, { id, problems, schemas }: OperationContext): JsonObject {
  const concernsModel = addressesModel(action) || isWrite(action);
  const isList = d.parameters.some((p) => p.type === "Cursor");
  const requestId = { "X-Request-Id": headerRef("requestId") };
  const etag = concernsModel && { ETag: headerRef("etag") };
  return {
    200: {
      description: d.output.description + (action.output.rows ? ROWS : ""),
      headers: {
        ...requestId,
        ...etag,
        ...(isList && { Link: headerRef("link") }),
        ...(keepsAnswers(action) && { "Idempotency-Replayed": headerRef("replayed") }),
      },
      content: { [d.output.mediaType]: { schema: schemas.refer(d.output.schema, typeName(id, "Answer")) } },
    },
    ...(action.mayBecomeJob && { 202: accepted(requestId, schemas) }),
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
function accepted(headers: JsonObject, schemas: NamedSchemas): JsonObject {
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
export function operationIds(actions: readonly Action[]): ReadonlyMap<Action, string> {
  const named = Map.groupBy(actions, ({ name }) => name);
  return new Map(
    actions.map((action) => {
      const { group, name } = action;
      const isAmbiguous = RESERVED.has(name) || (named.get(name)?.length ?? 0) > 1;
      return [action, camelCase(isAmbiguous ? `${group}_${name}` : name)];
    }),
  );
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The name of a type that belongs to an operation: `EntityCreateInput`. */
function typeName(operationId: string, suffix: "Input" | "Answer"): string {
  return operationId.charAt(0).toUpperCase() + operationId.slice(1) + suffix;
}
