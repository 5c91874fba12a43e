import type { JsonObject } from "../actions/describe/json-schema.ts";
import { PROBLEMS, type ProblemCode } from "../domain/problems.ts";
import { toHeaderRef } from "./openapi-headers.ts";

/** Collects the schemas of named objects, so that the document contains each only once. */
export interface SchemaRegistry {
  /** Replaces objects with a `title` by references; without one they are named `name`. Throws for a used name. */
  refer(schema: JsonObject, name?: string): JsonObject;
  components(): JsonObject;
}

/** Creates an empty registry of schemas. */
export function createSchemaRegistry(): SchemaRegistry {
  const schemas = new Map<string, JsonObject>();

  const refer = (schema: JsonObject, name?: string): JsonObject => {
    const title = schema.title ?? (schema.properties === undefined ? undefined : name);
    const inner = Object.fromEntries(
      Object.entries(schema).map(([member, value]) => [member, referMember(member, value)]),
    );
    return typeof title === "string" ? createReference(title, inner) : inner;
  };

  const referMember = (member: string, value: unknown): unknown => {
    if (member === "properties") return mapMembers(value as JsonObject, (one) => refer(one as JsonObject));
    if (member === "items" || member === "additionalProperties") return isSchema(value) ? refer(value) : value;
    if (member === "anyOf" || member === "oneOf") return (value as readonly JsonObject[]).map((one) => refer(one));
    return value;
  };

  const createReference = (name: string, { title: _, ...members }: JsonObject): JsonObject => {
    const positions = Object.entries(members).filter(([member]) => isPositionMember(member));
    const schema = Object.fromEntries(Object.entries(members).filter(([member]) => !isPositionMember(member)));
    const other = schemas.get(name);
    if (other && JSON.stringify(other) !== JSON.stringify(schema)) throw new Error(`Two schemas have the name ${name}`);
    schemas.set(name, schema);
    return { ...Object.fromEntries(positions), $ref: `#/components/schemas/${name}` };
  };

  return {
    refer,
    components: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Tests for members that describe the use of an object, not the object itself. */
function isPositionMember(member: string) {
  return member === "description" || member === "deprecated" || member.startsWith("x-");
}

function mapMembers(members: JsonObject, convert: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, convert(value)]));
}

function isSchema(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null;
}

/** The shared schema of every error (RFC 9457 with our members). */
const PROBLEM: JsonObject = {
  title: "Problem",
  type: "object",
  required: ["type", "title", "status", "detail", "instance", "code", "requestId", "retryable"],
  properties: {
    type: { type: "string", format: "uri", description: "urn:metaction:problem:<code>" },
    title: { type: "string", description: "The meaning of the code." },
    status: { type: "integer", minimum: 400, maximum: 599 },
    detail: { type: "string", description: "The fault of this call, and how to correct it." },
    instance: { type: "string", description: "The path of the request." },
    code: { type: "string", "x-extensible-enum": Object.keys(PROBLEMS) },
    requestId: { type: "string", description: "The id of this call in the log of the service." },
    retryable: { type: "boolean", description: "True if the same call may succeed later." },
    errors: {
      type: "array",
      description: "Each fault with its position.",
      items: {
        title: "Fault",
        type: "object",
        required: ["pointer", "detail"],
        properties: {
          pointer: { type: "string", description: "JSON pointer (RFC 6901) into the payload or the source." },
          detail: { type: "string" },
        },
      },
    },
    changesSince: {
      type: "array",
      description: "The commits since the revision of the precondition, oldest first.",
      items: {
        title: "Commit",
        type: "object",
        required: ["revision", "time", "actions", "objects"],
        properties: {
          revision: { type: "integer" },
          time: { type: "string", format: "date-time" },
          actions: { type: "array", items: { type: "string" } },
          actor: { type: "string", description: "Id of the actor." },
          objects: { type: "array", items: { type: "string" } },
        },
      },
    },
    currentRevision: { type: "integer", description: "The current revision of the model, if a precondition failed." },
    plan: { type: "string", description: "The current plan, if the call named another one." },
    conflicts: {
      type: "array",
      description:
        "Members that both people and the source changed, in different ways. Only the first ones if there are many.",
      items: {
        title: "Conflict",
        type: "object",
        required: ["objectType", "ref", "member", "base", "ours", "theirs"],
        properties: {
          objectType: { type: "string" },
          ref: {
            type: "string",
            description: "Ref `id:<uuid>` of the object, or `key:<key>` if the model does not have it.",
          },
          member: {
            type: ["string", "null"],
            description: "Null if one side deleted the object and the other side changed or uses it.",
          },
          base: { description: "The value at the last import; null for none." },
          ours: { description: "The value in the model; null for none." },
          theirs: { description: "The value in the source; null for none." },
        },
      },
    },
    conflictCount: { type: "integer", minimum: 1, description: "The number of conflicts." },
    entry: { type: "integer", minimum: 1, description: "The number of the batch entry, counted from 1." },
    retryAfter: { type: "integer", minimum: 0, description: "Seconds to wait; also sent as Retry-After." },
  },
};

/** Collects the problem responses of operations. */
export interface ProblemResponses {
  /** Returns the responses of an operation by status, as references. `codes` are its problem codes. */
  refer(codes: readonly ProblemCode[]): JsonObject;
  components(): JsonObject;
}

/** Creates an empty collection. Equal responses share one component. */
export function createProblemResponses(schemas: SchemaRegistry): ProblemResponses {
  const responsesByName = new Map<string, JsonObject>();
  return {
    refer: (codes) => {
      const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
      const responses = [...byStatus].map(([status, sameStatus]): [string, JsonObject] => {
        const name = `${status}.${sameStatus.join(".")}`;
        if (!responsesByName.has(name))
          responsesByName.set(name, createProblemResponse(status, sameStatus, schemas.refer(PROBLEM)));
        return [String(status), { $ref: `#/components/responses/${name}` }];
      });
      return Object.fromEntries(responses);
    },
    components: () => Object.fromEntries([...responsesByName].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function createProblemResponse(status: number, codes: readonly ProblemCode[], schema: JsonObject): JsonObject {
  const isRetryable = codes.some((code) => PROBLEMS[code].retryable);
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join("\n"),
    headers: {
      "X-Request-Id": toHeaderRef("requestId"),
      ...(isRetryable && { "Retry-After": toHeaderRef("retryAfter") }),
      ...(status === 429 && {
        RateLimit: toHeaderRef("rateLimit"),
        "RateLimit-Policy": toHeaderRef("rateLimitPolicy"),
      }),
      ...((status === 401 || status === 403) && { "WWW-Authenticate": toHeaderRef("authenticate") }),
    },
    content: {
      "application/problem+json": {
        schema,
      },
    },
  };
}
