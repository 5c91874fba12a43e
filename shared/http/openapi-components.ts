import type { JsonObject } from "../actions/describe/json-schema.ts";
import { PROBLEMS, type ProblemCode } from "../domain/problems.ts";
import { toHeaderRef } from "./openapi-headers.ts";

/** Collects the schemas of objects, so that each stands in the document once, under its name. */
export interface SchemaRegistry {
  /**
   * The schema with references in the place of the objects that have a `title`; an object without one is given `name`.
   * Throws where one name stands for two schemas.
   */
  refer(schema: JsonObject, name?: string): JsonObject;
  /** Every schema referred to so far, by name. */
  components(): JsonObject;
}

/** Makes an empty collection of schemas. */
export function createSchemaRegistry(): SchemaRegistry {
  const collected = new Map<string, JsonObject>();

  const refer = (schema: JsonObject, name?: string): JsonObject => {
    const title = schema.title ?? (schema.properties === undefined ? undefined : name);
    const inner = Object.fromEntries(Object.entries(schema).map(([member, value]) => [member, within(member, value)]));
    return typeof title === "string" ? reference(title, inner) : inner;
  };

  const within = (member: string, value: unknown): unknown => {
    if (member === "properties") return mapMembers(value as JsonObject, (one) => refer(one as JsonObject));
    if (member === "items" || member === "additionalProperties") return isSchema(value) ? refer(value) : value;
    if (member === "anyOf" || member === "oneOf") return (value as readonly JsonObject[]).map((one) => refer(one));
    return value;
  };

  const reference = (name: string, { title: _, ...members }: JsonObject): JsonObject => {
    const here = Object.entries(members).filter(([member]) => isPositionMember(member));
    const schema = Object.fromEntries(Object.entries(members).filter(([member]) => !isPositionMember(member)));
    const known = collected.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two schemas are named ${name}`);
    collected.set(name, schema);
    return { ...Object.fromEntries(here), $ref: `#/components/schemas/${name}` };
  };

  return {
    refer,
    components: () => Object.fromEntries([...collected].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** True for what belongs to the place where an object stands: "the group of a global tag", and the names of a parameter. */
function isPositionMember(member: string): boolean {
  return member === "description" || member.startsWith("x-");
}

function mapMembers(members: JsonObject, to: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, to(value)]));
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
    title: { type: "string", description: "What the code means." },
    status: { type: "integer", minimum: 400, maximum: 599 },
    detail: { type: "string", description: "What was wrong with this call, and the way out." },
    instance: { type: "string", description: "The path of the request." },
    code: { type: "string", enum: Object.keys(PROBLEMS) },
    requestId: { type: "string", description: "Names this call in the service's log." },
    retryable: { type: "boolean", description: "True where the same call may succeed later." },
    errors: {
      type: "array",
      description: "Each fault with its place.",
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
      description: "What was committed since the revision a precondition named, oldest first.",
      items: {
        title: "Commit",
        type: "object",
        required: ["revision", "time", "actions", "objects"],
        properties: {
          revision: { type: "integer" },
          time: { type: "string", format: "date-time" },
          actions: { type: "array", items: { type: "string" } },
          actor: { type: "string" },
          objects: { type: "array", items: { type: "string" } },
        },
      },
    },
    currentRevision: { type: "integer", description: "The model's revision now, where a precondition failed." },
    plan: { type: "string", description: "The plan that is true now, where another one was named." },
    conflicts: {
      type: "array",
      description: "What people and the source each changed in another way, the first ones where there are many.",
      items: {
        title: "Conflict",
        type: "object",
        required: ["objectType", "ref", "member", "base", "ours", "theirs"],
        properties: {
          objectType: { type: "string" },
          ref: {
            type: "string",
            description: "`id:<uuid>`, or `key:<key>` of an object that the model does not have.",
          },
          member: {
            type: ["string", "null"],
            description: "Null where one side deleted the object that the other one changed or uses.",
          },
          base: { description: "The value as it was imported last; null for none." },
          ours: { description: "The value that the model has; null for none." },
          theirs: { description: "The value that the source has; null for none." },
        },
      },
    },
    conflictCount: { type: "integer", minimum: 1, description: "How many conflicts there are." },
    entry: { type: "integer", minimum: 1, description: "Which entry of a batch it is about, counted from 1." },
    retryAfter: { type: "integer", minimum: 0, description: "Seconds to wait; also sent as Retry-After." },
  },
};

/** Problem responses: what an operation refers to by status, and what those names stand for. */
export interface ProblemResponses {
  /** Status -> reference, for one operation that may end in these codes. */
  refer(codes: readonly ProblemCode[]): JsonObject;
  /** Every response referred to so far, by name. */
  components(): JsonObject;
}

/** Collects problem responses, so that operations with the same codes at a status share one component. */
export function createProblemResponses(schemas: SchemaRegistry): ProblemResponses {
  const named = new Map<string, JsonObject>();
  return {
    refer: (codes) => {
      const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
      const responses = [...byStatus].map(([status, sameStatus]): [string, JsonObject] => {
        const name = `${status}.${sameStatus.join(".")}`;
        if (!named.has(name)) named.set(name, createProblemResponse(status, sameStatus, schemas.refer(PROBLEM)));
        return [String(status), { $ref: `#/components/responses/${name}` }];
      });
      return Object.fromEntries(responses);
    },
    components: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function createProblemResponse(status: number, codes: readonly ProblemCode[], schema: JsonObject): JsonObject {
  const canWait = codes.some((code) => PROBLEMS[code].retryable);
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join("\n"),
    headers: {
      "X-Request-Id": toHeaderRef("requestId"),
      ...(canWait && { "Retry-After": toHeaderRef("retryAfter") }),
      ...((status === 401 || status === 403) && { "WWW-Authenticate": toHeaderRef("authenticate") }),
    },
    content: {
      "application/problem+json": {
        schema,
      },
    },
  };
}
