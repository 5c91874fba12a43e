import { escapePointerToken } from "../../domain/text/characters.ts";
import { refuseTooMany } from "../common/document-size.ts";
import { isObject, type JsonObject, readOptionalText } from "../common/json-object.ts";
import type { FindSchema, NamedSchema, SchemaUse } from "./refs.ts";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** One operation of an OpenAPI document, with the parameters of its path. */
interface Operation {
  /** Method and path, such as `GET /pets/{id}`. */
  readonly name: string;
  readonly pointer: string;
  readonly operation: JsonObject;
  /** Lists of parameters: of the path, then of the operation. Many paths may share one. */
  readonly parameters: readonly unknown[];
}

/** The operations of an OpenAPI document, and the use of its definitions by them. */
export interface Operations {
  /** One schema for each request, and one for each successful response. */
  readonly schemas: readonly NamedSchema[];
  /** Returns the use of the definition at a pointer; undefined for both and for none. */
  readonly findUse: (pointer: string) => SchemaUse | undefined;
}

/** Reads the operations of an OpenAPI document. Refs within the document are resolved. */
export function readOperations(root: JsonObject, findSchema: FindSchema): Operations {
  const operations = listOperations(root, findSchema);
  const sent = operations.map(({ operation, parameters }) => [parameters, operation.requestBody]);
  const received = operations.map(({ operation }) => operation.responses);
  // The service sends the requests of callbacks and webhooks.
  const mixed = [root.webhooks, ...operations.map(({ operation }) => operation.callbacks)];
  const inRequests = collectTargets([sent, mixed], findSchema);
  const inResponses = collectTargets([received, mixed], findSchema);
  let fieldCount = 0;
  const toSchemas = (one: Operation) => {
    const schemas = [toRequest(one, findSchema), ...toResponses(one, findSchema)];
    // Operations may share long lists of parameters and headers by refs.
    fieldCount += schemas.reduce((count, { schema }) => count + countFields(schema), 0);
    refuseTooMany(fieldCount);
    return schemas;
  };
  return {
    schemas: operations.flatMap(toSchemas),
    findUse: (pointer) => {
      if (inRequests.has(pointer) === inResponses.has(pointer)) return undefined;
      return inRequests.has(pointer) ? "requests" : "responses";
    },
  };
}

function listOperations(root: JsonObject, findSchema: FindSchema): readonly Operation[] {
  return Object.entries(isObject(root.paths) ? root.paths : {}).flatMap(([path, value]) => {
    const item = resolve(value, findSchema);
    const pointer = `/paths/${escapePointerToken(path)}`;
    return METHODS.flatMap((method) => {
      const operation = item[method];
      if (!isObject(operation)) return [];
      const parameters = [item.parameters, operation.parameters];
      return [{ name: `${method.toUpperCase()} ${path}`, pointer: `${pointer}/${method}`, operation, parameters }];
    });
  });
}

function resolve(value: unknown, findSchema: FindSchema): JsonObject {
  if (!isObject(value)) return {};
  const { $ref } = value;
  return typeof $ref === "string" ? (findSchema($ref)?.schema ?? {}) : value;
}

/** Returns the pointers of all definitions that values refer to, also through other definitions. */
function collectTargets(values: readonly unknown[], findSchema: FindSchema): ReadonlySet<string> {
  const pointers = new Set<string>();
  const seen = new Set<object>();
  const stack = [...values];
  for (let value = stack.pop(); value !== undefined || stack.length > 0; value = stack.pop()) {
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    const target = "$ref" in value && typeof value.$ref === "string" ? findSchema(value.$ref) : undefined;
    if (target && !pointers.has(target.pointer)) {
      pointers.add(target.pointer);
      stack.push(target.schema);
    }
    for (const one of Object.values(value)) stack.push(one);
  }
  return pointers;
}

const PLACES = ["path", "query", "header", "cookie"];

/** Headers that OpenAPI describes elsewhere, so that parameters of these names are ignored. */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

