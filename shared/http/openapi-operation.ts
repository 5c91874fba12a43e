import { keepsAnswers } from "../actions/check-controls.ts";
import { isWrite } from "../actions/controls.ts";
import type { Action } from "../actions/define-action.ts";
import { type Descriptor, describeAction, type ParameterDescriptor } from "../actions/describe.ts";
import { addressesModel } from "../actions/describe-errors.ts";
import type { JsonObject } from "../actions/json-schema.ts";
import { controlRef, headerRef } from "./openapi-headers.ts";
import type { ProblemResponses } from "./openapi-problems.ts";
import { NDJSON } from "./read-call.ts";

/** The operations of one action's path: POST always, GET where the action writes nothing and needs no secret. */
export function pathItem(action: Action, problems: ProblemResponses): JsonObject {
  const d = describeAction(action);
  const canGet = !isWrite(action) && !d.parameters.some((p) => p.secret && p.required);
  return {
    ...(canGet && { get: getOperation(action, d, problems) }),
    post: postOperation(action, d, problems),
  };
}

function postOperation(action: Action, d: Descriptor, problems: ProblemResponses): JsonObject {
  return {
    operationId: `${d.group}_${d.name}`,
    ...shared(d),
    parameters: controls(action),
    requestBody: {
      required: d.parameters.some((p) => p.required),
      description: d.parameters.length > 0 ? "The action's parameters." : "The action has no parameters.",
      content: { "application/json": { schema: payloadSchema(d), example: d.example } },
    },
    responses: responses(action, d, problems),
  };
}

function getOperation(action: Action, d: Descriptor, problems: ProblemResponses): JsonObject {
  return {
    operationId: `get_${d.group}_${d.name}`,
    ...shared(d),
    parameters: [
      ...d.parameters.filter((p) => !p.secret).map((p) => queryParameter(p, d.example)),
      ...controls(action),
    ],
    responses: responses(action, d, problems),
  };
}

function shared(d: Descriptor): JsonObject {
  return {
    tags: [d.group],
    summary: d.title,
    description: `${d.description}\n\nRule: \`${d.rule}\`.`,
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

/** What JSON Schema has no word for stands in members that begin with `x-`. */
function propertySchema({ schema, type, aliases }: ParameterDescriptor): JsonObject {
  return { ...schema, "x-type": type, ...(aliases.length > 0 && { "x-aliases": aliases }) };
}

/** Lists and objects stand in a query string as JSON text. */
function queryParameter(p: ParameterDescriptor, example: JsonObject): JsonObject {
  const isText = p.jsonType === "array" || p.jsonType === "object";
  const { description, ...schema } = p.schema;
  const sample = Object.hasOwn(example, p.name) ? { example: example[p.name] } : {};
  return {
    name: p.name,
    in: "query",
    required: p.required,
    description,
    ...(isText ? { content: { "application/json": { schema, ...sample } } } : { schema, ...sample }),
  };
}

function controls(action: Action): readonly JsonObject[] {
  const onModel = addressesModel(action);
  return [
    ...((onModel || action.manyModels) && isWrite(action) ? [controlRef("ifMatch")] : []),
    ...(isWrite(action) ? [controlRef("dryRun")] : []),
    ...(keepsAnswers(action) ? [controlRef("idempotencyKey")] : []),
    ...(onModel && !isWrite(action) ? [controlRef("ifNoneMatch")] : []),
    controlRef("requestId"),
  ];
}

function responses(action: Action, d: Descriptor, problems: ProblemResponses): JsonObject {
  const concernsModel = addressesModel(action) || isWrite(action);
  const isList = d.parameters.some((p) => p.type === "Cursor");
  const requestId = { "X-Request-Id": headerRef("requestId") };
  const etag = concernsModel && { ETag: headerRef("etag") };
  return {
    200: {
      description: d.output.description,
      headers: {
        ...requestId,
        ...etag,
        ...(isList && { Link: headerRef("link") }),
        ...(keepsAnswers(action) && { "Idempotency-Replayed": headerRef("replayed") }),
      },
      content: {
        [d.output.mediaType]: { schema: d.output.schema },
        ...(action.output.rows && { [NDJSON]: { schema: { type: "string", description: ROWS } } }),
      },
    },
    ...(action.mayBecomeJob && { 202: accepted(requestId) }),
    ...(addressesModel(action) &&
      !isWrite(action) && {
        304: { description: "The model has not moved.", headers: { ...requestId, ...etag } },
      }),
    ...problems.refer(d.errors),
  };
}

const ROWS = "Every row as JSON on a line of its own.";

/** The answer of a call whose work does not fit it. */
function accepted(headers: JsonObject): JsonObject {
  const job = { type: "string", description: "Ref of the job, for batch/job_get." };
  const properties = { status: { const: "accepted" }, job };
  return {
    description: "Too large for one call: accepted as a job.",
    headers,
    content: { "application/json": { schema: { type: "object", properties, required: ["status", "job"] } } },
  };
}