function toRequest({ name, pointer, operation, parameters }: Operation, findSchema: FindSchema): NamedSchema {
  const all = parameters.flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []));
  const resolved = all.map((one) => resolve(one, findSchema));
  const places = PLACES.map((place): readonly [string, JsonObject] => {
    const here = resolved.filter((one) => one.in === place && typeof one.name === "string");
    const isIgnored = (one: JsonObject) => place === "header" && IGNORED_HEADERS.has(String(one.name).toLowerCase());
    return [place, toFields(here.filter((one) => !isIgnored(one)).map((one) => [String(one.name), one]))];
  });
  const body = resolve(operation.requestBody, findSchema);
  const content = findContent(body);
  const { operationId } = operation;
  const properties = {
    // Names of generated clients follow from it, so another id breaks them.
    ...(typeof operationId === "string" && { operationId: { type: "string", enum: [operationId] } }),
    ...Object.fromEntries(places.filter(([, { properties: fields }]) => isFilled(fields))),
    ...(content && { body: content }),
  };
  const required = [...PLACES, ...(body.required === true ? ["body"] : [])];
  return {
    ...{ name, pointer, use: "requests", isTable: true },
    schema: { ...describeOperation(operation), type: "object", properties, required },
  };
}

/** Counts the parameters or headers of the schema of an operation. */
function countFields({ properties }: JsonObject): number {
  const places = Object.values(isObject(properties) ? properties : {});
  const lists = places.map((place) => (isObject(place) && isObject(place.properties) ? place.properties : {}));
  return lists.reduce((count, fields) => count + Object.keys(fields).length, 1);
}

function isFilled(members: unknown) {
  return isObject(members) && Object.keys(members).length > 0;
}

function describeOperation(operation: JsonObject): JsonObject {
  const { summary, deprecated } = operation;
  const description = readOptionalText(operation, "description");
  return {
    title: summary,
    ...(description !== undefined && { description }),
    ...(deprecated === true && { deprecated }),
  };
}

function toResponses({ name, pointer, operation }: Operation, findSchema: FindSchema): readonly NamedSchema[] {
  const responses = Object.entries(isObject(operation.responses) ? operation.responses : {});
  const successes = responses.filter(([status]) => status.startsWith("2"));
  return successes.map(([status, value]): NamedSchema => {
    const response = resolve(value, findSchema);
    const headers = Object.entries(isObject(response.headers) ? response.headers : {});
    const content = findContent(response);
    const fields = headers.map(([header, one]): readonly [string, JsonObject] => [header, resolve(one, findSchema)]);
    const properties = { ...(fields.length > 0 && { header: toFields(fields) }), ...(content && { body: content }) };
    return {
      ...{ name: `${name} ${status}`, pointer: `${pointer}/responses/${status}`, use: "responses", isTable: true },
      schema: {
        ...{ type: "object", properties, required: ["header", "body"] },
        description: readOptionalText(response, "description"),
      },
    };
  });
}

/** Returns an object with parameters or headers as its properties. */
function toFields(fields: readonly (readonly [name: string, field: JsonObject])[]): JsonObject {
  const properties = fields.map(([name, field]) => {
    const { deprecated } = field;
    const description = readOptionalText(field, "description");
    const schema = isObject(field.schema) ? field.schema : (findContent(field) ?? {});
    const notes = { ...(description !== undefined && { description }), ...(deprecated === true && { deprecated }) };
    return [name, { ...schema, ...notes }] as const;
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: fields.flatMap(([name, field]) => (field.required === true ? [name] : [])),
  };
}

/** Returns the schema of a body: that of JSON, or of the first media type; undefined without a body. */
function findContent({ content }: JsonObject): JsonObject | undefined {
  const entries = Object.entries(isObject(content) ? content : {});
  const [, media] = entries.find(([type]) => /[/+]json\b/.test(type)) ?? entries[0] ?? [];
  return isObject(media) ? (isObject(media.schema) ? media.schema : {}) : undefined;
}
